/** What a typed expression is made of, one level down. Refuses: to tell the parts apart. */
import type { TypedExpression, TypedAggregate } from './typed-expression.js';

export const partsOfExpression = (value: TypedExpression): readonly TypedExpression[] => {
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

export const recordsRead = (value: TypedExpression): readonly string[] => [
  ...new Set(aggregatesIn(value).flatMap(({ records }) => records)),
];

/** In the order of the formula; the same one as often as it is named. */
export const aggregatesIn = (value: TypedExpression): readonly TypedAggregate[] =>
  value.kind === 'aggregate' ? [value] : partsOfExpression(value).flatMap(aggregatesIn);
