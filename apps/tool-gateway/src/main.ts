/** Starts the service of assets, tools, calls and their log. */
import { isDatabaseUp, openOutbox } from '@tessera/persistence';
import { publishEvents, runService } from '@tessera/service-kit';
import { keepForgettingCalls } from './calls/forget-calls.js';
import { closePools, openPools } from './database/pools.js';
import { openRuntime } from './runtime.js';
import { settings } from './settings.js';
import { ToolGatewayModule } from './tool-gateway.module.js';

await runService({
  name: 'tool-gateway',
  settings,
  module: (service) => {
    const { configuration, log, metrics, health, client, onStop } = service;
    const pools = openPools(configuration, (error) => log.warn({ err: error }, 'an idle database connection broke'));
    health.register('database', () => isDatabaseUp(pools.light));
    const runtime = openRuntime({ settings: configuration, pools, services: client, log, metrics });
    // Leases are given back while the database is still spoken to.
    onStop('publishing', runtime.stop);
    onStop('resources', () => closePools(pools));
    const events = publishEvents(service, openOutbox('tool-gateway', configuration.DATABASE_URL));
    keepForgettingCalls(service, pools.log);
    return ToolGatewayModule.with(runtime, events);
  },
});
