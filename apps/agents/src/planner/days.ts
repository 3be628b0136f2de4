/** Calendar days as text (`2026-03-01`). */
export type DayRange = { readonly from?: string | undefined; readonly to?: string | undefined };

export const toIsoDay = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

export const yearRange = (year: number): DayRange => multiMonthRange(year, 1, 12);
export const monthRange = (year: number, month: number): DayRange => multiMonthRange(year, month, 1);

/** The whole of so many months; `month` may lie outside of 1 to 12. */
export const multiMonthRange = (year: number, month: number, count: number): DayRange => ({
  from: toIsoDay(year, month, 1),
  to: toIsoDay(year, month + count, 0),
});

export const addDays = (day: string, count: number): string => {
  const [year = 0, month = 1, date = 1] = splitDay(day);
  return toIsoDay(year, month, date + count);
};

export const splitDay = (day: string): readonly number[] => day.slice(0, 10).split('-').map(Number);

/** The first day that is there in the calendar of the year: `2026-02-30` is none. */
export const isIsoDay = (day: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) && addDays(day, 0) === day;
