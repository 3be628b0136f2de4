/**
 * The Model Context Protocol as the gateway calls it: the handler behind a real NATS, calls on a real PostgreSQL, assets of a
 * spec beside those of the service.
 */
import { type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import type { ByteReply, CallFrame, Scope } from '@tessera/contracts';
import { exchangeMcp } from '@tessera/contracts/tool-gateway';
import { fail, type Result, succeed } from '@tessera/failures';
import { connectNats, NatsOperations, OperationClient, silentLog } from '@tessera/messaging';
import { createPool } from '@tessera/persistence';
import { createTestDatabase, startTestNats } from '@tessera/testing';
import { Assets, type AssetVersion } from '../../assets/assets.js';
import { ToolCalls } from '../../calls/tool-calls.js';
import { McpHandler } from '../mcp.handler.js';
import { compileTestModule } from '../../testing/test-replicas.js';
import { AssetTools } from '../../tools/asset-tools.js';

export type TestRequest = {
  readonly asset?: string;
  readonly team?: string;
  readonly scopes?: readonly Scope[];
  readonly message: unknown;
  readonly accept?: string;
  readonly contentType?: string | undefined;
  readonly protocolVersion?: string | undefined;
  readonly methodHeader?: string | undefined;
  readonly nameHeader?: string | undefined;
  readonly leaving?: AbortSignal;
};

export type McpEndpoint = {
  /** Rows of a statement by somebody who may read everything. */
  readonly rows: (statement: string, ...values: readonly unknown[]) => Promise<readonly object[]>;
  /** `message`: a text is sent as it is. */
  readonly exchange: (request: TestRequest) => Promise<Result<ByteReply>>;
  readonly stop: () => Promise<void>;
};

class AssetsOfSpec extends Assets {
  constructor(
    private readonly own: readonly AssetVersion[],
    private readonly others: Assets,
  ) {
    super();
  }

  override find(team: string, assetId: string, isDraft: boolean): Promise<Result<AssetVersion>> {
    const found = this.own.find((asset) => asset.assetId === assetId);
    return found ? Promise.resolve(succeed(found)) : this.others.find(team, assetId, isDraft);
  }

  override list(team: string): Promise<Result<readonly AssetVersion[]>> {
    return this.others.list(team);
  }

  override freshForMs(team: string, asset: AssetVersion): number {
    return this.others.freshForMs(team, asset);
  }
}

/** `own`: assets of every team. */
export const openMcpEndpoint = async (
  own: readonly AssetVersion[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<McpEndpoint> => {
  const [database, nats] = await Promise.all([createTestDatabase(), startTestNats()]);
  const services = { call: () => Promise.resolve(fail('SERVICE_UNAVAILABLE', 'Nobody is there.')) };
  const { module } = await compileTestModule(database.urlFor('tool-gateway'), services, environment);
  const stopService = await serve(nats.urlFor('tool-gateway'), module, new AssetsOfSpec(own, module.get(Assets)));
  const link = connectNats({ url: nats.urlFor('gateway'), service: 'gateway', log: silentLog });
  const client = new OperationClient({ link });
  await link.whenConnected(connectWithinMs);
  const reader = createPool({ ...readerOptions, url: database.adminUrl });
  return {
    rows: async (statement, ...values) => (await reader.query<object>(statement, [...values])).rows,
    exchange: (request) => client.call(exchangeMcp, requestOf(request), frameOf(request), request.leaving),
    stop: async () => {
      await client.close(0);
      await link.close();
      await stopService();
      await module.close();
      await reader.end();
      await Promise.all([nats.stop(), database.drop()]);
    },
  };
};

const readerOptions = {
  applicationName: 'spec',
  connectionsMax: 1,
  statementTimeoutMs: 60_000,
  connectTimeoutMs: 60_000,
  onIdleError: () => undefined,
};

/** Ends what hangs. */
const connectWithinMs = 60_000;

@Module({})
class EndpointModule {}

const serve = async (url: string, module: TestingModule, assets: Assets): Promise<() => Promise<void>> => {
  const link = connectNats({ url, service: 'tool-gateway', log: silentLog });
  const operations = new NatsOperations({ link, service: 'tool-gateway', log: silentLog });
  const providers = [
    { provide: Assets, useValue: assets },
    { provide: AssetTools, useValue: module.get(AssetTools) },
    { provide: ToolCalls, useValue: module.get(ToolCalls) },
  ];
  const app: INestMicroservice = await NestFactory.createMicroservice(
    { module: EndpointModule, controllers: [McpHandler], providers },
    { strategy: operations, logger: false },
  );
  await app.listen();
  await link.whenConnected(connectWithinMs);
  await link.connection?.flush();
  return async () => {
    await operations.close();
    await link.close();
    await app.close();
  };
};

const requestOf = ({ asset = 'mcp-conformance', message, ...headers }: TestRequest) =>
  exchangeMcp.request.parse({
    asset_id: asset,
    message: typeof message === 'string' ? message : JSON.stringify(message),
    accept: headers.accept,
    contentType: 'contentType' in headers ? headers.contentType : 'application/json',
    protocolVersion: headers.protocolVersion,
    methodHeader: headers.methodHeader,
    nameHeader: headers.nameHeader,
  });

const frameOf = ({ team = 'meridian', scopes = ['tools:execute'] }: TestRequest): CallFrame => ({
  caller: { team, subject: 'tester', scopes },
  requestId: 'request-1',
  deadlineMs: Date.now() + 600_000,
  publicUrl: 'https://tessera.example',
});
