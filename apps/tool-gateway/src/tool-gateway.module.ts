/** What the service is made of. A handler is listed here and nowhere else. */
import { Module, type DynamicModule } from '@nestjs/common';
import { EventPublishing } from '@tessera/service-kit';
import { Assets } from './assets/assets.js';
import { AssetsHandler } from './assets/assets.handler.js';
import { CallToolHandler } from './calls/call-tool.handler.js';
import { ListCallsHandler } from './calls/list-calls.handler.js';
import { ToolCalls } from './calls/tool-calls.js';
import { McpHandler } from './mcp/mcp.handler.js';
import { runtimeToken, type Runtime } from './runtime.js';
import { AssetTools } from './tools/asset-tools.js';
import { ListToolsHandler } from './tools/list-tools.handler.js';
import { NameToolsHandler } from './tools/name-tools.handler.js';

@Module({})
export class ToolGatewayModule {
  static with(runtime: Runtime, events: EventPublishing): DynamicModule {
    return {
      module: ToolGatewayModule,
      controllers: [CallToolHandler, ListToolsHandler, NameToolsHandler, McpHandler, AssetsHandler, ListCallsHandler],
      providers: [
        { provide: runtimeToken, useValue: runtime },
        { provide: Assets, useValue: runtime.assets },
        { provide: AssetTools, useValue: runtime.tools },
        { provide: ToolCalls, useValue: runtime.calls },
        { provide: EventPublishing, useValue: events },
      ],
    };
  }
}
