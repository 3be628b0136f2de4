/** An agent by the chat completions protocol, on a real database. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { completeChat, listCompletionModels, readConversation } from '@tessera/contracts/agents';
import { createToolCallAnswer, modelDown } from '../testing/scripted-model.js';
import {
  applyOrThrow,
  createAgentDefinition,
  createContext,
  openTestService,
  readBodyText,
  readFailure,
  unwrapResult,
  type Replica,
  type TestService,
} from '../testing/test-service.js';

const team = 'meridian';
let fixture: TestService;
let replica: Replica;

beforeAll(async () => {
  fixture = await openTestService();
  [replica] = fixture.replicas;
  const tools = [{ asset: 'p2p' }];
  await applyOrThrow(replica, team, [
    createAgentDefinition('analyst', { tools }),
    createAgentDefinition('strict', { tools, grounding: 'refuse' }),
  ]);
});
afterAll(() => fixture?.end());

const user = (content: unknown) => ({ role: 'user', content });
const ask = (messages: readonly object[], completion: object = {}, more: object = {}) =>
  replica.completions.complete(
    completeChat.request.parse({
      ...{ agent_id: 'analyst', draft: false },
      completion: { model: 'analyst', messages, ...completion },
      ...more,
    }),
    createContext(team),
  );
const askOrThrow = async (...given: Parameters<typeof ask>) =>
  completeChat.reply.schema.parse(JSON.parse(await readBodyText(ask(...given))));
const chunksOf = async (...given: Parameters<typeof ask>): Promise<readonly Record<string, unknown>[]> => {
  const text = await readBodyText(ask(...given));
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  return [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data = '']): Record<string, unknown> => JSON.parse(data));
};
const turnsOf = async (conversation_id: string) =>
  unwrapResult(
    await replica.conversations.read(
      readConversation.request.parse({ agent_id: 'analyst', conversation_id }),
      createContext(team),
    ),
  ).turns;
const lastRequest = () => fixture.model.requests.at(-1)?.messages.slice(1) ?? [];

describe('a completion', () => {
  it('is a turn of a conversation, which metadata or user go on with', async () => {
    fixture.model.follow(() => ({ text: 'Fine.' }));
    const first = await askOrThrow([user('How are you?')]);
    const { conversation_id } = first.metadata;
    expect(first).toMatchObject({
      ...{ id: `chatcmpl-${conversation_id}-1`, object: 'chat.completion', model: 'analyst' },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      metadata: { turn: '1' },
    });
    expect(first).not.toHaveProperty('tessera');
    const second = await askOrThrow([user('How are you?'), user('And now?')], { metadata: { conversation_id } });
    const third = await askOrThrow(
      [
        user([
          { type: 'text', text: 'And' },
          { type: 'text', text: 'then?' },
        ]),
      ],
      { user: `conversation:${conversation_id}` },
    );
    expect([second.metadata.turn, third.metadata]).toEqual(['2', { conversation_id, turn: '3' }]);
    expect((await turnsOf(conversation_id)).map(({ message }) => message)).toEqual([
      'How are you?',
      'And now?',
      'And\nthen?',
    ]);
  });

  it('reads what was said before in this turn alone, when no conversation is named', async () => {
    const messages = [
      ...[{ role: 'system', content: 'You are a pirate.' }, user('Who are you?')],
      ...[{ role: 'assistant', content: 'An analyst.' }, user('And what do you do?')],
    ];
    const { metadata, tessera } = await askOrThrow(messages, { user: 'anna', temperature: 1, seed: null });
    expect(lastRequest()).toMatchObject([
      { role: 'user', text: 'Who are you?' },
      { role: 'assistant', text: 'An analyst.' },
      { role: 'user', text: 'And what do you do?' },
    ]);
    expect(JSON.stringify(fixture.model.requests.at(-1))).not.toContain('pirate');
    expect(tessera?.ignored).toEqual(['messages.0', 'temperature']);
    expect(await turnsOf(metadata.conversation_id)).toMatchObject([{ turn: 1, message: 'And what do you do?' }]);
  });

  it('is marked or withheld as any other answer, and tells its cells when that is preferred', async () => {
    fixture.model.follow((_request, callNumber) =>
      callNumber % 2 === 1 ? createToolCallAnswer(['load-data']) : { text: 'It is 42.' },
    );
    fixture.model.requests.length = 0;
    const marked = await askOrThrow([user('How much?')], {}, { prefer: 'evidence' });
    expect(marked.choices[0]).toMatchObject({
      message: { content: 'It is 42.\n\n(Not verified: 42. No tool answered this in this turn.)' },
      finish_reason: 'stop',
    });
    expect(marked.tessera?.grounding).toMatchObject({
      outcome: 'marked',
      figures: [{ text: '42', state: 'unverified' }],
    });
    fixture.model.requests.length = 0;
    const refused = await askOrThrow([user('How much?')], { model: 'strict' }, { agent_id: 'strict' });
    expect(refused.choices[0]).toMatchObject({ finish_reason: 'content_filter' });
    expect(JSON.stringify(refused.choices)).not.toContain('42');
    fixture.model.follow(() => ({ text: 'Fine.' }));
  });

  it('says by which reason it ended', async () => {
    for (const [finish, reason] of [
      ['length', 'length'],
      ['content-filter', 'content_filter'],
    ] as const) {
      fixture.model.follow(() => ({ text: 'So', finish }));
      expect((await askOrThrow([user('?!')])).choices[0]?.finish_reason).toBe(reason);
    }
    fixture.model.follow(() => ({ text: 'Fine.' }));
  });
});

describe('a streamed completion', () => {
  it('comes in chunks, with the usage when that is asked for', async () => {
    const chunks = await chunksOf([user('How are you?')], { stream: true, stream_options: { include_usage: true } });
    expect(chunks.map(({ object }) => object)).toEqual(Array<string>(4).fill('chat.completion.chunk'));
    expect(chunks).toMatchObject([
      { choices: [{ delta: { role: 'assistant', content: '' }, finish_reason: null }], metadata: { turn: '1' } },
      { choices: [{ delta: { content: 'Fine.' }, finish_reason: null }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { total_tokens: 15 } },
    ]);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect((await chunksOf([user('How are you?')], { stream: true })).length).toBe(3);
  });

  it('separates what is said before and after calls, and does not show the calls', async () => {
    fixture.model.requests.length = 0;
    fixture.model.follow((_request, callNumber) =>
      callNumber === 1 ? { ...createToolCallAnswer(['load-data']), text: 'Let me look.' } : { text: 'There it is.' },
    );
    const text = await readBodyText(ask([user('Where?')], { stream: true }));
    expect([...text.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content)).toEqual([
      '',
      'Let me look.',
      '\\n\\nThere it is.',
    ]);
    expect(text).not.toContain('load-data');
    fixture.model.follow(() => ({ text: 'Fine.' }));
  });

  it('ends with an error object when its model fails', async () => {
    fixture.model.follow(() => modelDown);
    const text = await readBodyText(ask([user('How are you?')], { stream: true }));
    const [last = ''] = text.trim().split('\n\n').slice(-1);
    expect(JSON.parse(last.replace('data: ', ''))).toMatchObject({
      error: { type: 'server_error', code: 'AGENT_MODEL_UNAVAILABLE', param: null },
    });
    fixture.model.follow(() => ({ text: 'Fine.' }));
  });
});

describe('an Idempotency-Key', () => {
  it('gives the same completion again, whole and streamed, with its grounding', async () => {
    fixture.model.follow(() => ({ text: 'It is 42.' }));
    const more = { idempotencyKey: 'key-1', prefer: 'evidence' };
    const first = await askOrThrow([user('How much?')], {}, more);
    const asked = fixture.model.requests.length;
    const { created: _first, ...again } = await askOrThrow([user('How much?')], {}, more);
    expect(first).toMatchObject(again);
    const streamed = await readBodyText(ask([user('How much?')], { stream: true }, more));
    expect(streamed).toContain('"content":"It is 42.\\n\\n(Not verified: 42.');
    expect(fixture.model.requests.length).toBe(asked);
    expect(await readFailure(ask([user('How many?')], {}, more))).toMatchObject({
      code: 'GENERAL_IDEMPOTENCY_MISMATCH',
    });
    fixture.model.follow(() => ({ text: 'Fine.' }));
  });
});

describe('a request that cannot be asked', () => {
  it.each([
    ['names another model', [user('Hi')], { model: 'large' }, 'AGENT_NOTFOUND', /the only one is analyst/],
    [
      'ends with an answer',
      [user('Hi'), { role: 'assistant', content: 'Ho' }],
      {},
      'GENERAL_CONSTRAINT_VIOLATION',
      /cannot be asked/,
    ],
    ['asks nothing', [user('  ')], {}, 'GENERAL_CONSTRAINT_VIOLATION', /cannot be asked/],
    [
      'names an unknown conversation',
      [user('Hi')],
      { metadata: { conversation_id: 'x' } },
      'AGENT_CONVERSATION_NOTFOUND',
      /no such/,
    ],
  ] as const)('because it %s is refused', async (_, messages, completion, code, detail) => {
    expect(await readFailure(ask(messages, completion))).toMatchObject({ code, detail: expect.stringMatching(detail) });
  });

  it.each([
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['a choice of a tool', { tool_choice: 'required' }],
    ['several answers', { n: 2 }],
    ['a format', { response_format: { type: 'json_object' } }],
    ['sound', { modalities: ['audio'] }],
    ['probabilities', { logprobs: true }],
    ['an image', { messages: [user([{ type: 'image_url', image_url: { url: 'https://a.example' } }])] }],
    ['the result of a tool', { messages: [{ role: 'tool', content: 'x', tool_call_id: 'c' }] }],
  ])('because it wants %s does not fit the contract', (_, completion) => {
    const parsed = completeChat.request.safeParse({
      agent_id: 'a',
      completion: { model: 'a', messages: [user('Hi')], ...completion },
    });
    expect(parsed.success).toBe(false);
    expect(parsed.error?.issues[0]?.message).toMatch(/expected/i);
  });
});

describe('the list of models', () => {
  it('has the agent alone', async () => {
    const listed = await replica.completions.listModels(
      listCompletionModels.request.parse({ agent_id: 'analyst' }),
      createContext(team),
    );
    expect(unwrapResult(listed)).toEqual({
      object: 'list',
      data: [{ id: 'analyst', object: 'model', created: 0, owned_by: team }],
    });
    const foreign = replica.completions.listModels(
      listCompletionModels.request.parse({ agent_id: 'analyst' }),
      createContext('northgate'),
    );
    expect(await readFailure(foreign)).toMatchObject({ code: 'AGENT_NOTFOUND' });
  });
});
