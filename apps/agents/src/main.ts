/** Starts the service of agents and conversations. */
import { isDatabaseUp, openOutbox } from '@tessera/persistence';
import { publishEvents, runService } from '@tessera/service-kit';
import { AgentsModule } from './agents.module.js';
import { careForConversations } from './conversations/care-for-conversations.js';
import { closePools, openPools } from './database/pools.js';
import { Models } from './models/models.js';
import { builtinPlanner } from './planner/builtin-planner.js';
import { openRuntime } from './runtime.js';
import { graceMsOf, settings } from './settings.js';

await runService({
  name: 'agents',
  settings,
  module: (service) => {
    const { configuration, log, metrics, health, client, onStop } = service;
    const pools = openPools(configuration, (error) => log.warn({ err: error }, 'an idle database connection broke'));
    health.register('database', () => isDatabaseUp(pools.light));
    const models = new Models({ settings: configuration, log, builtin: builtinPlanner() });
    const runtime = openRuntime({ settings: configuration, pools, services: client, models, log, metrics });
    onStop('serving', () => runtime.turns.stop(graceMsOf(configuration)));
    onStop('resources', () => closePools(pools));
    const events = publishEvents(service, openOutbox('agents', configuration.DATABASE_URL));
    careForConversations(service, pools);
    return AgentsModule.with(runtime, events);
  },
});
