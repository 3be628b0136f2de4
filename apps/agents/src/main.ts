import { toOutageFailure, openServiceDatabase } from '@tessera/persistence';
import { runService } from '@tessera/service-kit';
import { AgentsModule } from './agents.module.js';
import { agentsSettings } from './settings.js';

await runService({
  name: 'agents',
  settings: agentsSettings,
  calls: ['tool-gateway', 'knowledge-models', 'content-repo'],
  database: ({ DATABASE_URL }) => openServiceDatabase('agents', DATABASE_URL),
  failureOf: toOutageFailure,
  module: AgentsModule,
});
