/** Starts the service of agents and conversations. */
import { commonSchema, runService } from '@tessera/service-kit';
import { AgentsModule } from './agents.module.js';

await runService({ name: 'agents', settings: commonSchema, module: () => AgentsModule });
