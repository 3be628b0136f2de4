/** What specs of this service need: a database, replicas, agents, callers and requests. */
import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Caller, ReplyOf } from '@tessera/contracts';
import { applyAgents, converse, type AgentDefinition, type ChatResponse } from '@tessera/contracts/agents';
import { succeed, type Failure, type Result } from '@tessera/failures';
import { OperationClient, type AnnouncingContext } from '@tessera/messaging';
import { EventPublishTrigger, ServiceModule } from '@tessera/service-kit';
import { createTestProcess } from '@tessera/service-kit/testing';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import { AgentsModule } from '../agents.module.js';
import { AgentsHandler } from '../agents/agents.handler.js';
import { Agents } from '../agents/agents.js';
import { ConversationsHandler } from '../conversations/conversations.handler.js';
import { Pools } from '../database.module.js';
import { Models } from '../models/models.js';
import { agentsSettings } from '../settings.js';
import { ExecuteToolHandler } from '../tools/execute-tool.handler.js';
import { SpecifyToolsHandler } from '../tools/specify-tools.handler.js';
import { CompleteChatHandler } from '../turns/complete-chat.handler.js';
import { ConverseHandler } from '../turns/converse.handler.js';
import { leaseSettingsToken, Turns, type LeaseSettings } from '../turns/turns.js';
import { createScriptedModel, type ScriptedModel } from './scripted-model.js';
import { createTestToolGateway, type TestToolGateway } from './test-tool-gateway.js';

export type Replica = {
  readonly runtime: { readonly pools: Pools; readonly agents: Agents; readonly turns: Turns };
  readonly agents: AgentsHandler;
  readonly door: ConverseHandler;
  readonly completions: CompleteChatHandler;
  readonly conversations: ConversationsHandler;
  readonly execution: ExecuteToolHandler;
  readonly specification: SpecifyToolsHandler;
  readonly metrics: () => Promise<string>;
  readonly stop: () => Promise<void>;
};

export type ReplicaOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly lease?: LeaseSettings;
};

export type TestService = {
  readonly database: TestDatabase;
  readonly services: TestToolGateway;
  /** Of every replica and agent. */
  readonly model: ScriptedModel;
  readonly replicas: readonly [Replica, Replica];
  /** One more, which its spec stops. */
  readonly open: (options?: ReplicaOptions) => Promise<Replica>;
  readonly end: () => Promise<void>;
};

/** What a replica lost it hears of soon. */
const quickRenewal = { leaseMs: 10_000, renewEveryMs: 200 };

/** Events stay in the outbox, jobs do not run. */
export const openTestService = async (options: ReplicaOptions = {}): Promise<TestService> => {
  Logger.overrideLogger(false);
  const database = await createTestDatabase();
  const services = createTestToolGateway();
  const model = createScriptedModel(() => ({ text: 'Fine.' }));
  const open = async ({ environment = {}, lease = quickRenewal } = options): Promise<Replica> => {
    const service = createTestProcess(
      'agents',
      agentsSettings.parse({ DATABASE_URL: database.urlFor('agents'), ...environment }),
    );
    const module = await Test.createTestingModule({ imports: [ServiceModule.forRoot(service), AgentsModule] })
      .overrideProvider(OperationClient)
      .useValue(Object.assign(services, { close: async () => undefined }))
      .overrideProvider(Models)
      .useValue({ of: () => succeed(model), faultsOf: () => undefined })
      .overrideProvider(leaseSettingsToken)
      .useValue(lease)
      .overrideProvider(EventPublishTrigger)
      .useValue({ wake: () => undefined })
      .compile();
    return {
      runtime: { pools: module.get(Pools), agents: module.get(Agents), turns: module.get(Turns) },
      agents: module.get(AgentsHandler),
      door: module.get(ConverseHandler),
      completions: module.get(CompleteChatHandler),
      conversations: module.get(ConversationsHandler),
      execution: module.get(ExecuteToolHandler),
      specification: module.get(SpecifyToolsHandler),
      metrics: () => service.metrics.registry.metrics(),
      stop: () => module.close(),
    };
  };
  const replicas = [await open(), await open()] as const;
  return {
    ...{ database, services, model, replicas, open },
    end: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await database.drop();
    },
  };
};

/** Somebody of the team who may converse and call tools. */
export const createContext = (team: string, more: Partial<Caller> = {}): AnnouncingContext => ({
  caller: { team, subject: 'tester', scopes: ['agents:converse', 'agents:execute', 'tools:execute'], ...more },
  requestId: 'request-1',
  deadlineMs: Date.now() + 128_000,
  publicUrl: 'https://tessera.example:8443',
  signal: new AbortController().signal,
  announceEffect: async () => undefined,
});

export const createAdminContext = (team: string): AnnouncingContext =>
  createContext(team, { subject: 'admin', scopes: ['admin'] });

export const createAgentDefinition = (id: string, more: Partial<AgentDefinition> = {}) =>
  ({ kind: 'Agent', id, ...more }) as const;

/** Throws when it was refused. */
export const applyOrThrow = async (
  { agents }: Replica,
  team: string,
  definitions: readonly ReturnType<typeof createAgentDefinition>[],
  mode: 'publish' | 'draft' = 'publish',
): Promise<ReplyOf<typeof applyAgents>> => {
  const request = applyAgents.request.parse({ team, apply: { definitions, mode } });
  return applyAgents.reply.parse(JSON.parse(await readBodyText(agents.apply(request, createAdminContext(team)))));
};

export type ConverseOptions = {
  readonly agent?: string;
  readonly conversationId?: string | undefined;
  readonly key?: string;
  readonly accept?: string;
  readonly prefer?: string;
  readonly draft?: boolean;
  readonly context?: AnnouncingContext;
};

export const postMessage = ({ door }: Replica, team: string, message: string, saying: ConverseOptions = {}) => {
  const {
    agent = 'analyst',
    conversationId,
    key,
    accept,
    prefer,
    draft = false,
    context = createContext(team),
  } = saying;
  const request = converse.request.parse({
    ...{ agent_id: agent, draft, accept, prefer, idempotencyKey: key },
    message: { message, ...(conversationId !== undefined && { conversationId }) },
  });
  return door.converse(request, context);
};

/** What the agent answers; throws when it failed. */
export const converseOrThrow = async (
  replica: Replica,
  team: string,
  message: string,
  saying?: ConverseOptions,
): Promise<ChatResponse> =>
  converse.reply.schema.parse(JSON.parse(await readBodyText(postMessage(replica, team, message, saying))));

type Bytes = { readonly body: Uint8Array | AsyncIterable<Uint8Array> };

/** The whole body; throws when it failed. */
export const readBodyText = async (answer: Promise<Result<Bytes>>): Promise<string> => {
  const { body } = unwrapResult(await answer);
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  let text = '';
  for await (const piece of body) text += Buffer.from(piece).toString();
  return text;
};

/** Throws when it failed. */
export const unwrapResult = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};

/** Undefined when there is none. */
export const readFailure = async (answer: Promise<Result<unknown>>): Promise<Failure | undefined> => {
  const result = await answer;
  return result.ok ? undefined : result.failure;
};

/** Something that a spec lets happen when it wants. */
export const createGate = <T = void>() => {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { opened: promise, open: resolve };
};

/** What `begin` starts waits in the model until it is opened; whatever is asked later is answered at once. */
export const startAndPauseInModel = async <T>({ model }: Pick<TestService, 'model'>, begin: () => T) => {
  const begun = createGate();
  const { opened, open } = createGate();
  model.follow(async () => {
    begun.open();
    await opened;
    return { text: 'At last.' };
  });
  const answer = begin();
  await begun.opened;
  model.follow(() => ({ text: 'Fine.' }));
  return { answer, open };
};
