/** Starts the service of knowledge models and their queries. */
import { isDatabaseUp } from '@tessera/persistence';
import { runService } from '@tessera/service-kit';
import { closePools, openPools } from './database/pools.js';
import { KnowledgeModelsModule } from './knowledge-models.module.js';
import { settings } from './settings.js';

await runService({
  name: 'knowledge-models',
  settings,
  module: ({ configuration, log, health, onStop }) => {
    const pools = openPools(configuration, (error) => log.warn({ err: error }, 'an idle database connection broke'));
    health.register('database', () => isDatabaseUp(pools.light));
    onStop('resources', () => closePools(pools));
    return KnowledgeModelsModule.with(pools);
  },
});
