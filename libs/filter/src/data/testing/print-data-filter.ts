/** The tree -> text of the filter syntax for data, with no more parentheses than needed. */
import type { DataExpression, DataField, DataLiteral } from '../../expression.js';

export const printDataFilter = (expression: DataExpression): string => {
  switch (expression.kind) {
    case 'or':
      return expression.operands.map((operand) => printWithin(operand, ['or'])).join(' or ');
    case 'and':
      return expression.operands.map((operand) => printWithin(operand, ['or', 'and'])).join(' and ');
    case 'not':
      return `not ${printWithin(expression.operand, ['or', 'and', 'compare', 'in'])}`;
    case 'compare':
      return `${printField(expression.field)} ${expression.operator} ${printLiteral(expression.literal)}`;
    case 'in':
      return `${printField(expression.field)} in (${expression.literals.map(printLiteral).join(', ')})`;
    case 'match':
      return `${expression.function}(${printField(expression.field)}, ${printLiteral(expression.literal)})`;
  }
};

const printWithin = (expression: DataExpression, looser: readonly DataExpression['kind'][]): string =>
  looser.includes(expression.kind) ? `(${printDataFilter(expression)})` : printDataFilter(expression);

const printField = ({ name, applied }: DataField): string =>
  applied.reduce((inner, called) => `${called}(${inner})`, name);

const printLiteral = ({ kind, text }: DataLiteral): string =>
  kind === 'string' ? `'${text.replaceAll("'", "''")}'` : kind === 'caller' ? `caller.${text}` : text;
