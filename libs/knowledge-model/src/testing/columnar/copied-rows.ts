/** Tables of PostgreSQL as engines of columns store them, for few rows: measured and planned as generations are. */
import { quoteIdentifier } from '@tessera/sql';
import type pg from 'pg';
import type { ColumnarQuery, ColumnarTable } from '../../columnar/columnar-query.js';
import type { ColumnarReader } from '../../columnar/columnar-reader.js';
import {
  type ColumnMeasurement,
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

export type CopiedRows = {
  readonly table: ColumnarTable;
  /** Of all columns in `rows`, in their order. */
  readonly types: StoredColumns['types'];
  readonly rows: readonly (readonly (string | null)[])[];
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
  const columns = new Map(found.map(({ name, type }) => [name, { type }]));
  const { rows: measured } = await client.query<[rows: string, ...ColumnMeasurement[]]>({
    text: `select ${measuringCells(columns, dialect).join(', ')} from ${source}`,
    rowMode: 'array',
  });
  const [count, ...measurements] = measured[0] ?? ['0'];
  const planned = planStoredColumns(columns, { rows: Number(count), measurements }, dialect);
  const { cells, types, columns: stored, omitted } = planned;
  const { rows } = await client.query<(string | null)[]>({
    text: `select ${cells.map((cell) => `(${cell})::text`).join(', ')} from ${source}`,
    rowMode: 'array',
  });
  return { table: { key, columns: stored, omitted, rows: rows.length }, types, rows };
};
