/**
 * Days as numbers: 0 is 2024-07-01, when the data begins, and `today` is 2026-06-30, behind which nothing has happened.
 */
const dayLengthMs = 86_400_000;
const firstDayMs = Date.UTC(2024, 6, 1);

export const dayLengthSeconds = 86_400;

export const toDayNumber = (date: string): number => (Date.parse(`${date}T00:00:00Z`) - firstDayMs) / dayLengthMs;

export const demoToday = toDayNumber('2026-06-30');

const dateByDay = new Map<number, string>();

/** `2026-06-30` */
export const toIsoDate = (day: number): string => {
  const known = dateByDay.get(day);
  if (known !== undefined) return known;
  const date = new Date(firstDayMs + day * dayLengthMs).toISOString().slice(0, 10);
  dateByDay.set(day, date);
  return date;
};

const isWorkingDay = (day: number): boolean => new Date(firstDayMs + day * dayLengthMs).getUTCDay() % 6 !== 0;

/** Orders are placed on these; the last one is yesterday. */
export const workingDays: readonly number[] = Array.from({ length: demoToday }, (_, day) => day).filter(isWorkingDay);

const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const twoDigitsOf = (value: number): string => twoDigits[value] ?? '';

/** `13:05:59`, of a second of the day */
export const formatTimeOfDay = (second: number): string =>
  `${twoDigitsOf(Math.floor(second / 3600))}:${twoDigitsOf(Math.floor(second / 60) % 60)}:${twoDigitsOf(second % 60)}`;

/** `2026-06-30T13:05:59Z`, of a second since the first day */
export const formatInstant = (second: number): string => {
  const day = Math.floor(second / dayLengthSeconds);
  return `${toIsoDate(day)}T${formatTimeOfDay(second - day * dayLengthSeconds)}Z`;
};
