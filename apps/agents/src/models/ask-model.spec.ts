import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Failure } from '@tessera/failures';
import { eventually, type ModelEndpoint, type ScriptedAnswer, startModelEndpoint } from '@tessera/testing';
import type { ModelMessage, ModelRequest } from './model.js';
import { endpointModel, secret, trialModel } from './testing/trial-models.js';

let endpoint: ModelEndpoint;
beforeEach(async () => {
  endpoint = await startModelEndpoint();
});
afterEach(() => endpoint.stop());

const answers = (...scripted: readonly ScriptedAnswer[]): void => {
  endpoint.script = (_, asked) => scripted[Math.min(asked, scripted.length) - 1] ?? {};
};

const weather = {
  name: 'read-weather',
  description: 'Reads the weather of a place.',
  inputSchema: { type: 'object', properties: { place: { type: 'string' } } },
};

/** Both ways of asking have to answer the same. */
const listened = () => {
  const told: string[] = [];
  return { told, onText: (text: string) => void told.push(text) };
};
const ways = [
  ['at once', () => ({})],
  ['in pieces', listened],
] as const;

const unavailable = (detail: string, more: Partial<Failure> = {}) => ({
  ok: false,
  failure: { code: 'AGENT_MODEL_UNAVAILABLE', detail: `The language model ${detail}.`, ...more },
});

describe.each<readonly [string, () => Partial<ModelRequest>]>(ways)('a model that is asked %s', (way, listening) => {
  const isStreamed = way === 'in pieces';

  it('answers with its usage, and is asked with what the definition says', async () => {
    answers({ text: 'Yes, it does.', usage: [120, 7] });
    const definition = endpointModel({ temperature: 0.5, outputTokens: 200, headers: { 'X-Team': 'meridian' } });
    const { answer } = trialModel(endpoint.address, definition);
    expect(await answer(listening())).toEqual({
      ...{ text: 'Yes, it does.', calls: [], finish: 'stop', usage: { inputTokens: 120, outputTokens: 7 } },
    });
    const [asked] = endpoint.asked;
    expect(asked).toMatchObject({
      url: '/v1/chat/completions',
      headers: {
        host: 'llm.example',
        authorization: `Bearer ${secret}`,
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

  it('calls tools, and is told what they answered', async () => {
    endpoint.script = ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'It rains in Ulm.' }
        : {
            calls: [
              { tool: 'read-weather', arguments: { place: 'Ulm' } },
              { tool: 'read-weather', arguments: '{"pl' },
            ],
          };
    const { answer } = trialModel(endpoint.address);
    const first = await answer({ ...listening(), tools: [weather] });
    const [one, two] = first.calls;
    expect(first).toMatchObject({ text: '', finish: 'tool-calls' });
    expect(one).toMatchObject({ tool: 'read-weather', arguments: '{"place":"Ulm"}' });
    expect(two?.arguments).toBe('{"pl');

    const messages: readonly ModelMessage[] = [
      { role: 'user', text: 'How is the weather in Ulm?' },
      { role: 'assistant', text: '', calls: first.calls },
      ...first.calls.map(({ callId, tool }) => ({ role: 'tool', callId, tool, value: { result: 'rain' } }) as const),
    ];
    const second = await answer({ ...listening(), messages, tools: [weather], mayCall: false });
    expect(second).toMatchObject({ text: 'It rains in Ulm.', finish: 'stop', calls: [] });
    const { request } = endpoint.asked[1] ?? {};
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

  it('gives its calls ids that the conversation does not have', async () => {
    answers({ calls: ['a', 'b', 'b', ' ', 'c'].map((id) => ({ tool: 'read-weather', id })) });
    const { answer } = trialModel(endpoint.address);
    const messages: readonly ModelMessage[] = [
      { role: 'user', text: 'How is the weather in Ulm?' },
      { role: 'assistant', text: '', calls: [{ callId: 'a', tool: 'read-weather', arguments: '{}' }] },
      { role: 'tool', callId: 'a', tool: 'read-weather', value: {} },
    ];
    const { calls } = await answer({ ...listening(), messages, tools: [weather] });
    const ids = calls.map(({ callId }) => callId);
    expect(new Set([...ids, 'a']).size).toBe(6);
    expect([ids[1], ids[4]]).toEqual(['b', 'c']);
  });

  it('counts nothing when its endpoint does not, and says so once', async () => {
    answers({ text: 'Yes.', usage: null });
    const { answer, logged } = trialModel(endpoint.address);
    for (let time = 0; time < 2; time += 1)
      expect((await answer(listening())).usage).toEqual({ inputTokens: 0, outputTokens: 0 });
    expect(logged).toMatchObject([{ host: 'llm.example', message: expect.stringMatching(/counts no tokens/) }]);
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'content-filter'],
  ])('tells why it ended: %s', async (finish, expected) => {
    answers({ text: '', finish });
    const { answer } = trialModel(endpoint.address);
    expect(await answer(listening())).toMatchObject({ text: '', finish: expected });
  });

  it('fills a schema, in words as well as by the endpoint', async () => {
    answers({ text: '{"works":true}' });
    const outputSchema = { type: 'object', properties: { works: { type: 'boolean' } } };
    const { answer } = trialModel(endpoint.address);
    expect((await answer({ ...listening(), outputSchema })).text).toBe('{"works":true}');
    const { request } = endpoint.asked[0] ?? {};
    expect(request?.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: outputSchema, strict: false },
    });
    expect(request?.messages.at(-1)).toEqual({
      role: 'user',
      content: `Does it work?\n\nThe JSON Schema that your answer has to fit: ${JSON.stringify(outputSchema)}`,
    });
  });

  it('fills a schema that its endpoint does not take', async () => {
    endpoint.script = ({ response_format: format }) => (format ? { status: 400 } : { text: '{"works":true}' });
    const { answer } = trialModel(endpoint.address);
    expect((await answer({ ...listening(), outputSchema: { type: 'object' } })).text).toBe('{"works":true}');
    expect(endpoint.asked).toHaveLength(2);
  });

  it.each<readonly [string, ScriptedAnswer]>([
    ['busy', { status: 429 }],
    ['too slow for itself', { status: 408 }],
    ['broken', { status: 500, body: '<html>' }],
    ['away', { status: 503 }],
    ['talking nonsense', { garbage: '<html>It works!</html>' }],
    ['silent', {}],
    ['breaking its answer off', { pieces: ['', 'lost'], breaksOff: true }],
    ['ending for a reason that nobody knows', { calls: [{ tool: 'read-weather' }], finish: 'because' }],
    ['calling a tool without a name', { calls: [{ tool: '' }] }],
  ])('is asked again while its endpoint is %s', async (_, scripted) => {
    answers(scripted, scripted, { text: 'Yes.' });
    const { answer, logged } = trialModel(endpoint.address);
    expect((await answer(listening())).text).toBe('Yes.');
    expect(endpoint.asked).toHaveLength(3);
    expect(logged).toEqual([]);
  });

  it.each<readonly [ScriptedAnswer, string]>([
    [{ status: 500 }, 'is out of order'],
    [{ status: 429 }, 'is busy'],
    [{ garbage: '{"choices":' }, 'answered what cannot be understood'],
    [{}, 'answered what cannot be understood'],
  ])('is not asked a fourth time: %j', async (scripted, why) => {
    answers(scripted);
    const { ask, logged } = trialModel(endpoint.address);
    expect(await ask(listening())).toMatchObject({
      failure: { detail: expect.stringMatching(why), retryAfterSeconds: 5 },
    });
    expect(endpoint.asked).toHaveLength(3);
    expect(logged).toMatchObject([{ team: 'meridian', host: 'llm.example', model: 'small', attempts: 3 }]);
  });

  it.each([
    [401, 'refused the credential of the agent'],
    [403, 'refused the credential of the agent'],
    [404, 'refused the request'],
    [422, 'refused the request'],
    [204, 'answered what cannot be understood'],
  ])('is not asked again after %s', async (status, why) => {
    const isNonsense = status === 204;
    answers({ status, body: isNonsense ? '' : `{"error": {"message": "No such key: ${secret}"}}` });
    const { ask, logged } = trialModel(endpoint.address);
    const failed = await ask(listening());
    expect(failed).toEqual(unavailable(why, { retryAfterSeconds: isNonsense ? 5 : 60 }));
    expect(endpoint.asked).toHaveLength(isNonsense ? 3 : 1);
    expect(logged).toMatchObject([{ status }]);
    expect(JSON.stringify(logged)).not.toContain(secret);
  });

  it('is waited for as long as its endpoint asks', async () => {
    answers({ status: 429, headers: { 'retry-after': '1' } }, { text: 'Yes.' });
    const { answer } = trialModel(endpoint.address);
    const begun = Date.now();
    expect((await answer(listening())).text).toBe('Yes.');
    expect(Date.now() - begun).toBeGreaterThan(900);
  });

  it.each([
    ['more time than anybody has', '30', 60_000],
    ['more time than the turn has', '9', 5_000],
  ])('is not asked again when its endpoint asks for %s', async (_, seconds, roomMs) => {
    answers({ status: 503, headers: { 'retry-after': seconds } });
    const { ask } = trialModel(endpoint.address);
    const failed = await ask({ ...listening(), deadlineMs: Date.now() + roomMs });
    expect(failed).toEqual(unavailable('is out of order', { retryAfterSeconds: Number(seconds) }));
    expect(endpoint.asked).toHaveLength(1);
  });

  it('is waited for until a date', async () => {
    const at = new Date(Date.now() + 100_000).toUTCString();
    answers({ status: 429, headers: { 'retry-after': at } });
    const failed = await trialModel(endpoint.address).ask(listening());
    if (failed.ok) throw new Error('It was to fail.');
    expect(failed.failure.retryAfterSeconds).toBeGreaterThan(10);
    expect(failed.failure.retryAfterSeconds).toBeLessThanOrEqual(100);
  });

  it('cannot be reached where nobody listens', async () => {
    const gone = await startModelEndpoint();
    await gone.stop();
    const { ask, logged } = trialModel(gone.address);
    expect(await ask(listening())).toEqual(unavailable('could not be reached', { retryAfterSeconds: 5 }));
    expect(logged).toMatchObject([{ kind: 'unreachable', attempts: 3 }]);
    expect(JSON.stringify(logged)).not.toContain('127.0.0.1');
  });

  it.each<ScriptedAnswer>([{ hang: 'before' }, { pieces: ['', ''], hang: 'within' }])(
    'is given up when it says nothing any more: %j',
    async (scripted) => {
      answers(scripted);
      const { ask, logged } = trialModel(endpoint.address, endpointModel(), { silenceMs: 50 });
      expect(await ask(listening())).toEqual(unavailable('did not answer in time', { retryAfterSeconds: 5 }));
      await endpoint.asked[0]?.left;
      expect(logged).toMatchObject([{ kind: 'silent', attempts: 1 }]);
    },
  );

  it('is given up at the deadline', async () => {
    answers({ hang: 'before' });
    const { ask, logged } = trialModel(endpoint.address);
    const failed = await ask({ ...listening(), deadlineMs: Date.now() + 200 });
    expect(failed).toEqual(unavailable('did not answer in time', { retryAfterSeconds: 5 }));
    expect(logged).toMatchObject([{ kind: 'too-late' }]);
    expect(await ask({ ...listening(), deadlineMs: Date.now() - 1 })).toMatchObject({ ok: false });
  });

  it.each<ScriptedAnswer>([{ hang: 'before' }, { pieces: ['', ''], hang: 'within' }])(
    'is left at once when nobody waits: %j',
    async (scripted) => {
      answers(scripted);
      const { ask, logged } = trialModel(endpoint.address);
      const leaving = new AbortController();
      const asked = ask({ ...listening(), signal: leaving.signal });
      await eventually(() => endpoint.asked.length === 1);
      leaving.abort();
      expect(await asked).toEqual(unavailable('was not waited for', { retryAfterSeconds: 5 }));
      await endpoint.asked[0]?.left;
      expect(logged).toEqual([]);
    },
  );

  it('does not wait out a pause when nobody waits', async () => {
    answers({ status: 429, headers: { 'retry-after': '9' } });
    const { ask } = trialModel(endpoint.address);
    const leaving = new AbortController();
    const asked = ask({ ...listening(), signal: leaving.signal });
    await eventually(() => endpoint.asked.length === 1);
    leaving.abort();
    const begun = Date.now();
    expect(await asked).toMatchObject({ ok: false });
    expect(Date.now() - begun).toBeLessThan(5_000);
  });

  it('is not followed to another address', async () => {
    const other = await startModelEndpoint();
    answers({ status: 307, headers: { location: `${other.address}/v1/chat/completions` } });
    const { ask } = trialModel(endpoint.address);
    const failed = await ask(listening());
    expect(failed).toEqual(
      unavailable('answered with another address, which is not followed', { retryAfterSeconds: 60 }),
    );
    expect([endpoint.asked.length, other.asked.length]).toEqual([1, 0]);
    await other.stop();
  });

  it('is not read without end', async () => {
    answers({ garbage: `data: ${'x'.repeat(9 * 1024 * 1024)}` });
    const { ask } = trialModel(endpoint.address);
    expect(await ask(listening())).toEqual(unavailable('answered more than fits', { retryAfterSeconds: 60 }));
    expect(endpoint.asked).toHaveLength(1);
  });

  it('is not understood compressed', async () => {
    answers({ text: 'Yes.', headers: { 'content-encoding': 'gzip' } });
    const { ask } = trialModel(endpoint.address);
    expect(await ask(listening())).toMatchObject({
      failure: { detail: expect.stringMatching(/cannot be understood/) },
    });
    expect(endpoint.asked[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('keeps the secrets that it was given to itself', async () => {
    const encoded = Buffer.from(`key=${secret}!`).toString('base64');
    answers({
      pieces: ['The key is ', ...secret, ', or ', encoded.slice(0, 7), encoded.slice(7), '.'],
      calls: [{ tool: 'read-weather', arguments: { place: secret }, id: secret }],
    });
    const { told, onText } = listened();
    const { answer } = trialModel(endpoint.address);
    const given = await answer({ tools: [weather], ...(isStreamed && { onText }) });
    expect(given.text).toMatch(/^The key is \[secret\], or .{0,9}\[secret\].{0,6}\.$/);
    expect(JSON.stringify([given, told])).not.toContain(secret);
    expect(given.calls[0]?.arguments).toBe('{"place":"[secret]"}');
    if (isStreamed) expect(told.join('')).toBe(given.text);
  });

  it('says nothing that cannot be stored', async () => {
    answers({ pieces: ['a\u0000b', '\uD83D', '\uDE00', '\uD83D', 'c'] });
    const { answer } = trialModel(endpoint.address);
    expect((await answer(listening())).text).toBe('a\uFFFDb\u{1F600}\uFFFDc');
  });
});

describe('a model that somebody listens to', () => {
  it('is heard while it still speaks', async () => {
    let goOn = (): void => undefined;
    const pause = new Promise<void>((resolve) => (goOn = resolve));
    answers({ pieces: ['First', ' second', ' third.'], pause });
    const { told, onText } = listened();
    const asked = trialModel(endpoint.address).answer({ onText });
    await eventually(() => told.length > 0);
    expect(told).toEqual(['First']);
    goOn();
    expect((await asked).text).toBe('First second third.');
    expect(told).toEqual(['First', ' second', ' third.']);
  });

  it.each<readonly [ScriptedAnswer, string]>([
    [{ pieces: ['First', ' second'], breaksOff: true }, 'broke its answer off'],
    [{ pieces: ['First', ' second'], finish: 'because' }, 'answered what cannot be understood'],
  ])('is not asked again once it was heard: %j', async (scripted, why) => {
    answers(scripted);
    const { told, onText } = listened();
    const { ask } = trialModel(endpoint.address);
    expect(await ask({ onText })).toEqual(unavailable(why, { retryAfterSeconds: 5 }));
    expect(told[0]).toBe('First');
    expect(endpoint.asked).toHaveLength(1);
  });

  it('is asked again when its endpoint says in the stream that it cannot', async () => {
    answers({ garbage: 'data: {"error": {"message": "Overloaded"}}\n\n' }, { text: 'Yes.' });
    const { told, onText } = listened();
    expect((await trialModel(endpoint.address).answer({ onText })).text).toBe('Yes.');
    expect(told).toEqual(['Yes.']);
  });

  it('keeps its connection for the next question', async () => {
    const { answer } = trialModel(endpoint.address);
    const ports = new Set<unknown>();
    for (let time = 0; time < 3; time += 1) {
      await answer({ onText: () => undefined });
      ports.add(endpoint.asked.at(-1)?.port);
    }
    expect(ports.size).toBe(1);
  });
});
