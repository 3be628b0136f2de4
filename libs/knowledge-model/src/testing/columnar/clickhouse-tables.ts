/** Tables of PostgreSQL copied into a ClickHouse, which is asked over its HTTP interface as it is. */
import type { ColumnarQuery } from '../../columnar/columnar-query.js';
import { ColumnarRefusal } from '../../columnar/columnar-reader.js';
import {
  clickhouseCsv,
  type ClickhouseSource,
  printClickhouse,
  readClickhouseGroups,
} from '../../columnar/print-clickhouse.js';
import { clickhouseStorage } from '../../columnar/stored-columns.js';
import { type EngineTables, readCopy } from './copied-rows.js';

/** `address`: with user, password and database. */
export const openClickhouseTables = (address: string, onClose: () => void): EngineTables => {
  const send = createSender(address);
  const rowsByName = new Map<string, number>();
  let copies = 0;
  const nameOf = ({ dataVersion }: { readonly dataVersion: string }): string => `copy_${dataVersion}`;
  const sourcesOf = ({ sources }: ColumnarQuery): readonly ClickhouseSource[] =>
    sources.map(({ table }) => ({ name: nameOf(table), rows: rowsByName.get(nameOf(table)) ?? 0 }));
  return {
    reader: {
      engine: 'clickhouse',
      ask: async (query, { groupsMax }) => {
        const sources = sourcesOf(query);
        const { text, values } = printClickhouse(query, sources, groupsMax);
        const parameters = values.map((value, at) => [`param_p${at}`, escapeParameter(value)] as const);
        const answered = await send(`${text} format JSONCompactEachRow`, Object.fromEntries(parameters));
        const rows = answered.split('\n').flatMap((line) => (line === '' ? [] : [readRow(line)]));
        const groups = readClickhouseGroups(query, sources, rows);
        if (groups.rows > groupsMax) throw new ColumnarRefusal('too-many-groups');
        return groups;
      },
    },
    print: (query) => JSON.stringify(printClickhouse(query, sourcesOf(query), 1)),
    copy: async (client, schema, table) => {
      const key = { team: 'random', schema, table, dataVersion: String(++copies) };
      const { types, rows, table: copied } = await readCopy(client, key, clickhouseStorage);
      const name = nameOf(key);
      rowsByName.set(name, rows.length);
      const columns = types.map(({ stored, type }) => `${stored} ${type}`);
      await send(`create table ${name} (${columns.join(', ')}) order by tuple()`, {});
      const lines = rows.map((row) => row.map(csvCell).join(','));
      const settings = Object.entries(clickhouseCsv).map(([setting, value]) => [setting, String(value)] as const);
      const fields = { ...Object.fromEntries(settings), query: `insert into ${name} format CSV` };
      if (lines.length > 0) await send(`${lines.join('\r\n')}\r\n`, fields);
      return copied;
    },
    close: onClose,
  };
};

/** As COPY writes it. */
const csvCell = (value: string | null): string => {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
};

const readRow = (line: string): readonly (string | null)[] => {
  const row: unknown = JSON.parse(line);
  if (!Array.isArray(row)) throw new Error(`A row is a list: ${line}`);
  return row.map((cell: unknown) => (typeof cell === 'string' ? cell : null));
};

/** As the interface reads parameters. */
const escapeParameter = (value: string): string =>
  value
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);

const createSender = (address: string) => {
  const { origin, pathname, username, password } = new URL(address);
  const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  return async (body: string, fields: Readonly<Record<string, string>>): Promise<string> => {
    const search = new URLSearchParams({ database: pathname.slice(1), ...fields });
    const response = await fetch(`${origin}/?${search.toString()}`, { method: 'POST', headers, body });
    const text = await response.text();
    if (!response.ok) throw new ColumnarRefusal('failed', text);
    return text;
  };
};
