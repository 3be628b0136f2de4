/** Calendar days as text (`2026-03-01`). */
export type Days = { readonly from?: string | undefined; readonly to?: string | undefined };

export const dayOf = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

export const yearDays = (year: number): Days => monthsFrom(year, 1, 12);
export const monthDays = (year: number, month: number): Days => monthsFrom(year, month, 1);

/** The whole of so many months; `month` may lie outside of 1 to 12. */
export const monthsFrom = (year: number, month: number, count: number): Days => ({
  from: dayOf(year, month, 1),
  to: dayOf(year, month + count, 0),
});

export const plusDays = (day: string, count: number): string => {
  const [year = 0, month = 1, date = 1] = partsOf(day);
  return dayOf(year, month, date + count);
};

export const partsOf = (day: string): readonly number[] => day.slice(0, 10).split('-').map(Number);

/** The first day that is there in the calendar of the year: `2026-02-30` is none. */
export const isDay = (day: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) && plusDays(day, 0) === day;
