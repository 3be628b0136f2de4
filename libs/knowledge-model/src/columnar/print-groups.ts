/**
 * What the statements of all engines have in common: the grouped select of a question. What dialects say differently, or mean
 * differently by the same words, each of them prints itself.
 */
import type {
  ColumnarAggregate,
  ColumnarDatePart,
  ColumnarExpression,
  ColumnarNode,
  ColumnarQuery,
  ColumnarTruncation,
  ColumnarType,
} from './columnar-query.js';

export type PrintExpression = (expression: ColumnarExpression) => string;

export type ArithmeticExpression = ColumnarExpression & { readonly kind: 'arithmetic' };

/** Operands are printed. */
export type ColumnarDialect = {
  /** What casts name; it has room for null. */
  readonly type: (type: ColumnarType) => string;
  /** Adds the value to those of the statement. */
  readonly parameter: (value: string, type: ColumnarType) => string;
  readonly aggregate: (aggregate: ColumnarAggregate, print: PrintExpression) => string;
  readonly arithmetic: (expression: ArithmeticExpression, print: PrintExpression) => string;
  /** Null where the operand is. */
  readonly isIn: (operand: string, values: readonly string[]) => string;
  readonly like: (operand: string, pattern: string) => string;
  readonly isNotTrue: (operand: string) => string;
  readonly truncate: (unit: ColumnarTruncation, operand: string) => string;
  readonly extract: (part: ColumnarDatePart, operand: string) => string;
};

/** Its columns are called `k0`, `k1` and so on for the keys, then `a0`, `a1` and so on. `tables`: the names of the sources, quoted where they have to be. */
export const printGroups = (
  { sources, where, keys, aggregates }: ColumnarQuery,
  tables: readonly string[],
  dialect: ColumnarDialect,
): string => {
  const print = createPrinter(dialect);
  const selected = [
    ...keys.map((key, place) => `${print(key)} as k${place}`),
    ...aggregates.map((aggregate, place) => `${dialect.aggregate(aggregate, print)} as a${place}`),
  ];
  const from = sources.map(({ on }, place) => {
    const name = `${tables[place] ?? ''} as s${place}`;
    return on ? `left join ${name} on ${print(on)}` : name;
  });
  return [
    `select ${selected.join(', ')} from ${from.join(' ')}`,
    ...(where ? [`where ${print(where)}`] : []),
    ...(keys.length > 0 ? [`group by ${keys.map((_, place) => `k${place}`).join(', ')}`] : []),
  ].join(' ');
};

/** The columns of the grouped select as `printCell` prints each. */
export const printCells = (
  { keys, aggregates }: ColumnarQuery,
  printCell: (name: string, type: ColumnarType) => string,
): readonly string[] => [
  ...keys.map(({ type }, place) => printCell(`k${place}`, type)),
  ...aggregates.map(({ type }, place) => printCell(`a${place}`, type)),
];

const createPrinter = (dialect: ColumnarDialect): PrintExpression => {
  const { type: printType, parameter } = dialect;
  const print: PrintExpression = (node) => {
    switch (node.kind) {
      case 'column':
        return `s${node.source}.${node.stored}`;
      case 'literal':
        return node.value === null ? `cast(null as ${printType(node.type)})` : parameter(node.value, node.type);
      case 'cast':
        return `cast(${print(node.operand)} as ${printType(node.type)})`;
      case 'arithmetic':
        return dialect.arithmetic(node, print);
      case 'comparison':
        return `(${print(node.left)} ${node.operator} ${print(node.right)})`;
      case 'negate':
        return `(- ${print(node.operand)})`;
      case 'in': {
        const { operand, values } = node;
        const printed = print(operand);
        return dialect.isIn(
          printed,
          values.map((value) => parameter(value, operand.type)),
        );
      }
      case 'like':
        return dialect.like(print(node.operand), node.pattern);
      case 'and':
      case 'or':
        return `(${node.operands.map(print).join(` ${node.kind} `)})`;
      case 'not':
        return `(not ${print(node.operand)})`;
      case 'isNull':
        return `(${print(node.operand)} is null)`;
      case 'isNotTrue':
        return dialect.isNotTrue(print(node.operand));
      case 'case':
        return printCase(node, print);
      case 'truncate':
        return dialect.truncate(node.unit, print(node.operand));
      case 'extract':
        return dialect.extract(node.part, print(node.operand));
    }
  };
  return print;
};

const printCase = (
  { branches, otherwise }: ColumnarNode & { readonly kind: 'case' },
  print: PrintExpression,
): string => {
  const printed = branches.map(({ when, then }) => `when ${print(when)} then ${print(then)}`);
  return `(case ${printed.join(' ')}${otherwise ? ` else ${print(otherwise)}` : ''} end)`;
};
