/** What the service is made of. A handler is listed here and nowhere else. */
import { Module, type DynamicModule } from '@nestjs/common';
import { EventPublishing } from '@tessera/service-kit';
import { AgentsHandler } from './agents/agents.handler.js';
import { ConversationsHandler } from './conversations/conversations.handler.js';
import { runtimeToken, type Runtime } from './runtime.js';
import { ExecuteToolHandler } from './tools/execute-tool.handler.js';
import { SpecifyToolsHandler } from './tools/specify-tools.handler.js';
import { ConverseHandler } from './turns/converse.handler.js';

@Module({})
export class AgentsModule {
  static with(runtime: Runtime, events: EventPublishing): DynamicModule {
    return {
      module: AgentsModule,
      controllers: [ConverseHandler, ConversationsHandler, AgentsHandler, ExecuteToolHandler, SpecifyToolsHandler],
      providers: [
        { provide: runtimeToken, useValue: runtime },
        { provide: EventPublishing, useValue: events },
      ],
    };
  }
}
