import { databaseFailure, openServiceDatabase } from '@tessera/persistence';
import { runService } from '@tessera/service-kit';
import { AgentsModule } from './agents.module.js';
import { settings } from './settings.js';

await runService({
  name: 'agents',
  settings,
  calls: ['tool-gateway', 'knowledge-models', 'content-repo'],
  database: ({ DATABASE_URL }) => openServiceDatabase('agents', DATABASE_URL),
  failureOf: databaseFailure,
  module: AgentsModule,
});
