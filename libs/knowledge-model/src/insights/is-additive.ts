/**
 * Whether a KPI over all rows is the sum of what it is over parts of them: it is a linear combination of sums and
 * counts. `false` means "perhaps not".
 */
import type { TypedExpression } from '../expression/typed-expression.js';

export const isAdditive = (formula: TypedExpression): boolean => {
  switch (formula.kind) {
    case 'aggregate':
      return !formula.distinct && (formula.function === 'sum' || formula.function === 'count');
    case 'kpi':
      return isAdditive(formula.formula);
    case 'negate':
      return isAdditive(formula.operand);
    case 'cast':
      // To an integer it rounds, each part for itself.
      return formula.type === 'float' && isAdditive(formula.operand);
    case 'arithmetic':
      return addsUpWith(formula);
    case 'call': {
      const [value, otherwise] = formula.arguments;
      const isZero = otherwise?.kind === 'literal' && Number(otherwise.value ?? Number.NaN) === 0;
      return formula.function === 'coalesce' && value !== undefined && isZero && isAdditive(value);
    }
    default:
      return false;
  }
};

const addsUpWith = ({ operator, left, right }: TypedExpression & { readonly kind: 'arithmetic' }): boolean => {
  switch (operator) {
    case '+':
    case '-':
      return isAdditive(left) && isAdditive(right);
    case '*':
      return (isAdditive(left) && isNumber(right)) || (isNumber(left) && isAdditive(right));
    case '/':
      return isAdditive(left) && isNumber(right);
    case '%':
    case '||':
      return false;
  }
};

const isNumber = (expression: TypedExpression): boolean => {
  if (expression.kind === 'negate' || expression.kind === 'cast') return isNumber(expression.operand);
  return expression.kind === 'literal' && (expression.type === 'integer' || expression.type === 'float');
};
