import { Module, type Provider } from '@nestjs/common';
import { OperationClient } from '@tessera/messaging';
import { assetWindowTable, openOutbox, createRateWindows } from '@tessera/persistence';
import { openRateLimiter, RateLimiter } from '@tessera/rate-limit';
import { EventsModule, type Log, logToken, type Metrics, metricsToken, settingsToken } from '@tessera/service-kit';
import { AssetsHandler } from './assets/assets.handler.js';
import { Assets, StoredAssets } from './assets/assets.js';
import { CallLog, CallLogMaintenance } from './calls/call-log.repository.js';
import { CallToolHandler } from './calls/call-tool.handler.js';
import { ListCallsHandler } from './calls/list-calls.handler.js';
import { ToolCalls } from './calls/tool-calls.js';
import { DatabaseModule, Pools } from './database.module.js';
import { type RequestOptions, toRequestOptions, requestOptionsToken } from './http-request/request-context.js';
import { AssetsWithFixtures } from './mcp/fixtures/fixture-asset.js';
import { McpHandler } from './mcp/mcp.handler.js';
import type { Settings } from './settings.js';
import { AssetTools, VisibleModelCache } from './tools/asset-tools.js';
import { ListToolsHandler } from './tools/list-tools.handler.js';
import { createToolSource } from './tools/make-tools.js';
import { ListToolNamesHandler } from './tools/name-tools.handler.js';

const toolProviders: readonly Provider[] = [
  { provide: requestOptionsToken, inject: [settingsToken], useFactory: toRequestOptions },
  {
    provide: VisibleModelCache,
    inject: [OperationClient],
    useFactory: (services: OperationClient) => new VisibleModelCache(services),
  },
  {
    provide: Assets,
    inject: [settingsToken, Pools, OperationClient, VisibleModelCache, requestOptionsToken],
    useFactory: (
      { TOOL_CALLS_PER_MINUTE: callsPerMinute, MCP_FIXTURE_ASSET }: Settings,
      { light: pool }: Pools,
      services: OperationClient,
      models: VisibleModelCache,
      requests: RequestOptions,
    ): Assets => {
      const stored = new StoredAssets({
        ...{ pool, callsPerMinute },
        makeTool: (definition, team) => createToolSource(definition, team, { services, models, requests }),
      });
      return MCP_FIXTURE_ASSET ? new AssetsWithFixtures(stored, { callsPerMinute }) : stored;
    },
  },
  {
    provide: AssetTools,
    inject: [VisibleModelCache],
    useFactory: (models: VisibleModelCache) => new AssetTools(models),
  },
];

const callProviders: readonly Provider[] = [
  {
    provide: RateLimiter,
    inject: [Pools, logToken, metricsToken],
    useFactory: ({ light }: Pools, log: Log, { registry }: Metrics): RateLimiter => {
      const { limiter, stop } = openRateLimiter(createRateWindows(light, assetWindowTable), log, registry);
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
  controllers: [CallToolHandler, ListToolsHandler, ListToolNamesHandler, McpHandler, AssetsHandler, ListCallsHandler],
  providers: [...toolProviders, ...callProviders, CallLogMaintenance],
})
export class ToolGatewayModule {}
