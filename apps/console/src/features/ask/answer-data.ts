/** What the rows behind an answer look like best: figures, bars, lines over time, or a table; each with the query that made them. */
import { isObject, numberOf } from '../../api/json-values.js';
import { figureFormatOf, type FigureFormat } from '../../language/figure-format.js';
import type { AreaAddress } from '../../ui/area-link.js';
import { isField, readLoadArguments, toModelQuery, type LoadArguments, type ModelQuery } from './load-arguments.js';
import { readLoadedRows, type Cell, type ResultColumn, type ResultRow, type ResultRows } from './tool-result.js';

export type AnswerFigure = {
  readonly id: string;
  readonly name: string;
  readonly value: number | undefined;
  readonly format: FigureFormat;
};
export type AnswerShape =
  | { readonly kind: 'figures'; readonly figures: readonly AnswerFigure[]; readonly of: readonly AnswerGroup[] }
  | {
      readonly kind: 'bars';
      readonly measure: Measure;
      readonly bars: readonly { readonly id: string; readonly label: string; readonly value: number }[];
    }
  | {
      readonly kind: 'lines';
      readonly measure: Measure;
      readonly grain: 'day' | 'month';
      readonly timesMs: readonly number[];
      readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
    }
  | { readonly kind: 'rows' };
/** What one row is of: Plant, 3010. */
export type AnswerGroup = { readonly name: string; readonly value: string };
type Measure = { readonly name: string; readonly format: FigureFormat };

export type AnswerView = {
  readonly shape: AnswerShape;
  readonly rows: ResultRows;
  readonly question: LoadArguments;
  /** Undefined where nothing told which model was asked. */
  readonly query: ModelQuery | undefined;
  readonly evidence: AreaAddress | undefined;
};

/** Of a call: what it was given and what came. */
export type AnsweredCall = {
  readonly arguments: unknown;
  readonly result: string;
  readonly isError: boolean;
  readonly evidence?: AreaAddress;
};

const barsMax = 20;
const seriesMax = 6;
const exactDigits = 2;

/** The views of the calls of a turn that loaded figures or rows, in their order; without what only looked something up. */
export const readAnswerViews = (calls: readonly AnsweredCall[], model: string | undefined): readonly AnswerView[] =>
  calls.flatMap(({ arguments: given, result, isError, evidence }) => {
    const question = isError ? undefined : readLoadArguments(given);
    const rows = question && readRowsOf(result);
    if (question === undefined || rows === undefined || rows.rows.length === 0) return [];
    const shape = shapeOf(rows);
    if (shape === undefined) return [];
    const query = model === undefined ? undefined : toModelQuery(model, question);
    return [{ shape, rows, question, query, evidence }];
  });

const readRowsOf = (result: string): ResultRows | undefined => {
  try {
    const value: unknown = JSON.parse(result);
    return isObject(value) ? readLoadedRows(value) : undefined;
  } catch {
    return undefined;
  }
};

const isKpi = ({ id, kind }: ResultColumn): boolean => kind === 'number' && !isField(id);

export const formatOfColumn = (column: ResultColumn): FigureFormat => figureFormatOf(column, exactDigits);

const shapeOf = ({ columns, rows }: ResultRows): AnswerShape | undefined => {
  const kpis = columns.filter(isKpi);
  const [kpi] = kpis;
  if (kpi === undefined) return rows.length > 1 ? { kind: 'rows' } : undefined;
  const groups = columns.filter((column) => !isKpi(column));
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return figuresOf(kpis, groups, only);
  const times = groups.filter((column) => isTime(column, rows));
  const others = groups.filter((column) => !times.includes(column));
  const [time] = times;
  if (time === undefined) return rows.length > barsMax ? { kind: 'rows' } : barsOf(kpi, others, rows);
  return (times.length === 1 && others.length <= 1 && linesOf(kpi, time, others[0], rows)) || { kind: 'rows' };
};

const textOf = (cell: Cell | undefined): string => (cell === null || cell === undefined ? '' : String(cell));

const figuresOf = (kpis: readonly ResultColumn[], groups: readonly ResultColumn[], row: ResultRow): AnswerShape => ({
  kind: 'figures',
  figures: kpis.map((kpi) => ({
    id: kpi.id,
    name: kpi.name,
    value: numberOf(row[kpi.id]),
    format: formatOfColumn(kpi),
  })),
  of: groups.map(({ id, name }) => ({ name, value: textOf(row[id]) })),
});

const barsOf = (kpi: ResultColumn, groups: readonly ResultColumn[], rows: readonly ResultRow[]): AnswerShape => ({
  kind: 'bars',
  measure: { name: kpi.name, format: formatOfColumn(kpi) },
  bars: rows.flatMap((row, at) => {
    const value = numberOf(row[kpi.id]);
    const label = groups.map(({ id }) => textOf(row[id]) || '–').join(', ');
    return value === undefined ? [] : [{ id: String(at), label, value }];
  }),
});

const monthOnly = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const dayFirst = /^\d{4}-(?:0[1-9]|1[0-2])-\d{2}/;

/** A month may be a text of the model: 2026-03. */
const isTime = ({ id, kind }: ResultColumn, rows: readonly ResultRow[]): boolean =>
  kind === 'time' || rows.every((row) => row[id] === null || monthOnly.test(textOf(row[id])));

const timeMsOf = (cell: Cell | undefined): number | undefined => {
  const text = textOf(cell);
  if (monthOnly.test(text)) return Date.parse(`${text}-01`);
  return dayFirst.test(text) ? Date.parse(text.slice(0, 10)) : undefined;
};

const linesOf = (
  kpi: ResultColumn,
  time: ResultColumn,
  group: ResultColumn | undefined,
  rows: readonly ResultRow[],
): AnswerShape | undefined => {
  const points = rows.flatMap((row) => {
    const timeMs = timeMsOf(row[time.id]);
    const label = group === undefined ? kpi.name : textOf(row[group.id]);
    return timeMs === undefined ? [] : [{ timeMs, label, value: numberOf(row[kpi.id]) ?? null }];
  });
  const byLabel = Map.groupBy(points, ({ label }) => label);
  const timesMs = [...new Set(points.map(({ timeMs }) => timeMs))].toSorted((one, other) => one - other);
  if (timesMs.length < 2 || byLabel.size > seriesMax) return undefined;
  const isMonth = rows.every(
    (row) => /^\d{4}-\d{2}(?:-01(?:T|$)|$)/.test(textOf(row[time.id])) || row[time.id] === null,
  );
  return {
    ...{ kind: 'lines', grain: isMonth ? 'month' : 'day', timesMs },
    measure: { name: kpi.name, format: formatOfColumn(kpi) },
    series: [...byLabel].map(([label, own]) => {
      const values = new Map(own.map(({ timeMs, value }) => [timeMs, value]));
      return { label, values: timesMs.map((timeMs) => values.get(timeMs) ?? null) };
    }),
  };
};

/** What get-knowledge-model told: the id of the model, and what ids are called. It may be cut behind its beginning. */
export type KnownModel = { readonly id: string; readonly names: ReadonlyMap<string, string> };

const modelBegin = /^\{"id":("(?:[^"\\]|\\.)*"),"name":/;

export const readKnownModel = (calls: readonly Pick<AnsweredCall, 'result' | 'isError'>[]): KnownModel | undefined => {
  for (const { result, isError } of calls.toReversed()) {
    const [, quoted] = isError || !result.includes('"records":[') ? [] : (modelBegin.exec(result) ?? []);
    if (quoted !== undefined) return { id: quoted.slice(1, -1), names: readNames(result) };
  }
  return undefined;
};

const readNames = (result: string): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  const add = (list: unknown): void => {
    for (const each of Array.isArray(list) ? list.filter(isObject) : []) {
      if (typeof each['id'] === 'string' && typeof each['name'] === 'string') names.set(each['id'], each['name']);
      add(each['fields']);
    }
  };
  try {
    const model: unknown = JSON.parse(result);
    if (isObject(model)) for (const member of ['records', 'kpis', 'filters']) add(model[member]);
  } catch {
    // Ids stand for names.
  }
  return names;
};
