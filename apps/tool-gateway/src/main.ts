import { toOutageFailure, openServiceDatabase } from '@tessera/persistence';
import { runService } from '@tessera/service-kit';
import { toolGatewaySettings } from './settings.js';
import { ToolGatewayModule } from './tool-gateway.module.js';

await runService({
  name: 'tool-gateway',
  settings: toolGatewaySettings,
  calls: ['knowledge-models', 'content-repo'],
  database: ({ DATABASE_URL }) => openServiceDatabase('tool-gateway', DATABASE_URL),
  failureOf: toOutageFailure,
  module: ToolGatewayModule,
});
