/** A filter on data as text: what was parsed, or made without text, in one spelling. */
import type { DataCondition, DataExpression, DataField, DataLiteral } from '../expression.js';

/** How a field is called: its name when it is left out. */
type GetFieldName = (name: string) => string;

type Printing = {
  readonly fieldName?: GetFieldName;
  /** `hide`: an ellipsis stands for what is compared with, and for what is computed with values in it. */
  readonly values?: 'show' | 'hide';
};
type Spelling = { readonly field: (field: DataField) => string; readonly literal: (literal: DataLiteral) => string };

const hidden = '…';

export const printDataExpression = (
  expression: DataExpression,
  { fieldName = (name) => name, values = 'show' }: Printing = {},
): string => {
  const isShown = values === 'show';
  const spelling: Spelling = {
    field: (field) => (field.value && !isShown ? hidden : printField(field, fieldName)),
    literal: (literal) => (isShown ? printLiteral(literal) : hidden),
  };
  const print = (inner: DataExpression): string => {
    switch (inner.kind) {
      case 'and':
      case 'or':
        return inner.operands.map((operand) => inParentheses(operand, print)).join(` ${inner.kind} `);
      case 'not':
        return `not (${print(inner.operand)})`;
      default:
        return printCondition(inner, spelling, print);
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
  { field, literal }: Spelling,
  print: (inner: DataExpression) => string,
): string => {
  switch (condition.kind) {
    case 'compare':
      return `${field(condition.field)} ${condition.operator} ${literal(condition.literal)}`;
    case 'in': {
      const list = condition.literals.map(literal).join(', ');
      const { anyBefore, anyAfter, ignoreCase } = condition.likeness ?? {};
      const likeness = [
        ...(anyBefore ? ['any text before'] : []),
        ...(anyAfter ? ['any text after'] : []),
        ...(ignoreCase ? ['in any case'] : []),
      ];
      const suffix = likeness.length > 0 ? `, ${likeness.join(', ')}` : '';
      return `${field(condition.field)} in (${list})${suffix}`;
    }
    case 'match':
      return `${condition.function}(${field(condition.field)}, ${literal(condition.literal)})`;
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
