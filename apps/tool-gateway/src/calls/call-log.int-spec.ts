import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalDigest } from '@tessera/contracts';
import { loadData } from '@tessera/contracts/knowledge-models';
import { listCalls } from '@tessera/contracts/tool-gateway';
import { succeed } from '@tessera/failures';
import { createPool, runInTenantTransaction, type PoolClient } from '@tessera/persistence';
import { createTimeOrderedId, firstIdAt } from '@tessera/service-kit';
import { waitUntil } from '@tessera/testing';
import { CallLog, type CallRow, insertCalls, purgeCalls } from './call-log.repository.js';
import { oneRowPage } from '../testing/fake-services.js';
import {
  createAdminContext,
  unwrapResult,
  applyOrThrow,
  createAssetDefinition,
  callOnReplica,
  createContext,
  readFailure,
  loadDataTool,
  openTestReplicas,
  type Replica,
  type TestReplicas,
} from '../testing/test-replicas.js';

let setup: TestReplicas;
beforeAll(async () => {
  setup = await openTestReplicas();
});
afterAll(() => setup?.end());

const pool = () => setup.replicas[0].runtime.pools.log;

const listed = async (
  team: string,
  filter: Readonly<Record<string, unknown>> = {},
  replica: Replica = setup.replicas[0],
) =>
  listCalls.reply.parse(
    await unwrapResult(replica.log.list(listCalls.request.parse({ team, ...filter }), createAdminContext(team))),
  );
/** As another replica lists them, which has no rows of its own to write. */
const stored = async (team: string) => (await listed(team, { pageSize: 1000 }, setup.replicas[1])).calls;

const rowOf = (more: Partial<CallRow> = {}): CallRow => ({
  callId: createTimeOrderedId(),
  subject: 'ann',
  door: 'mcp',
  assetId: 'p2p',
  version: '3',
  digest: 'ab'.repeat(32),
  toolId: 'load-data',
  argumentsDigest: 'cd'.repeat(32),
  requestId: 'request-1',
  outcome: 'ok',
  durationUs: 1_500,
  ...more,
});

const idAt = (instant: string, last: number): string =>
  `${firstIdAt(instant).slice(0, 13)}-7000-8000-${String(last).padStart(12, '0')}`;

/** A log whose statements are kept. */
const recordedLog = () => {
  const texts: string[] = [];
  const recorded = <T extends object>(target: T, members: Readonly<Record<string, unknown>>): T =>
    new Proxy(target, {
      get: (_, name) => {
        const member: unknown = members[String(name)] ?? Reflect.get(target, name, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  const clientOf = (client: PoolClient) =>
    recorded(client, {
      query: (query: { readonly text: string }) => {
        texts.push(query.text);
        return Reflect.apply(client.query, client, [query]);
      },
    });
  type Taken = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;
  const connect = (taken: Taken) =>
    pool().connect((error, client, release) => taken(error, client && clientOf(client), release));
  return { texts, log: new CallLog(recorded(pool(), { connect })) };
};

/** Of the database, by somebody who may do everything. */
const asOwner = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const owner = createPool({
    url: setup.database.adminUrl,
    applicationName: 'spec',
    connectionsMax: 1,
    statementTimeoutMs: 60_000,
  });
  const client = await owner.connect();
  try {
    return await work(client);
  } finally {
    client.release();
    await owner.end();
  }
};

const waitingStatements = `select from pg_locks where relation = 'tool_gateway.tool_call'::regclass and not granted`;

describe('the log of calls', () => {
  it('lists every call of a known tool with its outcome, when read from the replica that answered it', async () => {
    const team = 'every';
    await applyOrThrow(setup.replicas[0], team, [
      createAssetDefinition('p2p', [loadDataTool], { limits: { callsPerMinute: 4 } }),
    ]);
    setup.services.answer(loadData, () => succeed(oneRowPage));
    const context = { ...createContext(team, { subject: 'ann' }), requestId: 'request-7' };
    const arguments_ = { columns: ['ORDER.NO'], page_size: 5 };
    const beforeMs = Date.now();
    await unwrapResult(callOnReplica(setup.replicas[0], team, 'p2p', arguments_, { context }));
    const { calls } = await listed(team);
    const asset = await setup.replicas[0].runtime.assets.find(team, 'p2p', false);
    expect(calls).toEqual([
      {
        callId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        startedAt: expect.stringMatching(/Z$/),
        subject: 'ann',
        door: 'http',
        assetId: 'p2p',
        version: '1',
        digest: asset.ok && asset.value.digest,
        toolId: 'load-data',
        argumentsDigest: canonicalDigest({ page_size: 5, columns: ['ORDER.NO'] }),
        durationMs: expect.any(Number),
        outcome: 'ok',
        requestId: 'request-7',
      },
    ]);
    expect(Date.parse(calls[0]?.startedAt ?? '')).toBeGreaterThanOrEqual(beforeMs);
    await readFailure(callOnReplica(setup.replicas[0], team, 'p2p', {}));
    await readFailure(
      callOnReplica(
        setup.replicas[0],
        team,
        'p2p',
        {},
        { context: createContext(team, { scopes: ['tools:execute'] }) },
      ),
    );
    await readFailure(callOnReplica(setup.replicas[0], team, 'p2p/none', {}));
    await readFailure(callOnReplica(setup.replicas[0], team, 'none', {}));
    const outcomes = (await listed(team)).calls.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['ADMIN_ACCESS_ERROR', 'TOOL_ARGUMENTS_INVALID', 'ok']);
  });

  it('writes rows of concurrent calls in one statement, and resolves when they are written', async () => {
    const { texts, log } = recordedLog();
    await Promise.all(Array.from({ length: 100 }, () => log.add('together', rowOf())));
    expect(texts).toHaveLength(2);
    expect(await stored('together')).toHaveLength(100);
    await log.add('together', rowOf());
    expect(texts).toHaveLength(3);
  });

  it('allows a running row to be ended only once, and no other change to it', async () => {
    const team = 'kept';
    const running = rowOf({ outcome: 'running', callId: createTimeOrderedId() });
    const { durationUs: _, ...withoutDuration } = running;
    const ended = rowOf();
    await insertCalls(pool(), team, [withoutDuration, ended]);
    const attempt = (statement: string) =>
      runInTenantTransaction(pool(), team, async (client) => (await client.query(statement)).rowCount).catch(
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
      );
    const change = (set: string, id: string) =>
      attempt(`update tool_gateway.tool_call set ${set} where call_id = '${id}'`);
    const denied = '42501';
    expect(await change(`subject = 'bob'`, running.callId)).toBe(denied);
    expect(await change(`outcome = 'running'`, running.callId)).toBe(denied);
    expect(await change(`outcome = 'TOOL_FAILED'`, ended.callId)).toBe(0);
    expect(await attempt(`delete from tool_gateway.tool_call`)).toBe(denied);
    expect(await change(`outcome = 'ok', duration_us = 7`, running.callId)).toBe(1);
    expect(await change(`outcome = 'TOOL_FAILED'`, running.callId)).toBe(0);
  });
});

describe('rows of answered calls', () => {
  it('are written within a second, those of a team in one statement', async () => {
    const { texts, log } = recordedLog();
    const teams = ['deferred1', 'deferred2'];
    for (const team of teams) for (let count = 0; count < 100; count++) await log.defer(team, rowOf());
    expect(texts).toEqual([]);
    for (const team of teams) await waitUntil(async () => (await stored(team)).length === 100);
    expect(texts).toEqual(teams.map(() => expect.stringContaining('insert into tool_gateway.tool_call')));
  });

  it('are written at once when they fill a statement', async () => {
    const { texts, log } = recordedLog();
    for (let count = 0; count < 500; count++) await log.defer('full', rowOf());
    await waitUntil(() => texts.length === 1);
    await log.flush('full');
    expect(await stored('full')).toHaveLength(500);
    expect(texts).toHaveLength(1);
  });

  it('are all written by the time the replica has stopped', async () => {
    const team = 'stopped';
    await applyOrThrow(setup.replicas[0], team, [createAssetDefinition('p2p')]);
    setup.services.answer(loadData, () => succeed(oneRowPage));
    const replica = await setup.open();
    const arguments_ = { columns: ['ORDER.NO'] };
    await Promise.all(Array.from({ length: 20 }, () => unwrapResult(callOnReplica(replica, team, 'p2p', arguments_))));
    await replica.stop();
    expect((await stored(team)).map(({ outcome }) => outcome)).toEqual(Array.from({ length: 20 }, () => 'ok'));
  });

  it('are kept while the database is unavailable, and later rows are rejected meanwhile', async () => {
    const team = 'away';
    const log = new CallLog(pool());
    const rows = Array.from({ length: 5 }, () => rowOf());
    const { unblock } = await setup.database.blockConnections();
    try {
      for (const row of rows) await log.defer(team, row);
      await expect(log.flush(team)).rejects.toThrow();
      await expect(log.defer(team, rowOf())).rejects.toThrow();
    } finally {
      await unblock();
    }
    await waitUntil(async () => (await stored(team)).length === rows.length);
    await log.flush(team);
    await log.defer(team, rowOf());
    await log.beforeApplicationShutdown();
    expect(await stored(team)).toHaveLength(rows.length + 1);
  });

  it('are written once when it is not known whether a write took place', async () => {
    const row = rowOf();
    for (const _ of [1, 2]) await insertCalls(pool(), 'twice', [row]);
    expect((await stored('twice')).map(({ callId }) => callId)).toEqual([row.callId]);
  });

  it('are at most 10,000; the call after them waits for its row', async () => {
    const team = 'many';
    const log = new CallLog(pool());
    await asOwner(async (client) => {
      await client.query('begin');
      await client.query('lock table tool_gateway.tool_call in exclusive mode');
      for (let count = 0; count < 10_000; count++) await log.defer(team, rowOf());
      let isAnswered = false;
      const last = log.defer(team, rowOf()).then(() => (isAnswered = true));
      await waitUntil(async () => (await client.query(waitingStatements)).rowCount === 2);
      expect(isAnswered).toBe(false);
      await client.query('commit');
      await last;
    });
    await log.flush(team);
    const count = `select count(*)::int as count from tool_gateway.tool_call where tenant = '${team}'`;
    expect((await asOwner((client) => client.query(count))).rows).toEqual([{ count: 10_001 }]);
  });

  it('make later calls fail while PostgreSQL refuses to write them', async () => {
    const team = 'unwritten';
    await applyOrThrow(setup.replicas[0], team, [createAssetDefinition('p2p')]);
    setup.services.answer(loadData, () => succeed(oneRowPage));
    const failure = () => readFailure(callOnReplica(setup.replicas[0], team, 'p2p', { columns: ['ORDER.NO'] }));
    const { log } = setup.replicas[0].runtime;
    const grant = (verb: string) =>
      asOwner((client) =>
        client.query(
          `${verb} insert on tool_gateway.tool_call ${verb === 'grant' ? 'to' : 'from'} tessera_tool_gateway`,
        ),
      );
    await grant('revoke');
    try {
      expect(await failure()).toBeUndefined();
      await expect(log.flush(team)).rejects.toThrow('permission denied');
      expect((await failure())?.code).toBe('SERVICE_UNAVAILABLE');
    } finally {
      await grant('grant');
    }
    await log.flush(team);
    expect(await failure()).toBeUndefined();
    expect((await listed(team)).calls).toHaveLength(2);
  });
});

describe('the list of calls', () => {
  const team = 'list';
  beforeAll(async () => {
    const rows = Array.from({ length: 7 }, (_, index) =>
      rowOf({
        callId: idAt(`2026-03-0${index + 1}T12:00:00Z`, index),
        assetId: index % 2 === 0 ? 'even' : 'odd',
        toolId: index < 4 ? 'load-data' : 'search-data',
        subject: index === 6 ? 'bob' : 'ann',
        outcome: index === 5 ? 'TOOL_FAILED' : 'ok',
      }),
    );
    await insertCalls(pool(), team, rows);
  });
  const days = async (filter: Readonly<Record<string, unknown>>) =>
    (await listed(team, filter)).calls.map(({ startedAt }) => Number(startedAt.slice(8, 10)));

  it('lists the newest calls first, in pages', async () => {
    const pages: number[][] = [];
    let after: string | undefined;
    do {
      const { calls, next } = await listed(team, { pageSize: 3, ...(after && { after }) });
      pages.push(calls.map(({ startedAt }) => Number(startedAt.slice(8, 10))));
      after = next;
    } while (after);
    expect(pages).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
  });

  it.each([
    [{ assetId: 'odd' }, [6, 4, 2]],
    [{ toolId: 'load-data' }, [4, 3, 2, 1]],
    [{ subject: 'bob' }, [7]],
    [{ outcome: 'TOOL_FAILED' }, [6]],
    [{ from: '2026-03-03T12:00:00Z', to: '2026-03-05T12:00:00Z' }, [4, 3]],
    [{ assetId: 'even', from: '2026-03-02T00:00:00Z', outcome: 'ok' }, [7, 5, 3]],
    [{ outcome: 'running' }, []],
    [{ subject: 'ann\u0000' }, []],
  ])('filters by %j', async (filter, expected) => {
    expect(await days(filter)).toEqual(expected);
  });

  it('lists the calls of one team only', async () => {
    expect((await listed('nobody')).calls).toEqual([]);
  });
});

describe('old calls', () => {
  it('are purged in batches for all teams, and newer ones stay', async () => {
    const day = 86_400_000;
    const at = (daysAgo: number) => new Date(Date.now() - daysAgo * day).toISOString();
    for (const team of ['old1', 'old2'])
      await insertCalls(
        pool(),
        team,
        [400, 399, 89].map((daysAgo, index) => rowOf({ callId: idAt(at(daysAgo), index) })),
      );
    let gone = 0;
    for (;;) {
      const turn = await purgeCalls(pool(), 300, 3);
      gone += turn;
      if (turn < 3) break;
    }
    expect(gone).toBe(4);
    for (const team of ['old1', 'old2']) expect((await listed(team)).calls).toHaveLength(1);
  });

  it('never include calls of the last day, whatever the retention setting is', async () => {
    await insertCalls(pool(), 'today', [rowOf()]);
    for (const keptDays of [0, -300]) await purgeCalls(pool(), keptDays, 10_000);
    expect((await listed('today')).calls).toHaveLength(1);
  });

  it('are found without reading newer ones, also those that have taken the place of calls that were purged', async () => {
    const teams = 500;
    const fill = (calls: number, daysAgo: number): string =>
      `insert into tool_gateway.tool_call (tenant, call_id, subject, door, asset_id, version, digest, tool_id,
         arguments_digest, outcome, request_id)
       select 'refilled' || number % ${teams}, uuidv7(make_interval(days => -${daysAgo})), 'ann', 'http', 'p2p', '1',
         '\\x00', 'load-data', '\\x00', 'ok', 'r' from generate_series(1, ${calls}) number`;
    const rowsRead = await asOwner(async (client) => {
      const read = async (): Promise<number> => {
        const { rows } = await client.query<{ fetched: string }>(
          `select pg_stat_get_xact_tuples_fetched('tool_gateway.tool_call'::regclass) as fetched`,
        );
        return Number(rows[0]?.fetched);
      };
      await client.query(fill(10_000, 400));
      // Behind them, so that their pages stay.
      await client.query(fill(teams, 2));
      while ((await purgeCalls(pool(), 300, 10_000)) > 0);
      await client.query('vacuum tool_gateway.tool_call');
      await client.query(fill(10_000, 2));
      await client.query('vacuum analyze tool_gateway.tool_call');
      await client.query('begin');
      const before = await read();
      await client.query(`select tool_gateway.forget_calls('300 days', 10000)`);
      const after = await read();
      await client.query('rollback');
      return after - before;
    });
    expect(rowsRead).toBeLessThanOrEqual(2 * teams);
  });
});
