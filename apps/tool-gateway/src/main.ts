/** Starts the service of assets, tools, calls and audit. */
import { commonSchema, runService } from '@tessera/service-kit';
import { ToolGatewayModule } from './tool-gateway.module.js';

await runService({ name: 'tool-gateway', settings: commonSchema, module: () => ToolGatewayModule });
