/** What specs of this service need: a database, replicas as the service has them, assets, and callers. */
import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Caller, ReplyOf } from '@tessera/contracts';
import {
  type AgentToolsAssetDefinition,
  applyAssets,
  callTool,
  type ToolDefinition,
} from '@tessera/contracts/tool-gateway';
import type { Result } from '@tessera/failures';
import { type AnnouncingContext, OperationClient } from '@tessera/messaging';
import { EventPublishTrigger, ServiceModule } from '@tessera/service-kit';
import { createTestProcess } from '@tessera/service-kit/testing';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import { AssetsHandler } from '../assets/assets.handler.js';
import { Assets } from '../assets/assets.js';
import { CallLog } from '../calls/call-log.repository.js';
import { CallToolHandler } from '../calls/call-tool.handler.js';
import { ListCallsHandler } from '../calls/list-calls.handler.js';
import { ToolCalls } from '../calls/tool-calls.js';
import { Pools } from '../database.module.js';
import { toolGatewaySettings } from '../settings.js';
import { createFakeServices, type FakeServices } from './fake-services.js';
import { ToolGatewayModule } from '../tool-gateway.module.js';
import { AssetTools } from '../tools/asset-tools.js';
import type { Services } from '../tools/call-service.js';
import { ListToolsHandler } from '../tools/list-tools.handler.js';
import { ListToolNamesHandler } from '../tools/name-tools.handler.js';

export type Replica = {
  readonly runtime: {
    readonly pools: Pools;
    readonly assets: Assets;
    readonly tools: AssetTools;
    readonly calls: ToolCalls;
    readonly log: CallLog;
  };
  readonly assets: AssetsHandler;
  readonly door: CallToolHandler;
  readonly lists: ListToolsHandler;
  readonly names: ListToolNamesHandler;
  readonly log: ListCallsHandler;
  readonly metrics: () => Promise<string>;
  readonly stop: () => Promise<void>;
};

export type TestReplicas = {
  readonly database: TestDatabase;
  readonly services: FakeServices;
  readonly replicas: readonly [Replica, Replica];
  /** A further one, which its spec stops. */
  readonly open: () => Promise<Replica>;
  readonly end: () => Promise<void>;
};

/** The module of the service with the services behind it faked. Events stay in the outbox, jobs do not run. */
export const compileTestModule = async (databaseUrl: string, services: Services, environment: Environment = {}) => {
  const service = createTestProcess(
    'tool-gateway',
    toolGatewaySettings.parse({ DATABASE_URL: databaseUrl, ...environment }),
  );
  const module = await Test.createTestingModule({ imports: [ServiceModule.forRoot(service), ToolGatewayModule] })
    .overrideProvider(OperationClient)
    .useValue(Object.assign(services, { close: async () => undefined }))
    .overrideProvider(EventPublishTrigger)
    .useValue({ wake: () => undefined })
    .compile();
  return { module, metrics: service.metrics };
};

type Environment = Readonly<Record<string, string>>;

const openReplica = async (databaseUrl: string, services: FakeServices, environment: Environment): Promise<Replica> => {
  const { module, metrics } = await compileTestModule(databaseUrl, services, environment);
  return {
    runtime: {
      pools: module.get(Pools),
      assets: module.get(Assets),
      tools: module.get(AssetTools),
      calls: module.get(ToolCalls),
      log: module.get(CallLog),
    },
    assets: module.get(AssetsHandler),
    door: module.get(CallToolHandler),
    lists: module.get(ListToolsHandler),
    names: module.get(ListToolNamesHandler),
    log: module.get(ListCallsHandler),
    metrics: () => metrics.registry.metrics(),
    stop: () => module.close(),
  };
};

export const openTestReplicas = async (environment: Environment = {}): Promise<TestReplicas> => {
  Logger.overrideLogger(false);
  const database = await createTestDatabase();
  const services = createFakeServices();
  const open = () => openReplica(database.urlFor('tool-gateway'), services, environment);
  const replicas = [await open(), await open()] as const;
  return {
    database,
    services,
    replicas,
    open,
    end: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await database.drop();
    },
  };
};

/** Somebody of the team who may call every tool. */
export const createContext = (team: string, more: Partial<Caller> = {}): AnnouncingContext => ({
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

export const createAdminContext = (team: string): AnnouncingContext =>
  createContext(team, { subject: 'admin', scopes: ['admin'] });

export const loadDataTool = { kind: 'load-data', id: 'load-data', knowledgeModel: 'p2p' } as const;

export const createAssetDefinition = (
  id: string,
  tools: readonly ToolDefinition[] = [loadDataTool],
  more: Partial<AgentToolsAssetDefinition> = {},
): AgentToolsAssetDefinition => ({ kind: 'AgentToolsAsset', id, tools: [...tools], ...more });

type ApplyOptions = { readonly mode?: 'publish' | 'draft' | 'check'; readonly idempotencyKey?: string };

export const applyOnReplica = (
  { assets }: Replica,
  team: string,
  definitions: readonly AgentToolsAssetDefinition[],
  { mode = 'publish', idempotencyKey }: ApplyOptions = {},
) =>
  assets.apply(
    applyAssets.request.parse({ team, apply: { definitions, mode }, ...(idempotencyKey && { idempotencyKey }) }),
    createAdminContext(team),
  );

/** Throws when it was refused. */
export const applyOrThrow = async (
  replica: Replica,
  team: string,
  definitions: readonly AgentToolsAssetDefinition[],
  options?: ApplyOptions,
): Promise<ReplyOf<typeof applyAssets>> =>
  applyAssets.reply.parse(await unwrapResult(applyOnReplica(replica, team, definitions, options)));

/** Throws when it failed. */
export const unwrapResult = async (answer: Promise<Result<unknown>>): Promise<unknown> => {
  const result = await answer;
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  const { value } = result;
  return isReply(value) ? JSON.parse(Buffer.from(value.body).toString()) : value;
};

const isReply = (value: unknown): value is { readonly body: Uint8Array } =>
  typeof value === 'object' && value !== null && 'body' in value && value.body instanceof Uint8Array;

/** The failure; undefined when there is none. */
export const readFailure = async (answer: Promise<Result<unknown>>) => {
  const result = await answer;
  return result.ok ? undefined : result.failure;
};

type CallOptions = { readonly draft?: boolean; readonly context?: AnnouncingContext };

export const callOnReplica = (
  { door }: Replica,
  team: string,
  place: string,
  arguments_?: unknown,
  { draft = false, context = createContext(team) }: CallOptions = {},
) => {
  const [asset_id = '', tool_id = 'load-data'] = place.split('/');
  return door.call(callTool.request.parse({ asset_id, tool_id, draft, arguments: arguments_ }), context);
};
