/** The tree -> text of the filter syntax for data, with no more parentheses than needed. */
import type { DataExpression, DataField, DataLiteral, DataValue } from '../../expression.js';

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
    case 'any': {
      const { path, variable, operand } = expression;
      return `${path}/any(${operand ? `${variable}:${printDataFilter(operand)}` : ''})`;
    }
  }
};

const printWithin = (expression: DataExpression, looser: readonly DataExpression['kind'][]): string =>
  looser.includes(expression.kind) ? `(${printDataFilter(expression)})` : printDataFilter(expression);

const printField = ({ name, applied, value }: DataField): string =>
  value ? printValue(value) : applied.reduce((inner, called) => `${called}(${inner})`, name);

/** Each operation in parentheses. */
const printValue = (value: DataValue): string => {
  switch (value.kind) {
    case 'literal':
      return printLiteral(value.literal);
    case 'field':
      return value.name;
    case 'count':
      return `${value.path}/$count`;
    case 'call':
      return `${value.function}(${value.arguments.map(printValue).join(', ')})`;
    case 'negate':
      return `-(${printValue(value.operand)})`;
    case 'arithmetic':
    case 'comparison':
      return `(${printValue(value.left)} ${value.operator} ${printValue(value.right)})`;
  }
};

const printLiteral = ({ kind, text }: DataLiteral): string =>
  kind === 'string' ? `'${text.replaceAll("'", "''")}'` : kind === 'caller' ? `caller.${text}` : text;
