/** Tables of a cluster from the load of their generation to their end, with several replicas; the server is a fake one. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLog } from '@tessera/messaging';
import { runInTenantTransaction } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import { markAsLoaded, openClusterClient, type ClusterClient } from '../testing/cluster-client.js';
import { FakeClickhouseTables } from '../testing/fake-clickhouse-tables.js';
import {
  serverError,
  startFakeClickhouse,
  type ClickhouseAnswer,
  type ClickhouseCall,
  type FakeClickhouse,
} from '../testing/fake-clickhouse.js';
import { columnQuestion } from '../testing/columnar-questions.js';
import { openFixture, type Fixture } from '../testing/fixture.js';
import { Pools } from '../database.module.js';
import { readGenerations, runInColumnarTurn } from './columnar.repository.js';
import { generationId } from './generation-identity.js';
import { knowledgeModelsSettings } from '../settings.js';

let fixture: Fixture;
let server: FakeClickhouse;
let stored: FakeClickhouseTables;
/** Answers in place of the stored tables. */
let intercept: (call: ClickhouseCall) => ClickhouseAnswer | Promise<ClickhouseAnswer> | undefined;
let clients: ClusterClient[];
let teams = 0;
let team = '';
/** Of another replica. */
let otherPools: Pools;
beforeAll(async () => {
  fixture = await openFixture();
  const settings = knowledgeModelsSettings.parse({ DATABASE_URL: fixture.database.urlFor('knowledge-models') });
  otherPools = new Pools(settings, silentLog);
});
beforeEach(async () => {
  team = `team-${(teams += 1)}`;
  stored = new FakeClickhouseTables();
  intercept = () => undefined;
  clients = [];
  server = await startFakeClickhouse((call) => intercept(call) ?? stored.answer(call));
});
afterEach(async () => {
  for (const client of clients) await client.end();
  await server.stop();
});
afterAll(async () => {
  await otherPools?.onApplicationShutdown();
  await fixture?.end();
});

const open = (options: Parameters<typeof openClusterClient>[2] = {}): ClusterClient => {
  const client = openClusterClient(fixture, server.url, options);
  clients.push(client);
  return client;
};
const load = async (rows: number, name = 'numbers', owner = team): Promise<void> => {
  await fixture.load(owner, {
    ...{ schema: 'p2p', name, columns: 'id bigint' },
    rows: `select id from generate_series(1, ${rows}) as id`,
  });
  await runInTenantTransaction(fixture.pools.loads, owner, (client) =>
    client.query(`update knowledge_models.team_table set loaded_at = clock_timestamp() where table_id = '${name}'`),
  );
};
const rowsOf = async (client: ClusterClient, owner = team): Promise<number | undefined> =>
  (await client.table(owner, 'p2p', 'numbers'))?.rows;
const inserts = (): number => server.calls.filter(({ query }) => /^insert/i.test(query)).length;

describe('a table of a cluster', () => {
  it('is made by one replica, found by the others, and dropped some time after another load', async () => {
    await load(100);
    const [first, second] = [open(), open()];
    await first.files.ensure(team);
    await second.files.ensure(team);
    expect([await rowsOf(first), await rowsOf(second), inserts()]).toEqual([100, 100, 1]);
    const insert = server.calls.find(({ query }) => /^insert/i.test(query));
    // What rows to insert take is for the server to say, and more than a question.
    expect([insert?.fields.has('max_memory_usage'), insert?.fields.get('async_insert')]).toEqual([false, '0']);
    const [before] = stored.published;
    expect(before).toMatch(/^tessera_[0-9a-f]{32}$/);
    const key = (await first.table(team, 'p2p', 'numbers'))?.key;
    expect(key && first.files.source(key)).toEqual({ name: before, rows: 100 });
    await load(101);
    await first.files.ensure(team);
    expect([await rowsOf(first), stored.published.length]).toEqual([101, 2]);
    await open({ tables: { graceMs: 1 } }).files.ensure(team);
    await waitUntil(() => stored.published.length === 1);
    expect(stored.published).not.toContain(before);
    await second.files.ensure(team);
    expect([await rowsOf(second), inserts()]).toEqual([101, 2]);
  });

  it('is made while the making for another team does not end, and each table of a team in its turn', async () => {
    const slowTeam = `${team}-slow`;
    await load(50, 'numbers', slowTeam);
    await load(60, 'others', slowTeam);
    await load(100);
    const held = Promise.withResolvers<undefined>();
    intercept = (call) =>
      /^insert/i.test(call.query) && inserts() === 1 ? held.promise.then(() => stored.answer(call)) : undefined;
    const client = open();
    const slow = client.files.ensure(slowTeam);
    await waitUntil(() => inserts() === 1);
    await client.files.ensure(team);
    expect([await rowsOf(client), client.outcomes, inserts()]).toEqual([100, ['made'], 2]);
    held.resolve(undefined);
    await slow;
    expect(client.outcomes).toEqual(['made', 'made', 'made']);
  });

  it('is found at a start, and taken where it is of the generation in place', async () => {
    await load(100);
    await open().files.ensure(team);
    const next = open();
    await waitUntil(() => next.files.count === 1);
    expect([await rowsOf(next), inserts(), next.outcomes]).toEqual([100, 1, []]);
  });

  it('is made again when a question finds that the server has lost it', async () => {
    await load(100);
    const client = open({ tables: { awaitMs: 10 } });
    await client.files.ensure(team);
    const table = await client.table(team, 'p2p', 'numbers');
    if (!table) throw new Error('It was made.');
    stored.tables.clear();
    intercept = ({ query }) => (query.startsWith('select * from') ? serverError('60', 'UNKNOWN_TABLE') : undefined);
    const asked = client.reader.ask(columnQuestion(table, []), { groupsMax: 1, signal: new AbortController().signal });
    await expect(asked).rejects.toThrow('no-table');
    await waitUntil(() => inserts() === 2);
    await waitUntil(async () => (await rowsOf(client)) === 100);
  });

  it('is waited for while another replica makes it', async () => {
    await load(100);
    const held = Promise.withResolvers<undefined>();
    const [first, second] = [open(), open({ tables: { awaitMs: 10, pools: otherPools } })];
    intercept = (call) => (/^insert/i.test(call.query) ? held.promise.then(() => stored.answer(call)) : undefined);
    const making = first.files.ensure(team);
    await waitUntil(() => inserts() === 1);
    await second.files.ensure(team);
    expect([await rowsOf(second), second.outcomes]).toEqual([undefined, []]);
    held.resolve(undefined);
    await making;
    await waitUntil(async () => (await rowsOf(second)) === 100);
    expect([inserts(), first.outcomes, second.outcomes]).toEqual([1, ['made'], []]);
  });

  it('is waited for by one look after the other, however many others make', async () => {
    await load(100);
    await load(100, 'others');
    const end = Promise.withResolvers<void>();
    const generations = await readGenerations(fixture.pools.light, team);
    const makings = generations.map((generation) => {
      const name = `table ${generationId({ ...generation, team })}`;
      const begun = Promise.withResolvers<void>();
      const ended = runInColumnarTurn(otherPools.loads, name, new AbortController().signal, () => {
        begun.resolve();
        return end.promise;
      });
      return { begun: begun.promise, ended };
    });
    await Promise.all(makings.map(({ begun }) => begun));
    const client = open({ tables: { awaitMs: 250 } });
    await client.files.ensure(team);
    const before = server.calls.length;
    const startMs = performance.now();
    await waitUntil(() => performance.now() - startMs > 2_000);
    const looks = server.calls.length - before;
    end.resolve();
    await Promise.all(makings.map(({ ended }) => ended));
    expect(looks).toBeLessThanOrEqual(8);
  });

  it('is of its team alone, whatever a comment says', async () => {
    await load(100);
    await load(70, 'numbers', `${team}-other`);
    await open().files.ensure(`${team}-other`);
    const [name = ''] = stored.published;
    const theirs = stored.tables.get(name);
    if (!theirs) throw new Error('There is one table.');
    stored.tables.set('tessera_0', { ...theirs, comment: theirs.comment.replace(`${team}-other`, team) });
    const client = open();
    await client.files.ensure(team);
    expect([await rowsOf(client), inserts()]).toEqual([100, 2]);
    expect(client.files.find({ team: 'nobody', schema: 'p2p', table: 'numbers', dataVersion: '1' })).toBeUndefined();
  });

  it('is of its installation alone, which two may have in one database for the same generation', async () => {
    await load(100);
    const [own, other] = [open(), open({ tables: { graceMs: 1, readInstallation: async () => 'another' } })];
    await own.files.ensure(team);
    await other.files.ensure(team);
    expect([own.outcomes, other.outcomes, stored.published.length]).toEqual([['made'], ['made'], 2]);
    const key = (await own.table(team, 'p2p', 'numbers'))?.key;
    const names = [own, other].map(({ files }) => key && files.source(key)?.name);
    expect(names.toSorted()).toEqual(stored.published);
    await load(101);
    await other.files.ensure(team);
    await waitUntil(() => !stored.published.includes(names[1] ?? ''));
    const restarted = open({ tables: { graceMs: 1, readInstallation: async () => 'a third one' } });
    await restarted.files.ensure(team);
    await restarted.files.ensure(team);
    expect(stored.published).toContain(names[0]);
    expect(inserts()).toBe(4);
  });

  it('is none of a table that no load has made', async () => {
    await fixture.load(team, { schema: 'p2p', name: 'numbers', columns: 'id bigint', rows: [{ id: 1 }] });
    const client = open();
    await client.files.ensure(team);
    expect([await rowsOf(client), stored.tables.size]).toEqual([undefined, 0]);
    await markAsLoaded(fixture, team);
    await client.files.ensure(team);
    expect(await rowsOf(client)).toBe(1);
  });

  it('is dropped when nobody ever gave it a comment', async () => {
    const [old, young, foreign] = [`tessera_${'0'.repeat(32)}`, `tessera_${'1'.repeat(32)}`, 'tessera_reports'];
    stored.tables.set(foreign, { comment: '', csv: '', isOld: true });
    stored.tables.set(young, { comment: '', csv: '', isOld: false });
    stored.tables.set(old, { comment: '', csv: '', isOld: true });
    open();
    await waitUntil(() => !stored.tables.has(old));
    expect([stored.tables.has(young), stored.tables.has(foreign)]).toEqual([true, true]);
  });
});

describe('a table that cannot be made', () => {
  it.each([
    ['the server has no room', serverError('243', 'NOT_ENOUGH_SPACE'), 'failed'],
    ['the server counts something else', '["100", "100", "1"]\n', 'differs'],
  ])('leaves nothing behind when %s, and is tried again', async (_title, answer, outcome) => {
    await load(100);
    let failures = 0;
    intercept = ({ query }) => (/^select cast\(count/.test(query) && (failures += 1) === 1 ? answer : undefined);
    const client = open({ tables: { retryMs: 10 } });
    await client.files.ensure(team);
    expect([client.outcomes, stored.tables.size]).toEqual([[outcome], 0]);
    expect(client.lines).toContain('a copy by columns was not made; PostgreSQL answers');
    await waitUntil(() => client.outcomes.length === 2);
    expect([await rowsOf(client), client.outcomes]).toEqual([100, [outcome, 'made']]);
  });

  it('is none when another load comes between', async () => {
    await load(100);
    intercept = async (call) => {
      const answer = stored.answer(call);
      if (/^insert/i.test(call.query) && inserts() === 1) await load(200);
      return answer;
    };
    const client = open();
    await client.files.ensure(team);
    expect([client.outcomes, stored.tables.size]).toEqual([['outdated'], 0]);
    await client.files.ensure(team);
    expect(await rowsOf(client)).toBe(200);
  });

  it('is cut off and dropped when the service stops', async () => {
    await load(100);
    intercept = ({ query }) => (/^insert/i.test(query) ? false : undefined);
    const client = open();
    const making = client.files.ensure(team);
    await waitUntil(() => inserts() === 1);
    expect(stored.tables.size).toBe(1);
    await client.files.stop();
    await making;
    expect([client.outcomes, stored.tables.size]).toEqual([['stopped'], 0]);
  });

  it('is no trouble for anybody while the server cannot be reached', async () => {
    await load(100);
    intercept = () => serverError('516', 'AUTHENTICATION_FAILED', 403);
    const client = open({ tables: { retryMs: 10 } });
    await client.files.ensure(team);
    expect([await rowsOf(client), client.lines.length > 0]).toEqual([undefined, true]);
    intercept = () => undefined;
    await waitUntil(async () => (await rowsOf(client)) === 100);
  });
});
