import { databaseFailure, openServiceDatabase } from '@tessera/persistence';
import { runService } from '@tessera/service-kit';
import { settings } from './settings.js';
import { ToolGatewayModule } from './tool-gateway.module.js';

await runService({
  name: 'tool-gateway',
  settings,
  calls: ['knowledge-models', 'content-repo'],
  database: ({ DATABASE_URL }) => openServiceDatabase('tool-gateway', DATABASE_URL),
  failureOf: databaseFailure,
  module: ToolGatewayModule,
});
