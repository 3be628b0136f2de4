/** Undoing loads, and deleting tables, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import type { OperationContext } from '@tessera/messaging';
import { readTeamRowsInBatches } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import type pg from 'pg';
import { adminContextOf, openDefinitionClient } from '../testing/definition-client.js';
import { callerContextOf, readFailure, readJsonAnswer, type Fixture } from '../testing/fixture.js';
import { type LoadClient, openLoadClient, openLoadFixture, testSchema } from '../testing/load-client.js';
import { ListTablesHandler } from './list-tables.handler.js';
import { tableLockName } from './load.repository.js';

let fixture: Fixture;
let loading: LoadClient;
let admin: pg.Client;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ fixture, loading, admin, end } = await openLoadFixture());
});
afterAll(() => end());

const item = {
  id: 'item',
  columns: [
    { id: 'no', type: 'integer' as const },
    { id: 'amount', type: 'float' as const },
  ],
  primaryKey: ['no'],
};
const keyOf = (team: string, table = 'item') => ({ team, schema: testSchema, table });
const undo = (team: string, idempotencyKey?: string, context: OperationContext = adminContextOf(team)) =>
  loading.tables.undo({ ...keyOf(team), ...(idempotencyKey !== undefined && { idempotencyKey }) }, context);
const remove = (team: string, table = 'item') => loading.tables.delete(keyOf(team, table), adminContextOf(team));
const loadRows = async (team: string, ...generations: readonly string[]): Promise<void> => {
  for (const text of generations) await readJsonAnswer(loading.load(team, 'item', text, {}, { allowShrink: true }));
};
const amountsOf = async (team: string): Promise<readonly unknown[]> => {
  const { rows } = await admin.query(`select amount::float8 from "${team}.p2p".item order by no`);
  return rows.map(({ amount }) => amount);
};
const tablesOf = async (team: string): Promise<readonly string[]> => {
  const { rows } = await admin.query('select tablename as name from pg_tables where schemaname = $1 order by 1', [
    `${team}.${testSchema}`,
  ]);
  return rows.map(({ name }) => String(name).replace(/~kept[0-9a-f]{12}$/, '~kept'));
};
const eventsOf = async (team: string): Promise<readonly unknown[]> => {
  const { rows } = await admin.query(
    'select payload::json as told from knowledge_models.outbox where tenant = $1 order by position',
    [team],
  );
  return rows.map(({ told }) => [told.type, told.data]);
};

describe('an undo', () => {
  it('brings the generation before back, once, and raises the data version', async () => {
    await loading.define('back', item);
    await loadRows('back', '1,1\n2,2\n', '1,7\n');
    expect(await tablesOf('back')).toEqual(['item', 'item~kept']);
    const { revision } = await fixture.catalogs.of('back');
    expect(await readJsonAnswer(undo('back'))).toEqual({ rows: 2, dataVersion: 3, kept: 0 });
    expect(await amountsOf('back')).toEqual([1, 2]);
    expect(await tablesOf('back')).toEqual(['item']);
    const catalog = await fixture.catalogs.of('back');
    expect([...catalog.tables]).toEqual([['p2p.item', { dataVersion: '3', rows: 2 }]]);
    expect(catalog.revision).not.toBe(revision);
    expect((await eventsOf('back')).at(-1)).toEqual([
      'knowledge.table.loaded',
      { schema: 'p2p', table: 'item', dataVersion: 3, rows: 2 },
    ]);
    expect(await readFailure(undo('back'))).toMatchObject({
      code: 'GENERAL_CONFLICT',
      detail: expect.stringContaining('There is no generation before the one in place'),
    });
    await loadRows('back', '1,8\n');
    expect(await readJsonAnswer(undo('back'))).toEqual({ rows: 2, dataVersion: 5, kept: 0 });
  });

  it('goes back as far as LOAD_HISTORY keeps, and not at all with 0', async () => {
    const many = openLoadClient(fixture, { LOAD_HISTORY: 2 });
    await many.define('many', item);
    for (const text of ['1,1\n', '1,2\n', '1,3\n', '1,4\n']) await readJsonAnswer(many.load('many', 'item', text));
    expect(await tablesOf('many')).toEqual(['item', 'item~kept', 'item~kept']);
    expect(await readJsonAnswer(undo('many'))).toMatchObject({ kept: 1 });
    expect(await readJsonAnswer(undo('many'))).toMatchObject({ kept: 0, dataVersion: 6 });
    expect(await amountsOf('many')).toEqual([2]);
    expect((await readFailure(undo('many')))?.code).toBe('GENERAL_CONFLICT');
    const none = openLoadClient(fixture, { LOAD_HISTORY: 0 });
    for (const text of ['1,5\n', '1,6\n']) await readJsonAnswer(none.load('many', 'item', text));
    expect(await tablesOf('many')).toEqual(['item']);
    for (const client of [many, none]) client.locks.onModuleDestroy();
  });

  it('happens once under its Idempotency-Key', async () => {
    await loading.define('once', item);
    await loadRows('once', '1,1\n', '1,2\n');
    const first = await readJsonAnswer(undo('once', 'a'));
    expect(await readJsonAnswer(undo('once', 'a'))).toEqual(first);
    expect(await amountsOf('once')).toEqual([1]);
    expect(await remove('once')).toMatchObject({ ok: true });
    expect(await readJsonAnswer(undo('once', 'a'))).toEqual(first);
  });

  it('gives columns that are new since no value, and those with another name that name', async () => {
    await loading.define('renamed', item);
    await loadRows('renamed', '1,1\n');
    const [no] = item.columns;
    if (!no) throw new Error('columns');
    const price = { id: 'price', type: 'float' as const, formerly: 'amount' };
    await loading.define('renamed', { ...item, columns: [no, price, { id: 'note', type: 'string' }] });
    await loadRows('renamed', '2,2,x\n');
    expect(await readJsonAnswer(undo('renamed'))).toMatchObject({ rows: 1 });
    const { rows } = await admin.query('select to_jsonb(t) as row from "renamed.p2p".item t');
    expect(rows).toEqual([{ row: { no: 1, price: 1, note: null } }]);
  });

  it('is refused when the generation before does not have a column as the definition says it now', async () => {
    await loading.define('changed', item);
    await loadRows('changed', '1,1\n');
    const [no] = item.columns;
    if (!no) throw new Error('columns');
    await loading.define('changed', { ...item, columns: [no, { id: 'amount', type: 'integer' }] });
    await loadRows('changed', '1,2\n');
    expect(await readFailure(undo('changed'))).toMatchObject({
      code: 'GENERAL_CONFLICT',
      detail: expect.stringContaining('does not have the column "amount"'),
    });
    expect(await amountsOf('changed')).toEqual([2]);
  });

  it('does not exist for others, nor for a table that is not there', async () => {
    await loading.define('own', item);
    await loadRows('own', '1,1\n', '1,2\n');
    for (const context of [callerContextOf('own'), adminContextOf('stranger')])
      expect((await readFailure(undo('own', undefined, context)))?.code).toBe('GENERAL_NOTFOUND');
    expect((await readFailure(undo('stranger')))?.code).toBe('GENERAL_NOTFOUND');
    expect(await amountsOf('own')).toEqual([2]);
  });
});

describe('a generation that is kept', () => {
  it('is listed with what it takes on disk, and no role of the team may read it', async () => {
    await loading.define('listed', item);
    await loadRows('listed', '1,1\n2,2\n', '1,7\n');
    const lists = new ListTablesHandler(fixture.source);
    const answer = await lists.list({ team: 'listed', pageSize: 10 }, adminContextOf('listed'));
    expect(answer.ok && answer.value.tables[0]).toMatchObject({
      rows: 1,
      bytes: expect.any(Number),
      kept: [{ rows: 2, bytes: expect.any(Number), loadedBy: 'admin', loadedAt: expect.any(String) }],
    });
    const { physical = '', role = '' } = (await fixture.catalogs.of('listed')).schemas.get('p2p') ?? {};
    const { rows } = await admin.query(
      `select has_table_privilege($1, c.oid, 'select') as "isReadable", relname like '%~%' as "isKept"
       from pg_class c where relnamespace = to_regnamespace($2) and relkind = 'r' order by 2`,
      [role, `"${physical}"`],
    );
    expect(rows).toEqual([
      { isReadable: true, isKept: false },
      { isReadable: false, isKept: true },
    ]);
  });
});

const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'items',
  name: 'Items',
  source: { schema: testSchema },
  records: [
    {
      id: 'ITEM',
      name: 'Item',
      table: 'item',
      identifier: ['NO'],
      attributes: [{ id: 'NO', name: 'No', column: 'no', type: 'integer' }],
    },
  ],
};

describe('a deletion of a table', () => {
  it('takes everything of it away, once, and says so', async () => {
    await loading.define('gone', item);
    await loading.define('gone', { ...item, id: 'other' });
    await loadRows('gone', '1,1\n', '1,2\n');
    const open = await loading.begin('gone', 'item', { mode: 'upsert' });
    await readJsonAnswer(loading.stage(open, '3,3\n'));
    expect(await remove('gone')).toEqual({ ok: true, value: { deleted: 'p2p.item' } });
    expect(await tablesOf('gone')).toEqual([]);
    expect(await loading.status(open)).toBeUndefined();
    expect([...(await fixture.catalogs.of('gone')).tables.keys()]).toEqual(['p2p.other']);
    expect((await eventsOf('gone')).at(-1)).toEqual(['knowledge.table.deleted', { schema: 'p2p', table: 'item' }]);
    expect((await readFailure(remove('gone')))?.code).toBe('GENERAL_NOTFOUND');
    await loading.define('gone', item);
    await loadRows('gone', '5,5\n');
    expect((await readFailure(undo('gone')))?.code).toBe('GENERAL_CONFLICT');
  });

  it('is refused while a model reads it, also one that extends another and a draft, naming them', async () => {
    await loading.define('read', item);
    await loadRows('read', '1,1\n');
    const definitions = openDefinitionClient(fixture, 'read');
    await definitions.applied([model, { kind: 'KnowledgeModel', id: 'more', name: 'More', extends: 'items' }]);
    await definitions.applied([{ ...model, id: 'planned' }], { mode: 'draft' });
    expect(await readFailure(remove('read'))).toMatchObject({
      code: 'GENERAL_CONFLICT',
      detail: 'The table p2p.item is read by items, more, draft of planned; delete or change these first.',
    });
    expect(await amountsOf('read')).toEqual([1]);
    for (const modelId of ['more', 'items', 'planned'])
      await definitions.handler.delete({ team: 'read', modelId }, adminContextOf('read'));
    expect(await remove('read')).toMatchObject({ ok: true });
  });

  it('lets those who read it end, and waits for a load that is put in place', async () => {
    await loading.define('busy', item);
    await loadRows('busy', '1,1\n');
    await admin.query('begin');
    await admin.query('select count(*) from "busy.p2p".item');
    let isDone = false;
    const removal = remove('busy').finally(() => (isDone = true));
    const { role } = (await fixture.catalogs.of('busy')).schemas.get('p2p') ?? {};
    const statement = {
      team: 'busy',
      text: 'select amount from "busy.p2p".item',
      values: [],
      ...(role !== undefined && { role }),
    };
    const { first } = await readTeamRowsInBatches(fixture.pools.queries, statement, new AbortController().signal);
    expect([first, isDone]).toEqual([[['1']], false]);
    await admin.query('commit');
    expect(await removal).toMatchObject({ ok: true });
    await loading.define('busy', item);
    await admin.query('select pg_advisory_lock(hashtextextended($1, 1))', [tableLockName(keyOf('busy'))]);
    let isOver = false;
    const waiting = remove('busy').finally(() => (isOver = true));
    await waitUntil(async () => {
      const { rowCount } = await admin.query(
        `select from pg_stat_activity where datname = current_database() and query like '%pg_try_advisory_lock%'
         and pid <> pg_backend_pid()`,
      );
      return (rowCount ?? 0) > 0;
    });
    expect(isOver).toBe(false);
    await admin.query('select pg_advisory_unlock_all()');
    expect(await waiting).toMatchObject({ ok: true });
  });
});
