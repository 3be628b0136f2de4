/**
 * Whether a formula is null for certain when all columns that it reads are null, as they are where a joined record has no
 * row. Refuses: to promise more than the shape of the formula shows; `false` means "perhaps not".
 */
import type { TypedExpression } from './typed-expression.js';

export const isNullOnNullInput = (formula: TypedExpression): boolean => {
  switch (formula.kind) {
    case 'column':
      return true;
    case 'literal':
      return formula.value === null;
    case 'derived':
    case 'kpi':
      return isNullOnNullInput(formula.formula);
    case 'not':
    case 'negate':
    case 'in':
    case 'between':
    case 'like':
    case 'cast':
    case 'extract':
    case 'truncate':
      return isNullOnNullInput(formula.operand);
    case 'arithmetic':
    case 'comparison':
      return isNullOnNullInput(formula.left) || isNullOnNullInput(formula.right);
    case 'and':
    case 'or':
      return formula.operands.every(isNullOnNullInput);
    case 'call':
      return isCallNullOnNullInput(formula);
    case 'isNull':
    case 'case':
    case 'aggregate':
      return false;
  }
};

const isCallNullOnNullInput = (formula: TypedExpression & { readonly kind: 'call' }): boolean => {
  switch (formula.function) {
    case 'concat':
      return false;
    case 'coalesce':
    case 'greatest':
    case 'least':
      return formula.arguments.every(isNullOnNullInput);
    case 'nullif':
      return formula.arguments.slice(0, 1).every(isNullOnNullInput);
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
      return formula.arguments.some(isNullOnNullInput);
  }
};
