/** A message that is sent again under its Idempotency-Key, in every state that its turn can be in. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConversation } from '@tessera/contracts/agents';
import { callToolForAgent } from '@tessera/contracts/tool-gateway';
import { fail, succeed } from '@tessera/failures';
import { createPool } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import { createToolCallAnswer, modelDown } from '../testing/scripted-model.js';
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

const team = 'meridian';
let fixture: TestService;
let first: Replica;
let second: Replica;
let lastKey = 0;
const newKey = () => `key ${++lastKey}`;

const read = async (conversationId: string, agent = 'analyst') =>
  readConversation.reply.parse(
    unwrapResult(
      await first.conversations.read(
        { agent_id: agent, conversation_id: conversationId, fromTurn: 1, turnsMax: 100 },
        createContext(team),
      ),
    ),
  );

beforeAll(async () => {
  fixture = await openTestService();
  [first, second] = fixture.replicas;
  await applyOrThrow(first, team, [
    createAgentDefinition('analyst'),
    createAgentDefinition('other'),
    createAgentDefinition('figures', { tools: [{ asset: 'p2p' }] }),
  ]);
});
afterAll(() => fixture?.end());
beforeEach(() => {
  fixture.model.requests.length = 0;
  fixture.model.follow(() => ({ text: 'Fine.' }));
});

it('replays a completed turn in any replica, with the same bytes and a header', async () => {
  const key = newKey();
  const answer = await readBodyText(postMessage(first, team, 'Hello?', { key }));
  const again = unwrapResult(await postMessage(second, team, 'Hello?', { key }));
  expect(again.headers).toEqual({ 'idempotency-replayed': 'true' });
  expect(await readBodyText(Promise.resolve({ ok: true, value: again }))).toBe(answer);
  expect(fixture.model.requests.length).toBe(1);
  expect((await read(JSON.parse(answer).conversationId)).turnCount).toBe(1);
});

it('replays a completed turn as events, too', async () => {
  const key = newKey();
  const { conversationId } = await converseOrThrow(first, team, 'Hello?', { key });
  const events = await readBodyText(postMessage(first, team, 'Hello?', { key, accept: 'text/event-stream' }));
  expect(events).toBe(
    `event: turn\ndata: {"conversationId":"${conversationId}","turn":1}\n\n` +
      `event: text\ndata: {"text":"Fine."}\n\n` +
      `event: response\ndata: {"conversationId":"${conversationId}","text":"Fine."}\n\n`,
  );
});

describe('the grounding of a replayed turn', () => {
  const namesIn = (events: string): readonly string[] =>
    [...events.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name);

  it('is told where a part of a long answer was not checked, though no figure is kept', async () => {
    fixture.model.follow(() => ({ text: 'Fine, and more. '.repeat(5_000) }));
    const streaming = { key: newKey(), accept: 'text/event-stream' };
    const live = await readBodyText(postMessage(first, team, 'At length?', streaming));
    const again = await readBodyText(postMessage(second, team, 'At length?', streaming));
    expect(live).toContain('event: grounding\ndata: {"outcome":"marked","figures":[]}');
    expect(again).toContain('event: grounding\ndata: {"outcome":"marked","figures":[]}');
    expect(namesIn(again)).toEqual(['turn', 'text', 'grounding', 'response']);
  });

  it('is that of the last answer, when the model was asked again', async () => {
    await applyOrThrow(first, team, [createAgentDefinition('careful', { grounding: 'retry' })]);
    fixture.model.follow(({ messages }) => ({ text: messages.length > 2 ? 'I cannot say.' : 'Revenue is 42.' }));
    const asked = { agent: 'careful', key: newKey(), accept: 'text/event-stream' };
    const live = await readBodyText(postMessage(first, team, 'Revenue?', asked));
    const again = await readBodyText(postMessage(second, team, 'Revenue?', asked));
    expect(namesIn(live)).toEqual(['turn', 'text', 'response']);
    expect(namesIn(again)).toEqual(namesIn(live));
    const { accept: _, ...whole } = asked;
    const told = await readBodyText(postMessage(first, team, 'Revenue?', { ...whole, prefer: 'evidence' }));
    expect(JSON.parse(told)).toMatchObject({ text: 'I cannot say.', grounding: { outcome: 'verified', figures: [] } });
  });
});

it('rejects the key while the turn runs, and replays it afterwards', async () => {
  const key = newKey();
  const { answer, open } = await startAndPauseInModel(fixture, () => postMessage(first, team, 'Slowly.', { key }));
  const running = { code: 'GENERAL_IDEMPOTENCY_RUNNING', retryAfterSeconds: expect.any(Number) };
  expect(await readFailure(postMessage(first, team, 'Slowly.', { key }))).toMatchObject(running);
  expect(await readFailure(postMessage(second, team, 'Slowly.', { key }))).toMatchObject(running);
  open();
  const text = await readBodyText(answer);
  expect(await readBodyText(postMessage(second, team, 'Slowly.', { key }))).toBe(text);
});

it('runs a failed turn again under the same turn number, without repeating its message', async () => {
  const key = newKey();
  const { conversationId } = await converseOrThrow(first, team, 'Hello?');
  fixture.model.follow(() => modelDown);
  const { code, retryAfterSeconds } = modelDown.failure;
  expect(await readFailure(postMessage(first, team, 'Again?', { key, conversationId }))).toMatchObject({
    code,
    retryAfterSeconds,
  });
  fixture.model.follow(() => ({ text: 'Now.' }));
  expect(await converseOrThrow(second, team, 'Again?', { key, conversationId })).toMatchObject({ text: 'Now.' });
  expect(await read(conversationId)).toMatchObject({
    turnCount: 2,
    turns: [{ turn: 1 }, { turn: 2, message: 'Again?', state: 'completed', text: 'Now.', steps: [{ text: 'Now.' }] }],
  });
});

it('runs the first turn of a conversation again in the same conversation', async () => {
  const key = newKey();
  fixture.model.follow(() => modelDown);
  await readFailure(postMessage(first, team, 'Hello?', { key }));
  fixture.model.follow(() => ({ text: 'Now.' }));
  const { conversationId } = await converseOrThrow(second, team, 'Hello?', { key });
  expect(await read(conversationId)).toMatchObject({ turnCount: 1, turns: [{ state: 'completed' }] });
});

it('runs a turn again after its replica died', async () => {
  const key = newKey();
  const dying = await fixture.open({ lease: { leaseMs: 300, renewEveryMs: 3_600_000 } });
  const { answer, open } = await startAndPauseInModel(fixture, () => postMessage(dying, team, 'Lost?', { key }));
  await waitUntil(async () => (await postMessage(second, team, 'Lost?', { key })).ok);
  open();
  expect(await readFailure(answer)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const { conversationId, text } = await converseOrThrow(first, team, 'Lost?', { key });
  expect(text).toBe('Fine.');
  expect(await read(conversationId)).toMatchObject({ turnCount: 1, turns: [{ state: 'completed', text: 'Fine.' }] });
  await dying.stop();
});

describe('an interrupted turn', () => {
  const away = fail('SERVICE_UNAVAILABLE', 'The service that owns this operation is not running.', {
    retryAfterSeconds: 3,
  });
  /** The model asks for a figure; it has no words for a tool that is away. */
  const followTool = () =>
    fixture.model.follow(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role !== 'tool') return createToolCallAnswer(['load-data']);
      return { text: last.json.includes('"result":') ? 'One.' : '' };
    });
  const tool = (answer: Parameters<TestService['services']['answer']>[1]) =>
    fixture.services.answer(callToolForAgent, answer);
  const works = () => succeed({ total: 1 });
  const asked = { agent: 'figures' };
  afterEach(() => tool(works));

  it('answers 503 when a tool is unavailable, keeps its message, and can run again', async () => {
    const key = newKey();
    followTool();
    tool(() => away);
    const failure = await readFailure(postMessage(first, team, 'How many?', { ...asked, key }));
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 3 });
    const conversationId = / in the conversation (\S+),/.exec(failure?.detail ?? '')?.[1] ?? '';
    expect(await read(conversationId, 'figures')).toMatchObject({
      turns: [
        {
          ...{ message: 'How many?', state: 'interrupted', failure: 'SERVICE_UNAVAILABLE' },
          steps: [{ kind: 'model' }, { kind: 'tool', isError: true }, { kind: 'model' }],
        },
      ],
    });
    tool(works);
    const answer = await converseOrThrow(second, team, 'How many?', { ...asked, key });
    expect(answer).toEqual({ conversationId, text: 'One.' });
    expect(await converseOrThrow(first, team, 'How many?', { ...asked, key })).toEqual(answer);
    expect(await read(conversationId, 'figures')).toMatchObject({
      turnCount: 1,
      turns: [{ message: 'How many?', state: 'completed', text: 'One.' }],
    });
  });

  it('ends its stream with an error, and succeeds the next time', async () => {
    const key = newKey();
    const streaming = { ...asked, key, accept: 'text/event-stream' };
    followTool();
    tool(() => away);
    const lost = await readBodyText(postMessage(first, team, 'How many?', streaming));
    expect([...lost.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual([
      ...['turn', 'tool-call', 'tool-result', 'error'],
    ]);
    expect(lost).toMatch(/^data: \{.*"code":"SERVICE_UNAVAILABLE".*"retryAfter":3.*\}$/m);
    tool(works);
    expect(await readBodyText(postMessage(second, team, 'How many?', streaming))).toMatch(
      /event: response\ndata: .*"text":"One\."/,
    );
  });

  it('answers 503 when the database is lost, and runs again after its lease has expired', async () => {
    const key = newKey();
    const cut = await fixture.open({ lease: { leaseMs: 300, renewEveryMs: 3_600_000 } });
    const { answer, open } = await startAndPauseInModel(fixture, () => postMessage(cut, team, 'Lost?', { key }));
    const { unblock } = await fixture.database.blockConnections();
    open();
    expect(await readFailure(answer)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(await readFailure(postMessage(first, team, 'Lost?', { key }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await unblock();
    await waitUntil(async () => (await postMessage(second, team, 'Lost?', { key })).ok);
    const { conversationId, text } = await converseOrThrow(first, team, 'Lost?', { key });
    expect(text).toBe('Fine.');
    expect(await read(conversationId)).toMatchObject({ turnCount: 1, turns: [{ state: 'completed', text: 'Fine.' }] });
    await cut.stop();
  });
});

it('rejects a request with the same key for another message, conversation, agent or draft', async () => {
  const key = newKey();
  await converseOrThrow(first, team, 'Hello?', { key });
  const { conversationId } = await converseOrThrow(first, team, 'Hello?');
  const mismatch = { code: 'GENERAL_IDEMPOTENCY_MISMATCH' };
  expect(await readFailure(postMessage(first, team, 'Hello!', { key }))).toMatchObject(mismatch);
  expect(await readFailure(postMessage(first, team, 'Hello?', { key, conversationId }))).toMatchObject(mismatch);
  expect(await readFailure(postMessage(first, team, 'Hello?', { key, agent: 'other' }))).toMatchObject(mismatch);
  expect(fixture.model.requests.length).toBe(2);
});

it('scopes the key to its subject', async () => {
  const key = newKey();
  const { conversationId } = await converseOrThrow(first, team, 'Hello?', { key });
  const others = await converseOrThrow(first, team, 'Hello?', {
    key,
    context: createContext(team, { subject: 'colleague' }),
  });
  expect(others.conversationId).not.toBe(conversationId);
});

it('begins one turn for twenty concurrent requests with one key', async () => {
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => postMessage(fixture.replicas[at % 2 === 0 ? 0 : 1], team, 'Hello?', { key })),
  );
  expect(answers.some(({ ok }) => ok)).toBe(true);
  expect(fixture.model.requests.length).toBe(1);
});

it("starts a new conversation when a repeated turn's conversation was deleted", async () => {
  const key = newKey();
  const { conversationId } = await converseOrThrow(first, team, 'Hello?', { key });
  const place = { agent_id: 'analyst', conversation_id: conversationId };
  unwrapResult(await first.conversations.delete(place, createContext(team)));
  expect((await converseOrThrow(first, team, 'Hello?', { key })).conversationId).not.toBe(conversationId);
});

it('keeps idempotency keys for a day by the clock of the database', async () => {
  const key = newKey();
  const { conversationId } = await converseOrThrow(first, team, 'Hello?', { key });
  const admin = createPool({
    ...{ url: fixture.database.adminUrl, applicationName: 'spec', connectionsMax: 1, statementTimeoutMs: 60_000 },
  });
  await admin.query(`update agents.turn set keyed_at = keyed_at - interval '24 hours' where key_digest is not null`);
  await admin.end();
  expect((await converseOrThrow(first, team, 'Something else.', { key })).conversationId).not.toBe(conversationId);
});
