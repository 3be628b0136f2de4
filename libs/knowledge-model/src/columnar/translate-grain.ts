/**
 * The grouped select of a grain, as it is written for PostgreSQL -> the question to an engine of columns, and the select over the
 * groups that it answers, with the same columns, types and collations.
 */
import {
  binaryOperation,
  callFunction,
  column,
  parameter,
  type SqlColumn,
  type SqlExpression,
  type SqlSelect,
  type SqlSource,
} from '@tessera/sql';
import type {
  ColumnarAggregate,
  ColumnarColumn,
  ColumnarQuery,
  ColumnarTable,
  ColumnarType,
} from './columnar-query.js';
import { stopAt } from './columnar-obstacle.js';
import type { ColumnarGroups } from './columnar-reader.js';
import { arrayTypes, findSumType, isNumberType } from './columnar-types.js';
import {
  type ColumnarValue,
  createIsNull,
  createValue,
  negateCondition,
  readDigits,
  requireBoolean,
} from './columnar-value.js';
import { translateExpression } from './translate-expression.js';

export type FindColumnarTable = (table: string) => ColumnarTable | undefined;

export type TranslatedGrain = {
  readonly query: ColumnarQuery;
  /** More are not worth handing over. */
  readonly groupsMax: number;
  readonly selectGroups: (groups: ColumnarGroups) => SqlSelect;
};

const groupsMax = 10_000;
/** What is handed over holds the event loop while it is read and written. */
const cellsMax = 50_000;

/** Throws `ColumnarObstacleError`. */
export const translateGrain = (grain: SqlSelect, find: FindColumnarTable): TranslatedGrain => {
  const places = openPlaces(grain, find);
  const translate = (sql: SqlExpression): ColumnarValue => translateExpression(sql, places.column);
  const condition = (sql: SqlExpression) => requireBoolean(translate(sql)).expression;
  const keyCount = grain.groupBy ?? 0;
  const keys = grain.columns.slice(0, keyCount).map(({ value }) => keyOf(translate(value)));
  const answered = createAnsweredColumns(keys.length);
  const aggregates = grain.columns
    .slice(keyCount)
    .map(({ value }) => answered.aggregate(translateAggregate(value, translate, places.rows)));
  const outer = [...keys.map(readKey), ...aggregates];
  if (outer.length === 0) return stopAt('expression');
  const sources = places.tables.map(({ key }, at) => {
    const on = grain.joins?.[at - 1];
    return { table: key, ...(on?.kind === 'left' && { on: condition(on.on) }) };
  });
  const query: ColumnarQuery = {
    sources,
    ...(grain.where && { where: condition(grain.where) }),
    keys: keys.map(({ expression }) => expression),
    aggregates: answered.aggregates,
  };
  const columns = outer.map((value, at): SqlColumn => ({ value, alias: grain.columns[at]?.alias ?? '' }));
  const types = [...query.keys, ...query.aggregates].map(({ type }) => type);
  return {
    query,
    groupsMax: Math.min(groupsMax, Math.floor(cellsMax / types.length)),
    selectGroups: (groups) => ({ kind: 'select', columns, from: sourceOfGroups(groups, types) }),
  };
};

const groupsAlias = 'groups';
const groupColumn = (at: number): string => `c${at + 1}`;

const sourceOfGroups = (groups: ColumnarGroups, types: readonly ColumnarType[]): SqlSource => ({
  kind: 'function',
  value: callFunction('unnest', ...types.map((type, at) => arrayOf(groups.columns[at] ?? [], type))),
  alias: groupsAlias,
  columns: types.map((_, at) => groupColumn(at)),
});

/** The driver would write element by element, which takes longer and holds the event loop. Texts alone have to be quoted. */
const arrayOf = (cells: ColumnarGroups['columns'][number], { kind }: ColumnarType): SqlExpression =>
  parameter(kind === 'text' ? cells : `{${cells.map((cell) => cell ?? 'NULL').join(',')}}`, arrayTypes[kind]);

type Places = {
  readonly tables: readonly ColumnarTable[];
  /** Of the table whose rows are aggregated. */
  readonly rows: number;
  readonly column: (alias: string | undefined, name: string) => ColumnarValue;
};

const openPlaces = ({ from, joins = [], distinct }: SqlSelect, find: FindColumnarTable): Places => {
  if (distinct || joins.some(({ kind }) => kind !== 'left')) return stopAt('related-rows');
  const sources = [...(from ? [from] : []), ...joins.map(({ source }) => source)];
  const tables = sources.map((source) =>
    source.kind === 'table' ? (find(source.name) ?? stopAt('no-table')) : stopAt('related-rows'),
  );
  const [root] = tables;
  if (!root) return stopAt('related-rows');
  const column: Places['column'] = (alias, name) => {
    const source = sources.findIndex((one) => one.alias === alias);
    const found = tables[source]?.columns.find((one) => one.name === name);
    if (found) return readColumn(source, found);
    // Searches find rows by where they stand in their table.
    return stopAt(tables[source]?.omitted.includes(name) ? 'column' : 'related-rows');
  };
  return { tables, rows: root.rows, column };
};

const readColumn = (source: number, { stored, type, scaleColumn }: ColumnarColumn): ColumnarValue => {
  const shownOf = (): ColumnarValue['shown'] => {
    if (type.kind !== 'decimal') return undefined;
    if (scaleColumn === undefined) return type.scale;
    return readDigits({ kind: 'column', source, stored: scaleColumn, type: { kind: 'integer', precision: 4 } });
  };
  const shown = shownOf();
  return createValue({ kind: 'column', source, stored }, type, [], {
    ...(shown !== undefined && { shown }),
    ...(type.kind === 'text' && { isByCodePoint: true }),
  });
};

/** Which of two equal decimals with different digits is shown depends on the order of the rows. */
const keyOf = (key: ColumnarValue): ColumnarValue => (hasOneText(key) ? key : stopAt('expression'));

const hasOneText = ({ expression: { type }, shown }: ColumnarValue): boolean =>
  type.kind !== 'decimal' || shown === undefined || shown === type.scale;

/** What the engine computes for one aggregate of PostgreSQL, and how that is put together of it. */
type TranslatedAggregate = {
  readonly parts: readonly ColumnarAggregate[];
  readonly combine: (parts: readonly SqlExpression[]) => SqlExpression;
};

const readKey = ({ expression: { type }, isByCodePoint = false }: ColumnarValue, at: number): SqlExpression =>
  readGroupColumn(at, type, isByCodePoint);

/** Columns of the groups behind their keys, in the order of the question. */
const createAnsweredColumns = (keyCount: number) => {
  const aggregates: ColumnarAggregate[] = [];
  const aggregate = ({ parts, combine }: TranslatedAggregate): SqlExpression =>
    combine(parts.map((part) => readGroupColumn(keyCount + aggregates.push(part) - 1, part.type, true)));
  return { aggregates, aggregate };
};

const readGroupColumn = (at: number, { kind }: ColumnarType, isByCodePoint: boolean): SqlExpression => {
  const place = column(groupsAlias, groupColumn(at));
  return kind === 'text' && isByCodePoint ? { kind: 'collate', operand: place, collation: 'pg_c_utf8' } : place;
};

const translateAggregate = (
  sql: SqlExpression,
  translate: (part: SqlExpression) => ColumnarValue,
  rows: number,
): TranslatedAggregate => {
  if (sql.kind !== 'aggregate') return stopAt('expression');
  const argument = sql.argument && translate(sql.argument);
  const filter = sql.filter && requireBoolean(translate(sql.filter)).expression;
  const count: ColumnarAggregate = {
    function: 'count',
    distinct: sql.distinct,
    ...(argument && { argument: argument.expression }),
    ...(filter && { filter }),
    type: { kind: 'integer', precision: 19 },
  };
  if (sql.function === 'count') return { parts: [count], combine: firstOf };
  if (!argument || sql.distinct) return stopAt('expression');
  switch (sql.function) {
    case 'sum':
      return sumOf(argument, filter, rows);
    case 'avg': {
      const sum = sumOf(argument, filter, rows);
      return {
        parts: [...sum.parts, count],
        combine: (parts) =>
          binaryOperation(
            sum.combine(parts),
            '/',
            callFunction('nullif', parts.at(-1) ?? stopAt('expression'), parameter('0', 'bigint')),
          ),
      };
    }
    case 'min':
    case 'max':
      return extremeOf(sql.function, argument, filter);
  }
};

const firstOf = ([first]: readonly SqlExpression[]): SqlExpression => first ?? stopAt('expression');

/** Shows as many digits as the value in it that shows most. */
const sumOf = (argument: ColumnarValue, filter: ColumnarAggregate['filter'], rows: number): TranslatedAggregate => {
  const { expression, shown } = argument;
  if (!isNumberType(expression.type)) return stopAt('expression');
  const type = findSumType(expression.type, rows) ?? stopAt('digits');
  const around = { distinct: false, ...(filter && { filter }) };
  const sum: ColumnarAggregate = { function: 'sum', ...around, argument: expression, type };
  if (shown === undefined || typeof shown === 'number') {
    // A literal may be cast to more digits than it shows.
    const isPlain = (shown ?? 0) === type.scale;
    return {
      parts: [sum],
      combine: (parts) =>
        isPlain ? firstOf(parts) : roundTo(firstOf(parts), parameter(String(shown ?? 0), 'integer')),
    };
  }
  const isThere = negateCondition(createIsNull(argument)).expression;
  const digits: ColumnarAggregate = {
    function: 'max',
    ...around,
    argument: { kind: 'case', branches: [{ when: isThere, then: shown }], type: shown.type },
    type: shown.type,
  };
  return {
    parts: [sum, digits],
    combine: ([value, most]) =>
      value && most ? roundTo(value, { kind: 'cast', operand: most, type: 'integer' }) : stopAt('expression'),
  };
};

/** The value has no more digits than these: only what is shown changes. */
const roundTo = (value: SqlExpression, digits: SqlExpression): SqlExpression => callFunction('round', value, digits);

const extremeOf = (
  name: 'min' | 'max',
  argument: ColumnarValue,
  filter: ColumnarAggregate['filter'],
): TranslatedAggregate => {
  const { expression, isByCodePoint } = argument;
  const { type } = expression;
  const isOrdered = type.kind === 'text' ? isByCodePoint : type.kind !== 'boolean';
  if (!isOrdered || !hasOneText(argument)) return stopAt('expression');
  const extreme: ColumnarAggregate = {
    function: name,
    distinct: false,
    argument: expression,
    ...(filter && { filter }),
    type,
  };
  return { parts: [extreme], combine: firstOf };
};
