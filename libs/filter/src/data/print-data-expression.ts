/** A filter on data as text: what was parsed, or made without text, in one spelling. */
import type { DataCondition, DataExpression, DataField, DataLiteral } from '../expression.js';

/** How a field is called: its name when it is left out. */
type GetFieldName = (name: string) => string;

export const printDataExpression = (expression: DataExpression, fieldName: GetFieldName = (name) => name): string => {
  const print = (inner: DataExpression): string => {
    switch (inner.kind) {
      case 'and':
      case 'or':
        return inner.operands.map((operand) => inParentheses(operand, print)).join(` ${inner.kind} `);
      case 'not':
        return `not (${print(inner.operand)})`;
      default:
        return printCondition(inner, fieldName, print);
    }
  };
  return print(expression);
};

/** One operand of `and` is written like the operand itself. */
const inParentheses = (operand: DataExpression, print: (inner: DataExpression) => string): string =>
  (operand.kind === 'and' || operand.kind === 'or') && operand.operands.length > 1
    ? `(${print(operand)})`
    : print(operand);

const printCondition = (
  condition: DataCondition,
  fieldName: GetFieldName,
  print: (inner: DataExpression) => string,
): string => {
  switch (condition.kind) {
    case 'compare':
      return `${printField(condition.field, fieldName)} ${condition.operator} ${printLiteral(condition.literal)}`;
    case 'in': {
      const list = condition.literals.map(printLiteral).join(', ');
      const { anyBefore, anyAfter, ignoreCase } = condition.likeness ?? {};
      const likeness = [
        ...(anyBefore ? ['any text before'] : []),
        ...(anyAfter ? ['any text after'] : []),
        ...(ignoreCase ? ['in any case'] : []),
      ];
      const suffix = likeness.length > 0 ? `, ${likeness.join(', ')}` : '';
      return `${printField(condition.field, fieldName)} in (${list})${suffix}`;
    }
    case 'match':
      return `${condition.function}(${printField(condition.field, fieldName)}, ${printLiteral(condition.literal)})`;
    case 'any': {
      const { path, variable = '', operand } = condition;
      return `${path}/any(${operand ? `${variable}: ${print(operand)}` : ''})`;
    }
  }
};

/** What is computed has its own text as its name. */
const printField = ({ name, applied, value }: DataField, fieldName: GetFieldName): string =>
  applied.reduce((inner, applying) => `${applying}(${inner})`, value ? name : fieldName(name));

const printLiteral = ({ kind, text }: DataLiteral): string => {
  if (kind === 'string') return `'${text.replaceAll("'", "''")}'`;
  return kind === 'caller' ? `caller.${text}` : text;
};
