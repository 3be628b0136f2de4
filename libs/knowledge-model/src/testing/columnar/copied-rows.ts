/** Tables of PostgreSQL as engines of columns store them, for few rows: measured and planned as generations are. */
import { quoteIdentifier } from '@tessera/sql';
import type pg from 'pg';
import type { ColumnarQuery, ColumnarTable } from '../../columnar/columnar-query.js';
import type { ColumnarReader } from '../../columnar/columnar-reader.js';
import {
  measuringCells,
  planStoredColumns,
  type StorageDialect,
  type StoredColumns,
} from '../../columnar/stored-columns.js';

export type EngineTables = {
  readonly reader: ColumnarReader;
  /** The question as it was printed. */
  readonly print: (query: ColumnarQuery) => string;
  /** Copies the table as it is now. */
  readonly copy: (client: pg.Client, schema: string, table: string) => Promise<ColumnarTable>;
  readonly close: () => void;
};

type TextRows = readonly (readonly (string | null)[])[];

export type CopiedRows = {
  readonly table: ColumnarTable;
  /** Of all columns in `rows`, in their order. */
  readonly types: StoredColumns['types'];
  readonly rows: TextRows;
};

export const readCopy = async (
  client: pg.Client,
  key: ColumnarTable['key'],
  dialect: StorageDialect,
): Promise<CopiedRows> => {
  const source = `${quoteIdentifier(key.schema)}.${quoteIdentifier(key.table)}`;
  const { rows: found } = await client.query<{ readonly name: string; readonly type: string }>(
    `select attname::text as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [source],
  );
  const read = async (cells: readonly string[]): Promise<TextRows> => {
    const text = `select ${cells.map((cell) => `(${cell})::text`).join(', ')} from ${source}`;
    return (await client.query<(string | null)[]>({ text, rowMode: 'array' })).rows;
  };
  const columns = new Map(found.map(({ name, type }) => [name, { type }]));
  const [measured = []] = await read(measuringCells(columns, dialect));
  const { cells, types, columns: stored, omitted } = planStoredColumns(columns, measured, dialect);
  const rows = await read(cells);
  return { table: { key, columns: stored, omitted, rows: rows.length }, types, rows };
};
