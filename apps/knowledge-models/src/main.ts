/** Starts the service of knowledge models and their queries. */
import { openServiceDatabase } from '@tessera/persistence';
import { runService } from '@tessera/service-kit';
import { KnowledgeModelsModule } from './knowledge-models.module.js';
import { queryFailure } from './queries/query-failure.js';
import { settings } from './settings.js';

await runService({
  name: 'knowledge-models',
  settings,
  database: ({ DATABASE_URL }) => openServiceDatabase('knowledge-models', DATABASE_URL),
  failureOf: queryFailure,
  module: KnowledgeModelsModule,
});
