/** Starts the service of knowledge models and their queries. */
import { openOutbox, openServiceDatabase, poolFigures } from '@tessera/persistence';
import { publishEvents, runService, registerPoolMetrics } from '@tessera/service-kit';
import { closePools, openPools } from './database/pools.js';
import { KnowledgeModelsModule } from './knowledge-models.module.js';
import { keepForgettingLoads } from './loads/forget-load.js';
import { startExecution } from './queries/execution.js';
import { queryFailure } from './queries/query-failure.js';
import { settings } from './settings.js';

await runService({
  name: 'knowledge-models',
  settings,
  database: ({ DATABASE_URL }) => openServiceDatabase('knowledge-models', DATABASE_URL),
  failureOf: queryFailure,
  module: (service) => {
    const { configuration, log, onStop } = service;
    const pools = openPools(configuration, (error) => log.warn({ err: error }, 'an idle database connection broke'));
    onStop('resources', () => closePools(pools));
    registerPoolMetrics(service.metrics, poolFigures);
    const events = publishEvents(service, openOutbox('knowledge-models', configuration.DATABASE_URL));
    keepForgettingLoads(service, pools.loads);
    const execution = startExecution(service);
    onStop('resources', () => execution.external.end());
    return KnowledgeModelsModule.with(pools, events, execution);
  },
});
