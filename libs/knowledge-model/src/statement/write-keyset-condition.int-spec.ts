import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { checkModel } from '../check-model.js';
import { compileQuery } from '../compile-query.js';
import { createCallerView } from '../query/caller-view.js';
import type { DataQuery } from '../query/data-query.js';
import { readTextRows } from '../testing/queries/answers.js';
import { walkPages } from '../testing/queries/walk-pages.js';
import { fullAccessCaller, emptyQuery } from '../testing/shop-database.js';

/** Values that differ by the least that their type can tell, in order. */
const columns = [
  ['bigint', 'integer', '9007199254740992', '9007199254740993', '9223372036854775807'],
  ['numeric', 'float', '0.1', '0.10000000000000000000000000000000000001', '1e30'],
  ['double precision', 'float', '-infinity', '0.1', '0.10000000000000002', '1e300'],
  ['real', 'float', '0.1', '0.10000001', '16777216'],
  ['text collate "unicode"', 'string', '', "'; drop table x", 'B', 'a', 'a ', 'É', '￿', '💥'],
  ['character(3)', 'string', 'B', 'a', 'ab', 'é'],
  ['character varying', 'string', '"', '$1', '\\', 'null'],
  ['boolean', 'boolean', 'false', 'true'],
  ['date', 'date', '0044-03-15 BC', '2024-02-29', '2024-03-01'],
  ['time', 'time', '08:30:00', '08:30:00.000001', '24:00:00'],
  ['timestamp', 'datetime', '0044-03-15 12:00:00 BC', '2024-02-29 23:59:59.999999', '2024-03-01 00:00:00'],
  ['timestamptz', 'timestamp', '2024-10-27 00:59:59.999999Z', '2024-10-27 01:00:00Z', '2024-10-27 01:00:00.000001Z'],
] as const;

const definition: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'types',
  source: { schema: 'types', database: 'elsewhere' },
  records: columns.map(([, type], at) => ({
    id: `T${at}`,
    table: `t${at}`,
    identifier: ['ID'],
    attributes: [
      { id: 'ID', column: 'id', type: 'integer' },
      { id: 'VALUE', column: 'value', type },
    ],
  })),
};

/** Each value twice, and two rows without any. */
const tables = columns.map(([sqlType, , ...values], at) => {
  const literals = [null, ...values].flatMap((value) => [value, value]);
  const rows = literals.map((value, id) => `(${id}, ${value === null ? 'null' : `'${value.replaceAll("'", "''")}'`})`);
  return `create table types.t${at} (id bigint primary key, value ${sqlType}); insert into types.t${at} values ${rows.join()};`;
});

describe('keyset pages ordered by columns of every type', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    await client.query(`set timezone = 'Europe/Rome'; create schema types; ${tables.join('\n')}`);
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  it.each(columns.map(([sqlType], at) => [sqlType, at] as const))('%s', async (_, at) => {
    const checked = checkModel(definition, new Map());
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    const view = createCallerView(checked, fullAccessCaller);
    for (const sort of ['VALUE', '-VALUE', 'VALUE,-ID', '-VALUE,ID']) {
      const query = { ...emptyQuery, record: `T${at}`, fields: ['VALUE', 'ID'], sort, pageSize: 1 };
      const compile = (page: DataQuery) => compileQuery(view, page, { schema: 'types' });
      const whole = compile({ ...query, pageSize: 1_000 });
      if (!whole.ok) throw new Error(whole.failure.detail);
      const rows = await readTextRows(client, whole.value.rows);
      expect(rows).toHaveLength(2 * (columns[at]?.length ?? 0) - 2);
      expect((await walkPages(client, compile, query, 0))?.rows).toEqual(rows);
    }
  });
});
