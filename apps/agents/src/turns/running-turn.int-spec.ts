/** Turns that break: by a bug, by a database that is away. Each ends, says so, and leaves its conversation usable. */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AgentDefinition, AgentLimits, readConversation } from '@tessera/contracts/agents';
import { succeed } from '@tessera/failures';
import { createPool } from '@tessera/persistence';
import { agentsEntities } from '@tessera/persistence/agents';
import { openDataSource } from '@tessera/persistence/data-source';
import { findFreePort } from '@tessera/local-stack';
import { createToolCallAnswer, createScriptedModel } from '../testing/scripted-model.js';
import {
  createAgentDefinition,
  applyOrThrow,
  createContext,
  readFailure,
  openTestService,
  postMessage,
  converseOrThrow,
  unwrapResult,
  type Replica,
  type TestService,
} from '../testing/test-service.js';
import { createTestTool } from '../testing/test-turn.js';
import { TextBudget } from './text-budget.js';
import { RunningTurn } from './running-turn.js';

const team = 'meridian';
let fixture: TestService;
let replica: Replica;

beforeAll(async () => {
  fixture = await openTestService({ environment: { TURNS_MAX: '2' } });
  [replica] = fixture.replicas;
  await applyOrThrow(replica, team, [createAgentDefinition('analyst', { tools: [{ asset: 'p2p' }] })]);
});
afterAll(() => fixture?.end());
beforeEach(() => fixture.model.follow(() => ({ text: 'Fine.' })));

it('a turn fails on an internal error without showing details, and the conversation can continue', async () => {
  const { conversationId } = await converseOrThrow(replica, team, 'Hello?');
  fixture.model.follow(() => Promise.reject(new Error('select * from secrets')));
  const failure = await readFailure(postMessage(replica, team, 'Break.', { conversationId }));
  expect(failure).toMatchObject({ code: 'ADMIN_FATAL_ERROR' });
  expect(JSON.stringify(failure)).not.toContain('secrets');
  fixture.model.follow(() => ({ text: 'Fine.' }));
  await converseOrThrow(replica, team, 'And now?', { conversationId });
  const place = { agent_id: 'analyst', conversation_id: conversationId, fromTurn: 1, turnsMax: 10 };
  const read = readConversation.reply.parse(unwrapResult(await replica.conversations.read(place, createContext(team))));
  expect(read.turns.map(({ state, failure: code }) => [state, code])).toEqual([
    ['completed', undefined],
    ['failed', 'ADMIN_FATAL_ERROR'],
    ['completed', undefined],
  ]);
});

it('a turn releases its text budget however it ends', async () => {
  fixture.model.follow(() => Promise.reject(new Error('a bug')));
  for (let at = 0; at < 3; at++)
    expect(await readFailure(postMessage(replica, team, 'Break.'))).toMatchObject({ code: 'ADMIN_FATAL_ERROR' });
  fixture.model.follow(() => ({ text: 'Fine.' }));
  expect(await converseOrThrow(replica, team, 'And now?')).toMatchObject({ text: 'Fine.' });
  expect(replica.runtime.turns.runningCount).toBe(0);
});

it('a turn replaces characters that the database cannot store', async () => {
  fixture.model.follow(() => ({ text: 'zero \u0000 byte, half \ud800 pair' }));
  const { conversationId } = await converseOrThrow(replica, team, 'Odd?');
  const place = { agent_id: 'analyst', conversation_id: conversationId, fromTurn: 1, turnsMax: 10 };
  const { turns } = unwrapResult(await replica.conversations.read(place, createContext(team)));
  expect(turns[0]?.text).toMatch(/^zero . byte, half .+ pair$/u);
});

it('a turn answers 503 when a step cannot be stored, and stops there', async () => {
  const pool = createPool({
    url: `postgres://nobody@127.0.0.1:${await findFreePort()}/nothing`,
    ...{ applicationName: 'spec', connectionsMax: 1, statementTimeoutMs: 1_000 },
  });
  const definition = AgentDefinition.parse(createAgentDefinition('analyst'));
  const called: string[] = [];
  const turn = new RunningTurn(
    { conversationId: '019b0000-0000-7000-8000-000000000000', turn: 1, attempt: 1 },
    {
      agent: { agentId: 'analyst', version: 1, digest: '00', definition, limits: AgentLimits.parse({}) },
      model: createScriptedModel(() => createToolCallAnswer(['load-data'])),
      tools: [createTestTool('load-data', { isReadOnly: false })],
      frame: createContext(team),
      waitsUntilMs: Number.MAX_SAFE_INTEGER,
      ...{ message: 'Hello?', conversationId: undefined, idempotencyKey: undefined },
    },
    {
      ...{
        pool,
        source: openDataSource(pool, agentsEntities),
        replica: '019b0000-0000-7000-8000-000000000001',
        leaseMs: 10_000,
        keptDays: 1,
      },
      toolbox: { call: async ({ id }) => succeed({ json: String(called.push(id)) }) },
      figures: { record: () => undefined },
      log: { warn: () => undefined, error: () => undefined },
      now: () => new Date(),
    },
    new TextBudget().forTurn(team),
  );
  expect(await turn.run([])).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE' } });
  expect(called).toEqual([]);
  await pool.end();
});
