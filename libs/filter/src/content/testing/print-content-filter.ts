/** The tree -> text of the content repository's syntax, with no more parentheses than needed. */
import type { FilterExpression, FilterLiteral, MatchFunction } from '../../expression.js';

const functionNames: Readonly<Record<MatchFunction, string>> = {
  contains: 'Contains',
  startswith: 'StartsWith',
  endswith: 'EndsWith',
};

export const printContentFilter = (expression: FilterExpression): string => {
  switch (expression.kind) {
    case 'or':
      return expression.operands.map((operand) => printWithin(operand, ['or'])).join(' OR ');
    case 'and':
      return expression.operands.map((operand) => printWithin(operand, ['or', 'and'])).join(' AND ');
    case 'not':
      return `NOT ${printWithin(expression.operand, ['or', 'and'])}`;
    case 'compare':
      return `${expression.field.name} -${expression.operator} ${printLiteral(expression.literal)}`;
    case 'in':
      return `${expression.field.name} -in (${expression.literals.map(printLiteral).join(', ')})`;
    case 'match':
      return `${functionNames[expression.function]}(${expression.field.name}, ${printLiteral(expression.literal)})`;
    case 'blank':
      return `IsNull(${expression.field.name})`;
  }
};

const printWithin = (expression: FilterExpression, looser: readonly FilterExpression['kind'][]): string =>
  looser.includes(expression.kind) ? `(${printContentFilter(expression)})` : printContentFilter(expression);

const printLiteral = (literal: FilterLiteral): string =>
  literal.kind === 'string' ? `'${literal.text.replaceAll("'", "''")}'` : literal.text;
