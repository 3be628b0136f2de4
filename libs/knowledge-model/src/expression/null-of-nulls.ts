/**
 * Whether a formula is null for certain when all columns that it reads are null, as they are where a joined record has no
 * row. Refuses: to promise more than the shape of the formula shows; `false` means "perhaps not".
 */
import type { TypedExpression } from './typed-expression.js';

export const isNullOfNulls = (formula: TypedExpression): boolean => {
  switch (formula.kind) {
    case 'column':
      return true;
    case 'literal':
      return formula.value === null;
    case 'derived':
    case 'kpi':
      return isNullOfNulls(formula.formula);
    case 'not':
    case 'negate':
    case 'in':
    case 'between':
    case 'like':
    case 'cast':
    case 'extract':
    case 'truncate':
      return isNullOfNulls(formula.operand);
    case 'arithmetic':
    case 'comparison':
      return isNullOfNulls(formula.left) || isNullOfNulls(formula.right);
    case 'and':
    case 'or':
      return formula.operands.every(isNullOfNulls);
    case 'call':
      return isCallNullOfNulls(formula);
    case 'isNull':
    case 'case':
    case 'aggregate':
      return false;
  }
};

const isCallNullOfNulls = (formula: TypedExpression & { readonly kind: 'call' }): boolean => {
  switch (formula.function) {
    case 'concat':
      return false;
    case 'coalesce':
    case 'greatest':
    case 'least':
      return formula.arguments.every(isNullOfNulls);
    case 'nullif':
      return formula.arguments.slice(0, 1).every(isNullOfNulls);
    case 'abs':
    case 'floor':
    case 'ceil':
    case 'round':
    case 'lower':
    case 'upper':
    case 'trim':
    case 'length':
    case 'substring':
    case 'replace':
      return formula.arguments.some(isNullOfNulls);
  }
};
