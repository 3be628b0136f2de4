/**
 * The statements of a summary over the rows of a plan. Figures of several fields are one pass; values are counted by
 * groups, which PostgreSQL hashes and shares between workers, where `count(distinct)` would sort every row.
 */
import type { ValueType } from '@tessera/contracts/knowledge-models';
import {
  allOf,
  countRows,
  negation,
  parameter,
  type SqlAggregateFunction,
  type SqlExpression,
  type SqlSelect,
} from '@tessera/sql';
import { collationOf } from '../plan/plan-query.js';
import type { RowsPlan } from '../plan/query-plan.js';
import type { RequestedField } from '../query/query-field.js';
import { placesIn, withCollation, writeField, writeSource, type Writing } from '../statement/write-clauses.js';

const figures = ['count', 'mean', 'std', 'min', 'max', '25_percentile', '50_percentile', '75_percentile'] as const;
export type Figure = (typeof figures)[number];

export const figuresOf = (type: ValueType): readonly Figure[] => (isNumeric(type) ? figures : ['count']);

/** Whether its values are told apart: how many there are, and which is the most frequent. */
export const isCountedByValue = (type: ValueType): boolean => !isNumeric(type) && type !== 'boolean';

export const isNumeric = (type: ValueType): boolean => type === 'integer' || type === 'float';

type Source = Pick<RowsPlan, 'source'>;

export const writeFigures = (
  writing: Writing,
  { source }: Source,
  asked: readonly { readonly field: RequestedField; readonly figures: readonly Figure[] }[],
): SqlSelect => {
  const places = placesIn(writing.view, source);
  const values = asked.flatMap(({ field, figures }) => {
    const operand = writeField(field, places);
    return figures.map((figure) => ({ value: writeFigure(figure, operand) }));
  });
  return { kind: 'select', columns: [{ value: countRows }, ...values], ...writeSource(writing, source) };
};

const writeFigure = (figure: Figure, operand: SqlExpression): SqlExpression => {
  switch (figure) {
    case 'count':
      return aggregate('count', operand);
    case 'mean':
      return aggregate('avg', operand);
    case 'std':
      return { kind: 'deviation', operand };
    case 'min':
    case 'max':
      return aggregate(figure, operand);
    case '25_percentile':
      return percentile(0.25, operand);
    case '50_percentile':
      return percentile(0.5, operand);
    case '75_percentile':
      return percentile(0.75, operand);
  }
};

const aggregate = (name: SqlAggregateFunction, argument: SqlExpression): SqlExpression => ({
  kind: 'aggregate',
  function: name,
  distinct: false,
  argument,
});

const percentile = (fraction: number, operand: SqlExpression): SqlExpression => ({
  kind: 'percentile',
  fraction: parameter(fraction, 'double precision'),
  operand,
});

/** Of values that are equally frequent the first in order. */
export const writeTop = (writing: Writing, { source }: Source, field: RequestedField): SqlSelect => {
  const value = writeField(field, placesIn(writing.view, source));
  const { where, ...rows } = writeSource(writing, source);
  const isThere = negation({ kind: 'isNull', operand: value });
  const conditions = [...(where ? [where] : []), ...(field.nullable ? [isThere] : [])];
  return {
    kind: 'select',
    columns: [
      { value: withCollation(value, collationOf(writing.view, field.expression)) },
      { value: countRows },
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
