/**
 * Tables of PostgreSQL copied into DuckDB within this process, by the rules that generations are stored by: exact types from the data's
 * own size, and columns left out that have none. For few rows.
 */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { quoteIdentifier } from '@tessera/sql';
import type pg from 'pg';
import type { ColumnarColumn, ColumnarQuery, ColumnarTable, ColumnarType } from '../../columnar/columnar-query.js';
import type { ColumnarReader } from '../../columnar/columnar-reader.js';
import { ColumnarRefusal } from '../../columnar/columnar-reader.js';
import { duckdbType, printDuckdb, readDuckdbGroups } from '../../columnar/print-duckdb.js';

export type DuckDbTables = {
  readonly reader: ColumnarReader;
  /** The question as it was printed. */
  readonly print: (query: ColumnarQuery) => string;
  /** Copies the table as it is now. */
  readonly copy: (client: pg.Client, schema: string, table: string) => Promise<ColumnarTable>;
  readonly close: () => void;
};

export const openDuckDbTables = async (): Promise<DuckDbTables> => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  let copies = 0;
  const nameOf = ({ dataVersion }: { readonly dataVersion: string }): string => `copy_${dataVersion}`;
  const print = (query: ColumnarQuery, groupsMax: number) =>
    printDuckdb(
      query,
      query.sources.map(({ table }) => nameOf(table)),
      groupsMax,
    );
  return {
    reader: {
      engine: 'duckdb',
      ask: async (query, { groupsMax }) => {
        const { text, values } = print(query, groupsMax);
        const columns = await readTexts(connection, text, values);
        const groups = readDuckdbGroups(query, columns);
        if (groups.rows > groupsMax) throw new ColumnarRefusal('too-many-groups');
        return groups;
      },
    },
    print: (query) => JSON.stringify(print(query, 1)),
    copy: async (client, schema, table) => {
      const key = { team: 'random', schema, table, dataVersion: String(++copies) };
      return copyTable(client, connection, key, nameOf(key));
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
};

const readTexts = async (
  connection: DuckDBConnection,
  text: string,
  values: readonly (string | null)[],
): Promise<readonly (readonly (string | null)[])[]> => {
  const statement = await connection.prepare(text);
  try {
    values.forEach((value, at) => (value === null ? statement.bindNull(at + 1) : statement.bindVarchar(at + 1, value)));
    const read = await statement.runAndReadAll();
    return read.getColumnsJS().map((column) => column.map((value) => (typeof value === 'string' ? value : null)));
  } finally {
    statement.destroySync();
  }
};

type SourceColumn = { readonly name: string; readonly type: string };

const copyTable = async (
  client: pg.Client,
  connection: DuckDBConnection,
  key: ColumnarTable['key'],
  name: string,
): Promise<ColumnarTable> => {
  const source = `${quoteIdentifier(key.schema)}.${quoteIdentifier(key.table)}`;
  const { rows: found } = await client.query<SourceColumn>(
    `select attname::text as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [source],
  );
  const { rows: counted } = await client.query<{ rows: string }>(`select count(*) as rows from ${source}`);
  const columns: ColumnarColumn[] = [];
  const selected: { readonly stored: string; readonly type: string; readonly sql: string }[] = [];
  for (const [at, { name: column, type: sqlType }] of found.entries()) {
    const measured = await measureColumn(client, source, { name: column, type: sqlType });
    if (!measured) continue;
    const stored = `c${at + 1}`;
    const scaleColumn = measured.isMixed ? `s${at + 1}` : undefined;
    columns.push({ name: column, stored, type: measured.type, ...(scaleColumn && { scaleColumn }) });
    const quoted = quoteIdentifier(column);
    selected.push({ stored, type: duckdbType(measured.type), sql: textOf(quoted, measured.type) });
    if (scaleColumn) selected.push({ stored: scaleColumn, type: 'smallint', sql: `scale(${quoted})::text` });
  }
  await connection.run(
    `create table ${name} (${['row bigint', ...selected.map(({ stored, type }) => `${stored} ${type}`)].join(', ')})`,
  );
  const list = ['row_number() over ()::text', ...selected.map(({ sql }) => sql)];
  const { rows } = await client.query<(string | null)[]>({
    text: `select ${list.join(', ')} from ${source}`,
    rowMode: 'array',
  });
  const insert = await connection.prepare(
    `insert into ${name} values (${list.map((_, at) => `$${at + 1}`).join(', ')})`,
  );
  for (const row of rows) {
    row.forEach((value, at) => (value === null ? insert.bindNull(at + 1) : insert.bindVarchar(at + 1, value)));
    await insert.run();
  }
  insert.destroySync();
  const kept = new Set(columns.map((column) => column.name));
  const omitted = found.map((column) => column.name).filter((column) => !kept.has(column));
  return { key, columns, omitted, rows: Number(counted[0]?.rows ?? 0) };
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
): Promise<MeasuredColumn | undefined> => {
  const quoted = quoteIdentifier(name);
  if (type !== 'bigint' && type !== 'numeric') {
    const plain = plainTypes[type];
    return plain && { type: plain };
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
