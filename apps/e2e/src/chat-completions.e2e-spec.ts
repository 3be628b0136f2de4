/** The official client library of the chat completions protocol talks to an agent of the demo as to a model. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { agentsPrefix } from '@tessera/contracts/agents';
import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { recordAnswers } from './compatibility/record-answers.js';
import { getSharedProduct, type RunningProduct } from './product.js';

let product: RunningProduct;
beforeAll(async () => void (product = await getSharedProduct()));

const agent = 'p2p-analyst';
const clientOf = (key: string, agentId = agent) =>
  new OpenAI({
    baseURL: `${product.gateways[0]}${agentsPrefix}/${agentId}/v1`,
    apiKey: product.environment[key] ?? key,
    maxRetries: 0,
  });
const question = { role: 'user', content: 'What is the maverick rate by plant?' } as const;
const metadataOf = (completion: object): unknown => Reflect.get(completion, 'metadata');
const conversationOf = (completion: object): string =>
  String(Reflect.get(Object(metadataOf(completion)), 'conversation_id'));

describe('the client library', () => {
  it('lists the agent as the only model', async () => {
    const { data } = await clientOf('DEMO_KEY').models.list();
    expect(data).toMatchObject([{ id: agent, object: 'model', owned_by: 'meridian' }]);
  });

  it('gets an answer with figures of the tools, and goes on with the conversation', async () => {
    const client = clientOf('DEMO_KEY');
    const first = await client.chat.completions.create({ model: agent, messages: [question] });
    expect(first.choices[0]?.message.content).toContain('12.98 %');
    expect(first.choices[0]?.finish_reason).toBe('stop');
    expect(first.usage?.total_tokens).toBeGreaterThan(0);
    const conversation_id = conversationOf(first);
    const next = { role: 'user', content: 'And by supplier?' } as const;
    const second = await client.chat.completions.create({
      model: agent,
      messages: [question, next],
      metadata: { conversation_id },
    });
    expect(metadataOf(second)).toEqual({ conversation_id, turn: '2' });
    const third = await client.chat.completions.create({
      model: agent,
      messages: [next],
      user: `conversation:${conversation_id}`,
    });
    expect(metadataOf(third)).toEqual({ conversation_id, turn: '3' });
  });

  it('streams an answer, piece by piece, with its usage', async () => {
    const stream = await clientOf('DEMO_KEY').chat.completions.create({
      ...{ model: agent, messages: [question], stream: true, stream_options: { include_usage: true } },
    });
    const pieces: string[] = [];
    let finish: string | null = null;
    let tokens = 0;
    for await (const { choices, usage } of stream) {
      const [choice] = choices;
      if (choice?.delta.content) pieces.push(choice.delta.content);
      finish = choice?.finish_reason ?? finish;
      tokens = usage?.total_tokens ?? tokens;
    }
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join('')).toContain('12.98 %');
    expect([finish, tokens > 0]).toEqual(['stop', true]);
  });

  it('knows what was said before from the messages, as its callers send them', async () => {
    const messages = [
      ...[{ role: 'system', content: 'You are a pirate.' } as const, question],
      ...[
        { role: 'assistant', content: 'Here they are.' } as const,
        { role: 'user', content: 'And by supplier?' } as const,
      ],
    ];
    const { choices } = await clientOf('DEMO_KEY').chat.completions.create({ model: agent, messages, temperature: 0 });
    expect(choices[0]?.message.content).toMatch(/Maverick buying by Supplier/);
  });

  it('gets the same answer again under an Idempotency-Key', async () => {
    const options = { headers: { 'Idempotency-Key': randomUUID() } };
    const create = () => clientOf('DEMO_KEY').chat.completions.create({ model: agent, messages: [question] }, options);
    expect((await create()).id).toBe((await create()).id);
  });

  it('throws its own errors', async () => {
    const create =
      (client: OpenAI, more: object = {}) =>
      () =>
        client.chat.completions.create({ model: agent, messages: [question], ...more });
    const failureOf = async (call: () => Promise<unknown>): Promise<unknown> =>
      call().then(
        () => 'no error',
        (error: unknown) => error,
      );
    expect(await failureOf(create(clientOf('a key that nobody has')))).toMatchObject({
      status: 401,
      code: 'ACCESS_UNAUTHORIZED',
    });
    expect(await failureOf(create(clientOf('READONLY_KEY')))).toMatchObject({
      status: 403,
      code: 'ADMIN_ACCESS_ERROR',
    });
    expect(await failureOf(create(clientOf('DEMO_KEY'), { model: 'large' }))).toMatchObject({
      status: 404,
      code: 'AGENT_NOTFOUND',
    });
    expect(await failureOf(create(clientOf('DEMO_KEY', 'nobody'), { model: 'nobody' }))).toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    const tools = [{ type: 'function', function: { name: 'f' } }];
    expect(await failureOf(create(clientOf('DEMO_KEY'), { tools }))).toMatchObject({
      ...{ status: 400, type: 'invalid_request_error', param: 'tools' },
      message: expect.stringContaining('an agent has tools of its own'),
    });
  });
});

recordAnswers();
