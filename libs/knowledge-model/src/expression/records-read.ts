/**
 * The aggregates of a KPI, also by way of other KPIs, and the records that they read: its grain.
 * Refuses: formulas over their weight; the checks keep those away.
 */
import { partsOfExpression } from './parts-of-expression.js';
import type { TypedAggregate, TypedExpression } from './typed-expression.js';

export const recordsRead = (value: TypedExpression): readonly string[] => [
  ...new Set(aggregatesIn(value).flatMap(({ records }) => records)),
];

/** In the order of the formula; the same one as often as it is named. */
export const aggregatesIn = (value: TypedExpression): readonly TypedAggregate[] =>
  value.kind === 'aggregate' ? [value] : partsOfExpression(value).flatMap(aggregatesIn);
