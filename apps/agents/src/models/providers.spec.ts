import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ModelDefinition } from '@tessera/contracts/agents';
import type { ModelMessage } from './model.js';
import { testApiKey, createTestModel } from './testing/test-models.js';

type Asked = { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: unknown };

let server: Server;
let address: string;
let asked: Asked[];
/** What the next requests are answered with; a list is told as events. */
let answers: (object | readonly object[])[];

beforeEach(async () => {
  [asked, answers] = [[], []];
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.once('end', () => {
      asked.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(body) });
      const answer = answers.shift();
      response.writeHead(200, { 'content-type': Array.isArray(answer) ? 'text/event-stream' : 'application/json' });
      if (Array.isArray(answer)) for (const event of answer) response.write(`data: ${JSON.stringify(event)}\n\n`);
      else response.write(JSON.stringify(answer));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  address = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const modelOf = (provider: 'anthropic' | 'google', more: object = {}) =>
  createTestModel(
    address,
    ModelDefinition.parse({
      ...{ provider, baseUrl: 'https://llm.example/v1', model: 'large', apiKey: '{secret:LLM_KEY}', outputTokens: 300 },
      ...more,
    }),
  );

const tools = [{ name: 'read-weather', description: 'Reads the weather.', inputSchema: { type: 'object' } }];
const messages: readonly ModelMessage[] = [
  { role: 'system', text: 'You answer.' },
  { role: 'user', text: 'How is the weather in Ulm?' },
  { role: 'assistant', text: 'I look.', calls: [{ callId: 'a1', tool: 'read-weather', arguments: '{"place":"Ulm"}' }] },
  { role: 'tool', callId: 'a1', tool: 'read-weather', json: '{"result":"rain"}' },
  // Neither takes a system message here.
  { role: 'system', text: 'Answer now.' },
];

describe('a model of the provider anthropic', () => {
  const usage = { input_tokens: 50, output_tokens: 5 };
  const start = { type: 'message', id: 'm', role: 'assistant', model: 'large', content: [], usage };

  it('answers with tool calls and text when it is not streamed', async () => {
    const call = { type: 'tool_use', id: 'a1', name: 'read-weather', input: { place: 'Ulm' } };
    answers = [
      { ...start, content: [{ type: 'text', text: 'I look.' }, call], stop_reason: 'tool_use' },
      { ...start, content: [{ type: 'text', text: 'It rains.' }], stop_reason: 'end_turn' },
    ];
    const { answer } = modelOf('anthropic');
    expect(await answer({ messages: messages.slice(0, 2), tools })).toEqual({
      text: 'I look.',
      calls: [{ callId: 'a1', tool: 'read-weather', arguments: '{"place":"Ulm"}' }],
      ...{ finish: 'tool-calls', usage: { inputTokens: 50, outputTokens: 5 } },
    });
    expect(await answer({ messages, tools, mayCall: false })).toMatchObject({ text: 'It rains.', finish: 'stop' });
    expect(asked[1]).toMatchObject({
      url: '/v1/messages',
      headers: { 'x-api-key': testApiKey, host: 'llm.example' },
      body: {
        ...{ model: 'large', max_tokens: 300, tool_choice: { type: 'none' }, tools: [{ name: 'read-weather' }] },
        system: [{ type: 'text', text: 'You answer.' }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'How is the weather in Ulm?' }] },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'I look.' },
              { type: 'tool_use', id: 'a1', name: 'read-weather', input: { place: 'Ulm' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a1', content: '{"result":"rain"}' },
              { type: 'text', text: 'Answer now.' },
            ],
          },
        ],
      },
    });
  });

  it('streams its answer', async () => {
    const textDelta = (text: string) => ({
      ...{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    });
    answers = [
      [
        { type: 'message_start', message: start },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        textDelta('It '),
        textDelta('rains.'),
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ],
    ];
    const received: string[] = [];
    expect(await modelOf('anthropic').answer({ messages, tools, onText: (text) => void received.push(text) })).toEqual({
      ...{ text: 'It rains.', calls: [], finish: 'stop', usage: { inputTokens: 50, outputTokens: 9 } },
    });
    expect(received).toEqual(['It ', 'rains.']);
  });

  it('reads no key from the environment when the definition has none', async () => {
    answers = [{ ...start, content: [{ type: 'text', text: 'Yes.' }], stop_reason: 'end_turn' }];
    await modelOf('anthropic', { apiKey: undefined }).answer();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers).not.toHaveProperty('x-api-key');
  });
});

describe('a model of the provider google', () => {
  const usageMetadata = { promptTokenCount: 40, candidatesTokenCount: 4, totalTokenCount: 44 };
  const says = (parts: readonly object[], finishReason?: string) => ({
    candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    usageMetadata,
  });

  it('answers with tool calls and text when it is not streamed', async () => {
    answers = [
      says([{ functionCall: { name: 'read-weather', args: { place: 'Ulm' } } }], 'STOP'),
      says([{ text: 'It rains.' }], 'STOP'),
    ];
    const { answer } = modelOf('google');
    const first = await answer({ messages: messages.slice(0, 2), tools });
    expect(first).toMatchObject({
      calls: [{ tool: 'read-weather', arguments: '{"place":"Ulm"}' }],
      ...{ finish: 'tool-calls', usage: { inputTokens: 40, outputTokens: 4 } },
    });
    expect(first.calls[0]?.callId).toMatch(/./);
    expect(await answer({ messages, tools, mayCall: false })).toMatchObject({ text: 'It rains.', finish: 'stop' });
    expect(asked[1]).toMatchObject({
      url: '/v1/models/large:generateContent',
      headers: { 'x-goog-api-key': testApiKey },
      body: {
        generationConfig: { maxOutputTokens: 300 },
        systemInstruction: { parts: [{ text: 'You answer.' }] },
        toolConfig: { functionCallingConfig: { mode: 'NONE' } },
      },
    });
    expect(JSON.stringify(asked[1]?.body)).toMatch(/Answer now\./);
  });

  it('streams its answer', async () => {
    answers = [[says([{ text: 'It ' }]), says([{ text: 'rains.' }], 'STOP')]];
    const received: string[] = [];
    expect(await modelOf('google').answer({ messages, tools, onText: (text) => void received.push(text) })).toEqual({
      ...{ text: 'It rains.', calls: [], finish: 'stop', usage: { inputTokens: 40, outputTokens: 4 } },
    });
    expect(received).toEqual(['It ', 'rains.']);
    expect(asked[0]?.url).toBe('/v1/models/large:streamGenerateContent?alt=sse');
  });
});
