/** The service as it runs, over real NATS: every operation has its handler, turns stream, and a stop ends them in order. */
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module, type INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Caller, Operation, RequestOf } from '@tessera/contracts';
import * as contracts from '@tessera/contracts/agents';
import { listTools, listToolNames, callToolForAgent } from '@tessera/contracts/tool-gateway';
import { succeed, type Result } from '@tessera/failures';
import {
  connectNats,
  createJsonReply,
  NatsOperations,
  OperationClient,
  Serves,
  silentLog,
  type AnnouncingContext,
} from '@tessera/messaging';
import { ServiceModule } from '@tessera/service-kit';
import { createTestProcess } from '@tessera/service-kit/testing';
import {
  waitUntil,
  findOperations,
  createTestDatabase,
  startTestNats,
  type TestDatabase,
  type TestNats,
} from '@tessera/testing';
import { AgentsModule } from './agents.module.js';
import { Models } from './models/models.js';
import { agentsSettings } from './settings.js';
import { createToolCallAnswer, modelDown, createScriptedModel } from './testing/scripted-model.js';
import {
  createAdminContext,
  createAgentDefinition,
  createContext,
  readBodyText,
  unwrapResult,
} from './testing/test-service.js';
import { Turns } from './turns/turns.js';

const callers: Caller[] = [];

@Controller()
class TestTools {
  @Serves(listToolNames)
  async names(_request: RequestOf<typeof listToolNames>) {
    return succeed({ published: [{ id: 'p2p', tools: ['load-data'] }], drafts: [] });
  }

  @Serves(listTools)
  async list(_request: RequestOf<typeof listTools>) {
    const tool = {
      name: 'load-data',
      title: 'Load',
      description: 'Loads.',
      inputSchema: { type: 'object' },
      isReadOnly: true,
    };
    return succeed({ name: 'p2p', version: '1', tools: [tool] });
  }

  @Serves(callToolForAgent)
  async run(_request: RequestOf<typeof callToolForAgent>, { caller, deadlineMs }: AnnouncingContext) {
    callers.push(caller);
    return createJsonReply({ total: 1, isInTime: deadlineMs > Date.now() });
  }
}

@Module({ controllers: [TestTools] })
class TestModule {}

const model = createScriptedModel(() => ({ text: 'Fine.' }));
let database: TestDatabase;
let nats: TestNats;
let client: OperationClient;
let turns: Turns;
const ends: (() => Promise<unknown>)[] = [];

const linkOf = (service: 'gateway' | 'agents' | 'tool-gateway') => {
  const link = connectNats({ url: nats.urlFor(service), service, log: silentLog });
  ends.push(() => link.close());
  return link;
};

const serve = async (
  service: 'agents' | 'tool-gateway',
  create: (options: {
    readonly strategy: NatsOperations;
    readonly logger: false;
  }) => INestMicroservice | Promise<INestMicroservice>,
  link = linkOf(service),
) => {
  const strategy = new NatsOperations({ link, service, log: silentLog });
  const app = await create({ strategy, logger: false });
  await app.listen();
  await link.whenConnected(60_000);
  await link.connection?.flush();
  ends.unshift(() => app.close());
};

beforeAll(async () => {
  [database, nats] = await Promise.all([createTestDatabase(), startTestNats()]);
  const link = linkOf('agents');
  const service = createTestProcess('agents', agentsSettings.parse({ DATABASE_URL: database.urlFor('agents') }), link);
  await serve('tool-gateway', (options) => NestFactory.createMicroservice(TestModule, options));
  const agents = await Test.createTestingModule({ imports: [ServiceModule.forRoot(service), AgentsModule] })
    .overrideProvider(Models)
    .useValue({ of: () => succeed(model), faultsOf: () => undefined })
    .compile();
  turns = agents.get(Turns);
  await serve('agents', (options) => agents.createNestMicroservice(options), link);
  const gateway = linkOf('gateway');
  client = new OperationClient({ link: gateway });
  await gateway.whenConnected(60_000);
  const definitions = [createAgentDefinition('analyst', { tools: [{ asset: 'p2p' }] })];
  const apply = contracts.applyAgents.request.parse({ team: 'meridian', apply: { definitions } });
  unwrapResult(await client.call(contracts.applyAgents, apply, createAdminContext('meridian')));
});
afterAll(async () => {
  for (const end of ends) await end();
  await nats?.stop();
  await database?.drop();
});
beforeEach(() => {
  model.requests.length = 0;
  model.follow(() => ({ text: 'Fine.' }));
});

const converse = (message: string, accept?: string) =>
  client.call(
    contracts.converse,
    contracts.converse.request.parse({ agent_id: 'analyst', accept, message: { message } }),
    createContext('meridian'),
  );

const namesIn = (events: string): readonly string[] =>
  [...events.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name);

describe('a turn over NATS', () => {
  it('calls tools on behalf of its caller and answers with one JSON document', async () => {
    model.follow((_request, callNumber) => (callNumber === 1 ? createToolCallAnswer(['load-data']) : { text: 'One.' }));
    const answer = contracts.converse.reply.schema.parse(JSON.parse(await readBodyText(converse('How many?'))));
    expect(answer.text).toBe('One.');
    expect(callers.at(-1)).toMatchObject({ team: 'meridian', subject: 'tester' });
    const given = { role: 'tool', json: expect.stringContaining('"isInTime":true') };
    expect(model.requests.at(-1)?.messages).toContainEqual(expect.objectContaining(given));
  });

  it('streams events as they happen', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    model.follow(async (request, callNumber) => {
      if (callNumber === 1) return createToolCallAnswer(['load-data']);
      request.onText?.('The first words');
      await promise;
      return { text: '.' };
    });
    const { body, contentType } = unwrapResult(await converse('How many?', 'text/event-stream'));
    expect(contentType).toBe('text/event-stream');
    let events = '';
    if (body instanceof Uint8Array) throw new Error('The answer came at once.');
    for await (const piece of body) {
      events += Buffer.from(piece).toString();
      // The model goes on when its first words were read.
      if (events.includes('The first words')) resolve();
    }
    expect(namesIn(events)).toEqual(['turn', 'tool-call', 'tool-result', 'text', 'text', 'response']);
  });

  it('ends a stream with a problem when the model fails', async () => {
    model.follow(() => modelDown);
    const events = await readBodyText(converse('How many?', 'text/event-stream'));
    expect(namesIn(events)).toEqual(['turn', 'error']);
    const [, data = ''] = /^event: error\ndata: (.*)$/m.exec(events) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      ...{ status: 503, code: 'AGENT_MODEL_UNAVAILABLE' },
      instance: '/intelligence/api/ai/agents/analyst/conversations',
    });
  });

  it.each([
    ['application/json, text/event-stream', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/event-stream;q=0', 'application/json; charset=utf-8'],
    ['text/event-stream, */*', 'text/event-stream'],
    ['application/json;q=0.5, text/event-stream', 'text/event-stream'],
  ])('answers %s with %s', async (accept, contentType) => {
    const reply = unwrapResult(await converse('Hello?', accept));
    expect(reply.contentType).toBe(contentType);
    await readBodyText(Promise.resolve(succeed(reply)));
  });
});

it('the agents service has a handler for each of its operations', async () => {
  const operations: readonly Operation[] = findOperations(contracts);
  expect(operations.length).toBeGreaterThan(8);
  for (const operation of operations) {
    const answer: Result<unknown> = await client.call(operation, {}, createContext('meridian'));
    expect([operation.name, answer.ok ? 'ok' : answer.failure.code]).not.toEqual([
      operation.name,
      'SERVICE_UNAVAILABLE',
    ]);
  }
});

it('the agents service answers every operation with 503 while the database is away, and recovers', async () => {
  const place = { agent_id: 'analyst', conversation_id: '019b0000-0000-7000-8000-000000000000' };
  const definitions = [createAgentDefinition('analyst')];
  const requests: Readonly<Record<string, object>> = {
    [contracts.converse.name]: { agent_id: 'analyst', message: { message: 'Hello?' } },
    [contracts.completeChat.name]: {
      agent_id: 'analyst',
      completion: { model: 'analyst', messages: [{ role: 'user', content: 'Hello?' }] },
    },
    [contracts.listCompletionModels.name]: { agent_id: 'analyst' },
    [contracts.readCompletionModel.name]: { agent_id: 'analyst', model_id: 'analyst' },
    [contracts.executeTool.name]: { agent_id: 'analyst', tool_id: 'load-data', arguments: {} },
    [contracts.readToolsSpec.name]: { agent_id: 'analyst' },
    [contracts.listAgents.name]: {},
    [contracts.listConversations.name]: { agent_id: 'analyst' },
    [contracts.readConversation.name]: place,
    [contracts.deleteConversation.name]: place,
    [contracts.applyAgents.name]: { team: 'meridian', apply: { definitions }, idempotencyKey: 'away' },
    [contracts.exportAgents.name]: { team: 'meridian' },
    [contracts.deleteAgent.name]: { team: 'meridian', agentId: 'nobody' },
  };
  const operations: readonly Operation[] = findOperations(contracts);
  const outcomes = () =>
    Promise.all(
      operations.map(async (operation) => {
        const caller = operation.scope === 'admin' ? createAdminContext('meridian') : createContext('meridian');
        const answer = await client.call(operation, operation.request.parse(requests[operation.name]), caller);
        return [operation.name, answer.ok ? 'ok' : [answer.failure.code, answer.failure.retryAfterSeconds]];
      }),
    );
  const { unblock } = await database.blockConnections();
  // What was read of definitions within the last second needs no database.
  await waitUntil(async () => (await outcomes()).every(([, outcome]) => outcome !== 'ok'));
  expect(await outcomes()).toEqual(operations.map(({ name }) => [name, ['SERVICE_UNAVAILABLE', 1]]));
  await unblock();
  const back = new Map((await outcomes()).map(([name, outcome]) => [name, outcome]));
  expect(back.get(contracts.converse.name)).toBe('ok');
  expect([...back.values()].flat()).not.toContain('SERVICE_UNAVAILABLE');
});

it('the agents service interrupts running turns when it stops, and answers the waiting callers', async () => {
  model.follow(() => new Promise(() => undefined));
  const whole = converse('Slowly.');
  const stream = unwrapResult(await converse('Slowly, too.', 'text/event-stream'));
  await waitUntil(() => model.requests.length === 2);
  await turns.beforeApplicationShutdown();
  expect(await whole).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } });
  const events = await readBodyText(Promise.resolve(succeed(stream)));
  expect(namesIn(events)).toEqual(['turn', 'error']);
  expect(await converse('One more.')).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE' } });
  const list = contracts.listConversations.request.parse({ agent_id: 'analyst', pageSize: 2 });
  const listed = JSON.parse(
    await readBodyText(client.call(contracts.listConversations, list, createContext('meridian'))),
  );
  expect(listed.conversations).toMatchObject([{ state: 'interrupted' }, { state: 'interrupted' }]);
});
