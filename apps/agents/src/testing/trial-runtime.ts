/** What specs of this service need: a database, replicas as the service has them, agents, callers, and what they say. */
import { Logger } from '@nestjs/common';
import type { Caller, ReplyOf } from '@tessera/contracts';
import { applyAgents, converse, type AgentDefinition, type ChatResponse } from '@tessera/contracts/agents';
import { succeed, type Failure, type Result } from '@tessera/failures';
import type { AnnouncingContext } from '@tessera/messaging';
import { makeMetrics, openLog, type EventPublishing } from '@tessera/service-kit';
import { testDatabase, type TestDatabase } from '@tessera/testing';
import { AgentsHandler } from '../agents/agents.handler.js';
import { ConversationsHandler } from '../conversations/conversations.handler.js';
import { closePools, openPools } from '../database/pools.js';
import { openRuntime, type Runtime, type Surroundings } from '../runtime.js';
import { settings } from '../settings.js';
import { ConverseHandler } from '../turns/converse.handler.js';
import { scriptedModel, type ScriptedModel } from './scripted-model.js';
import { trialServices, type TrialServices } from './trial-services.js';

export type Replica = {
  readonly runtime: Runtime;
  readonly agents: AgentsHandler;
  readonly door: ConverseHandler;
  readonly conversations: ConversationsHandler;
  readonly metrics: () => Promise<string>;
  readonly stop: () => Promise<void>;
};

export type ReplicaOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly lease?: Surroundings['lease'];
};

export type Trial = {
  readonly database: TestDatabase;
  readonly services: TrialServices;
  /** Of every replica and agent. */
  readonly model: ScriptedModel;
  readonly replicas: readonly [Replica, Replica];
  /** One more, which its spec stops. */
  readonly open: (options?: ReplicaOptions) => Replica;
  readonly end: () => Promise<void>;
};

/** What a replica lost it hears of soon. */
const quickRenewal = { leaseMs: 10_000, renewEveryMs: 200 };

/** Events stay in the outbox. */
export const unpublishedEvents: EventPublishing = { wake: () => undefined };

export const openTrial = async (options: ReplicaOptions = {}): Promise<Trial> => {
  Logger.overrideLogger(false);
  const database = await testDatabase();
  const services = trialServices();
  const model = scriptedModel(() => ({ text: 'Fine.' }));
  const open = (more: ReplicaOptions = options): Replica => {
    const configuration = settings.parse({ DATABASE_URL: database.urlFor('agents'), ...more.environment });
    const pools = openPools(configuration, () => undefined);
    const metrics = makeMetrics('agents');
    const { log } = openLog('agents', 'silent');
    const models = { of: () => succeed(model), faultsOf: () => undefined };
    const { lease = quickRenewal } = more;
    const runtime = openRuntime({ settings: configuration, pools, services, models, log, metrics, lease });
    return {
      runtime,
      agents: new AgentsHandler(runtime, unpublishedEvents),
      door: new ConverseHandler(runtime),
      conversations: new ConversationsHandler(runtime),
      metrics: () => metrics.registry.metrics(),
      stop: async () => {
        await runtime.turns.stop();
        await closePools(pools);
      },
    };
  };
  const replicas = [open(), open()] as const;
  return {
    ...{ database, services, model, replicas, open },
    end: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await database.drop();
    },
  };
};

/** Somebody of the team who may converse and call tools. */
export const callerOf = (team: string, more: Partial<Caller> = {}): AnnouncingContext => ({
  caller: { team, subject: 'tester', scopes: ['agents:converse', 'agents:execute', 'tools:execute'], ...more },
  requestId: 'request-1',
  deadlineMs: Date.now() + 128_000,
  publicUrl: 'https://tessera.example:8443',
  signal: new AbortController().signal,
  announceEffect: async () => undefined,
});

export const adminOf = (team: string): AnnouncingContext => callerOf(team, { subject: 'admin', scopes: ['admin'] });

export const agentOf = (id: string, more: Partial<AgentDefinition> = {}) => ({ kind: 'Agent', id, ...more }) as const;

/** Throws when it was refused. */
export const applied = async (
  { agents }: Replica,
  team: string,
  definitions: readonly ReturnType<typeof agentOf>[],
  mode: 'publish' | 'draft' = 'publish',
): Promise<ReplyOf<typeof applyAgents>> => {
  const request = applyAgents.request.parse({ team, apply: { definitions, mode } });
  return applyAgents.reply.parse(JSON.parse(await textOf(agents.apply(request, adminOf(team)))));
};

export type Saying = {
  readonly agent?: string;
  readonly conversationId?: string | undefined;
  readonly key?: string;
  readonly accept?: string;
  readonly draft?: boolean;
  readonly context?: AnnouncingContext;
};

export const post = ({ door }: Replica, team: string, message: string, saying: Saying = {}) => {
  const { agent = 'analyst', conversationId, key, accept, draft = false, context = callerOf(team) } = saying;
  const request = converse.request.parse({
    ...{ agent_id: agent, draft, accept, idempotencyKey: key },
    message: { message, ...(conversationId !== undefined && { conversationId }) },
  });
  return door.converse(request, context);
};

/** What the agent answers; throws when it failed. */
export const say = async (replica: Replica, team: string, message: string, saying?: Saying): Promise<ChatResponse> =>
  converse.reply.schema.parse(JSON.parse(await textOf(post(replica, team, message, saying))));

type Bytes = { readonly body: Uint8Array | AsyncIterable<Uint8Array> };

/** The whole body; throws when it failed. */
export const textOf = async (answer: Promise<Result<Bytes>>): Promise<string> => {
  const { body } = valueOf(await answer);
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  let text = '';
  for await (const piece of body) text += Buffer.from(piece).toString();
  return text;
};

/** Throws when it failed. */
export const valueOf = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};

/** Undefined when there is none. */
export const failureOf = async (answer: Promise<Result<unknown>>): Promise<Failure | undefined> => {
  const result = await answer;
  return result.ok ? undefined : result.failure;
};

/** Something that a spec lets happen when it wants. */
export const gate = <T = void>() => {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { opened: promise, open: resolve };
};

/** What `begin` starts waits in the model until it is opened; whatever is asked later is answered at once. */
export const waitInModel = async <T>({ model }: Pick<Trial, 'model'>, begin: () => T) => {
  const begun = gate();
  const { opened, open } = gate();
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
