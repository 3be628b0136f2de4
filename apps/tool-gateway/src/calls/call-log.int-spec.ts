import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalDigest } from '@tessera/contracts';
import { loadData } from '@tessera/contracts/knowledge-models';
import { listCalls } from '@tessera/contracts/tool-gateway';
import { succeed } from '@tessera/failures';
import { createPool, inTenantTransaction } from '@tessera/persistence';
import { CallLog, type CallRow, firstCallIdAt, insertCalls, newCallId, purgeCalls } from './call-log.repository.js';
import { oneRow } from '../testing/fake-services.js';
import {
  adminOf,
  valueOf,
  applyOrThrow,
  assetOf,
  call,
  callerOf,
  failureOf,
  loadTool,
  openTestReplicas,
  type TestReplicas,
} from '../testing/test-replicas.js';

let setup: TestReplicas;
beforeAll(async () => {
  setup = await openTestReplicas();
});
afterAll(() => setup?.end());

const pool = () => setup.replicas[0].runtime.pools.log;

const listed = async (team: string, filter: Readonly<Record<string, unknown>> = {}) =>
  listCalls.reply.parse(
    await valueOf(setup.replicas[0].log.list(listCalls.request.parse({ team, ...filter }), adminOf(team))),
  );

const rowOf = (more: Partial<CallRow> = {}): CallRow => ({
  callId: newCallId(),
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
  `${firstCallIdAt(instant).slice(0, 13)}-7000-8000-${String(last).padStart(12, '0')}`;

describe('the log of calls', () => {
  it('has every call of a known tool, however it ended, before it is answered', async () => {
    const team = 'every';
    await applyOrThrow(setup.replicas[0], team, [assetOf('p2p', [loadTool], { limits: { callsPerMinute: 4 } })]);
    setup.services.answer(loadData, () => succeed(oneRow));
    const context = { ...callerOf(team, { subject: 'ann' }), requestId: 'request-7' };
    const arguments_ = { columns: ['ORDER.NO'], page_size: 5 };
    const beforeMs = Date.now();
    await valueOf(call(setup.replicas[0], team, 'p2p', arguments_, { context }));
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
    await failureOf(call(setup.replicas[0], team, 'p2p', {}));
    await failureOf(
      call(setup.replicas[0], team, 'p2p', {}, { context: callerOf(team, { scopes: ['tools:execute'] }) }),
    );
    await failureOf(call(setup.replicas[0], team, 'p2p/none', {}));
    await failureOf(call(setup.replicas[0], team, 'none', {}));
    const outcomes = (await listed(team)).calls.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['ADMIN_ACCESS_ERROR', 'TOOL_ARGUMENTS_INVALID', 'ok']);
  });

  /** A log that counts its statements. */
  const countedLog = () => {
    const statements = { count: 0 };
    const counting = new Proxy(pool(), {
      get: (target, name) => {
        if (name === 'connect') statements.count++;
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    return { statements, log: new CallLog(counting) };
  };

  it('writes rows of concurrent calls in one statement, and resolves when they are written', async () => {
    const { statements, log } = countedLog();
    await Promise.all(Array.from({ length: 100 }, () => log.add('together', rowOf())));
    expect(statements.count).toBe(2);
    expect((await listed('together', { pageSize: 1000 })).calls).toHaveLength(100);
    await log.add('together', rowOf());
    expect(statements.count).toBe(3);
  });

  it('waits a moment for the rows of calls that are still running', async () => {
    const { statements, log } = countedLog();
    const ends = [log.begin('gathered'), log.begin('gathered'), log.begin('gathered')];
    const added = [log.add('gathered', rowOf()), log.add('gathered', rowOf())];
    expect(statements.count).toBe(0);
    added.push(log.add('gathered', rowOf()));
    expect(statements.count).toBe(1);
    await Promise.all(added);
    // Nobody else ends now; the row goes all the same.
    await log.add('gathered', rowOf());
    expect(statements.count).toBe(2);
    for (const end of ends) end();
    expect((await listed('gathered')).calls).toHaveLength(4);
  });

  it('fails a call whose row cannot be written', async () => {
    const team = 'unwritten';
    await applyOrThrow(setup.replicas[0], team, [assetOf('p2p')]);
    setup.services.answer(loadData, () => succeed(oneRow));
    const admin = createPool({
      url: setup.database.adminUrl,
      applicationName: 'spec',
      connectionsMax: 1,
      statementTimeoutMs: 60_000,
    });
    const grant = (verb: string) =>
      admin.query(`${verb} insert on tool_gateway.tool_call ${verb === 'grant' ? 'to' : 'from'} tessera_tool_gateway`);
    await grant('revoke');
    try {
      const failure = await failureOf(call(setup.replicas[0], team, 'p2p', { columns: ['ORDER.NO'] }));
      expect(failure?.code).toBe('SERVICE_UNAVAILABLE');
    } finally {
      await grant('grant');
      await admin.end();
    }
    expect((await listed(team)).calls).toEqual([]);
    expect(await failureOf(call(setup.replicas[0], team, 'p2p', { columns: ['ORDER.NO'] }))).toBeUndefined();
  });

  it('lets a running row be ended once, and changes nothing else in it', async () => {
    const team = 'kept';
    const running = rowOf({ outcome: 'running', callId: newCallId() });
    const { durationUs: _, ...withoutDuration } = running;
    const ended = rowOf();
    await insertCalls(pool(), team, [withoutDuration, ended]);
    const attempt = (statement: string) =>
      inTenantTransaction(pool(), team, async (client) => (await client.query(statement)).rowCount).catch(
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

  it('never include calls of the last day, whatever the setting says', async () => {
    await insertCalls(pool(), 'today', [rowOf()]);
    for (const keptDays of [0, -300]) await purgeCalls(pool(), keptDays, 10_000);
    expect((await listed('today')).calls).toHaveLength(1);
  });
});
