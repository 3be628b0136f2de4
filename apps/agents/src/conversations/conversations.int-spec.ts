/** Conversations as they are listed, read, deleted and forgotten; nobody sees those of others. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listConversations } from '@tessera/contracts/agents';
import { createPool, runInTenantTransaction, type Pool } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import {
  createAgentDefinition,
  applyOrThrow,
  createContext,
  readFailure,
  openTestService,
  postMessage,
  converseOrThrow,
  readBodyText,
  unwrapResult,
  startAndPauseInModel,
  type Replica,
  type TestService,
} from '../testing/test-service.js';
import { deleteExpiredConversations } from './conversations.repository.js';
import { markExpiredTurns } from './turns.repository.js';

const team = 'meridian';
let fixture: TestService;
let replica: Replica;
let admin: Pool;

beforeAll(async () => {
  fixture = await openTestService();
  [replica] = fixture.replicas;
  admin = createPool({
    ...{ url: fixture.database.adminUrl, applicationName: 'spec', connectionsMax: 2, statementTimeoutMs: 60_000 },
  });
  await applyOrThrow(replica, team, [
    createAgentDefinition('analyst'),
    createAgentDefinition('brief', { keptDays: 1 }),
  ]);
  await applyOrThrow(replica, team, [createAgentDefinition('sketch')], 'draft');
  await applyOrThrow(replica, 'northgate', [createAgentDefinition('analyst')]);
});
afterAll(async () => {
  await admin?.end();
  await fixture?.end();
});

const subjectOf = (subject: string) => createContext(team, { subject });
const list = async (context: ReturnType<typeof createContext>, query: object = {}) =>
  unwrapResult(
    await replica.conversations.list(listConversations.request.parse({ agent_id: 'analyst', ...query }), context),
  );
const place = (conversation_id: string) => ({ agent_id: 'analyst', conversation_id });
const read = (conversationId: string, context = createContext(team), range = {}) =>
  replica.conversations.read({ ...place(conversationId), fromTurn: 1, turnsMax: 100, ...range }, context);

describe('the list of conversations', () => {
  it('lists the newest conversations first, without gaps between pages', async () => {
    const context = subjectOf('lister');
    const ids: string[] = [];
    for (let at = 0; at < 5; at++)
      ids.unshift((await converseOrThrow(replica, team, `Message ${at}`, { context })).conversationId);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await list(context, { pageSize: 2, after });
      seen.push(...page.conversations.map(({ conversationId }) => conversationId));
      after = page.next;
    } while (after !== undefined);
    expect(seen).toEqual(ids);
  });

  it('shows the first 200 characters of the first message', async () => {
    const context = subjectOf('talker');
    await converseOrThrow(replica, team, 'ä'.repeat(300), { context });
    expect((await list(context)).conversations[0]?.firstMessage).toBe('ä'.repeat(200));
  });

  it('is empty for an agent or draft without conversations, and answers 404 for an unknown agent', async () => {
    expect(await list(subjectOf('newcomer'))).toEqual({ conversations: [] });
    expect(await list(subjectOf('newcomer'), { agent_id: 'sketch' })).toEqual({ conversations: [] });
    for (const agent_id of ['nobody', 'zero\u0000byte'])
      expect(
        await readFailure(replica.conversations.list({ agent_id, pageSize: 50 }, createContext(team))),
      ).toMatchObject({
        code: 'AGENT_NOTFOUND',
      });
  });

  it('contains only conversations of its subject', async () => {
    await converseOrThrow(replica, team, 'Mine.', { context: subjectOf('one') });
    await converseOrThrow(replica, 'northgate', 'Theirs.', { context: createContext('northgate', { subject: 'one' }) });
    expect((await list(subjectOf('one'))).conversations.map(({ firstMessage }) => firstMessage)).toEqual(['Mine.']);
    expect((await list(subjectOf('two'))).conversations).toEqual([]);
  });
});

describe('a conversation', () => {
  it('is read in ranges of turns', async () => {
    const { conversationId } = await converseOrThrow(replica, team, 'One.');
    for (const message of ['Two.', 'Three.']) await converseOrThrow(replica, team, message, { conversationId });
    const part = unwrapResult(await read(conversationId, createContext(team), { fromTurn: 2, turnsMax: 1 }));
    expect(part.turnCount).toBe(3);
    expect(part.turns.map(({ message }) => message)).toEqual(['Two.']);
  });

  it('returns as many turns as fit one answer, and at least one', async () => {
    const { conversationId } = await converseOrThrow(replica, team, 'Large.');
    await converseOrThrow(replica, team, 'Small.', { conversationId });
    await admin.query('update agents.step set bytes = 1100000 where conversation_id = $1 and turn_no = 1', [
      conversationId,
    ]);
    const messagesFrom = async (fromTurn: number) =>
      unwrapResult(await read(conversationId, createContext(team), { fromTurn })).turns.map(({ message }) => message);
    expect(await messagesFrom(1)).toEqual(['Large.']);
    expect(await messagesFrom(2)).toEqual(['Small.']);
  });

  it('is read through its own connection pool, even when the other pool is exhausted', async () => {
    const { conversationId } = await converseOrThrow(replica, team, 'Hello.');
    const { light, conversations } = replica.runtime.pools;
    const busy = await Promise.all(Array.from({ length: light.options.max }, () => light.connect()));
    expect(unwrapResult(await read(conversationId)).turnCount).toBe(1);
    busy.forEach((client) => client.release());
    const reading = await Promise.all(Array.from({ length: conversations.options.max }, () => conversations.connect()));
    await converseOrThrow(replica, team, 'And now?', { conversationId });
    reading.forEach((client) => client.release());
  });

  it('answers callers without access the same as for an unknown conversation', async () => {
    const { conversationId } = await converseOrThrow(replica, team, 'Secret.');
    const nobody = await readFailure(read('019b0000-0000-7000-8000-000000000000'));
    expect(nobody?.code).toBe('AGENT_CONVERSATION_NOTFOUND');
    for (const context of [subjectOf('colleague'), createContext('northgate')]) {
      expect(await readFailure(read(conversationId, context))).toEqual(nobody);
      expect(await readFailure(replica.conversations.delete(place(conversationId), context))).toEqual(nobody);
    }
    expect(await readFailure(read('no-uuid'))).toEqual(nobody);
    expect(unwrapResult(await read(conversationId)).turnCount).toBe(1);
  });

  it('is deleted together with its turns and steps; a second deletion finds nothing', async () => {
    const { conversationId } = await converseOrThrow(replica, team, 'Forget me.');
    const context = createContext(team);
    expect(unwrapResult(await replica.conversations.delete(place(conversationId), context))).toEqual({
      deleted: conversationId,
    });
    expect(await readFailure(replica.conversations.delete(place(conversationId), context))).toMatchObject({
      code: 'AGENT_CONVERSATION_NOTFOUND',
    });
    for (const table of ['conversation', 'turn', 'step']) {
      const { rows } = await admin.query(`select from agents.${table} where conversation_id = $1`, [conversationId]);
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });

  it('stays readable when its agent is deleted', async () => {
    await applyOrThrow(replica, team, [createAgentDefinition('passing')]);
    const { conversationId } = await converseOrThrow(replica, team, 'Hello?', { agent: 'passing' });
    unwrapResult(await replica.agents.delete({ team, agentId: 'passing' }, createContext(team, { scopes: ['admin'] })));
    expect(unwrapResult(await read(conversationId, createContext(team), { agent_id: 'passing' })).turns.length).toBe(1);
    expect((await list(createContext(team), { agent_id: 'passing' })).conversations.length).toBe(1);
  });

  it('of another team has no visible rows, even without a filter on the tenant', async () => {
    await converseOrThrow(replica, team, 'Secret.');
    const { turns } = replica.runtime.pools;
    for (const table of ['conversation', 'turn', 'step', 'agent', 'agent_version']) {
      const count = (tenant: string) =>
        runInTenantTransaction(turns, tenant, async (client) => {
          const { rows } = await client.query(`select from agents.${table} where tenant = '${team}'`);
          return rows.length;
        });
      expect([table, await count(team)]).not.toEqual([table, 0]);
      expect([table, await count('northgate')]).toEqual([table, 0]);
    }
  });
});

describe('maintenance', () => {
  it('marks running turns of dead replicas as interrupted, for all teams', async () => {
    const dying = await fixture.open({ lease: { leaseMs: 200, renewEveryMs: 3_600_000 } });
    const { answer, open } = await startAndPauseInModel(fixture, () => postMessage(dying, 'northgate', 'Lost?'));
    await waitUntil(async () => (await markExpiredTurns(replica.runtime.pools.light)) === 1);
    const { rows } = await admin.query(
      `select state, ended_at = lease_until as "isExact" from agents.turn where message = 'Lost?'`,
    );
    expect(rows).toEqual([{ state: 'interrupted', isExact: true }]);
    open();
    await answer;
    await dying.stop();
  });

  it('deletes only conversations older than the retention of agent or operator', async () => {
    const context = subjectOf('keeper');
    const old = await converseOrThrow(replica, team, 'Old.', { context });
    const brief = await converseOrThrow(replica, team, 'Brief.', { context, agent: 'brief' });
    const { rows } = await admin.query(
      `select conversation_id, round(extract(epoch from kept_until - now()) / 86400)::int as days
       from agents.conversation where subject = 'keeper' order by conversation_id`,
    );
    expect(rows).toEqual([
      { conversation_id: old.conversationId, days: 90 },
      { conversation_id: brief.conversationId, days: 1 },
    ]);
    await admin.query(`update agents.conversation set kept_until = kept_until - interval '2 days'`);
    expect(await deleteExpiredConversations(replica.runtime.pools.light, 100)).toBe(1);
    expect((await list(context)).conversations.length).toBe(1);
    expect((await list(context, { agent_id: 'brief' })).conversations.length).toBe(0);
  });
});

it('records metrics of turns by agent', async () => {
  const context = createContext(team, { subject: 'measured' });
  await readBodyText(postMessage(replica, team, 'Measured.', { context }));
  const text = await replica.metrics();
  expect(text).toMatch(/tessera_turn_duration_seconds_count\{[^}]*agent="meridian\/analyst",stop="answered"\} \d+/);
  expect(text).toMatch(/tessera_turn_tokens_total\{agent="meridian\/analyst",direction="input",service="agents"\} \d+/);
  expect(text).toMatch(/tessera_turns_running\{service="agents"\} 0/);
});
