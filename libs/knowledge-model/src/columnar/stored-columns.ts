/**
 * Which columns of a table an engine of columns stores, and how: only what is stored exactly. Of numbers PostgreSQL is asked for the
 * size of those that are there.
 */
import { quoteIdentifier } from '@tessera/sql';
import type { ColumnarColumn, ColumnarType } from './columnar-query.js';
import { clickhouseDates, clickhouseType } from './print-clickhouse.js';
import { duckdbType } from './print-duckdb.js';

/** How an engine stores values, and counts them. */
export type StorageDialect = {
  readonly type: (type: ColumnarType) => string;
  /** The first day that it has room for, and the first behind them. */
  readonly dates: { readonly from: string; readonly before: string };
  /** What it selects of a stored column for the sum that PostgreSQL measured. */
  readonly sum: (column: string, type: ColumnarType) => string;
};

/** `type`: as the engine names it. */
export type StoredColumnType = { readonly stored: string; readonly type: string };

export type StoredColumns = {
  readonly columns: readonly ColumnarColumn[];
  /** As PostgreSQL names them. */
  readonly omitted: readonly string[];
  readonly rows: number;
  /** What COPY writes, in the order of `types`. */
  readonly cells: readonly string[];
  readonly types: readonly StoredColumnType[];
  /** By what the engine selects of its file: what PostgreSQL counted, and the engine has to; null without a value. */
  readonly counted: ReadonlyMap<string, string | null>;
};

const decimalDigitsMax = 38;
/** Of PostgreSQL's numbers of digits behind the point. */
const scaleType: ColumnarType = { kind: 'integer', precision: 5 };
/**
 * Of the first cell of each row. Without it the line of a row that is one cell without a value would be no line to a reader of CSV,
 * and a text that begins with a byte order mark would lose it where the file begins.
 */
const rowColumn = 'is_row';
/** PostgreSQL's bound on what a select answers. */
const cellsMax = 1_600;

/** What PostgreSQL measures of a column; each column has those that its type has. */
export type ColumnMeasurement = {
  /** Rows that have a value. */
  readonly count?: string | null | undefined;
  readonly scaleMin?: number | null | undefined;
  readonly scaleMax?: number | null | undefined;
  /** The largest number without its sign. */
  readonly largest?: string | null | undefined;
  /** Of numbers; of the bytes of texts, those that are true, and the microseconds of dates since 1970. */
  readonly sum?: string | null | undefined;
  readonly isInRange?: boolean | null | undefined;
};

/** Of the rows of both. */
export const addMeasurements = (left: ColumnMeasurement, right: ColumnMeasurement): ColumnMeasurement => ({
  count: addNumbers(left.count, right.count),
  scaleMin: ofBoth(left.scaleMin, right.scaleMin, Math.min),
  scaleMax: ofBoth(left.scaleMax, right.scaleMax, Math.max),
  largest: ofBoth(left.largest, right.largest, largerOf),
  sum: addNumbers(left.sum, right.sum),
  isInRange: ofBoth(left.isInRange, right.isInRange, (one, other) => one && other),
});

type Maybe<Value> = Value | null | undefined;

const ofBoth = <Value>(
  left: Maybe<Value>,
  right: Maybe<Value>,
  combine: (left: Value, right: Value) => Value,
): Maybe<Value> => {
  if (left === null || left === undefined) return right;
  return right === null || right === undefined ? left : combine(left, right);
};

const plainNumber = /^(-?)(\d+)(?:\.(\d+))?$/;
/** What PostgreSQL writes for a numeric that is none, or has no end. */
const isNoPlainNumber = (text: string): boolean => !plainNumber.test(text);
const scaleOf = (text: string): number => plainNumber.exec(text)?.[3]?.length ?? 0;
const unitsOf = (text: string, scale: number): bigint =>
  BigInt(text.replace('.', '') + '0'.repeat(scale - scaleOf(text)));

/** As PostgreSQL adds them: with the digits behind the point of the one that has more. */
const addNumbers = (left: Maybe<string>, right: Maybe<string>): Maybe<string> =>
  ofBoth(left, right, (one, other) => {
    const odd = [one, other].find(isNoPlainNumber);
    if (odd !== undefined) return odd;
    const scale = Math.max(scaleOf(one), scaleOf(other));
    const sum = unitsOf(one, scale) + unitsOf(other, scale);
    const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0');
    const whole = digits.slice(0, digits.length - scale);
    return `${sum < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
  });

const largerOf = (left: string, right: string): string => {
  const odd = [left, right].find(isNoPlainNumber);
  if (odd !== undefined) return odd;
  const scale = Math.max(scaleOf(left), scaleOf(right));
  return unitsOf(left, scale) >= unitsOf(right, scale) ? left : right;
};

const measureTexts = (name: string): string => `'sum', sum(octet_length(${name}))::text`;
const measureDates = (name: string, { from, before }: StorageDialect['dates']): string =>
  `'isInRange', coalesce(min(${name}) >= '${from}' and max(${name}) < '${before}', true),
    'sum', trunc(sum(extract(epoch from ${name})) * 1000000)::text`;

/** By PostgreSQL's type: what has to be known of a column before it is stored, and is compared after. */
const measures: Readonly<Record<string, (name: string, dates: StorageDialect['dates']) => string>> = {
  text: measureTexts,
  'character varying': measureTexts,
  boolean: (name) => `'sum', sum(${name}::int)::text`,
  bigint: (name) =>
    `'largest', greatest(max(${name})::numeric, - min(${name})::numeric)::text, 'sum', sum(${name})::text`,
  numeric: (name) =>
    `'scaleMin', min(scale(${name})), 'scaleMax', max(scale(${name})), 'largest', max(abs(${name}))::text,
      'sum', sum(${name})::text`,
  date: measureDates,
  'timestamp without time zone': measureDates,
  'timestamp with time zone': measureDates,
};

/** By name, with the type as PostgreSQL says it, without a length. */
type Columns = ReadonlyMap<string, { readonly type: string }>;

const storable = (columns: Columns) =>
  [...columns]
    .flatMap(([name, { type }]) => {
      const measure = measures[type];
      return measure ? [{ name, type, measure }] : [];
    })
    .slice(0, cellsMax - 1);

/** A select list of one row: the number of rows, then for each column that may be stored its measurement as JSON. */
export const measuringCells = (columns: Columns, { dates }: StorageDialect): readonly string[] => [
  'count(*)',
  ...storable(columns).map(({ name, measure }) => {
    const quoted = quoteIdentifier(name);
    return `json_build_object('count', count(${quoted})::text, ${measure(quoted, dates)})`;
  }),
];

/** `rows` and `measurements`: what the select of `measuringCells` answered. */
export const planStoredColumns = (
  columns: Columns,
  { rows, measurements }: { readonly rows: number; readonly measurements: readonly ColumnMeasurement[] },
  dialect: StorageDialect,
): StoredColumns => {
  const stored: ColumnarColumn[] = [];
  const cells = ['true'];
  const types: StoredColumnType[] = [{ stored: rowColumn, type: dialect.type({ kind: 'boolean' }) }];
  const counted = new Map<string, string | null>();
  for (const [place, { name, type: sqlType }] of storable(columns).entries()) {
    const size = measurements[place] ?? {};
    const type = storedType(sqlType, size);
    const hasScales = type?.kind === 'decimal' && size.scaleMin !== size.scaleMax;
    if (!type || cells.length + (hasScales ? 2 : 1) > cellsMax) continue;
    const column = `c${place + 1}`;
    const scaleColumn = `${column}_scale`;
    stored.push({ name, stored: column, type, ...(hasScales && { scaleColumn }) });
    cells.push(cellOf(quoteIdentifier(name), type));
    types.push({ stored: column, type: dialect.type(type) });
    if (hasScales) {
      cells.push(`scale(${quoteIdentifier(name)})`);
      types.push({ stored: scaleColumn, type: dialect.type(scaleType) });
    }
    counted.set(`count(${column})`, size.count ?? null);
    if (hasSum(type, rows)) counted.set(dialect.sum(column, type), size.sum ?? null);
  }
  const isStored = new Set(stored.map(({ name }) => name));
  const omitted = [...columns.keys()].filter((name) => !isStored.has(name));
  return { columns: stored, omitted, rows, counted, cells, types };
};

const cellOf = (name: string, { kind }: ColumnarType): string =>
  kind === 'instant' ? `${name} at time zone 'UTC'` : name;

/** Undefined when some value cannot be stored exactly. */
const storedType = (sqlType: string, size: ColumnMeasurement): ColumnarType | undefined => {
  switch (sqlType) {
    case 'boolean':
      return { kind: 'boolean' };
    case 'bigint':
      return { kind: 'integer', precision: Math.max(1, size.largest?.length ?? 0) };
    case 'numeric':
      return decimalType(size);
    case 'date':
      return size.isInRange ? { kind: 'date' } : undefined;
    case 'timestamp without time zone':
      return size.isInRange ? { kind: 'timestamp' } : undefined;
    case 'timestamp with time zone':
      return size.isInRange ? { kind: 'instant' } : undefined;
    default:
      return { kind: 'text' };
  }
};

/** Undefined for what is no number, infinite, or has more digits than a decimal holds. */
const decimalType = ({ largest, scaleMax }: ColumnMeasurement): ColumnarType | undefined => {
  const [whole = ''] = (largest ?? '0').split('.');
  if (!/^\d+$/.test(whole)) return undefined;
  const scale = scaleMax ?? 0;
  const precision = Math.max(1, (whole === '0' ? 0 : whole.length) + scale);
  return precision > decimalDigitsMax ? undefined : { kind: 'decimal', precision, scale };
};

/** Whether the sum of so many rows is sure to fit. */
const hasSum = (type: ColumnarType, rows: number): boolean =>
  type.kind !== 'decimal' || type.precision + String(rows).length <= decimalDigitsMax;

export const duckdbStorage: StorageDialect = {
  type: duckdbType,
  dates: { from: '0001-01-01', before: '10000-01-01' },
  sum: (column, { kind }) => {
    switch (kind) {
      case 'text':
        return `sum(strlen(${column}))`;
      case 'boolean':
        return `sum(cast(${column} as integer))`;
      case 'integer':
      case 'decimal':
        return `sum(${column})`;
      case 'date':
      case 'timestamp':
      case 'instant':
        return `sum(epoch_us(cast(${column} as timestamp)))`;
    }
  },
};

/** Its sums of whole numbers overflow silently, and those of nothing are 0. */
export const clickhouseStorage: StorageDialect = {
  type: clickhouseType,
  dates: clickhouseDates,
  sum: (column, type) => {
    const whole = (value: string): string =>
      `toDecimalString(sumOrNull(cast(${value} as ${clickhouseType(widestWhole)})), 0)`;
    switch (type.kind) {
      case 'text':
        return whole(`length(${column})`);
      case 'boolean':
      case 'integer':
        return whole(column);
      case 'decimal':
        return `toDecimalString(sumOrNull(${column}), ${type.scale})`;
      case 'date':
      case 'timestamp':
      case 'instant':
        return whole(`toUnixTimestamp64Micro(cast(${column} as ${clickhouseType({ kind: 'timestamp' })}))`);
    }
  },
};

const widestWhole: ColumnarType = { kind: 'decimal', precision: decimalDigitsMax, scale: 0 };
