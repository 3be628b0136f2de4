import { Module, type Provider } from '@nestjs/common';
import { OperationClient } from '@tessera/messaging';
import { assetWindows, openOutbox, rateWindows } from '@tessera/persistence';
import { openLimiter, RateLimiter } from '@tessera/rate-limit';
import { EventsModule, type Log, logToken, type Metrics, metricsToken, settingsToken } from '@tessera/service-kit';
import { AssetsHandler } from './assets/assets.handler.js';
import { Assets, StoredAssets } from './assets/assets.js';
import { CallLog } from './calls/call-log.js';
import { PurgeOldCalls } from './calls/call-log.repository.js';
import { CallToolHandler } from './calls/call-tool.handler.js';
import { ListCallsHandler } from './calls/list-calls.handler.js';
import { ToolCalls } from './calls/tool-calls.js';
import { DatabaseModule, Pools } from './database.module.js';
import { type RequestOptions, requestOptions, requestOptionsToken } from './http-request/request-context.js';
import { AssetsWithFixtures } from './mcp/fixtures/fixture-asset.js';
import { McpHandler } from './mcp/mcp.handler.js';
import type { Settings } from './settings.js';
import { AssetTools, VisibleModels } from './tools/asset-tools.js';
import { ListToolsHandler } from './tools/list-tools.handler.js';
import { makeTool } from './tools/make-tools.js';
import { NameToolsHandler } from './tools/name-tools.handler.js';

const tools: readonly Provider[] = [
  { provide: requestOptionsToken, inject: [settingsToken], useFactory: requestOptions },
  {
    provide: VisibleModels,
    inject: [OperationClient],
    useFactory: (services: OperationClient) => new VisibleModels(services),
  },
  {
    provide: Assets,
    inject: [settingsToken, Pools, OperationClient, VisibleModels, requestOptionsToken],
    useFactory: (
      { TOOL_CALLS_PER_MINUTE: callsPerMinute, MCP_FIXTURE_ASSET }: Settings,
      { light: pool }: Pools,
      services: OperationClient,
      models: VisibleModels,
      requests: RequestOptions,
    ): Assets => {
      const stored = new StoredAssets({
        ...{ pool, callsPerMinute },
        makeTool: (definition, team) => makeTool(definition, team, { services, models, requests }),
      });
      return MCP_FIXTURE_ASSET ? new AssetsWithFixtures(stored, { callsPerMinute }) : stored;
    },
  },
  { provide: AssetTools, inject: [VisibleModels], useFactory: (models: VisibleModels) => new AssetTools(models) },
];

const calls: readonly Provider[] = [
  {
    provide: RateLimiter,
    inject: [Pools, logToken, metricsToken],
    useFactory: ({ light }: Pools, log: Log, { registry }: Metrics): RateLimiter => {
      const { limiter, stop } = openLimiter(rateWindows(light, assetWindows), log, registry);
      // Leases are given back while the database is still spoken to.
      return Object.assign(limiter, { beforeApplicationShutdown: stop });
    },
  },
  { provide: CallLog, inject: [Pools], useFactory: ({ log }: Pools) => new CallLog(log) },
  {
    provide: ToolCalls,
    inject: [Pools, CallLog, RateLimiter, metricsToken],
    useFactory: ({ log: pool }: Pools, log: CallLog, limiter: RateLimiter, { durations }: Metrics) => {
      const labels = ['kind', 'outcome'];
      const recordDuration = durations(
        'tessera_tool_call_duration_seconds',
        'Calls of tools, by kind and outcome.',
        labels,
      );
      return new ToolCalls({ pool, log, limiter, recordDuration });
    },
  },
];

@Module({
  imports: [
    DatabaseModule,
    EventsModule.forRootAsync({
      inject: [settingsToken],
      useFactory: ({ DATABASE_URL }: Settings) => openOutbox('tool-gateway', DATABASE_URL),
    }),
  ],
  controllers: [CallToolHandler, ListToolsHandler, NameToolsHandler, McpHandler, AssetsHandler, ListCallsHandler],
  providers: [...tools, ...calls, PurgeOldCalls],
})
export class ToolGatewayModule {}
