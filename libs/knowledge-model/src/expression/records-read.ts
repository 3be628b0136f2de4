/**
 * The records that the aggregates of a KPI read, also by way of other KPIs: its grain.
 * Refuses: formulas over their weight; the checks keep those away.
 */
import type { TypedExpression } from './typed-expression.js';

export const recordsRead = (value: TypedExpression): readonly string[] => [...new Set(collectRecords(value))];

const collectRecords = (value: TypedExpression): readonly string[] => {
  if (value.kind === 'aggregate') return value.records;
  return innerOf(value).flatMap(collectRecords);
};

const innerOf = (value: TypedExpression): readonly TypedExpression[] => {
  switch (value.kind) {
    case 'literal':
    case 'column':
      return [];
    case 'derived':
    case 'kpi':
      return [value.formula];
    case 'not':
    case 'negate':
    case 'isNull':
    case 'in':
    case 'like':
    case 'cast':
    case 'extract':
    case 'truncate':
      return [value.operand];
    case 'arithmetic':
    case 'comparison':
      return [value.left, value.right];
    case 'and':
    case 'or':
      return value.operands;
    case 'between':
      return [value.operand, value.low, value.high];
    case 'case':
      return [value.operand, ...value.branches.flatMap(({ when, then }) => [when, then]), value.otherwise].filter(
        (part) => part !== undefined,
      );
    case 'call':
      return value.arguments;
    case 'aggregate':
      return [value.argument, value.filter].filter((part) => part !== undefined);
  }
};
