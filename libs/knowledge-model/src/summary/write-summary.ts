/**
 * The statements of a summary over the rows of a plan. Figures of several fields are one pass; values are counted by
 * groups, which PostgreSQL hashes and shares between workers, where `count(distinct)` would sort every row.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import {
  allOf,
  binaryOperation,
  callFunction,
  column,
  countStar,
  negation,
  parameter,
  type SqlAggregateFunction,
  type SqlExpression,
  type SqlSelect,
} from '@tessera/sql';
import { collationOf } from '../plan/plan-query.js';
import type { RowsPlan } from '../plan/query-plan.js';
import type { RequestedField } from '../query/query-field.js';
import {
  fieldResolversFor,
  withCollation,
  buildFieldSql,
  buildSourceClauses,
  type SqlBuildContext,
  type SqlSourceClauses,
} from '../statement/write-clauses.js';

const figureNames = ['count', 'mean', 'std', 'min', 'max', 'percentiles'] as const;
export type ComputedFigure = (typeof figureNames)[number];
export type SummaryFigure = Exclude<ComputedFigure, 'percentiles'> | (typeof percentileNames)[number];

export const figuresOf = (type: ValueType): readonly ComputedFigure[] =>
  isNumericType(type) ? figureNames : ['count'];

/** Whether its values are told apart: how many there are, and which is the most frequent. */
export const isCountedByValue = (type: ValueType): boolean => !isNumericType(type) && type !== 'boolean';

export const isNumericType = (type: ValueType): boolean => type === 'integer' || type === 'float';

type Source = Pick<RowsPlan, 'source'>;

export const buildFiguresSelect = (
  writing: SqlBuildContext,
  { source }: Source,
  asked: readonly { readonly field: RequestedField; readonly figures: readonly ComputedFigure[] }[],
): SqlSelect => {
  const rows = buildSourceClauses(writing, source);
  const places = fieldResolversFor(writing.view, source);
  const values = asked.flatMap(({ field, figures }) => {
    const operand = buildFieldSql(field, places);
    return figures.map((figure) => ({ value: writeFigure(figure, operand, rows) }));
  });
  return { kind: 'select', columns: [{ value: countStar }, ...values], ...rows };
};

const writeFigure = (figure: ComputedFigure, operand: SqlExpression, rows: SqlSourceClauses): SqlExpression => {
  switch (figure) {
    case 'count':
      return aggregateExpression('count', operand);
    case 'mean':
      return aggregateExpression('avg', operand);
    case 'std':
      return { kind: 'deviation', operand };
    case 'min':
    case 'max':
      return aggregateExpression(figure, operand);
    case 'percentiles':
      return { kind: 'percentiles', fractions: buildPercentileFractions(operand, rows), operand };
  }
};

const aggregateExpression = (name: SqlAggregateFunction, argument: SqlExpression): SqlExpression => ({
  kind: 'aggregate',
  function: name,
  distinct: false,
  argument,
});

/**
 * Where the values stand between which the quarters fall: percentiles of PostgreSQL between two values are `double precision`, which
 * would change long numbers. Half a place before its end the fraction of a place is sure to be of that place.
 */
const buildPercentileFractions = (operand: SqlExpression, rows: SqlSourceClauses): SqlExpression => {
  const count = column('counted', 'n');
  const [quarter, upper] = [column('quarter', 'number'), column('quarter', 'upper')];
  const before = binaryOperation(
    binaryOperation(quarter, '*', binaryOperation(count, '-', parameter('1', 'bigint'))),
    '+',
    upper,
  );
  const place = binaryOperation(
    callFunction('div', before, parameter('4', 'numeric')),
    '+',
    parameter('0.5', 'numeric'),
  );
  const fraction = binaryOperation(place, '/', callFunction('nullif', count, parameter('0', 'bigint')));
  const counted: SqlSelect = {
    kind: 'select',
    columns: [{ value: aggregateExpression('count', operand), alias: 'n' }],
    ...rows,
  };
  const quarters = callFunction(
    'unnest',
    parameter(quarterEdges.numbers, 'bigint[]'),
    parameter(quarterEdges.uppers, 'bigint[]'),
  );
  const query: SqlSelect = {
    kind: 'select',
    columns: [{ value: fraction }],
    from: { kind: 'query', query: counted, alias: 'counted' },
    joins: [
      { kind: 'cross', source: { kind: 'function', value: quarters, alias: 'quarter', columns: ['number', 'upper'] } },
    ],
  };
  return { kind: 'cast', operand: { kind: 'array', query }, type: 'double precision[]' };
};

/** The values before and behind each quarter, which are the same where it falls on one. */
const quarterEdges = { numbers: [1, 1, 2, 2, 3, 3], uppers: [0, 3, 0, 3, 0, 3] } as const;

const percentileNames = ['25_percentile', '50_percentile', '75_percentile'] as const;

/** The figures of a field from the columns of the statement. */
export const readFigures = (
  figures: readonly ComputedFigure[],
  row: readonly (string | null)[],
): readonly (readonly [SummaryFigure, string | null])[] => {
  const count = BigInt(row[figures.indexOf('count')] ?? 0);
  return figures.flatMap((figure, at): readonly (readonly [SummaryFigure, string | null])[] => {
    const text = row[at] ?? null;
    if (figure !== 'percentiles') return [[figure, text]];
    const edges = text === null ? [] : text.slice(1, -1).split(',');
    return percentileNames.map((name, quarter) => {
      const [lower, upper] = edges.slice(2 * quarter, 2 * quarter + 2);
      const beyond = (BigInt(quarter + 1) * (count - 1n)) % 4n;
      return [name, count === 0n || lower === undefined || upper === undefined ? null : between(lower, upper, beyond)];
    });
  });
};

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?$/;

/** So many quarters of the way from one to the other. */
const between = (lower: string, upper: string, quarters: bigint): string => {
  if (quarters === 0n || lower === upper) return lower;
  const digits = Math.max(...[lower, upper].map((text) => decimalPattern.exec(text)?.[3]?.length ?? 0));
  const [low, high] = [lower, upper].map((text) => unitsOf(text, digits));
  if (low === undefined || high === undefined)
    return String(Number(lower) + ((Number(upper) - Number(lower)) * Number(quarters)) / 4);
  return decimalOf((low * (4n - quarters) + high * quarters) * 25n, digits + 2);
};

/** Undefined of numbers with an exponent and of those that are not finite. */
const unitsOf = (text: string, digits: number): bigint | undefined => {
  const [found, sign = '', whole = '', fraction = ''] = decimalPattern.exec(text) ?? [];
  return found === undefined ? undefined : BigInt(`${sign}${whole}${fraction.padEnd(digits, '0')}`);
};

const decimalOf = (units: bigint, digits: number): string => {
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${text.slice(0, -digits)}${fraction === '' ? '' : `.${fraction}`}`;
};

/** Of values that are equally frequent the first in order. */
export const buildTopValueSelect = (writing: SqlBuildContext, { source }: Source, field: RequestedField): SqlSelect => {
  const value = buildFieldSql(field, fieldResolversFor(writing.view, source));
  const { where, ...rows } = buildSourceClauses(writing, source);
  const isThere = negation({ kind: 'isNull', operand: value });
  const conditions = [...(where ? [where] : []), ...(field.nullable ? [isThere] : [])];
  return {
    kind: 'select',
    columns: [
      { value: withCollation(value, collationOf(writing.view, field.expression)) },
      { value: countStar },
      { value: { kind: 'rowsInAll' } },
    ],
    ...rows,
    ...(conditions.length > 0 && { where: allOf(conditions) }),
    groupBy: 1,
    orderBy: [
      { by: 2, descending: true },
      { by: 1, descending: false },
    ],
    limit: parameter('1', 'bigint'),
  };
};
