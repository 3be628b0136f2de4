/**
 * The statement by which DuckDB answers a question about groups, and how its answer is read. Every literal is a parameter, and every
 * result a text that PostgreSQL reads: exact digits, no exponents.
 */
import type {
  ColumnarAggregate,
  ColumnarExpression,
  ColumnarNode,
  ColumnarQuery,
  ColumnarType,
} from './columnar-query.js';
import { type ColumnarGroups, ColumnarRefusal } from './columnar-reader.js';

export type DuckdbStatement = {
  readonly text: string;
  /** Texts of the parameters `$1`, `$2` and so on. */
  readonly values: readonly string[];
};

/** The type of a stored column. An instant is stored as its date and time in UTC. */
export const duckdbType = (type: ColumnarType): string => {
  switch (type.kind) {
    case 'text':
      return 'varchar';
    case 'boolean':
      return 'boolean';
    case 'integer':
      return 'bigint';
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`;
    case 'date':
      return 'date';
    case 'timestamp':
    case 'instant':
      return 'timestamp';
  }
};

/**
 * `tableNames`: how DuckDB knows the table of each source, quoted where it has to be. It answers one group more than `groupsMax`
 * when there are more.
 */
export const printDuckdb = (
  { sources, where, keys, aggregates }: ColumnarQuery,
  tableNames: readonly string[],
  groupsMax: number,
): DuckdbStatement => {
  const values: string[] = [];
  const print = createPrinter(values);
  const cells = [
    ...keys.map((key, place) => asText(`k${place}`, key.type)),
    ...aggregates.map(({ type }, place) => asText(`a${place}`, type)),
  ];
  const selected = [
    ...keys.map((key, place) => `${print(key)} as k${place}`),
    ...aggregates.map((aggregate, place) => `${printAggregate(aggregate, print)} as a${place}`),
  ];
  const from = sources.map(({ on }, place) => {
    const name = `${tableNames[place] ?? ''} as s${place}`;
    return on ? `left join ${name} on ${print(on)}` : name;
  });
  const groups = [
    `select ${selected.join(', ')} from ${from.join(' ')}`,
    ...(where ? [`where ${print(where)}`] : []),
    ...(keys.length > 0 ? [`group by ${keys.map((_, place) => place + 1).join(', ')}`] : []),
  ];
  return { text: `select ${cells.join(', ')} from (${groups.join(' ')}) as groups limit ${groupsMax + 1}`, values };
};

/** Before every text: the client of DuckDB takes a byte order mark away where a text begins with one. */
const textMark = '=';

const asText = (name: string, type: ColumnarType): string => {
  const text = `cast(cast(${name} as ${duckdbType(type)}) as varchar)`;
  if (type.kind === 'text') return `'${textMark}' || ${text}`;
  return type.kind === 'instant' ? `${text} || '+00'` : text;
};

/**
 * `printed`: what DuckDB answered to the statement of the question, column by column. Throws `ColumnarRefusal` when two groups have the
 * same keys, of which one would be lost.
 */
export const readDuckdbGroups = (
  { keys, aggregates }: ColumnarQuery,
  printed: ColumnarGroups['columns'],
): ColumnarGroups => {
  const columns = [...keys, ...aggregates].map(({ type }, place) => {
    const cells = printed[place] ?? [];
    return type.kind === 'text' ? cells.map((cell) => cell?.slice(textMark.length) ?? null) : cells;
  });
  const rows = columns[0]?.length ?? 0;
  const keyColumns = columns.slice(0, keys.length);
  const groups = new Set(
    Array.from({ length: rows }, (_, row) => JSON.stringify(keyColumns.map((cells) => cells[row] ?? null))),
  );
  if (groups.size < rows) throw new ColumnarRefusal('failed', 'Two groups have the same keys.');
  return { rows, columns };
};

type Print = (expression: ColumnarExpression) => string;

const printAggregate = ({ function: name, distinct, argument, filter }: ColumnarAggregate, print: Print): string => {
  const operand = argument ? `${distinct ? 'distinct ' : ''}${print(argument)}` : '*';
  return `${name}(${operand})${filter ? ` filter (where ${print(filter)})` : ''}`;
};

/** Adds the values of the literals that it prints to `values`. */
const createPrinter = (values: string[]): Print => {
  const parameter = (value: string, type: ColumnarType): string => {
    const place = `$${values.push(value)}`;
    // With its offset, which a timestamp would not take.
    if (type.kind === 'instant') return `(cast(${place} as timestamptz) at time zone 'UTC')`;
    return `cast(${place} as ${duckdbType(type)})`;
  };
  const joined = (operands: readonly ColumnarExpression[], word: string): string =>
    `(${operands.map(print).join(` ${word} `)})`;
  const print = (node: ColumnarNode & { readonly type: ColumnarType }): string => {
    switch (node.kind) {
      case 'column':
        return `s${node.source}.${node.stored}`;
      case 'literal':
        return node.value === null ? `cast(null as ${duckdbType(node.type)})` : parameter(node.value, node.type);
      case 'cast':
        return `cast(${print(node.operand)} as ${duckdbType(node.type)})`;
      case 'arithmetic':
        return printArithmetic(node, print);
      case 'comparison':
        return `(${print(node.left)} ${node.operator} ${print(node.right)})`;
      case 'negate':
        return `(- ${print(node.operand)})`;
      case 'in': {
        const { type } = node.operand;
        return `(${print(node.operand)} in (${node.values.map((value) => parameter(value, type)).join(', ')}))`;
      }
      case 'like':
        return `(${print(node.operand)} like ${parameter(node.pattern, { kind: 'text' })} escape '\\')`;
      case 'and':
      case 'or':
        return joined(node.operands, node.kind);
      case 'not':
        return `(not ${print(node.operand)})`;
      case 'isNull':
        return `(${print(node.operand)} is null)`;
      case 'isNotTrue':
        return `(${print(node.operand)} is distinct from true)`;
      case 'case':
        return printCase(node, print);
      case 'truncate':
        return `date_trunc('${node.unit}', ${print(node.operand)})`;
      case 'extract':
        return `extract(${node.part} from ${print(node.operand)})`;
    }
  };
  return print;
};

/** DuckDB computes products of shorter numbers with as many digits, and errs when there are more. */
const shortDigitsMax = 18;

/** What DuckDB makes of it may be wider than the type, which holds every result. */
const printArithmetic = (
  { operator, left, right, type }: ColumnarExpression & { readonly kind: 'arithmetic' },
  print: Print,
): string => {
  const isLong = operator === '*' && type.kind === 'decimal' && type.precision > shortDigitsMax;
  const isLeftShort = left.type.kind === 'decimal' && left.type.precision <= shortDigitsMax;
  const leftText =
    isLong && isLeftShort
      ? `cast(${print(left)} as ${duckdbType({ ...left.type, precision: shortDigitsMax + 1 })})`
      : print(left);
  return `cast(${leftText} ${operator} ${print(right)} as ${duckdbType(type)})`;
};

const printCase = ({ branches, otherwise }: Extract<ColumnarNode, { readonly kind: 'case' }>, print: Print): string => {
  const printed = branches.map(({ when, then }) => `when ${print(when)} then ${print(then)}`);
  return `(case ${printed.join(' ')}${otherwise ? ` else ${print(otherwise)}` : ''} end)`;
};
