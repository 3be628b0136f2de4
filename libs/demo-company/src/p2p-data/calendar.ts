/**
 * Days as numbers: 0 is 2024-07-01, when the data begins, and `today` is 2026-06-30, behind which nothing has happened.
 */
const dayLengthMs = 86_400_000;
const firstDayMs = Date.UTC(2024, 6, 1);

export const dayLengthSeconds = 86_400;

export const dayOf = (date: string): number => (Date.parse(`${date}T00:00:00Z`) - firstDayMs) / dayLengthMs;

export const today = dayOf('2026-06-30');

const dates = new Map<number, string>();

/** `2026-06-30` */
export const dateOf = (day: number): string => {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = new Date(firstDayMs + day * dayLengthMs).toISOString().slice(0, 10);
  dates.set(day, date);
  return date;
};

const isWorkingDay = (day: number): boolean => new Date(firstDayMs + day * dayLengthMs).getUTCDay() % 6 !== 0;

/** Orders are placed on these; the last one is yesterday. */
export const workingDays: readonly number[] = Array.from({ length: today }, (_, day) => day).filter(isWorkingDay);

const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const digits = (value: number): string => twoDigits[value] ?? '';

/** `13:05:59`, of a second of the day */
export const timeOf = (second: number): string =>
  `${digits(Math.floor(second / 3600))}:${digits(Math.floor(second / 60) % 60)}:${digits(second % 60)}`;

/** `2026-06-30T13:05:59Z`, of a second since the first day */
export const instantOf = (second: number): string => {
  const day = Math.floor(second / dayLengthSeconds);
  return `${dateOf(day)}T${timeOf(second - day * dayLengthSeconds)}Z`;
};
