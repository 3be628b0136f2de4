/**
 * Tables of PostgreSQL as engines of columns store them, for few rows and by the rules that generations are stored by: exact types from
 * the data's own size, and columns left out that have none.
 */
import { quoteIdentifier } from '@tessera/sql';
import type pg from 'pg';
import type { ColumnarColumn, ColumnarQuery, ColumnarTable, ColumnarType } from '../../columnar/columnar-query.js';
import type { ColumnarReader } from '../../columnar/columnar-reader.js';

export type EngineTables = {
  readonly reader: ColumnarReader;
  /** The question as it was printed. */
  readonly print: (query: ColumnarQuery) => string;
  /** Copies the table as it is now. */
  readonly copy: (client: pg.Client, schema: string, table: string) => Promise<ColumnarTable>;
  readonly close: () => void;
};

export type CopiedRows = {
  readonly table: ColumnarTable;
  /** Of all columns in `rows`, in their order. */
  readonly stored: readonly { readonly stored: string; readonly type: ColumnarType }[];
  readonly rows: readonly (readonly (string | null)[])[];
};

/** The first day that the engine has room for, and the first behind them. */
export type DateRange = { readonly from: string; readonly before: string };

type SourceColumn = { readonly name: string; readonly type: string };

const scaleType: ColumnarType = { kind: 'integer', precision: 5 };

export const readCopy = async (client: pg.Client, key: ColumnarTable['key'], dates: DateRange): Promise<CopiedRows> => {
  const source = `${quoteIdentifier(key.schema)}.${quoteIdentifier(key.table)}`;
  const { rows: found } = await client.query<SourceColumn>(
    `select attname::text as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [source],
  );
  const columns: ColumnarColumn[] = [];
  // A table has rows even when none of its columns is stored.
  const stored: CopiedRows['stored'][number][] = [{ stored: 'row', type: { kind: 'integer', precision: 19 } }];
  const list = ['row_number() over ()::text'];
  for (const [at, { name: column, type: sqlType }] of found.entries()) {
    const measured = await measureColumn(client, source, { name: column, type: sqlType }, dates);
    if (!measured) continue;
    const name = `c${at + 1}`;
    const scaleColumn = measured.isMixed ? `s${at + 1}` : undefined;
    columns.push({ name: column, stored: name, type: measured.type, ...(scaleColumn && { scaleColumn }) });
    const quoted = quoteIdentifier(column);
    stored.push({ stored: name, type: measured.type });
    list.push(textOf(quoted, measured.type));
    if (!scaleColumn) continue;
    stored.push({ stored: scaleColumn, type: scaleType });
    list.push(`scale(${quoted})::text`);
  }
  const { rows } = await client.query<(string | null)[]>({
    text: `select ${list.join(', ')} from ${source}`,
    rowMode: 'array',
  });
  const kept = new Set(columns.map((column) => column.name));
  const omitted = found.map((column) => column.name).filter((column) => !kept.has(column));
  return { table: { key, columns, omitted, rows: rows.length }, stored, rows };
};

const textOf = (quoted: string, { kind }: ColumnarType): string =>
  kind === 'instant' ? `(${quoted} at time zone 'UTC')::text` : `${quoted}::text`;

type MeasuredColumn = { readonly type: ColumnarType; readonly isMixed?: boolean };

const plainTypes: Readonly<Record<string, ColumnarType>> = {
  text: { kind: 'text' },
  boolean: { kind: 'boolean' },
  date: { kind: 'date' },
  'timestamp without time zone': { kind: 'timestamp' },
  'timestamp with time zone': { kind: 'instant' },
};

const measureColumn = async (
  client: pg.Client,
  source: string,
  { name, type }: SourceColumn,
  dates: DateRange,
): Promise<MeasuredColumn | undefined> => {
  const quoted = quoteIdentifier(name);
  if (type !== 'bigint' && type !== 'numeric') {
    const plain = plainTypes[type];
    const isStored = plain && (!isOfTime(plain) || (await isInRange(client, source, quoted, dates)));
    return isStored ? { type: plain } : undefined;
  }
  const { rows } = await client.query<{ whole: number; least: number; most: number; nan: boolean }>(
    `select coalesce(max(length(trunc(abs(${quoted}::numeric))::text)), 1)::int as whole,
      coalesce(min(scale(${quoted}::numeric)), 0)::int as least, coalesce(max(scale(${quoted}::numeric)), 0)::int as most,
      coalesce(bool_or(${quoted}::numeric = 'NaN'), false) as nan from ${source}`,
  );
  const [measured] = rows;
  if (!measured || measured.nan) return undefined;
  const { whole, least, most } = measured;
  if (type === 'bigint') return { type: { kind: 'integer', precision: whole } };
  const precision = whole + most;
  return precision <= 38 ? { type: { kind: 'decimal', precision, scale: most }, isMixed: least !== most } : undefined;
};

const isOfTime = ({ kind }: ColumnarType): boolean => kind === 'date' || kind === 'timestamp' || kind === 'instant';

const isInRange = async (
  client: pg.Client,
  source: string,
  quoted: string,
  { from, before }: DateRange,
): Promise<boolean> => {
  const { rows } = await client.query<{ inside: boolean }>(
    `select coalesce(bool_and(${quoted} >= '${from}' and ${quoted} < '${before}'), true) as inside from ${source}`,
  );
  return rows[0]?.inside === true;
};
