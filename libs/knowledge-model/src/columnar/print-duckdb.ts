/**
 * The statement by which DuckDB answers a question about groups, and how its answer is read. Every literal is a parameter, and every
 * result a text that PostgreSQL reads: exact digits, no exponents.
 */
import type { ColumnarQuery, ColumnarType } from './columnar-query.js';
import { type ColumnarGroups, createGroups } from './columnar-reader.js';
import { type ColumnarDialect, printCells, printGroups } from './print-groups.js';

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
  query: ColumnarQuery,
  tableNames: readonly string[],
  groupsMax: number,
): DuckdbStatement => {
  const values: string[] = [];
  const groups = printGroups(query, tableNames, createDialect(values));
  const cells = printCells(query, asText);
  return { text: `select ${cells.join(', ')} from (${groups}) as groups limit ${groupsMax + 1}`, values };
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
  return createGroups(columns, keys.length);
};

/** Adds the values of the literals that are printed to `values`. */
const createDialect = (values: string[]): ColumnarDialect => {
  const parameter: ColumnarDialect['parameter'] = (value, type) => {
    const place = `$${values.push(value)}`;
    // With its offset, which a timestamp would not take.
    if (type.kind === 'instant') return `(cast(${place} as timestamptz) at time zone 'UTC')`;
    return `cast(${place} as ${duckdbType(type)})`;
  };
  return {
    type: duckdbType,
    parameter,
    aggregate: ({ function: name, distinct, argument, filter }, print) => {
      const operand = argument ? `${distinct ? 'distinct ' : ''}${print(argument)}` : '*';
      return `${name}(${operand})${filter ? ` filter (where ${print(filter)})` : ''}`;
    },
    arithmetic: printArithmetic,
    isIn: (operand, list) => `(${operand} in (${list.join(', ')}))`,
    like: (operand, pattern) => `(${operand} like ${parameter(pattern, { kind: 'text' })} escape '\\')`,
    isNotTrue: (operand) => `(${operand} is distinct from true)`,
    truncate: (unit, operand) => `date_trunc('${unit}', ${operand})`,
    extract: (part, operand) => `extract(${part} from ${operand})`,
  };
};

/** DuckDB computes products of shorter numbers with as many digits, and errs when there are more. */
const shortDigitsMax = 18;

/** What DuckDB makes of it may be wider than the type, which holds every result. */
const printArithmetic: ColumnarDialect['arithmetic'] = ({ operator, left, right, type }, print) => {
  const isLong = operator === '*' && type.kind === 'decimal' && type.precision > shortDigitsMax;
  const isLeftShort = left.type.kind === 'decimal' && left.type.precision <= shortDigitsMax;
  const leftText =
    isLong && isLeftShort
      ? `cast(${print(left)} as ${duckdbType({ ...left.type, precision: shortDigitsMax + 1 })})`
      : print(left);
  return `cast(${leftText} ${operator} ${print(right)} as ${duckdbType(type)})`;
};
