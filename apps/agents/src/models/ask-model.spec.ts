import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil, type FakeModel, type ScriptedAnswer, startFakeModel } from '@tessera/testing';
import type { ModelMessage } from './model.js';
import {
  answerModes,
  createEndpointDefinition,
  createTextCollector,
  testApiKey,
  createTestModel,
} from './testing/test-models.js';

let endpoint: FakeModel;
beforeEach(async () => {
  endpoint = await startFakeModel();
});
afterEach(() => endpoint.stop());

const answers = (...scripted: readonly ScriptedAnswer[]): void => {
  endpoint.script = (_, callNumber) => scripted[Math.min(callNumber, scripted.length) - 1] ?? {};
};

const weather = {
  name: 'read-weather',
  description: 'Reads the weather of a place.',
  inputSchema: { type: 'object', properties: { place: { type: 'string' } } },
};

describe.each(answerModes)('a model that answers %s', (way, listening) => {
  const isStreamed = way === 'in pieces';

  it('returns its token usage, and receives the settings of the definition', async () => {
    answers({ text: 'Yes, it does.', usage: [120, 7] });
    const definition = createEndpointDefinition({
      temperature: 0.5,
      outputTokens: 200,
      headers: { 'X-Team': 'meridian' },
    });
    const { answer } = createTestModel(endpoint.address, definition);
    expect(await answer(listening())).toEqual({
      ...{ text: 'Yes, it does.', calls: [], finish: 'stop', usage: { inputTokens: 120, outputTokens: 7 } },
    });
    const [asked] = endpoint.requests;
    expect(asked).toMatchObject({
      url: '/v1/chat/completions',
      headers: {
        host: 'llm.example',
        authorization: `Bearer ${testApiKey}`,
        'x-team': 'meridian',
        'user-agent': 'tessera',
      },
      request: { model: 'small', max_tokens: 200, temperature: 0.5 },
    });
    expect(asked?.request.stream ?? false).toBe(isStreamed);
    expect(asked?.request.tools).toBeUndefined();
    expect(asked?.request.messages).toEqual([
      { role: 'system', content: 'You answer.' },
      { role: 'user', content: 'Does it work?' },
    ]);
  });

  it('calls tools and gets their results', async () => {
    endpoint.script = ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'It rains in Ulm.' }
        : {
            calls: [
              { tool: 'read-weather', arguments: { place: 'Ulm' } },
              { tool: 'read-weather', arguments: '{"pl' },
            ],
          };
    const { answer } = createTestModel(endpoint.address);
    const first = await answer({ ...listening(), tools: [weather] });
    const [one, two] = first.calls;
    expect(first).toMatchObject({ text: '', finish: 'tool-calls' });
    expect(one).toMatchObject({ tool: 'read-weather', arguments: '{"place":"Ulm"}' });
    expect(two?.arguments).toBe('{"pl');

    const messages: readonly ModelMessage[] = [
      { role: 'user', text: 'How is the weather in Ulm?' },
      { role: 'assistant', text: '', calls: first.calls },
      ...first.calls.map(({ callId, tool }) => ({ role: 'tool', callId, tool, json: '{"result":"rain"}' }) as const),
    ];
    const second = await answer({ ...listening(), messages, tools: [weather], mayCall: false });
    expect(second).toMatchObject({ text: 'It rains in Ulm.', finish: 'stop', calls: [] });
    const { request } = endpoint.requests[1] ?? {};
    expect(request).toMatchObject({ tool_choice: 'none', tools: [{ function: { name: 'read-weather' } }] });
    expect(request?.messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        tool_calls: [
          { id: one?.callId, function: { arguments: '{"place":"Ulm"}' } },
          // What is no JSON cannot be shown again; the result says what was wrong with it.
          { id: two?.callId, function: { arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: one?.callId, content: '{"result":"rain"}' },
      { role: 'tool', tool_call_id: two?.callId, content: '{"result":"rain"}' },
    ]);
  });

  it('gives tool calls ids that are unused in the conversation', async () => {
    answers({ calls: ['a', 'b', 'b', ' ', 'c'].map((id) => ({ tool: 'read-weather', id })) });
    const { answer } = createTestModel(endpoint.address);
    const messages: readonly ModelMessage[] = [
      { role: 'user', text: 'How is the weather in Ulm?' },
      { role: 'assistant', text: '', calls: [{ callId: 'a', tool: 'read-weather', arguments: '{}' }] },
      { role: 'tool', callId: 'a', tool: 'read-weather', json: '{}' },
    ];
    const { calls } = await answer({ ...listening(), messages, tools: [weather] });
    const ids = calls.map(({ callId }) => callId);
    expect(new Set([...ids, 'a']).size).toBe(6);
    expect([ids[1], ids[4]]).toEqual(['b', 'c']);
  });

  it('may answer at most 256 tool calls', async () => {
    const calls = Array.from({ length: 257 }, () => ({ tool: 'read-weather' }));
    answers({ calls: calls.slice(1) }, { calls });
    const { answer, ask, logged } = createTestModel(endpoint.address);
    expect((await answer({ ...listening(), tools: [weather] })).calls.length).toBe(256);
    expect(await ask({ ...listening(), tools: [weather] })).toMatchObject({
      failure: { code: 'AGENT_MODEL_UNAVAILABLE', detail: 'The language model answered more than fits.' },
    });
    expect(logged).toMatchObject([{ kind: 'too-large', attempts: 1 }]);
  });

  it('reports no token usage when its endpoint reports none, and logs that once', async () => {
    answers({ text: 'Yes.', usage: null });
    const { answer, logged } = createTestModel(endpoint.address);
    for (let time = 0; time < 2; time += 1)
      expect((await answer(listening())).usage).toEqual({ inputTokens: 0, outputTokens: 0 });
    expect(logged).toMatchObject([{ host: 'llm.example', message: expect.stringMatching(/counts no tokens/) }]);
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'content-filter'],
  ])('reports its finish reason: %s', async (finish, expected) => {
    answers({ text: '', finish });
    const { answer } = createTestModel(endpoint.address);
    expect(await answer(listening())).toMatchObject({ text: '', finish: expected });
  });

  it('returns JSON for an output schema, which is sent in the prompt and as response_format', async () => {
    answers({ text: '{"works":true}' });
    const outputSchema = { type: 'object', properties: { works: { type: 'boolean' } } };
    const { answer } = createTestModel(endpoint.address);
    expect((await answer({ ...listening(), outputSchema })).text).toBe('{"works":true}');
    const { request } = endpoint.requests[0] ?? {};
    expect(request?.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: outputSchema, strict: false },
    });
    expect(request?.messages.at(-1)).toEqual({
      role: 'user',
      content: `Does it work?\n\nThe JSON Schema that your answer has to fit: ${JSON.stringify(outputSchema)}`,
    });
  });

  it('returns JSON for an output schema whose response_format its endpoint rejects', async () => {
    endpoint.script = ({ response_format: format }) => (format ? { status: 400 } : { text: '{"works":true}' });
    const { answer } = createTestModel(endpoint.address);
    expect((await answer({ ...listening(), outputSchema: { type: 'object' } })).text).toBe('{"works":true}');
    expect(endpoint.requests).toHaveLength(2);
  });

  it('masks its secrets', async () => {
    const encoded = Buffer.from(`key=${testApiKey}!`).toString('base64');
    answers({
      pieces: ['The key is ', ...testApiKey, ', or ', encoded.slice(0, 7), encoded.slice(7), '.'],
      calls: [{ tool: 'read-weather', arguments: { place: testApiKey }, id: testApiKey }],
    });
    const { received, onText } = createTextCollector();
    const { answer } = createTestModel(endpoint.address);
    const given = await answer({ tools: [weather], ...(isStreamed && { onText }) });
    expect(given.text).toMatch(/^The key is \[secret\], or .{0,9}\[secret\].{0,6}\.$/);
    expect(JSON.stringify([given, received])).not.toContain(testApiKey);
    expect(given.calls[0]?.arguments).toBe('{"place":"[secret]"}');
    if (isStreamed) expect(received.join('')).toBe(given.text);
  });

  it('replaces characters that cannot be stored', async () => {
    answers({ pieces: ['a\u0000b', '\uD83D', '\uDE00', '\uD83D', 'c'] });
    const { answer } = createTestModel(endpoint.address);
    expect((await answer(listening())).text).toBe('a\uFFFDb\u{1F600}\uFFFDc');
  });
});

describe('a streamed model', () => {
  it('streams its text while it is generated', async () => {
    let goOn = (): void => undefined;
    const pause = new Promise<void>((resolve) => (goOn = resolve));
    answers({ pieces: ['First', ' second', ' third.'], pause });
    const { received, onText } = createTextCollector();
    const asked = createTestModel(endpoint.address).answer({ onText });
    await waitUntil(() => received.length > 0);
    expect(received).toEqual(['First']);
    goOn();
    expect((await asked).text).toBe('First second third.');
    expect(received).toEqual(['First', ' second', ' third.']);
  });

  it('reuses its connection', async () => {
    const { answer } = createTestModel(endpoint.address);
    const ports = new Set<unknown>();
    for (let time = 0; time < 3; time += 1) {
      await answer({ onText: () => undefined });
      ports.add(endpoint.requests.at(-1)?.port);
    }
    expect(ports.size).toBe(1);
  });
});
