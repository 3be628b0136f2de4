/** Days of the calendar, as fields have them (`2026-06-30`), as bounds of a log: those of the place where the browser is. */

const startOf = (day: string, daysLater: number): string | undefined => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
};

/** From the beginning of the first day until the last one has ended; what is no day is no bound. */
export const boundsOfDays = (
  first: string | undefined,
  last: string | undefined,
): { readonly from?: string; readonly to?: string } => {
  const [from, to] = [startOf(first ?? '', 0), startOf(last ?? '', 1)];
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
};
