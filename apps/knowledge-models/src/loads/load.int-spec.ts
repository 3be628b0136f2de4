/** Loads from the beginning to the end, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginLoad } from '@tessera/contracts/knowledge-models';
import type pg from 'pg';
import { adminContextOf } from '../testing/definition-client.js';
import { type LoadClient, openLoadClient, openLoadFixture, testSchema } from '../testing/load-client.js';
import { readJsonAnswer, callerContextOf, readFailure, type Fixture } from '../testing/fixture.js';
import type { LoadKey } from './load.repository.js';

let fixture: Fixture;
let loading: LoadClient;
let admin: pg.Client;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ fixture, loading, admin, end } = await openLoadFixture());
});
afterAll(() => end());

const items = {
  id: 'item',
  columns: [
    { id: 'order_no', type: 'string' as const },
    { id: 'item_no', type: 'integer' as const },
    { id: 'amount', type: 'float' as const },
    { id: 'ordered_on', type: 'date' as const },
  ],
  primaryKey: ['order_no', 'item_no'],
};

const rowsOf = async (team: string, table = 'item'): Promise<readonly unknown[]> => {
  const { rows } = await admin.query(`select to_jsonb(t) as row from "${team}.${testSchema}".${table} t order by t`);
  return rows.map(({ row }) => row);
};
const row = (order_no: string, item_no: number, amount: number | null, ordered_on: string | null) => ({
  order_no,
  item_no,
  amount,
  ordered_on,
});
const relations = async (team: string): Promise<readonly string[]> => {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = to_regnamespace($1) and relkind = 'r' and relname !~ '~kept' order by 1`,
    [`"${team}.${testSchema}"`],
  );
  return rows.map(({ name }) => name);
};
const messages = async (result: Parameters<typeof readFailure>[0]): Promise<readonly string[] | undefined> => {
  const failure = await readFailure(result);
  return failure?.faults?.map(({ path, message }) => `${path}: ${message}`);
};

describe('a load of CSV', () => {
  it('replaces the rows of the table at its commit', async () => {
    await loading.define('meridian', items);
    const key = await loading.begin('meridian', 'item');
    expect(await loading.status(key)).toEqual({ loadId: key.loadId, state: 'loading', rows: 0 });
    expect(await readJsonAnswer(loading.stage(key, 'A,1,10.50,2026-01-31\n"B ""x"",\ny",2,,\n'))).toEqual({ rows: 2 });
    expect(await loading.status(key)).toEqual({ loadId: key.loadId, state: 'loading', rows: 2 });
    expect(await relations('meridian')).toEqual([expect.stringMatching(/^item~[0-9a-f]{12}$/)]);
    const committed = { loadId: key.loadId, state: 'committed', rows: 2, dataVersion: 1 };
    expect(await readJsonAnswer(loading.commit(key))).toEqual(committed);
    expect(await loading.status(key)).toEqual(committed);
    expect(await rowsOf('meridian')).toEqual([row('A', 1, 10.5, '2026-01-31'), row('B "x",\ny', 2, null, null)]);
    expect(await readJsonAnswer(loading.load('meridian', 'item', 'C,3,0,2026-02-28'))).toMatchObject({
      dataVersion: 2,
      rows: 1,
    });
    expect(await rowsOf('meridian')).toEqual([row('C', 3, 0, '2026-02-28')]);
    expect(await relations('meridian')).toEqual(['item']);
  });

  it('updates the catalogue of the team at once, and writes an event', async () => {
    await loading.define('told', items);
    await readJsonAnswer(loading.load('told', 'item', 'A,1,,\nA,2,,\n'));
    expect([...(await fixture.catalogs.of('told')).tables]).toEqual([['p2p.item', { dataVersion: '1', rows: 2 }]]);
    const { revision } = await fixture.catalogs.of('told');
    await readJsonAnswer(loading.load('told', 'item', 'A,1,,\n'));
    const after = await fixture.catalogs.of('told');
    expect([...after.tables]).toEqual([['p2p.item', { dataVersion: '2', rows: 1 }]]);
    expect(after.revision).not.toBe(revision);
    const { rows } = await admin.query(
      `select payload::json as told from knowledge_models.outbox where tenant = 'told'`,
    );
    expect(rows.map(({ told }) => [told.type, told.subject, told.data])).toEqual([
      ['knowledge.table.loaded', 'admin', { schema: 'p2p', table: 'item', dataVersion: 1, rows: 2 }],
      ['knowledge.table.loaded', 'admin', { schema: 'p2p', table: 'item', dataVersion: 2, rows: 1 }],
    ]);
  });

  it('accepts another delimiter, another null text, and columns in its own order', async () => {
    await loading.define('other', items);
    const begin = { delimiter: ';', null: 'NULL', columns: ['item_no', 'order_no', 'amount'] };
    await readJsonAnswer(loading.load('other', 'item', '1;A;NULL\n2;"NULL";1.5\n', begin));
    expect(await rowsOf('other')).toEqual([row('A', 1, null, null), row('NULL', 2, 1.5, null)]);
  });

  it('keeps the extreme values of every type', async () => {
    const columns = (['string', 'integer', 'float', 'boolean', 'date', 'time', 'datetime', 'timestamp'] as const).map(
      (type) => ({ id: `a_${type}`, type }),
    );
    await loading.define('extreme', { id: 'every', columns });
    const text = [
      '"",9223372036854775807,123456789012345678901234567890.123456789,t,0001-01-01,23:59:59.999999,9999-12-31T23:59:59.999999,2026-06-30T08:15:00.5+05:30',
      '\\.,-9223372036854775808,-1e-9,NO,9999-12-31,00:00,0001-01-01 00:00,0001-01-01T00:00:00Z',
      '{NULL},,,,,,,',
    ].join('\n');
    await readJsonAnswer(loading.load('extreme', 'every', text));
    const { rows } = await admin
      .query(`set timezone = 'UTC'; select to_jsonb(t)::text as row from "extreme.p2p".every t`)
      .then((results) => (Array.isArray(results) ? results[1] : results));
    expect(rows.map(({ row: text }: { readonly row: string }) => text)).toEqual([
      '{"a_date": "0001-01-01", "a_time": "23:59:59.999999", "a_float": 123456789012345678901234567890.123456789, "a_string": "", "a_boolean": true, "a_integer": 9223372036854775807, "a_datetime": "9999-12-31T23:59:59.999999", "a_timestamp": "2026-06-30T02:45:00.5+00:00"}',
      '{"a_date": "9999-12-31", "a_time": "00:00:00", "a_float": -0.000000001, "a_string": "\\\\.", "a_boolean": false, "a_integer": -9223372036854775808, "a_datetime": "0001-01-01T00:00:00", "a_timestamp": "0001-01-01T00:00:00+00:00"}',
      '{"a_date": null, "a_time": null, "a_float": null, "a_string": "{NULL}", "a_boolean": null, "a_integer": null, "a_datetime": null, "a_timestamp": null}',
    ]);
  });

  it('may have no rows', async () => {
    await loading.define('empty', items);
    const key = await loading.begin('empty', 'item');
    expect(await readJsonAnswer(loading.commit(key, 0))).toMatchObject({ state: 'committed', rows: 0 });
    expect(await rowsOf('empty')).toEqual([]);
  });

  it('gives the same rows as a load of JSON Lines', async () => {
    await loading.define('lines', items);
    const text =
      '{"order_no":"A","item_no":1,"amount":"0.10","ordered_on":"2026-01-31"}\n\n{"item_no":2,"order_no":"B"}\n';
    expect(await readJsonAnswer(loading.load('lines', 'item', text, { format: 'jsonl' }))).toMatchObject({ rows: 2 });
    expect(await rowsOf('lines')).toEqual([row('A', 1, 0.1, '2026-01-31'), row('B', 2, null, null)]);
  });
});

describe('a load with invalid rows or options', () => {
  it('is rejected with the line and column of every bad value, and changes nothing', async () => {
    await loading.define('bad', items);
    await readJsonAnswer(loading.load('bad', 'item', 'A,1,1,\n'));
    const key = await loading.begin('bad', 'item');
    await readJsonAnswer(loading.stage(key, 'X,1,1,\n'));
    const failure = await messages(
      loading.stage(key, 'B,1,x,\nB,2,1,today\nB,,NaN\nB\n', { ordinal: 1, firstLine: 12 }),
    );
    expect(failure).toEqual([
      '12.amount: "x" is not a number, e.g. 1234.56',
      '13.ordered_on: "today" is not a date, e.g. 2026-06-30',
      '14.item_no: the value is missing; expected a whole number from -9223372036854775808 to 9223372036854775807',
      '14.amount: "NaN" is not a number, e.g. 1234.56',
      '14: expected 4 values (order_no, item_no, amount, ordered_on), got 3',
      '15: expected 4 values (order_no, item_no, amount, ordered_on), got 1',
    ]);
    const status = await loading.status(key);
    expect(status).toMatchObject({ state: 'refused', rows: 0 });
    expect(status?.faults?.[1]).toEqual({ line: 13, column: 'ordered_on', message: expect.any(String) });
    expect(await messages(loading.stage(key, 'B,3,1,\n', { ordinal: 2 }))).toEqual(failure);
    expect(await messages(loading.commit(key, 2))).toEqual(failure);
    expect(await relations('bad')).toEqual(['item']);
    expect(await rowsOf('bad')).toEqual([row('A', 1, 1, null)]);
  });

  it('is rejected for duplicate keys, and names them', async () => {
    await loading.define('twice', items);
    await readJsonAnswer(loading.load('twice', 'item', 'A,1,1,\n'));
    const key = await loading.begin('twice', 'item');
    await readJsonAnswer(loading.stage(key, 'B,1,1,\nB,2,1,\n'));
    await readJsonAnswer(loading.stage(key, 'B,2,2,\nC,1,1,\nC,1,1,\nC,1,1,\n', { ordinal: 1, firstLine: 4 }));
    expect(await messages(loading.commit(key, 2))).toEqual([
      ': 2 rows have the key order_no "B", item_no "2"',
      ': 3 rows have the key order_no "C", item_no "1"',
    ]);
    expect(await loading.status(key)).toMatchObject({ state: 'refused' });
    expect(await relations('twice')).toEqual(['item']);
    expect(await rowsOf('twice')).toEqual([row('A', 1, 1, null)]);
  });

  it('is rejected when a value is too long for the index of its column', async () => {
    await loading.define('long', items);
    const noise = Array.from({ length: 6_000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7_919) % 20_000))).join(
      '',
    );
    expect(await messages(loading.load('long', 'item', `${noise},1,,\n`))).toEqual([
      ': a value of order_no, item_no is too long for an index (about 2,700 bytes)',
    ]);
  });

  it('is rejected at its beginning for unknown columns and illegal delimiters', async () => {
    await loading.define('begun', items);
    const begin = (said: object, table = 'item') =>
      loading.handler.begin(
        beginLoad.request.parse({ team: 'begun', schema: testSchema, table, begin: { format: 'csv', ...said } }),
        adminContextOf('begun'),
      );
    expect(await messages(begin({ columns: ['order_no', 'amout', 'order_no'] }))).toEqual([
      'columns.1: unknown column "amout"; did you mean "amount"?',
      'columns.2: "order_no" is named twice',
      'columns: "item_no" is missing; the table has no row without it',
    ]);
    expect(await messages(begin({ delimiter: '"', null: 'a"' }))).toHaveLength(2);
    expect(await messages(begin({ delimiter: '§' }))).toHaveLength(1);
    expect(await messages(begin({ format: 'jsonl', columns: ['order_no'] }))).toHaveLength(1);
    expect(await readFailure(begin({}, 'itm'))).toMatchObject({
      code: 'GENERAL_NOTFOUND',
      detail: 'There is no table "p2p.itm"; did you mean "p2p.item"?',
    });
  });
});

describe('batches', () => {
  it('may arrive concurrently, in any order and twice; their rows count once', async () => {
    await loading.define('batches', items);
    const key = await loading.begin('batches', 'item');
    const texts = Array.from({ length: 12 }, (_, at) =>
      Array.from({ length: 50 }, (_line, line) => `A${at},${line},1,\n`).join(''),
    );
    const order = [...texts.keys(), ...texts.keys()].toReversed();
    const staged = await Promise.all(
      order.map(async (ordinal) => readJsonAnswer(loading.stage(key, texts[ordinal] ?? '', { ordinal }))),
    );
    expect(staged).toEqual(order.map(() => ({ rows: 50 })));
    expect(await readJsonAnswer(loading.commit(key, 12))).toMatchObject({ state: 'committed', rows: 600 });
    const { rows } = await admin.query(`select count(*)::int as rows from "batches.p2p".item`);
    expect(rows).toEqual([{ rows: 600 }]);
  });

  it('must be complete before a commit, and are rejected after it', async () => {
    await loading.define('missing', items);
    const key = await loading.begin('missing', 'item');
    await readJsonAnswer(loading.stage(key, 'A,1,1,\n', { ordinal: 1 }));
    expect(await readFailure(loading.commit(key, 3))).toMatchObject({
      code: 'GENERAL_CONFLICT',
      detail: 'Batches are missing: 0, 2; send them and commit again.',
    });
    expect(await readFailure(loading.commit(key, 100_000_000))).toMatchObject({
      detail: expect.stringMatching(/: 0, 2, .*…/),
    });
    expect(await readFailure(loading.commit(key, 1))).toMatchObject({ code: 'GENERAL_CONFLICT' });
    await readJsonAnswer(loading.stage(key, 'A,0,1,\n', { ordinal: 0 }));
    await readJsonAnswer(loading.commit(key, 2));
    expect(await readFailure(loading.stage(key, 'A,2,1,\n', { ordinal: 2 }))).toMatchObject({
      code: 'GENERAL_CONFLICT',
    });
  });
});

describe('a commit', () => {
  it('takes effect once, even if it is requested several times and on several replicas', async () => {
    await loading.define('again', items);
    const key = await loading.begin('again', 'item');
    await readJsonAnswer(loading.stage(key, 'A,1,1,\n'));
    const other = openLoadClient(fixture);
    const committed = await Promise.all(
      [loading.commit(key), other.commit(key), loading.commit(key)].map(readJsonAnswer),
    );
    expect(new Set(committed.map(({ dataVersion }) => dataVersion))).toEqual(new Set([1]));
    expect(await readJsonAnswer(other.commit(key))).toEqual(committed[0]);
    other.locks.onModuleDestroy();
  });

  it('in append mode keeps existing rows, also those of loads committed meanwhile', async () => {
    await loading.define('append', items);
    await readJsonAnswer(loading.load('append', 'item', 'A,1,1,\n', { mode: 'append' }));
    const key = await loading.begin('append', 'item', { mode: 'append' });
    await readJsonAnswer(loading.stage(key, 'C,1,3,\n'));
    await readJsonAnswer(loading.load('append', 'item', 'B,1,2,\n', { mode: 'append' }));
    expect(await readJsonAnswer(loading.commit(key))).toMatchObject({ state: 'committed', rows: 3, dataVersion: 3 });
    expect(await rowsOf('append')).toEqual([row('A', 1, 1, null), row('B', 1, 2, null), row('C', 1, 3, null)]);
    expect(await messages(loading.load('append', 'item', 'A,1,9,\n', { mode: 'append' }))).toEqual([
      ': 2 rows have the key order_no "A", item_no "1"',
    ]);
    expect(await rowsOf('append')).toHaveLength(3);
  });

  it('in upsert mode replaces rows with the same key and keeps the others, also those of loads committed meanwhile', async () => {
    await loading.define('upsert', items);
    await readJsonAnswer(loading.load('upsert', 'item', 'A,1,1,2026-01-31\nB,1,2,\n', { mode: 'upsert' }));
    const key = await loading.begin('upsert', 'item', { mode: 'upsert' });
    await readJsonAnswer(loading.stage(key, 'A,1,9,\nA,2,3,\n'));
    await readJsonAnswer(loading.load('upsert', 'item', 'C,1,4,\nB,1,5,\n', { mode: 'upsert' }));
    expect(await readJsonAnswer(loading.commit(key))).toMatchObject({ state: 'committed', rows: 4, dataVersion: 3 });
    expect(await rowsOf('upsert')).toEqual([
      row('A', 1, 9, null),
      row('A', 2, 3, null),
      row('B', 1, 5, null),
      row('C', 1, 4, null),
    ]);
    expect(await messages(loading.load('upsert', 'item', 'D,1,1,\nD,1,2,\n', { mode: 'upsert' }))).toEqual([
      ': 2 rows have the key order_no "D", item_no "1"',
    ]);
    expect(await rowsOf('upsert')).toHaveLength(4);
  });

  it('cannot upsert into a table without a key', async () => {
    const { primaryKey: _key, ...withoutKey } = items;
    await loading.define('keyless', withoutKey);
    const names = { team: 'keyless', schema: testSchema, table: 'item' };
    const request = beginLoad.request.parse({ ...names, begin: { format: 'csv', mode: 'upsert' } });
    expect(await messages(loading.handler.begin(request, adminContextOf('keyless')))).toEqual([
      'mode: upsert needs a primary key in the definition of the table, by which its rows are told apart',
    ]);
  });

  it('appends after a change of the definition if existing rows still fit', async () => {
    await loading.define('altered', items);
    await readJsonAnswer(loading.load('altered', 'item', 'A,1,1,2026-01-31\n'));
    const [orderNo, itemNo, amount] = items.columns;
    if (!orderNo || !itemNo || !amount) throw new Error('columns');
    const note = { id: 'note', type: 'string' as const };
    await loading.define('altered', { ...items, columns: [orderNo, itemNo, { ...amount, type: 'integer' as const }] });
    expect(await messages(loading.load('altered', 'item', 'B,1,2\n', { mode: 'append' }))).toEqual([
      'amount: the rows that are there have values of another type (numeric); load all rows without appending',
    ]);
    await loading.define('altered', { ...items, columns: [orderNo, itemNo, amount, { ...note, nullable: false }] });
    expect(await messages(loading.load('altered', 'item', 'B,1,2,n\n', { mode: 'append' }))).toEqual([
      'note: the rows that are there have no value; load all rows without appending',
    ]);
    await loading.define('altered', { ...items, columns: [orderNo, itemNo, amount, note] });
    await readJsonAnswer(loading.load('altered', 'item', 'B,1,2,n\n', { mode: 'append' }));
    expect(await rowsOf('altered')).toEqual([
      { order_no: 'A', item_no: 1, amount: 1, note: null },
      { order_no: 'B', item_no: 1, amount: 2, note: 'n' },
    ]);
  });
});

describe('a load', () => {
  it('leaves nothing behind when it is cancelled, and cannot be cancelled after its commit', async () => {
    await loading.define('cancelled', items);
    const key = await loading.begin('cancelled', 'item');
    await readJsonAnswer(loading.stage(key, 'A,1,1,\n'));
    expect(await loading.handler.cancel(key, adminContextOf('cancelled'))).toEqual({
      ok: true,
      value: { loadId: key.loadId },
    });
    expect(await relations('cancelled')).toEqual([]);
    expect(await readFailure(loading.handler.cancel(key, adminContextOf('cancelled')))).toMatchObject({
      code: 'GENERAL_NOTFOUND',
    });
    expect(await readFailure(loading.stage(key, 'A,1,1,\n'))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
    const committed = await loading.begin('cancelled', 'item');
    await readJsonAnswer(loading.commit(committed, 0));
    expect(await readFailure(loading.handler.cancel(committed, adminContextOf('cancelled')))).toMatchObject({
      code: 'GENERAL_CONFLICT',
    });
  });

  it('is not found by callers who may not administer the team, nor under another table', async () => {
    await loading.define('own', items);
    await loading.define('own', { ...items, id: 'other' });
    const key = await loading.begin('own', 'item');
    for (const context of [callerContextOf('own'), adminContextOf('stranger')]) {
      const batch = { ordinal: 0, firstLine: 1, text: 'A,1,1,\n' };
      const begin = beginLoad.request.parse({
        team: 'own',
        schema: testSchema,
        table: 'item',
        begin: { format: 'csv' },
      });
      const calls = [
        loading.handler.begin(begin, context),
        loading.handler.stage({ ...key, batch }, context),
        loading.handler.commit({ ...key, commit: { batches: 0 } }, context),
        loading.handler.read(key, context),
        loading.handler.cancel(key, context),
      ];
      for (const call of calls) expect(await readFailure(call)).toMatchObject({ code: 'GENERAL_NOTFOUND' });
    }
    const elsewhere: LoadKey = { ...key, table: 'other' };
    expect(await readFailure(loading.commit(elsewhere, 0))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
    expect(await readFailure(loading.commit({ ...key, team: 'stranger' }, 0))).toMatchObject({
      code: 'GENERAL_NOTFOUND',
    });
    expect(await loading.status(key)).toMatchObject({ state: 'loading' });
  });

  it('runs a step once when the request is repeated with its Idempotency-Key', async () => {
    await loading.define('keyed', items);
    const context = adminContextOf('keyed');
    const begin = beginLoad.request.parse({
      team: 'keyed',
      schema: testSchema,
      table: 'item',
      begin: { format: 'csv' },
      idempotencyKey: 'b',
    });
    const { loadId } = await readJsonAnswer(loading.handler.begin(begin, context));
    expect(await readJsonAnswer(loading.handler.begin(begin, context))).toMatchObject({ loadId });
    const key = { team: 'keyed', schema: testSchema, table: 'item', loadId, idempotencyKey: 'c' };
    const first = await readJsonAnswer(loading.handler.commit({ ...key, commit: { batches: 0 } }, context));
    await readJsonAnswer(loading.load('keyed', 'item', 'A,1,1,\n'));
    const again = await loading.handler.commit({ ...key, commit: { batches: 0 } }, context);
    expect(again.ok && again.value.headers).toEqual({ 'idempotency-replayed': 'true' });
    expect(await readJsonAnswer(Promise.resolve(again))).toEqual(first);
    expect(await readFailure(loading.handler.commit({ ...key, commit: { batches: 1 } }, context))).toMatchObject({
      code: 'GENERAL_IDEMPOTENCY_MISMATCH',
    });
  });
});
