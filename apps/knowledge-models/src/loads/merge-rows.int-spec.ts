/** Loads that keep rows of the table, and how few rows a load may leave, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginLoad } from '@tessera/contracts/knowledge-models';
import type pg from 'pg';
import { adminContextOf } from '../testing/definition-client.js';
import { readFailure, readJsonAnswer } from '../testing/fixture.js';
import { type LoadClient, openLoadFixture, testSchema } from '../testing/load-client.js';

let loading: LoadClient;
let admin: pg.Client;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ loading, admin, end } = await openLoadFixture());
});
afterAll(() => end());

const item = {
  id: 'item',
  columns: [
    { id: 'no', type: 'integer' as const },
    { id: 'name', type: 'string' as const, nullable: false },
    { id: 'amount', type: 'float' as const },
    { id: 'paid', type: 'boolean' as const },
  ],
  primaryKey: ['no'],
};
const threeRows = '1,one,1.5,true\n2,two,,false\n3,three,3,\n';

const define = async (team: string): Promise<void> => {
  await loading.define(team, item);
  await readJsonAnswer(loading.load(team, 'item', threeRows));
};
const rowsOf = async (team: string): Promise<readonly unknown[]> => {
  const { rows } = await admin.query(
    `select no::int, name, amount::float8, paid from "${team}.${testSchema}".item order by no`,
  );
  return rows.map((row) => Object.values(row));
};
const tablesOf = async (team: string): Promise<readonly unknown[]> => {
  const { rows } = await admin.query(`select tablename from pg_tables where schemaname = $1 and tablename !~ '~kept'`, [
    `${team}.${testSchema}`,
  ]);
  return rows.map(({ tablename }) => tablename);
};
const messages = async (result: Parameters<typeof readFailure>[0]): Promise<readonly string[] | undefined> =>
  (await readFailure(result))?.faults?.map(({ path, message }) => `${path}: ${message}`);

const tooFew = (rows: number) => ({
  code: 'LOAD_TOO_FEW_ROWS',
  detail: `Nothing was changed: the table has 3 rows and would have ${rows}, fewer than half; load all rows, or allow it to shrink.`,
});

describe('an upsert of some columns', () => {
  it('changes these columns alone; a new row has no value in the others', async () => {
    await define('some');
    const begin = { mode: 'upsert' as const, columns: ['amount', 'no'] };
    expect(await readJsonAnswer(loading.load('some', 'item', '9,1\n,3\n', begin))).toMatchObject({ rows: 3 });
    expect(await rowsOf('some')).toEqual([
      [1, 'one', 9, true],
      [2, 'two', null, false],
      [3, 'three', null, null],
    ]);
    const named = { mode: 'upsert' as const, columns: ['no', 'name'] };
    expect(await readJsonAnswer(loading.load('some', 'item', '2,zwei\n4,four\n', named))).toMatchObject({ rows: 4 });
    expect(await rowsOf('some')).toEqual([
      [1, 'one', 9, true],
      [2, 'zwei', null, false],
      [3, 'three', null, null],
      [4, 'four', null, null],
    ]);
    expect(await tablesOf('some')).toEqual(['item']);
  });

  it('is refused where a new row needs a value that it does not bring, with the keys of such rows', async () => {
    await define('needed');
    const begin = { mode: 'upsert' as const, columns: ['no', 'amount'] };
    expect(await messages(loading.load('needed', 'item', '1,8\n5,5\n4,4\n', begin))).toEqual([
      'name: the row with the key no "4" is new and has no value; a new row needs one',
      'name: the row with the key no "5" is new and has no value; a new row needs one',
    ]);
    expect(await rowsOf('needed')).toContainEqual([1, 'one', 1.5, true]);
    expect(await tablesOf('needed')).toEqual(['item']);
    await loading.define('first', item);
    expect(await messages(loading.load('first', 'item', '1,8\n', begin))).toEqual([
      'name: the row with the key no "1" is new and has no value; a new row needs one',
    ]);
  });

  it('needs the key, and rejects a key that comes twice', async () => {
    await define('keys');
    const begin = { mode: 'upsert' as const, columns: ['name', 'amount'] };
    const request = { team: 'keys', schema: testSchema, table: 'item', begin: { format: 'csv' as const, ...begin } };
    expect(await messages(loading.handler.begin(beginLoad.request.parse(request), adminContextOf('keys')))).toEqual([
      'columns: "no" is missing; the table has no row without it',
    ]);
    const twice = loading.load('keys', 'item', '1,5\n1,6\n', { mode: 'upsert', columns: ['no', 'amount'] });
    expect(await messages(twice)).toEqual(['no: 2 rows have the key no "1"']);
  });

  it('takes members of JSON that are absent as unchanged, and null as no value, line by line', async () => {
    await define('lines');
    const lines = [
      { no: 1, amount: null },
      { no: 2, paid: true, name: 'zwei', amount: 2 },
      { no: 3, paid: false },
      { no: 4, name: 'four' },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await readJsonAnswer(loading.load('lines', 'item', text, { format: 'jsonl', mode: 'upsert' }));
    expect(await rowsOf('lines')).toEqual([
      [1, 'one', null, true],
      [2, 'zwei', 2, true],
      [3, 'three', 3, false],
      [4, 'four', null, null],
    ]);
    const refused = '{"no":1,"name":null}\n{"amount":1}\n';
    expect(await messages(loading.load('lines', 'item', refused, { format: 'jsonl', mode: 'upsert' }))).toEqual([
      '2.name: the value is missing; expected a text',
      '3.no: the value is missing; expected a whole number from -9223372036854775808 to 9223372036854775807',
    ]);
    const lacking = loading.load('lines', 'item', '{"no":1}\n{"no":7}\n', { format: 'jsonl', mode: 'upsert' });
    expect(await messages(lacking)).toEqual([
      'name: the row with the key no "7" is new and has no value; a new row needs one',
    ]);
  });
});

describe('a load that deletes', () => {
  it('takes the rows away whose keys it brings, and passes over keys that no row has', async () => {
    await define('gone');
    expect(await readJsonAnswer(loading.load('gone', 'item', '2\n77\n2\n', { mode: 'delete' }))).toMatchObject({
      rows: 2,
      dataVersion: 2,
    });
    expect(await rowsOf('gone')).toEqual([
      [1, 'one', 1.5, true],
      [3, 'three', 3, null],
    ]);
    await readJsonAnswer(loading.load('gone', 'item', '{"no":3}\n', { mode: 'delete', format: 'jsonl' }));
    expect(await rowsOf('gone')).toEqual([[1, 'one', 1.5, true]]);
    expect(await tablesOf('gone')).toEqual(['item']);
  });

  it('is refused without a key, with other columns, and when fewer than half of the rows would be left', async () => {
    await define('kept');
    const { primaryKey: _key, ...withoutKey } = { ...item, id: 'keyless' };
    await loading.define('kept', withoutKey);
    const begin = (table: string, columns?: string[]) =>
      loading.handler.begin(
        beginLoad.request.parse({
          ...{ team: 'kept', schema: testSchema, table },
          begin: { format: 'csv', mode: 'delete', columns },
        }),
        adminContextOf('kept'),
      );
    expect(await messages(begin('keyless'))).toEqual([
      'mode: delete needs a primary key in the definition of the table, by which its rows are told apart',
    ]);
    expect(await messages(begin('item', ['no', 'name']))).toEqual([
      'columns.1: unknown column "name"; expected one of no',
    ]);
    expect(await readFailure(loading.load('kept', 'item', '1\n2\n', { mode: 'delete' }))).toMatchObject(tooFew(1));
    expect(await rowsOf('kept')).toHaveLength(3);
    await readJsonAnswer(loading.load('kept', 'item', '1\n2\n', { mode: 'delete' }, { allowShrink: true }));
    expect(await rowsOf('kept')).toHaveLength(1);
  });
});

describe('a load of fewer than half of the rows', () => {
  it('is refused with both counts, and can be committed all the same', async () => {
    await define('shrunk');
    const key = await loading.begin('shrunk', 'item');
    expect(await readFailure(loading.commit(key, 0))).toMatchObject(tooFew(0));
    expect(await rowsOf('shrunk')).toHaveLength(3);
    await readJsonAnswer(loading.stage(key, '8,eight,,\n'));
    expect(await readFailure(loading.commit(key))).toMatchObject(tooFew(1));
    expect(await readJsonAnswer(loading.commit(key, 1, { allowShrink: true }))).toMatchObject({ rows: 1 });
    expect(await readJsonAnswer(loading.load('shrunk', 'item', threeRows))).toMatchObject({ rows: 3 });
  });

  it('is allowed where rowsMin says so, which also asks for more than half', async () => {
    await define('least');
    const one = '8,eight,,\n';
    expect(await readJsonAnswer(loading.load('least', 'item', one, {}, { rowsMin: 1 }))).toMatchObject({ rows: 1 });
    expect(await readFailure(loading.load('least', 'item', one, {}, { rowsMin: 2 }))).toMatchObject({
      code: 'LOAD_TOO_FEW_ROWS',
      detail: 'Nothing was changed: the table would have 1 rows, and rowsMin is 2; load all rows.',
    });
    const appended = loading.load('least', 'item', '9,nine,,\n', { mode: 'append' }, { rowsMin: 3 });
    expect(await readFailure(appended)).toMatchObject({ code: 'LOAD_TOO_FEW_ROWS' });
  });

  it('is refused as well when another load brought the rows since its commit was asked for', async () => {
    await loading.define('since', item);
    const key = await loading.begin('since', 'item');
    await readJsonAnswer(loading.stage(key, '8,eight,,\n'));
    await admin.query(`update knowledge_models.table_load set state = 'committing', row_count = 1 where load_id = $1`, [
      key.loadId,
    ]);
    await readJsonAnswer(loading.load('since', 'item', threeRows));
    expect(await readFailure(loading.commit(key))).toMatchObject(tooFew(1));
    expect(await loading.status(key)).toMatchObject({ state: 'refused' });
    expect(await rowsOf('since')).toHaveLength(3);
  });
});
