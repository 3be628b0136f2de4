/** The service as it runs, over real NATS: every operation has its handler, calls cross to the owner of the data. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Operation, RequestOf } from '@tessera/contracts';
import { describeModelForTools, loadData, listModelNames } from '@tessera/contracts/knowledge-models';
import * as contracts from '@tessera/contracts/tool-gateway';
import { succeed } from '@tessera/failures';
import {
  connectNats,
  NatsOperations,
  OperationClient,
  type OperationContext,
  Serves,
  silentLog,
} from '@tessera/messaging';
import { ServiceModule } from '@tessera/service-kit';
import { createTestProcess } from '@tessera/service-kit/testing';
import {
  waitUntil,
  findOperations,
  createTestDatabase,
  type TestDatabase,
  startTestNats,
  type TestNats,
} from '@tessera/testing';
import { toolGatewaySettings } from './settings.js';
import { oneRowPage } from './testing/fake-services.js';
import { testModel } from './testing/test-model.js';
import { createAdminContext, unwrapResult, createAssetDefinition, createContext } from './testing/test-replicas.js';
import { ToolGatewayModule } from './tool-gateway.module.js';

@Controller()
class FakeModelsHandler {
  @Serves(describeModelForTools)
  async describe(_request: RequestOf<typeof describeModelForTools>) {
    return succeed({ key: 'k', model: testModel });
  }

  @Serves(listModelNames)
  async names(_request: RequestOf<typeof listModelNames>) {
    return succeed({ published: ['p2p'], drafts: [] });
  }

  @Serves(loadData)
  async load({ arguments: { columns } }: RequestOf<typeof loadData>, { caller }: OperationContext) {
    const body = Buffer.from(JSON.stringify({ ...oneRowPage, total: columns.length, page: caller.team.length }));
    return succeed({ contentType: 'application/json; charset=utf-8', body });
  }
}

@Module({ controllers: [FakeModelsHandler] })
class FakeModelsModule {}

@Module({})
class RootModule {}

let database: TestDatabase;
let nats: TestNats;
let client: OperationClient;
const ends: (() => Promise<unknown>)[] = [];

const serve = async (
  service: 'tool-gateway' | 'knowledge-models',
  module: Parameters<typeof NestFactory.createMicroservice>[0],
  link = linkOf(service),
) => {
  const strategy = new NatsOperations({ link, service, log: silentLog });
  const app = await NestFactory.createMicroservice(module, { strategy, logger: false });
  await app.listen();
  await link.whenConnected(60_000);
  await link.connection?.flush();
  ends.unshift(() => app.close());
};

const linkOf = (service: 'gateway' | 'tool-gateway' | 'knowledge-models') => {
  const link = connectNats({ url: nats.urlFor(service), service, log: silentLog });
  ends.push(() => link.close());
  return link;
};

beforeAll(async () => {
  [database, nats] = await Promise.all([createTestDatabase(), startTestNats()]);
  const link = linkOf('tool-gateway');
  const service = createTestProcess(
    'tool-gateway',
    toolGatewaySettings.parse({ DATABASE_URL: database.urlFor('tool-gateway') }),
    link,
  );
  await serve('knowledge-models', FakeModelsModule);
  await serve(
    'tool-gateway',
    { module: RootModule, imports: [ServiceModule.forRoot(service), ToolGatewayModule] },
    link,
  );
  const gateway = linkOf('gateway');
  client = new OperationClient({ link: gateway });
  await gateway.whenConnected(60_000);
});
afterAll(async () => {
  for (const end of ends) await end();
  await nats?.stop();
  await database?.drop();
});

it('the tool gateway publishes an asset, calls its tool as the caller, and writes the event', async () => {
  const definitions = [createAssetDefinition('p2p')];
  const apply = contracts.applyAssets.request.parse({ team: 'meridian', apply: { definitions } });
  await unwrapResult(client.call(contracts.applyAssets, apply, createAdminContext('meridian')));
  const call = { asset_id: 'p2p', tool_id: 'load-data', draft: false, arguments: { columns: ['ORDER.NO'] } };
  const result = await unwrapResult(client.call(contracts.callTool, call, createContext('meridian')));
  expect(result).toEqual({ ...oneRowPage, total: 1, page: 'meridian'.length });
  await waitUntil(async () => (await nats.storedEvents()).length === 1);
  expect((await nats.storedEvents())[0]?.subject).toBe('evt.tool-gateway.meridian.tools.asset.published');
});

it('the tool gateway has a handler for each of its operations', async () => {
  const operations: readonly Operation[] = [
    ...findOperations(contracts),
    ...[contracts.listToolNames, contracts.callToolForAgent],
  ];
  expect(operations.length).toBeGreaterThan(5);
  for (const operation of operations) {
    const answer = await client.call(operation, {}, { ...createContext('meridian'), deadlineMs: Date.now() + 30_000 });
    expect([operation.name, answer.ok ? 'ok' : answer.failure.code]).not.toEqual([
      operation.name,
      'SERVICE_UNAVAILABLE',
    ]);
  }
});

it('the tool gateway answers each operation with 503 while the database is away, and recovers', async () => {
  const definitions = [createAssetDefinition('p2p')];
  const call = { asset_id: 'p2p', tool_id: 'load-data', arguments: { columns: ['ORDER.NO'] } };
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const requests: Readonly<Record<string, object>> = {
    [contracts.callTool.name]: call,
    [contracts.callToolForAgent.name]: call,
    [contracts.listTools.name]: { asset_id: 'p2p' },
    [contracts.exchangeMcp.name]: {
      ...{ asset_id: 'p2p', message, contentType: 'application/json', accept: 'application/json' },
    },
    [contracts.applyAssets.name]: { team: 'meridian', apply: { definitions }, idempotencyKey: 'away' },
    [contracts.exportAssets.name]: { team: 'meridian' },
    [contracts.deleteAsset.name]: { team: 'meridian', assetId: 'nothing' },
    [contracts.listCalls.name]: { team: 'meridian' },
    [contracts.listOwnCalls.name]: {},
    [contracts.listAssets.name]: {},
    [contracts.listToolNames.name]: { team: 'meridian' },
  };
  const operations: readonly Operation[] = [
    ...findOperations(contracts),
    ...[contracts.listToolNames, contracts.callToolForAgent],
  ];
  const outcomes = () =>
    Promise.all(
      operations.map(async (operation) => {
        const caller = operation.scope === 'admin' ? createAdminContext('meridian') : createContext('meridian');
        const request = operation.request.parse(requests[operation.name]);
        const answer = await client.call(operation, request, { ...caller, deadlineMs: Date.now() + 30_000 });
        return [operation.name, answer.ok ? 'ok' : [answer.failure.code, answer.failure.retryAfterSeconds]];
      }),
    );
  const { unblock } = await database.blockConnections();
  // What was read of definitions within the last second needs no database.
  await waitUntil(async () => (await outcomes()).every(([, outcome]) => outcome !== 'ok'));
  expect(await outcomes()).toEqual(operations.map(({ name }) => [name, ['SERVICE_UNAVAILABLE', 1]]));
  await unblock();
  const back = new Map((await outcomes()).map(([name, outcome]) => [name, outcome]));
  expect(back.get(contracts.callTool.name)).toBe('ok');
  expect([...back.values()].flat()).not.toContain('SERVICE_UNAVAILABLE');
});
