/** What an answer is shown as: bars, lines or a table alone, beside the figures of the period before. */
import { numberOf } from '../../api/json-values.js';
import type { Bar } from '../../ui/bar-chart.js';
import type { Series } from '../../ui/time-series.js';
import { alignWith } from './period.js';
import { fieldWithoutGrain, type Question } from './question.js';
import { isDateType } from './schema.js';
import { timeMsOf, type CellFormat, type Header, type Row } from './value-format.js';

export type Chart =
  | { readonly kind: 'bars'; readonly kpi: Header; readonly bars: readonly Bar[]; readonly left: number }
  | {
      readonly kind: 'time';
      readonly kpi: Header;
      readonly time: Header;
      readonly timesMs: readonly number[];
      readonly series: readonly Series[];
      readonly left: number;
    };

export const barsMax = 30;
const chartsMax = 3;
const seriesMax = 6;

export const groupsOf = (headers: readonly Header[]): readonly Header[] => headers.filter((one) => !one.aggregation);
export const kpisOf = (headers: readonly Header[]): readonly Header[] => headers.filter((one) => one.aggregation);

export type Answered = {
  readonly headers: readonly Header[];
  readonly rows: readonly Row[];
  /** How the values of a header are written. */
  readonly formatOf: (header: Header) => CellFormat;
  /** Stands for a group without a value. */
  readonly nothing: string;
  /** Rows of the period before by those that they are compared with; empty where nothing is compared. */
  readonly before: ReadonlyMap<Row, Row>;
  /** What the line of the period before is called. */
  readonly beforeName: string;
};

/** The name of a group: the values of its fields. */
export const groupLabel = ({ formatOf, nothing }: Answered, groups: readonly Header[], row: Row): string =>
  groups.map((header) => formatOf(header)(row[header.id]) || nothing).join(' · ');

/** A chart for each KPI, since each has its own unit; none without KPIs or without groups. */
export const chartsOf = (answered: Answered): readonly Chart[] => {
  const groups = groupsOf(answered.headers);
  const kpis = kpisOf(answered.headers).slice(0, chartsMax);
  if (groups.length === 0 || answered.rows.length === 0) return [];
  const time = groups.find(({ type }) => isDateType(type));
  const times = new Set(answered.rows.flatMap((row) => (time && timeMsOf(row[time.id])) ?? []));
  return kpis.map((kpi) =>
    time !== undefined && times.size > 1
      ? timeChart(
          answered,
          kpi,
          time,
          [...times].toSorted((one, other) => one - other),
        )
      : barChart(answered, kpi),
  );
};

const barChart = (answered: Answered, kpi: Header): Chart => {
  const groups = groupsOf(answered.headers);
  const bars = answered.rows.map((row, at) => ({
    id: String(at),
    label: groupLabel(answered, groups, row),
    value: numberOf(row[kpi.id]) ?? Number.NaN,
    compared: numberOf(answered.before.get(row)?.[kpi.id]),
  }));
  return { kind: 'bars', kpi, bars: bars.slice(0, barsMax), left: Math.max(0, bars.length - barsMax) };
};

const timeChart = (answered: Answered, kpi: Header, time: Header, timesMs: readonly number[]): Chart => {
  const others = groupsOf(answered.headers).filter((header) => header !== time);
  const byLabel = new Map<string, Map<number, number>>();
  const add = (label: string, timeMs: number, value: number | undefined): void => {
    const values = byLabel.get(label) ?? new Map<number, number>();
    byLabel.set(label, values);
    if (value !== undefined) values.set(timeMs, value);
  };
  for (const row of answered.rows) {
    const timeMs = timeMsOf(row[time.id]);
    if (timeMs === undefined) continue;
    add(others.length === 0 ? kpi.name : groupLabel(answered, others, row), timeMs, numberOf(row[kpi.id]));
    // Beside one line another one can be read, beside six none.
    const before = others.length === 0 ? answered.before.get(row) : undefined;
    if (before !== undefined) add(answered.beforeName, timeMs, numberOf(before[kpi.id]));
  }
  const series = [...byLabel].map(([label, values]) => ({
    label,
    values: timesMs.map((timeMs) => values.get(timeMs) ?? null),
  }));
  return {
    ...{ kind: 'time', kpi, time, timesMs },
    ...{ series: series.slice(0, seriesMax), left: Math.max(0, series.length - seriesMax) },
  };
};

/** For each row the one of the same group in the period before. */
export const matchRows = (
  { headers, rows }: Pick<Answered, 'headers' | 'rows'>,
  before: { readonly rows: readonly Row[]; readonly question: Question },
  question: Question,
): ReadonlyMap<Row, Row> => {
  const groups = groupsOf(headers);
  const { period } = question;
  const previous = before.question.period;
  const shiftOf = ({ id, grain }: Header): ((day: string) => string) =>
    period !== undefined && previous !== undefined && fieldWithoutGrain(id) === period.field
      ? alignWith(period, previous, grain ?? 'day')
      : (day) => day;
  const shifts = groups.map(shiftOf);
  const keyOf = (row: Row, isBefore: boolean): string =>
    JSON.stringify(
      groups.map(({ id }, at) => {
        const value = row[id];
        return isBefore && typeof value === 'string' ? (shifts[at]?.(value) ?? value) : value;
      }),
    );
  const byKey = new Map(before.rows.map((row) => [keyOf(row, true), row]));
  return new Map(
    rows.flatMap((row) => {
      const found = byKey.get(keyOf(row, false));
      return found === undefined ? [] : [[row, found] as const];
    }),
  );
};

/** Of shares the difference in points, of others the part by which it has changed; both as shares. */
export const changeOf = (now: number | undefined, before: number | undefined, isShare: boolean): number | undefined => {
  if (now === undefined || before === undefined) return undefined;
  if (isShare) return now - before;
  return before === 0 ? undefined : (now - before) / Math.abs(before);
};

export type TableRow = { readonly id: string; readonly row: Row; readonly before: Row | undefined };

export const tableRows = (rows: readonly Row[], before: ReadonlyMap<Row, Row>): readonly TableRow[] =>
  rows.map((row, at) => ({ id: String(at), row, before: before.get(row) }));
