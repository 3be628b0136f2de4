/** A message that is sent again under its Idempotency-Key, in every state that its turn can be in. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConversation } from '@tessera/contracts/agents';
import { runTool } from '@tessera/contracts/tool-gateway';
import { fail, succeed } from '@tessera/failures';
import { createPool } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import { calling, modelDown } from '../testing/scripted-model.js';
import {
  agentOf,
  applyOrThrow,
  contextOf,
  failureOf,
  openTestService,
  post,
  say,
  textOf,
  valueOf,
  waitInModel,
  type Replica,
  type Fixture,
} from '../testing/test-service.js';

const team = 'meridian';
let fixture: Fixture;
let first: Replica;
let second: Replica;
let lastKey = 0;
const newKey = () => `key ${++lastKey}`;

const read = async (conversationId: string, agent = 'analyst') =>
  readConversation.reply.parse(
    valueOf(
      await first.conversations.read(
        { agent_id: agent, conversation_id: conversationId, fromTurn: 1, turnsMax: 100 },
        contextOf(team),
      ),
    ),
  );

beforeAll(async () => {
  fixture = await openTestService();
  [first, second] = fixture.replicas;
  await applyOrThrow(first, team, [
    agentOf('analyst'),
    agentOf('other'),
    agentOf('figures', { tools: [{ asset: 'p2p' }] }),
  ]);
});
afterAll(() => fixture?.end());
beforeEach(() => {
  fixture.model.requests.length = 0;
  fixture.model.follow(() => ({ text: 'Fine.' }));
});

it('replays a completed turn in any replica, with the same bytes and a header', async () => {
  const key = newKey();
  const answer = await textOf(post(first, team, 'Hello?', { key }));
  const again = valueOf(await post(second, team, 'Hello?', { key }));
  expect(again.headers).toEqual({ 'idempotency-replayed': 'true' });
  expect(await textOf(Promise.resolve({ ok: true, value: again }))).toBe(answer);
  expect(fixture.model.requests.length).toBe(1);
  expect((await read(JSON.parse(answer).conversationId)).turnCount).toBe(1);
});

it('replays a completed turn as events, too', async () => {
  const key = newKey();
  const { conversationId } = await say(first, team, 'Hello?', { key });
  const events = await textOf(post(first, team, 'Hello?', { key, accept: 'text/event-stream' }));
  expect(events).toBe(
    `event: turn\ndata: {"conversationId":"${conversationId}","turn":1}\n\n` +
      `event: text\ndata: {"text":"Fine."}\n\n` +
      `event: response\ndata: {"conversationId":"${conversationId}","text":"Fine."}\n\n`,
  );
});

it('rejects the key while the turn runs, and replays it afterwards', async () => {
  const key = newKey();
  const { answer, open } = await waitInModel(fixture, () => post(first, team, 'Slowly.', { key }));
  const running = { code: 'GENERAL_IDEMPOTENCY_RUNNING', retryAfterSeconds: expect.any(Number) };
  expect(await failureOf(post(first, team, 'Slowly.', { key }))).toMatchObject(running);
  expect(await failureOf(post(second, team, 'Slowly.', { key }))).toMatchObject(running);
  open();
  const text = await textOf(answer);
  expect(await textOf(post(second, team, 'Slowly.', { key }))).toBe(text);
});

it('runs a failed turn again in its place, with one message', async () => {
  const key = newKey();
  const { conversationId } = await say(first, team, 'Hello?');
  fixture.model.follow(() => modelDown);
  const { code, retryAfterSeconds } = modelDown.failure;
  expect(await failureOf(post(first, team, 'Again?', { key, conversationId }))).toMatchObject({
    code,
    retryAfterSeconds,
  });
  fixture.model.follow(() => ({ text: 'Now.' }));
  expect(await say(second, team, 'Again?', { key, conversationId })).toMatchObject({ text: 'Now.' });
  expect(await read(conversationId)).toMatchObject({
    turnCount: 2,
    turns: [{ turn: 1 }, { turn: 2, message: 'Again?', state: 'completed', text: 'Now.', steps: [{ text: 'Now.' }] }],
  });
});

it('runs the first turn of a conversation again in the same conversation', async () => {
  const key = newKey();
  fixture.model.follow(() => modelDown);
  await failureOf(post(first, team, 'Hello?', { key }));
  fixture.model.follow(() => ({ text: 'Now.' }));
  const { conversationId } = await say(second, team, 'Hello?', { key });
  expect(await read(conversationId)).toMatchObject({ turnCount: 1, turns: [{ state: 'completed' }] });
});

it('runs a turn again whose replica died', async () => {
  const key = newKey();
  const dying = await fixture.open({ lease: { leaseMs: 300, renewEveryMs: 3_600_000 } });
  const { answer, open } = await waitInModel(fixture, () => post(dying, team, 'Lost?', { key }));
  await waitUntil(async () => (await post(second, team, 'Lost?', { key })).ok);
  open();
  expect(await failureOf(answer)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const { conversationId, text } = await say(first, team, 'Lost?', { key });
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
      if (last?.role !== 'tool') return calling(['load-data']);
      return { text: last.json.includes('"result":') ? 'One.' : '' };
    });
  const tool = (answer: Parameters<Fixture['services']['answer']>[1]) => fixture.services.answer(runTool, answer);
  const works = () => succeed({ total: 1 });
  const asked = { agent: 'figures' };
  afterEach(() => tool(works));

  it('is 503 when a tool is away, keeps its message, and can run again', async () => {
    const key = newKey();
    followTool();
    tool(() => away);
    const failure = await failureOf(post(first, team, 'How many?', { ...asked, key }));
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
    const answer = await say(second, team, 'How many?', { ...asked, key });
    expect(answer).toEqual({ conversationId, text: 'One.' });
    expect(await say(first, team, 'How many?', { ...asked, key })).toEqual(answer);
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
    const lost = await textOf(post(first, team, 'How many?', streaming));
    expect([...lost.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual([
      ...['turn', 'tool-call', 'tool-result', 'error'],
    ]);
    expect(lost).toMatch(/^data: \{.*"code":"SERVICE_UNAVAILABLE".*"retryAfter":3.*\}$/m);
    tool(works);
    expect(await textOf(post(second, team, 'How many?', streaming))).toMatch(/event: response\ndata: .*"text":"One\."/);
  });

  it('is 503 when the database is lost, and runs again after its lease', async () => {
    const key = newKey();
    const cut = await fixture.open({ lease: { leaseMs: 300, renewEveryMs: 3_600_000 } });
    const { answer, open } = await waitInModel(fixture, () => post(cut, team, 'Lost?', { key }));
    const { unblock } = await fixture.database.blockConnections();
    open();
    expect(await failureOf(answer)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(await failureOf(post(first, team, 'Lost?', { key }))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await unblock();
    await waitUntil(async () => (await post(second, team, 'Lost?', { key })).ok);
    const { conversationId, text } = await say(first, team, 'Lost?', { key });
    expect(text).toBe('Fine.');
    expect(await read(conversationId)).toMatchObject({ turnCount: 1, turns: [{ state: 'completed', text: 'Fine.' }] });
    await cut.stop();
  });
});

it('rejects another message, conversation, agent or draft with the same key', async () => {
  const key = newKey();
  await say(first, team, 'Hello?', { key });
  const { conversationId } = await say(first, team, 'Hello?');
  const mismatch = { code: 'GENERAL_IDEMPOTENCY_MISMATCH' };
  expect(await failureOf(post(first, team, 'Hello!', { key }))).toMatchObject(mismatch);
  expect(await failureOf(post(first, team, 'Hello?', { key, conversationId }))).toMatchObject(mismatch);
  expect(await failureOf(post(first, team, 'Hello?', { key, agent: 'other' }))).toMatchObject(mismatch);
  expect(fixture.model.requests.length).toBe(2);
});

it('scopes the key to its subject', async () => {
  const key = newKey();
  const { conversationId } = await say(first, team, 'Hello?', { key });
  const others = await say(first, team, 'Hello?', { key, context: contextOf(team, { subject: 'colleague' }) });
  expect(others.conversationId).not.toBe(conversationId);
});

it('begins one turn for twenty concurrent requests with one key', async () => {
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => post(fixture.replicas[at % 2 === 0 ? 0 : 1], team, 'Hello?', { key })),
  );
  expect(answers.some(({ ok }) => ok)).toBe(true);
  expect(fixture.model.requests.length).toBe(1);
});

it('a repeated turn starts a new conversation when the one it began was deleted', async () => {
  const key = newKey();
  const { conversationId } = await say(first, team, 'Hello?', { key });
  const place = { agent_id: 'analyst', conversation_id: conversationId };
  valueOf(await first.conversations.delete(place, contextOf(team)));
  expect((await say(first, team, 'Hello?', { key })).conversationId).not.toBe(conversationId);
});

it('keeps keys for a day by the clock of the database', async () => {
  const key = newKey();
  const { conversationId } = await say(first, team, 'Hello?', { key });
  const admin = createPool({
    ...{ url: fixture.database.adminUrl, applicationName: 'spec', connectionsMax: 1, statementTimeoutMs: 60_000 },
  });
  await admin.query(`update agents.turn set keyed_at = keyed_at - interval '24 hours' where key_digest is not null`);
  await admin.end();
  expect((await say(first, team, 'Something else.', { key })).conversationId).not.toBe(conversationId);
});
