/** Days, the periods that they make, and the period before. Days are texts, `2026-03-01`, without a time zone. */

export const grains = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Grain = (typeof grains)[number];

/** From the first to the last day, both in it; a bound that is empty is open. */
export type Period = {
  /** The date that is compared: `RECORD.FIELD`. */
  readonly field: string;
  readonly from: string;
  readonly to: string;
  /** With which other period figures are compared: the one just before, or the same a year before. */
  readonly compare?: 'before' | 'year';
};

type Span = Pick<Period, 'from' | 'to'>;

const dayMs = 86_400_000;
const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Milliseconds of a day in UTC; undefined for what is no day of the calendar. */
export const dayMsOf = (day: string): number | undefined => {
  const [, year = '', month = '', date = ''] = dayPattern.exec(day) ?? [];
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(date));
  return year !== '' && dayOf(ms) === day ? ms : undefined;
};

const dayOf = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : '');

export const addDays = (day: string, days: number): string => dayOf((dayMsOf(day) ?? Number.NaN) + days * dayMs);

/** The same day of another month, or its last one. */
export const addMonths = (day: string, months: number): string => {
  const ms = dayMsOf(day);
  if (ms === undefined) return '';
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month, Math.min(date.getUTCDate(), last)));
};

const daysBetween = (from: string, to: string): number =>
  Math.round(((dayMsOf(to) ?? Number.NaN) - (dayMsOf(from) ?? Number.NaN)) / dayMs);

const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

const isWholeMonths = ({ from, to }: Span): boolean => from.endsWith('-01') && addDays(to, 1).endsWith('-01');

/** With what a period is compared. Whole months come after whole months, other days after as many. Undefined with an open bound. */
export const previousPeriod = ({ field, from, to, compare }: Period): Period | undefined => {
  if (compare === undefined || dayMsOf(from) === undefined || dayMsOf(to) === undefined || from > to) return undefined;
  if (compare === 'year') return { field, from: addMonths(from, -12), to: yearBefore(to) };
  const days = daysBetween(from, to) + 1;
  const months = monthNumber(to) - monthNumber(from) + 1;
  return {
    field,
    from: isWholeMonths({ from, to }) ? addMonths(from, -months) : addDays(from, -days),
    to: addDays(from, -1),
  };
};

/** The last day of a month stays the last: of February it may be another. */
const yearBefore = (day: string): string =>
  addDays(day, 1).endsWith('-01') ? addDays(addMonths(addDays(day, 1), -12), -1) : addMonths(day, -12);

/** The first day of the period behind the one that begins with `day`. */
export const nextPeriodStart = (day: string, grain: Grain): string => {
  switch (grain) {
    case 'day':
      return addDays(day, 1);
    case 'week':
      return addDays(day, 7);
    case 'month':
      return addMonths(day, 1);
    case 'quarter':
      return addMonths(day, 3);
    case 'year':
      return addMonths(day, 12);
  }
};

const weekStart = (day: string): string => {
  const weekday = new Date(dayMsOf(day) ?? Number.NaN).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
};

const monthsOf = { month: 1, quarter: 3, year: 12 } as const;

/** Where a date of the period before stands in the period that it is compared with. */
export const alignWith = (current: Span, previous: Span, grain: Grain): ((day: string) => string) => {
  switch (grain) {
    case 'day': {
      const days = daysBetween(previous.from, current.from);
      return (day) => addDays(day, days);
    }
    case 'week': {
      const days = daysBetween(weekStart(previous.from), weekStart(current.from));
      return (day) => addDays(day, days);
    }
    case 'month':
    case 'quarter':
    case 'year': {
      const length = monthsOf[grain];
      const numberOf = (day: string): number => Math.floor((monthNumber(day) - 1) / length) * length;
      const months = numberOf(current.from) - numberOf(previous.from);
      return (day) => addMonths(day, months);
    }
  }
};

/** The filter of a period; empty when both bounds are open. */
export const periodCondition = ({ field, from, to }: Period): string =>
  [from !== '' && `${field} ge ${literalOf(from)}`, to !== '' && `${field} le ${literalOf(to)}`]
    .filter((part) => part !== false)
    .join(' and ');

/** What is no day is told by the server at its place. */
const literalOf = (day: string): string => (dayPattern.test(day) ? day : `'${day.replaceAll("'", "''")}'`);
