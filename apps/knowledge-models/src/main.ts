/** Starts the service of knowledge models and their queries. */
import { openServiceDatabase } from '@tessera/persistence';
import { runService } from '@tessera/service-kit';
import { KnowledgeModelsModule } from './knowledge-models.module.js';
import { toQueryFailure } from './queries/query-failure.js';
import { knowledgeModelsSettings } from './settings.js';

await runService({
  name: 'knowledge-models',
  settings: knowledgeModelsSettings,
  database: ({ DATABASE_URL }) => openServiceDatabase('knowledge-models', DATABASE_URL),
  failureOf: toQueryFailure,
  module: KnowledgeModelsModule,
});
