/** Starts the service of agents and conversations. */
import { isDatabaseUp, openOutbox } from '@tessera/persistence';
import { publishEvents, runService } from '@tessera/service-kit';
import { AgentsModule } from './agents.module.js';
import { closePools, openPools } from './database/pools.js';
import { openRuntime } from './runtime.js';
import { settings } from './settings.js';

await runService({
  name: 'agents',
  settings,
  module: (service) => {
    const { configuration, log, metrics, health, client, onStop } = service;
    const pools = openPools(configuration, (error) => log.warn({ err: error }, 'an idle database connection broke'));
    health.register('database', () => isDatabaseUp(pools.light));
    const runtime = openRuntime({ settings: configuration, pools, services: client, log, metrics });
    onStop('serving', runtime.stop);
    onStop('resources', () => closePools(pools));
    const events = publishEvents(service, openOutbox('agents', configuration.DATABASE_URL));
    return AgentsModule.with(runtime, events);
  },
});
