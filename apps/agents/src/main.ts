/** Starts the service of agents and conversations. */
import { databaseFailure, openOutbox, openServiceDatabase, poolFigures } from '@tessera/persistence';
import { publishEvents, runService, registerPoolMetrics } from '@tessera/service-kit';
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
  calls: ['tool-gateway', 'knowledge-models', 'content-repo'],
  database: ({ DATABASE_URL }) => openServiceDatabase('agents', DATABASE_URL),
  failureOf: databaseFailure,
  module: (service) => {
    const { configuration, log, metrics, client, onStop } = service;
    const pools = openPools(configuration, (error) => log.warn({ err: error }, 'an idle database connection broke'));
    const models = new Models({ settings: configuration, log, builtin: builtinPlanner() });
    const runtime = openRuntime({ settings: configuration, pools, services: client, models, log, metrics });
    onStop('serving', async () => runtime.turns.leave(graceMsOf(configuration)));
    onStop('publishing', () => runtime.turns.stop());
    onStop('resources', () => closePools(pools));
    registerPoolMetrics(metrics, poolFigures);
    const events = publishEvents(service, openOutbox('agents', configuration.DATABASE_URL));
    careForConversations(service, pools);
    return AgentsModule.with(runtime, events);
  },
});
