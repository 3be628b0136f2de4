/** Tables of PostgreSQL copied into DuckDB within this process. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ColumnarQuery } from '../../columnar/columnar-query.js';
import { ColumnarRefusal } from '../../columnar/columnar-reader.js';
import { printDuckdb, readDuckdbGroups } from '../../columnar/print-duckdb.js';
import { duckdbStorage } from '../../columnar/stored-columns.js';
import { type CopiedRows, type EngineTables, readCopy } from './copied-rows.js';

export const openDuckDbTables = async (): Promise<EngineTables> => {
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
      const copied = await readCopy(client, key, duckdbStorage);
      await fillTable(connection, nameOf(key), copied);
      return copied.table;
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

const fillTable = async (
  connection: DuckDBConnection,
  name: string,
  { types, rows }: Pick<CopiedRows, 'types' | 'rows'>,
): Promise<void> => {
  const columns = types.map(({ stored, type }) => `${stored} ${type}`);
  await connection.run(`create table ${name} (${columns.join(', ')})`);
  const insert = await connection.prepare(
    `insert into ${name} values (${types.map((_, at) => `$${at + 1}`).join(', ')})`,
  );
  for (const row of rows) {
    row.forEach((value, at) => (value === null ? insert.bindNull(at + 1) : insert.bindVarchar(at + 1, value)));
    await insert.run();
  }
  insert.destroySync();
};
