/**
 * The statement by which ClickHouse answers a question about groups, and how its answer is read. Every literal is a parameter, every
 * result a text that PostgreSQL reads: exact digits, no exponents. Never depends on the settings of a server or user: those that change
 * a meaning are part of the statement.
 */
import type { ColumnarAggregate, ColumnarQuery, ColumnarTruncation, ColumnarType } from './columnar-query.js';
import { type ColumnarGroups, ColumnarRefusal, createGroups } from './columnar-reader.js';
import {
  type ArithmeticExpression,
  type ColumnarDialect,
  printCells,
  printGroups,
  type PrintExpression,
} from './print-groups.js';

export type ClickhouseStatement = {
  readonly text: string;
  /** Texts of the parameters `p0`, `p1` and so on. */
  readonly values: readonly string[];
};

/** A table of a generation as ClickHouse knows it, and the rows that it has when it is whole. */
export type ClickhouseSource = { readonly name: string; readonly rows: number };

/** The first day that dates have room for, and the first behind them. */
export const clickhouseDates = { from: '1900-01-01', before: '2300-01-01' } as const;

/** The type of a stored column. An instant is stored as its date and time in UTC. */
export const clickhouseType = (type: ColumnarType): string => `Nullable(${plainType(type)})`;

const plainType = (type: ColumnarType): string => {
  switch (type.kind) {
    case 'text':
      return 'String';
    case 'boolean':
      return 'Bool';
    case 'integer':
      return 'Int64';
    case 'decimal':
      return `Decimal(${type.precision}, ${type.scale})`;
    case 'date':
      return 'Date32';
    case 'timestamp':
    case 'instant':
      return `DateTime64(6, 'UTC')`;
  }
};

/** Each of them changes what a statement means, or how its values are written, and may be set otherwise for a user. */
export const clickhouseMeaning = [
  'join_use_nulls = 1',
  "join_default_strictness = 'ALL'",
  'transform_null_in = 0',
  'cast_keep_nullable = 0',
  'aggregate_functions_null_for_empty = 0',
  'decimal_check_overflow = 1',
  "date_time_output_format = 'simple'",
  "bool_true_representation = 'true'",
  "bool_false_representation = 'false'",
  // What stops at a limit would be a part of the answer.
  ...['timeout', 'read', 'group_by', 'join', 'set', 'result', 'transfer'].map(
    (limit) => `${limit}_overflow_mode = 'throw'`,
  ),
].join(', ');

/** Settings of an insert of rows as PostgreSQL's COPY writes them in CSV: what is not quoted and empty is null, all else stands for itself. */
export const clickhouseCsv = {
  format_csv_delimiter: ',',
  format_csv_null_representation: '',
  format_csv_allow_single_quotes: 0,
  format_csv_allow_double_quotes: 1,
  input_format_csv_empty_as_default: 0,
  input_format_csv_trim_whitespaces: 0,
  input_format_csv_detect_header: 0,
  input_format_csv_skip_first_lines: '0',
  input_format_csv_allow_variable_number_of_columns: 0,
  input_format_csv_allow_whitespace_or_tab_as_delimiter: 0,
  input_format_null_as_default: 0,
  input_format_allow_errors_num: '0',
  input_format_allow_errors_ratio: 0,
  date_time_input_format: 'basic',
} as const;

/**
 * It answers one group more than `groupsMax` when there are more, and beside the groups how many rows each source has: on a cluster a
 * table may be known before its rows are there.
 */
export const printClickhouse = (
  query: ColumnarQuery,
  sources: readonly ClickhouseSource[],
  groupsMax: number,
): ClickhouseStatement => {
  const values: string[] = [];
  const names = sources.map(({ name }) => name);
  const groups = printGroups(query, names, createDialect(values));
  const cells = printCells(query, asText);
  const nulls = cells.map((_, place) => `cast(null as ${textType}) as t${place}`);
  const texts = cells.map((cell, place) => `${cell} as t${place}`);
  const counts = names.map((name) => `toString((select count() from ${name}))`).join(", ',', ");
  const text = [
    `select * from (select cast(concat('', ${counts}) as ${textType}) as counts, ${nulls.join(', ')} union all`,
    `select cast(null as ${textType}) as counts, ${texts.join(', ')} from (${groups}) as groups limit ${groupsMax + 1})`,
    `settings ${clickhouseMeaning}`,
  ].join(' ');
  return { text, values };
};

const textType = clickhouseType({ kind: 'text' });

const asText = (name: string, type: ColumnarType): string => {
  const value = `cast(${name} as ${clickhouseType(type)})`;
  // A cast leaves out zeros at the end, whatever the settings say.
  if (type.kind === 'decimal') return `toDecimalString(${value}, ${type.scale})`;
  const text = `cast(${value} as ${textType})`;
  return type.kind === 'instant' ? `concat(${text}, '+00')` : text;
};

/**
 * `printed`: the rows that ClickHouse answered to the statement of the question. Throws `ColumnarRefusal` where a source does not have
 * its rows.
 */
export const readClickhouseGroups = (
  { keys, aggregates }: ColumnarQuery,
  sources: readonly ClickhouseSource[],
  printed: readonly (readonly (string | null)[])[],
): ColumnarGroups => {
  const counts = printed.flatMap(([count]) => count ?? []);
  const expected = sources.map(({ rows }) => rows).join(',');
  if (counts.length !== 1 || counts[0] !== expected)
    throw new ColumnarRefusal('no-table', 'A table does not have all of its rows.');
  const groups = printed.filter(([count]) => count === null);
  const columns = [...keys, ...aggregates].map((_, place) => groups.map((cells) => cells[place + 1] ?? null));
  return createGroups(columns, keys.length);
};

const createDialect = (values: string[]): ColumnarDialect => {
  const parameter: ColumnarDialect['parameter'] = (value, type) =>
    `cast({p${values.push(literalText(value, type)) - 1}:String} as ${clickhouseType(type)})`;
  return {
    type: clickhouseType,
    parameter,
    aggregate: printAggregate,
    arithmetic: printArithmetic,
    isIn: (operand, list) => `(${operand} in (${list.join(', ')}))`,
    like: (operand, pattern) => `(${operand} like ${parameter(plainPattern(pattern), { kind: 'text' })})`,
    isNotTrue: (operand) => `(not ifNull(${operand}, false))`,
    truncate: printTruncation,
    extract: (part, operand) => `cast(${partFunctions[part]}(${operand}) as ${clickhouseType(integerType)})`,
  };
};

const integerType: ColumnarType = { kind: 'integer', precision: 19 };

const utcOffset = '+00';

/** A date beyond what there is room for would silently become another one. */
const literalText = (value: string, { kind }: ColumnarType): string => {
  if (kind !== 'date' && kind !== 'timestamp' && kind !== 'instant') return value;
  if (value < clickhouseDates.from || value >= clickhouseDates.before) throw new ColumnarRefusal('values');
  return kind === 'instant' ? value.slice(0, -utcOffset.length) : value;
};

/** Before other characters than these a backslash stands for itself there. */
const plainPattern = (pattern: string): string =>
  pattern.replace(/\\([^])/gu, (escaped, character: string) => ('%_\\'.includes(character) ? escaped : character));

/** `sum` of whole numbers has 64 bits and overflows silently; of decimals it has 38 digits, which were proven to be enough. */
const printAggregate = (
  { function: name, distinct, argument, filter, type }: ColumnarAggregate,
  print: PrintExpression,
): string => {
  const operand = argument ? print(argument) : '';
  const around = filter ? ` filter (where ${print(filter)})` : '';
  switch (name) {
    case 'count':
      return `${distinct ? 'uniqExact' : 'count'}(${operand})${around}`;
    case 'sum': {
      const isWhole = argument?.type.kind === 'integer';
      return `sumOrNull(${isWhole ? `cast(${operand} as ${clickhouseType(type)})` : operand})${around}`;
    }
    case 'min':
    case 'max':
      return `${name}OrNull(${operand})${around}`;
  }
};

/** It is computed with as many digits as the longer side has room for. */
const printArithmetic = ({ operator, left, right, type }: ArithmeticExpression, print: PrintExpression): string => {
  const isProduct = operator === '*' && type.kind === 'decimal' && left.type.kind === 'decimal';
  const leftText = isProduct
    ? `cast(${print(left)} as ${clickhouseType({ ...left.type, precision: type.precision })})`
    : print(left);
  return `cast(${leftText} ${operator} ${print(right)} as ${clickhouseType(type)})`;
};

const partFunctions = {
  year: 'toYear',
  isoyear: 'toISOYear',
  quarter: 'toQuarter',
  month: 'toMonth',
  week: 'toISOWeek',
  day: 'toDayOfMonth',
  isodow: 'toDayOfWeek',
  doy: 'toDayOfYear',
} as const;

const secondLength = 1_000_000;
const dayLength = 86_400 * secondLength;
/** In microseconds. */
const unitLengths = {
  second: secondLength,
  minute: 60 * secondLength,
  hour: 3_600 * secondLength,
  day: dayLength,
  week: 7 * dayLength,
} as const;
/** From the Monday before it to 1970-01-01. */
const weekOffset = 3 * dayLength;

/** By its own functions for it the results are shorter types, for which years before 1970 or after 2106 are others. */
const printTruncation = (unit: ColumnarTruncation, operand: string): string => {
  const ofMonth = (month: string): string =>
    `cast(makeDate32(toYear(${operand}), ${month}, 1) as ${clickhouseType({ kind: 'timestamp' })})`;
  switch (unit) {
    case 'year':
      return ofMonth('1');
    case 'quarter':
      return ofMonth(`toQuarter(${operand}) * 3 - 2`);
    case 'month':
      return ofMonth(`toMonth(${operand})`);
    case 'week':
    case 'day':
    case 'hour':
    case 'minute':
    case 'second': {
      const ticks = `toUnixTimestamp64Micro(${operand})`;
      // With a divisor of a shorter type the remainder of what is below zero is wrong.
      const into = `positiveModulo(${ticks}${unit === 'week' ? ` + ${weekOffset}` : ''}, toInt64(${unitLengths[unit]}))`;
      return `fromUnixTimestamp64Micro(${ticks} - ${into}, 'UTC')`;
    }
  }
};
