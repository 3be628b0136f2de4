/** What specs of this service need: a database, replicas as the service has them, assets, and callers. */
import { Logger } from '@nestjs/common';
import type { Caller, ReplyOf } from '@tessera/contracts';
import {
  applyAssets,
  callTool,
  type AgentToolsAssetDefinition,
  type ToolDefinition,
} from '@tessera/contracts/tool-gateway';
import type { Result } from '@tessera/failures';
import type { AnnouncingContext } from '@tessera/messaging';
import { makeMetrics, openLog, type EventPublishing } from '@tessera/service-kit';
import { testDatabase, type TestDatabase } from '@tessera/testing';
import { AssetsHandler } from '../assets/assets.handler.js';
import { CallToolHandler } from '../calls/call-tool.handler.js';
import { ListCallsHandler } from '../calls/list-calls.handler.js';
import { closePools, openPools } from '../database/pools.js';
import { openRuntime, type Runtime } from '../runtime.js';
import { settings } from '../settings.js';
import { ListToolsHandler } from '../tools/list-tools.handler.js';
import { NameToolsHandler } from '../tools/name-tools.handler.js';
import { trialServices, type TrialServices } from './trial-services.js';

export type Replica = {
  readonly runtime: Runtime;
  readonly assets: AssetsHandler;
  readonly door: CallToolHandler;
  readonly lists: ListToolsHandler;
  readonly names: NameToolsHandler;
  readonly log: ListCallsHandler;
  readonly metrics: () => Promise<string>;
  readonly stop: () => Promise<void>;
};

export type Trial = {
  readonly database: TestDatabase;
  readonly services: TrialServices;
  readonly replicas: readonly [Replica, Replica];
  readonly end: () => Promise<void>;
};

/** Events stay in the outbox. */
export const unpublishedEvents: EventPublishing = { wake: () => undefined };

export const openReplica = (
  databaseUrl: string,
  services: TrialServices,
  environment: Readonly<Record<string, string>> = {},
): Replica => {
  const configuration = settings.parse({ DATABASE_URL: databaseUrl, ...environment });
  const pools = openPools(configuration, () => undefined);
  const metrics = makeMetrics('tool-gateway');
  const { log } = openLog('tool-gateway', 'silent');
  const runtime = openRuntime({ settings: configuration, pools, services, log, metrics });
  return {
    runtime,
    assets: new AssetsHandler(runtime, unpublishedEvents),
    door: new CallToolHandler(runtime.assets, runtime.tools, runtime.calls),
    lists: new ListToolsHandler(runtime.assets, runtime.tools),
    names: new NameToolsHandler(runtime),
    log: new ListCallsHandler(runtime),
    metrics: () => metrics.registry.metrics(),
    stop: async () => {
      await runtime.stop();
      await closePools(pools);
    },
  };
};

export const openTrial = async (environment: Readonly<Record<string, string>> = {}): Promise<Trial> => {
  Logger.overrideLogger(false);
  const database = await testDatabase();
  const services = trialServices();
  const url = database.urlFor('tool-gateway');
  const replicas = [openReplica(url, services, environment), openReplica(url, services, environment)] as const;
  return {
    database,
    services,
    replicas,
    end: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await database.drop();
    },
  };
};

/** Somebody of the team who may call every tool. */
export const callerOf = (team: string, more: Partial<Caller> = {}): AnnouncingContext => ({
  caller: {
    team,
    subject: 'tester',
    scopes: ['tools:execute', 'knowledge-models:read', 'content:read'],
    ...more,
  },
  requestId: 'request-1',
  deadlineMs: Date.now() + 30_000,
  publicUrl: 'https://tessera.example:8443',
  signal: new AbortController().signal,
  announceEffect: async () => undefined,
});

export const adminOf = (team: string): AnnouncingContext => callerOf(team, { subject: 'admin', scopes: ['admin'] });

export const loadTool = { kind: 'load-data', id: 'load-data', knowledgeModel: 'p2p' } as const;

export const assetOf = (
  id: string,
  tools: readonly ToolDefinition[] = [loadTool],
  more: Partial<AgentToolsAssetDefinition> = {},
): AgentToolsAssetDefinition => ({ kind: 'AgentToolsAsset', id, tools: [...tools], ...more });

type ApplyOptions = { readonly mode?: 'publish' | 'draft' | 'check'; readonly idempotencyKey?: string };

export const apply = (
  { assets }: Replica,
  team: string,
  definitions: readonly AgentToolsAssetDefinition[],
  { mode = 'publish', idempotencyKey }: ApplyOptions = {},
) =>
  assets.apply(
    applyAssets.request.parse({ team, apply: { definitions, mode }, ...(idempotencyKey && { idempotencyKey }) }),
    adminOf(team),
  );

/** Throws when it was refused. */
export const applied = async (
  replica: Replica,
  team: string,
  definitions: readonly AgentToolsAssetDefinition[],
  options?: ApplyOptions,
): Promise<ReplyOf<typeof applyAssets>> =>
  applyAssets.reply.parse(await answered(apply(replica, team, definitions, options)));

/** Throws when it failed. */
export const answered = async (answer: Promise<Result<unknown>>): Promise<unknown> => {
  const result = await answer;
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  const { value } = result;
  return isReply(value) ? JSON.parse(Buffer.from(value.body).toString()) : value;
};

const isReply = (value: unknown): value is { readonly body: Uint8Array } =>
  typeof value === 'object' && value !== null && 'body' in value && value.body instanceof Uint8Array;

/** The failure; undefined when there is none. */
export const failureOf = async (answer: Promise<Result<unknown>>) => {
  const result = await answer;
  return result.ok ? undefined : result.failure;
};

export type CallOptions = { readonly draft?: boolean; readonly context?: AnnouncingContext };

export const call = (
  { door }: Replica,
  team: string,
  place: string,
  arguments_?: unknown,
  { draft = false, context = callerOf(team) }: CallOptions = {},
) => {
  const [asset_id = '', tool_id = 'load-data'] = place.split('/');
  return door.call(callTool.request.parse({ asset_id, tool_id, draft, arguments: arguments_ }), context);
};
