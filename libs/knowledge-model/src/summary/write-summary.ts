/**
 * The statements of a summary over the rows of a plan. Figures of several fields are one pass; values are counted by
 * groups, which PostgreSQL hashes and shares between workers, where `count(distinct)` would sort every row.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import {
  allOf,
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
} from '../statement/write-clauses.js';

const figureNames = ['count', 'mean', 'std', 'min', 'max', '25_percentile', '50_percentile', '75_percentile'] as const;
export type SummaryFigure = (typeof figureNames)[number];

export const figuresOf = (type: ValueType): readonly SummaryFigure[] => (isNumericType(type) ? figureNames : ['count']);

/** Whether its values are told apart: how many there are, and which is the most frequent. */
export const isCountedByValue = (type: ValueType): boolean => !isNumericType(type) && type !== 'boolean';

export const isNumericType = (type: ValueType): boolean => type === 'integer' || type === 'float';

type Source = Pick<RowsPlan, 'source'>;

export const buildFiguresSelect = (
  writing: SqlBuildContext,
  { source }: Source,
  asked: readonly { readonly field: RequestedField; readonly figures: readonly SummaryFigure[] }[],
): SqlSelect => {
  const places = fieldResolversFor(writing.view, source);
  const values = asked.flatMap(({ field, figures }) => {
    const operand = buildFieldSql(field, places);
    return figures.map((figure) => ({ value: writeFigure(figure, operand) }));
  });
  return { kind: 'select', columns: [{ value: countStar }, ...values], ...buildSourceClauses(writing, source) };
};

const writeFigure = (figure: SummaryFigure, operand: SqlExpression): SqlExpression => {
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
    case '25_percentile':
      return percentileExpression(0.25, operand);
    case '50_percentile':
      return percentileExpression(0.5, operand);
    case '75_percentile':
      return percentileExpression(0.75, operand);
  }
};

const aggregateExpression = (name: SqlAggregateFunction, argument: SqlExpression): SqlExpression => ({
  kind: 'aggregate',
  function: name,
  distinct: false,
  argument,
});

const percentileExpression = (fraction: number, operand: SqlExpression): SqlExpression => ({
  kind: 'percentile',
  fraction: parameter(fraction, 'double precision'),
  operand,
});

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
