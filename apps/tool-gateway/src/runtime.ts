/**
 * What calls of tools run on: assets, their tools, limits and the log, made once for each process.
 * Refuses: to serve operations; the handlers do.
 */
import { rateWindows, assetWindows } from '@tessera/persistence';
import { openLimiter } from '@tessera/rate-limit';
import type { Log, Metrics } from '@tessera/service-kit';
import type { Assets } from './assets/assets.js';
import { StoredAssets } from './assets/stored-assets.js';
import { CallLog } from './calls/call-log.js';
import { ToolCalls } from './calls/tool-calls.js';
import type { Pools } from './database/pools.js';
import { requestSurroundings } from './http-request/surroundings.js';
import { AssetsWithFixtures } from './mcp/fixtures/assets-with-fixtures.js';
import type { Settings } from './settings.js';
import { AssetTools } from './tools/asset-tools.js';
import { makeTool, type ToolSurroundings } from './tools/make-tools.js';
import { SeenModels } from './tools/seen-models.js';
import type { Services } from './tools/service-answer.js';

/** Injection token of `Runtime`. */
export const runtimeToken = Symbol('runtime');

export type Surroundings = {
  readonly settings: Settings;
  readonly pools: Pools;
  readonly services: Services;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry' | 'durations'>;
};

export type Runtime = {
  readonly pools: Pools;
  readonly services: Services;
  readonly assets: Assets;
  readonly tools: AssetTools;
  readonly calls: ToolCalls;
  readonly requests: ToolSurroundings['requests'];
  readonly stop: () => Promise<void>;
};

export const openRuntime = ({ settings, pools, services, log, metrics }: Surroundings): Runtime => {
  const models = new SeenModels(services);
  const requests = requestSurroundings(settings);
  const callsPerMinute = settings.TOOL_CALLS_PER_MINUTE;
  const stored = new StoredAssets({
    pool: pools.light,
    makeTool: (definition, team) => makeTool(definition, team, { services, models, requests }),
    callsPerMinute,
  });
  const { limiter, stop } = openLimiter(rateWindows(pools.light, assetWindows), log, metrics.registry);
  const took = metrics.durations('tessera_tool_call_duration_seconds', 'Calls of tools, by kind and outcome.', [
    'kind',
    'outcome',
  ]);
  return {
    pools,
    services,
    assets: settings.MCP_FIXTURE_ASSET ? new AssetsWithFixtures(stored, { callsPerMinute }) : stored,
    tools: new AssetTools(models),
    calls: new ToolCalls({ pool: pools.log, log: new CallLog(pools.log), limiter, took }),
    requests,
    stop,
  };
};
