/** Starts the service of knowledge models and their queries. */
import { commonSchema, runService } from '@tessera/service-kit';
import { KnowledgeModelsModule } from './knowledge-models.module.js';

await runService({ name: 'knowledge-models', settings: commonSchema, module: () => KnowledgeModelsModule });
