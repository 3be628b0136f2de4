/** Starts the service of assets, tools, calls and their log. */
import { databaseFailure, openOutbox, openServiceDatabase, poolFigures } from '@tessera/persistence';
import { publishEvents, runService, registerPoolMetrics } from '@tessera/service-kit';
import { keepForgettingCalls } from './calls/forget-calls.js';
import { closePools, openPools } from './database/pools.js';
import { openRuntime } from './runtime.js';
import { settings } from './settings.js';
import { ToolGatewayModule } from './tool-gateway.module.js';

await runService({
  name: 'tool-gateway',
  settings,
  calls: ['knowledge-models', 'content-repo'],
  database: ({ DATABASE_URL }) => openServiceDatabase('tool-gateway', DATABASE_URL),
  failureOf: databaseFailure,
  module: (service) => {
    const { configuration, log, metrics, client, onStop } = service;
    const pools = openPools(configuration, (error) => log.warn({ err: error }, 'an idle database connection broke'));
    const runtime = openRuntime({ settings: configuration, pools, services: client, log, metrics });
    // Leases are given back while the database is still spoken to.
    onStop('publishing', runtime.stop);
    onStop('resources', () => closePools(pools));
    registerPoolMetrics(metrics, poolFigures);
    const events = publishEvents(service, openOutbox('tool-gateway', configuration.DATABASE_URL));
    keepForgettingCalls(service, pools.log);
    return ToolGatewayModule.with(runtime, events);
  },
});
