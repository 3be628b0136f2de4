/**
 * The tree -> text for PostgreSQL and the values of its parameters. The same tree gives the same text.
 * Refuses: values in the text; every one is a parameter, also numbers and lists.
 */
import { quoteIdentifier } from './quote-identifier.js';
import type { SqlExpression, SqlValue } from './sql-expression.js';

export type PrintedSql = { readonly text: string; readonly values: readonly SqlValue[] };

/** `parametersBefore`: how many parameters the statement has before this expression. */
export const printPostgres = (expression: SqlExpression, parametersBefore = 0): PrintedSql => {
  const values: SqlValue[] = [];
  const bind = (value: SqlValue): string => `$${parametersBefore + values.push(value)}`;
  return { text: print(expression, bind), values };
};

type Bind = (value: SqlValue) => string;

const print = (expression: SqlExpression, bind: Bind): string => {
  switch (expression.kind) {
    case 'column':
      return [expression.table, expression.name].flatMap((name) => (name ? [quoteIdentifier(name)] : [])).join('.');
    case 'parameter':
      return `${bind(expression.value)}::${expression.type}`;
    case 'constant':
      return String(expression.value);
    case 'binary':
      return `(${print(expression.left, bind)} ${expression.operator} ${print(expression.right, bind)})`;
    case 'any':
      return `(${print(expression.left, bind)} = any(${print(expression.list, bind)}))`;
    case 'and':
    case 'or':
      return `(${expression.operands.map((operand) => print(operand, bind)).join(` ${expression.kind} `)})`;
    case 'not':
      return `(not ${print(expression.operand, bind)})`;
    case 'negate':
      return `(- ${print(expression.operand, bind)})`;
    case 'isNull':
      return `(${print(expression.operand, bind)} is null)`;
    case 'isNotTrue':
      return `(${print(expression.operand, bind)} is not true)`;
    case 'call':
      return `${expression.function}(${expression.arguments.map((value) => print(value, bind)).join(', ')})`;
    case 'cast':
      return `(${print(expression.operand, bind)})::${expression.type}`;
    case 'case':
      return printCase(expression, bind);
    case 'between': {
      const [operand, low, high] = [expression.operand, expression.low, expression.high].map((part) =>
        print(part, bind),
      );
      return `(${operand} between ${low} and ${high})`;
    }
    case 'extract':
      return `extract(${expression.part} from ${print(expression.operand, bind)})`;
    case 'aggregate':
      return printAggregate(expression, bind);
    case 'guarded':
      return `(case when ${print(expression.condition, bind)} then ${print(expression.value, bind)} else false end)`;
    case 'exists':
      return `(exists (select from ${printSource(expression, bind)} where ${print(expression.condition, bind)}))`;
    case 'array': {
      const value = print(expression.value, bind);
      return `array(select ${value} from ${printSource(expression, bind)})`;
    }
  }
};

const printCase = (expression: SqlExpression & { kind: 'case' }, bind: Bind): string => {
  const operand = expression.operand ? ` ${print(expression.operand, bind)}` : '';
  const branches = expression.branches.map(({ when, then }) => ` when ${print(when, bind)} then ${print(then, bind)}`);
  const otherwise = expression.otherwise ? ` else ${print(expression.otherwise, bind)}` : '';
  return `(case${operand}${branches.join('')}${otherwise} end)`;
};

const printAggregate = (expression: SqlExpression & { kind: 'aggregate' }, bind: Bind): string => {
  const argument = expression.argument ? print(expression.argument, bind) : '*';
  const filter = expression.filter ? ` filter (where ${print(expression.filter, bind)})` : '';
  return `${expression.function}(${expression.distinct ? 'distinct ' : ''}${argument})${filter}`;
};

const printSource = (from: SqlExpression & { kind: 'exists' | 'array' }, bind: Bind): string =>
  `${print(from.source, bind)} as ${quoteIdentifier(from.alias)}(${from.columns.map(quoteIdentifier).join(', ')})`;
