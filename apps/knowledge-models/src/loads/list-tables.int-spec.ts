import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listLoads, listTables } from '@tessera/contracts/knowledge-models';
import { adminContextOf } from '../testing/definition-client.js';
import { readFailure } from '../testing/fixture.js';
import { openLoadFixture, testSchema } from '../testing/load-client.js';
import { ListTablesHandler } from './list-tables.handler.js';

const team = 'meridian';
let setup: Awaited<ReturnType<typeof openLoadFixture>>;
let lists: ListTablesHandler;
beforeAll(async () => {
  setup = await openLoadFixture();
  lists = new ListTablesHandler(setup.fixture.source);
  const { loading } = setup;
  const columns = [
    { id: 'no', type: 'string' as const, description: 'The number.' },
    { id: 'amount', type: 'float' as const },
    { id: 'paid', type: 'boolean' as const, nullable: false },
  ];
  const source = { file: 'items.csv' };
  const item = { id: 'item', name: 'Items', description: 'Lines.', columns, primaryKey: ['no'], source };
  await loading.define(team, item);
  for (const id of ['item_2', 'a_table', 'zeta']) await loading.define(team, { id, columns });
  await loading.define('northgate', { id: 'secret', columns });
});
afterAll(() => setup?.end());

const tables = async (query: object = {}, of = team) => {
  const answer = await lists.list(listTables.request.parse({ team: of, ...query }), adminContextOf(of));
  if (!answer.ok) throw new Error(answer.failure.detail);
  return listTables.reply.parse(answer.value);
};
const loads = async (table: string) => {
  const answer = await lists.loads(listLoads.request.parse({ team, schema: testSchema, table }), adminContextOf(team));
  if (!answer.ok) throw new Error(answer.failure.detail);
  return listLoads.reply.parse(answer.value).loads;
};

describe('the tables of a team', () => {
  it('are told with their columns, before the first load as well', async () => {
    const { tables: found, next } = await tables();
    expect([found.map(({ id }) => id), next]).toEqual([['a_table', 'item', 'item_2', 'zeta'], undefined]);
    expect(found[1]).toEqual({
      schema: testSchema,
      id: 'item',
      name: 'Items',
      description: 'Lines.',
      columns: [
        { id: 'no', type: 'string', nullable: false, description: 'The number.' },
        { id: 'amount', type: 'float', nullable: true },
        { id: 'paid', type: 'boolean', nullable: false },
      ],
      primaryKey: ['no'],
      source: { file: 'items.csv' },
      dataVersion: 0,
      rows: 0,
      bytes: 0,
      kept: [],
    });
    expect(found[0]).toMatchObject({ name: 'a_table', columns: [{ nullable: true }, {}, {}] });
  });

  it('say which generation they have, since when and by whom', async () => {
    const startedMs = Date.now();
    await setup.loading.load(team, 'zeta', 'A,1,true\nB,,false\n');
    await setup.loading.load(team, 'zeta', 'C,1,true\n', { mode: 'append' });
    const zeta = (await tables()).tables.at(-1);
    expect(zeta).toMatchObject({ id: 'zeta', dataVersion: 2, rows: 3, loadedBy: 'admin' });
    expect(Date.parse(zeta?.loadedAt ?? '')).toBeGreaterThanOrEqual(startedMs - 1_000);
  });

  it('come in pages', async () => {
    const first = await tables({ pageSize: 2 });
    expect([first.tables.map(({ id }) => id), first.next]).toEqual([['a_table', 'item'], 'p2p.item']);
    const last = await tables({ pageSize: 2, after: first.next });
    expect([last.tables.map(({ id }) => id), last.next]).toEqual([['item_2', 'zeta'], undefined]);
    for (const after of ['item', 'a.b.c', "p2p.'; drop table x", '']) {
      const parsed = listTables.request.safeParse({ team, after });
      expect([after, parsed.success]).toEqual([after, false]);
    }
  });

  it('are those of no other team', async () => {
    expect((await tables({}, 'northgate')).tables.map(({ id }) => id)).toEqual(['secret']);
    const strangers = [adminContextOf('northgate'), adminContextOf(team, { scopes: ['knowledge-models:read'] })];
    for (const context of strangers) {
      expect((await readFailure(lists.list(listTables.request.parse({ team }), context)))?.code).toBe(
        'GENERAL_NOTFOUND',
      );
      const place = listLoads.request.parse({ team, schema: testSchema, table: 'zeta' });
      expect((await readFailure(lists.loads(place, context)))?.code).toBe('GENERAL_NOTFOUND');
    }
  });
});

describe('the loads into a table', () => {
  it('are told with their state, rows so far and faults, the newest first', async () => {
    const { loading } = setup;
    await loading.load(team, 'item', 'A,1,true\n');
    await loading.load(team, 'item', 'A,1,true\nB,much,perhaps\n', { mode: 'upsert' });
    const open = await loading.begin(team, 'item', { mode: 'append' });
    await loading.stage(open, 'D,1,true\nE,2,false\n');
    const found = await loads('item');
    expect(found).toMatchObject([
      { loadId: open.loadId, state: 'loading', rows: 2, format: 'csv', mode: 'append', startedBy: 'admin' },
      {
        state: 'refused',
        rows: 0,
        mode: 'upsert',
        faults: [
          { line: 3, column: 'amount' },
          { line: 3, column: 'paid' },
        ],
      },
      { state: 'committed', rows: 1, dataVersion: 1, mode: 'replace' },
    ]);
    expect(found[2]).not.toHaveProperty('faults');
    expect(await loads('item_2')).toEqual([]);
  });

  it('are not found for a table that is not there', async () => {
    const request = listLoads.request.parse({ team, schema: testSchema, table: 'secret' });
    expect((await readFailure(lists.loads(request, adminContextOf(team))))?.code).toBe('GENERAL_NOTFOUND');
  });
});
