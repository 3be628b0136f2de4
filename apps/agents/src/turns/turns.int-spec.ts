/** Turns on a real database: whose they are, what is stored, who may begin one, and what becomes of those that are cut off. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConversation, type Turn } from '@tessera/contracts/agents';
import { callToolForAgent } from '@tessera/contracts/tool-gateway';
import { succeed } from '@tessera/failures';
import { waitUntil } from '@tessera/testing';
import { createToolCallAnswer, modelDown } from '../testing/scripted-model.js';
import {
  createAgentDefinition,
  applyOrThrow,
  createContext,
  readFailure,
  createGate,
  openTestService,
  postMessage,
  converseOrThrow,
  readBodyText,
  unwrapResult,
  startAndPauseInModel,
  type Replica,
  type ConverseOptions,
  type TestService,
} from '../testing/test-service.js';

const team = 'meridian';
const tools = [{ asset: 'p2p' }];
let fixture: TestService;
let first: Replica;
let second: Replica;

const read = async (conversationId: string, replica = first, context = createContext(team)) => {
  const request = { agent_id: 'analyst', conversation_id: conversationId, fromTurn: 1, turnsMax: 100 };
  return readConversation.reply.parse(unwrapResult(await replica.conversations.read(request, context)));
};
const turnsOf = async (conversationId: string): Promise<readonly Turn[]> => (await read(conversationId)).turns;

const waitingTurn = (message: string, saying: ConverseOptions = {}, replica = first) =>
  startAndPauseInModel(fixture, () => postMessage(replica, team, message, saying));

beforeAll(async () => {
  fixture = await openTestService();
  [first, second] = fixture.replicas;
  await applyOrThrow(first, team, [createAgentDefinition('analyst', { tools }), createAgentDefinition('other')]);
  await applyOrThrow(first, 'northgate', [createAgentDefinition('analyst', { tools })]);
});
afterAll(() => fixture?.end());
beforeEach(() => fixture.model.follow(() => ({ text: 'Fine.' })));

describe('a conversation', () => {
  it('begins without an id and continues under its new id in any replica', async () => {
    const { conversationId, text } = await converseOrThrow(first, team, 'Hello?');
    expect(text).toBe('Fine.');
    await converseOrThrow(second, team, 'And now?', { conversationId });
    expect(fixture.model.requests.at(-1)?.messages.map((message) => 'text' in message && message.text)).toEqual([
      expect.stringMatching(/Today is/),
      'Hello?',
      'Fine.',
      'And now?',
    ]);
    expect(await read(conversationId)).toMatchObject({
      ...{ conversationId, agentId: 'analyst', turnCount: 2, firstMessage: 'Hello?', state: 'completed' },
      turns: [
        { turn: 1, state: 'completed', stop: 'answered', agentVersion: '1', model: 'scripted/fixture' },
        { turn: 2, message: 'And now?', text: 'Fine.', usage: { inputTokens: 10, outputTokens: 5 } },
      ],
    });
  });

  it('stores every step with tool arguments and results', async () => {
    fixture.model.follow((_request, callNumber) =>
      callNumber % 2 === 1 ? createToolCallAnswer(['load-data', { page: 1 }]) : { text: 'One.' },
    );
    fixture.model.requests.length = 0;
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { conversationId } = await converseOrThrow(first, team, 'How many?', {
      context: { ...createContext(team), traceparent },
    });
    const [turn] = await turnsOf(conversationId);
    expect(turn?.steps).toMatchObject([
      { kind: 'model', usage: { inputTokens: 10, outputTokens: 5 } },
      {
        kind: 'tool',
        tool: 'load-data',
        arguments: { page: 1 },
        result: '{"tool":"load-data","total":1}',
        isError: false,
      },
      { kind: 'model', text: 'One.' },
    ]);
    expect(turn?.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
    expect(fixture.services.calls.at(-1)).toMatchObject({
      operation: callToolForAgent.name,
      request: { asset_id: 'p2p', tool_id: 'load-data', prefer: 'evidence' },
      frame: { caller: { team, subject: 'tester' }, traceparent },
    });
  });

  it('stores the message and each step before it continues', async () => {
    const calls = createGate();
    const { opened, open } = createGate();
    fixture.services.answer(callToolForAgent, async () => {
      calls.open();
      await opened;
      return succeed({ total: 1 });
    });
    fixture.model.requests.length = 0;
    fixture.model.follow((_request, callNumber) =>
      callNumber === 1 ? { ...createToolCallAnswer(['load-data']), text: 'I look.' } : { text: 'One.' },
    );
    const { conversationId } = await converseOrThrow(first, team, 'First.', { agent: 'other' });
    fixture.model.requests.length = 0;
    const answer = converseOrThrow(first, team, 'How many?');
    await calls.opened;
    const { conversations } = unwrapResult(
      await first.conversations.list({ agent_id: 'analyst', pageSize: 1 }, createContext(team)),
    );
    const running = await read(conversations[0]?.conversationId ?? '');
    expect(running).toMatchObject({
      state: 'running',
      turns: [{ message: 'How many?', steps: [{ text: 'I look.' }] }],
    });
    open();
    expect((await answer).conversationId).not.toBe(conversationId);
  });

  it('is visible only to its subject, team and agent', async () => {
    const { conversationId } = await converseOrThrow(first, team, 'Secret?');
    const nobody = '019b0000-0000-7000-8000-000000000000';
    const unknown = await readFailure(postMessage(first, team, 'Hello?', { conversationId: nobody }));
    expect(unknown?.code).toBe('AGENT_CONVERSATION_NOTFOUND');
    const attempts = [
      postMessage(first, team, 'Hello?', { conversationId, context: createContext(team, { subject: 'colleague' }) }),
      postMessage(first, 'northgate', 'Hello?', { conversationId }),
      postMessage(first, team, 'Hello?', { conversationId, agent: 'other' }),
      postMessage(first, team, 'Hello?', { conversationId: 'no-uuid' }),
    ];
    for (const attempt of attempts) expect(await readFailure(attempt)).toEqual(unknown);
    expect((await turnsOf(conversationId)).length).toBe(1);
  });

  it('requires the scope tools:execute when the agent has tools, and stores nothing without it', async () => {
    const context = createContext(team, { subject: 'guest', scopes: ['agents:converse'] });
    const refused = await readFailure(postMessage(first, team, 'Hello?', { context }));
    expect(refused).toMatchObject({ code: 'ADMIN_ACCESS_ERROR', detail: expect.stringContaining('tools:execute') });
    const list = await first.conversations.list({ agent_id: 'analyst', pageSize: 10 }, context);
    expect(unwrapResult(list).conversations).toEqual([]);
    expect(await converseOrThrow(first, team, 'Hello?', { agent: 'other', context })).toMatchObject({ text: 'Fine.' });
  });

  it('runs one turn at a time across replicas', async () => {
    const { conversationId } = await converseOrThrow(first, team, 'Hello?');
    const { answer, open } = await waitingTurn('Slowly.', { conversationId });
    const busy = { code: 'AGENT_CONVERSATION_BUSY', retryAfterSeconds: expect.any(Number) };
    expect(await readFailure(postMessage(first, team, 'Now?', { conversationId }))).toMatchObject(busy);
    expect(await readFailure(postMessage(second, team, 'Now?', { conversationId }))).toMatchObject(busy);
    open();
    expect(await readBodyText(answer)).toContain('At last.');
    await converseOrThrow(second, team, 'Now?', { conversationId });
    expect((await turnsOf(conversationId)).map(({ message }) => message)).toEqual(['Hello?', 'Slowly.', 'Now?']);
  });

  it('accepts one of a hundred concurrent messages', async () => {
    const { conversationId } = await converseOrThrow(first, team, 'Hello?');
    const { opened, open } = createGate();
    fixture.model.follow(async () => {
      await opened;
      return { text: 'Won.' };
    });
    const answers = Array.from({ length: 100 }, (_, at) =>
      postMessage(fixture.replicas[at % 2 === 0 ? 0 : 1], team, `Message ${at}`, { conversationId }),
    );
    let refused = 0;
    for (const answer of answers) void readFailure(answer).then((failure) => (refused += failure ? 1 : 0));
    await waitUntil(() => refused === 99);
    open();
    const outcomes = await Promise.all(answers.map(readFailure));
    expect(outcomes.filter((failure) => failure === undefined).length).toBe(1);
    expect((await turnsOf(conversationId)).map(({ state }) => state)).toEqual(['completed', 'completed']);
  });
});

describe('a turn that fails', () => {
  it('keeps its message and the reason of its failure, and the conversation can continue', async () => {
    fixture.model.follow(() => modelDown);
    const failure = await readFailure(
      postMessage(first, team, 'Hello?', { context: createContext(team, { subject: 'patient' }) }),
    );
    const context = createContext(team, { subject: 'patient' });
    const { conversations } = unwrapResult(
      await first.conversations.list({ agent_id: 'analyst', pageSize: 10 }, context),
    );
    expect(conversations).toMatchObject([{ firstMessage: 'Hello?', state: 'failed', turnCount: 1 }]);
    fixture.model.follow(() => ({ text: 'Back.' }));
    const conversationId = conversations[0]?.conversationId ?? '';
    const kept = ` The message is kept in the conversation ${conversationId}, which goes on.`;
    expect(failure).toEqual({ ...modelDown.failure, detail: modelDown.failure.detail + kept });
    await converseOrThrow(first, team, 'Again?', { conversationId, context });
    expect(await read(conversationId, first, context)).toMatchObject({
      state: 'completed',
      turns: [
        { state: 'failed', failure: 'AGENT_MODEL_UNAVAILABLE' },
        { state: 'completed', text: 'Back.' },
      ],
    });
  });

  it('ends before the deadline of its caller', async () => {
    fixture.model.follow(() => new Promise(() => undefined));
    const context = { ...createContext(team), deadlineMs: Date.now() + 1_001 };
    const { text, conversationId } = await converseOrThrow(first, team, 'Slow?', { context });
    expect(text).toMatch(/time|seconds/);
    expect(await turnsOf(conversationId)).toMatchObject([{ state: 'completed', stop: 'seconds' }]);
  });

  it('continues when its caller disconnects, and can be read afterwards', async () => {
    const controller = new AbortController();
    const context = { ...createContext(team), signal: controller.signal };
    const { answer, open } = await waitingTurn('Slowly.', { context });
    controller.abort();
    open();
    const { conversationId } = JSON.parse(await readBodyText(answer));
    expect(await turnsOf(conversationId)).toMatchObject([{ state: 'completed', text: 'At last.' }]);
  });

  it('does not begin when its caller disconnected before it was stored', async () => {
    const context = {
      ...createContext(team, { subject: 'gone' }),
      announceEffect: () => Promise.reject(new Error('the caller has left')),
    };
    await expect(postMessage(first, team, 'Hello?', { context })).rejects.toThrow('the caller has left');
    const list = await first.conversations.list({ agent_id: 'analyst', pageSize: 10 }, context);
    expect(unwrapResult(list).conversations).toEqual([]);
  });

  it('ends without an answer when its conversation is deleted in any replica', async () => {
    const { conversationId } = await converseOrThrow(first, team, 'Hello?');
    const { answer } = await waitingTurn('Slowly.', { conversationId });
    unwrapResult(
      await second.conversations.delete({ agent_id: 'analyst', conversation_id: conversationId }, createContext(team)),
    );
    // The other replica learns of it when it renews its leases.
    expect(await readFailure(answer)).toMatchObject({ code: 'AGENT_CONVERSATION_NOTFOUND' });
    const gone = first.conversations.read(
      { agent_id: 'analyst', conversation_id: conversationId, fromTurn: 1, turnsMax: 1 },
      createContext(team),
    );
    expect(await readFailure(gone)).toMatchObject({ code: 'AGENT_CONVERSATION_NOTFOUND' });
  });
});

describe('concurrent turns of a replica', () => {
  it('are limited to half of the capacity per team; further turns queue, and get 503 after a short wait', async () => {
    const replica = await fixture.open({ environment: { TURNS_MAX: '2' } });
    const { answer: running, open } = await startAndPauseInModel(fixture, () => postMessage(replica, team, 'One.'));
    const refused = await readFailure(postMessage(replica, team, 'Two.'));
    expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
    expect((await converseOrThrow(replica, 'northgate', 'Three.')).text).toBe('Fine.');
    const waiting = converseOrThrow(replica, team, 'Four.');
    open();
    expect((await waiting).text).toBe('Fine.');
    expect(await readBodyText(running)).toContain('At last.');
    await replica.stop();
  });
});

describe('a replica', () => {
  it('that dies leaves its turn interrupted once the lease expires, and the conversation can continue', async () => {
    const dying = await fixture.open({ lease: { leaseMs: 300, renewEveryMs: 3_600_000 } });
    const { conversationId } = await converseOrThrow(first, team, 'Hello?');
    const { answer, open } = await waitingTurn('Lost?', { conversationId }, dying);
    await waitUntil(async () => (await read(conversationId)).state === 'interrupted');
    expect(await converseOrThrow(second, team, 'And now?', { conversationId })).toMatchObject({ text: 'Fine.' });
    expect(fixture.model.requests.at(-1)?.messages.map((message) => 'text' in message && message.text)).toEqual(
      expect.arrayContaining(['Lost?', expect.stringMatching(/not answered/)]),
    );
    // Nothing that it says now is stored.
    open();
    expect(await readFailure(answer)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(await turnsOf(conversationId)).toMatchObject([{}, { state: 'interrupted' }, { state: 'completed' }]);
    await dying.stop();
  });

  it('answers running and newly arriving requests while it drains, and none after its shutdown', async () => {
    const leaving = await fixture.open();
    const { answer, open } = await waitingTurn('Early.', {}, leaving);
    leaving.runtime.turns.leave(60_000);
    open();
    expect(await readBodyText(answer)).toContain('At last.');
    expect(leaving.runtime.turns.runningCount).toBe(0);
    expect(await converseOrThrow(leaving, team, 'Late?')).toMatchObject({ text: 'Fine.' });
    await leaving.runtime.turns.beforeApplicationShutdown();
    expect(await readFailure(postMessage(leaving, team, 'Too late?'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await leaving.stop();
  });

  it('finishes, while it drains, a turn whose caller has disconnected', async () => {
    const leaving = await fixture.open();
    const { conversationId } = await converseOrThrow(first, team, 'Hello?');
    const { open } = await waitingTurn('Gone.', { conversationId }, leaving);
    leaving.runtime.turns.leave(60_000);
    const stopped = leaving.runtime.turns.beforeApplicationShutdown();
    open();
    await stopped;
    expect(await turnsOf(conversationId)).toMatchObject([{}, { state: 'completed', text: 'At last.' }]);
    await leaving.stop();
  });

  it('interrupts running turns at the end of its grace period', async () => {
    const leaving = await fixture.open();
    const { conversationId } = await converseOrThrow(first, team, 'Hello?');
    const { answer } = await waitingTurn('Slowly.', { conversationId }, leaving);
    leaving.runtime.turns.leave(1);
    expect(await readFailure(answer)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(await turnsOf(conversationId)).toMatchObject([{}, { state: 'interrupted' }]);
    await leaving.stop();
  });
});
