/** The controllers of the gateway and what they call. */
import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule, OperationClient, type NatsLink } from '@tessera/messaging';
import { productVersion, type Health, type Metrics } from '@tessera/service-kit';
import { AdminController } from './admin/admin.controller.js';
import { KeyAdministration } from './admin/key-administration.js';
import { PlatformStatus } from './admin/platform-status.js';
import { TeamAdministration } from './admin/team-administration.js';
import { AgentToolsAdminController } from './agent-tools/agent-tools-admin.controller.js';
import { AgentToolsController } from './agent-tools/agent-tools.controller.js';
import { AgentsAdminController } from './agents/agents-admin.controller.js';
import { AgentsController } from './agents/agents.controller.js';
import { ContentAdminController } from './content/content-admin.controller.js';
import { ContentController } from './content/content.controller.js';
import { ContentPartsController } from './content/content-parts.controller.js';
import { KnowledgeAdminController } from './knowledge-models/knowledge-admin.controller.js';
import { KnowledgeDataController } from './knowledge-models/knowledge-data.controller.js';
import { KnowledgeModelsController } from './knowledge-models/knowledge-models.controller.js';
import { ODataController } from './odata/odata.controller.js';

type GatewayParts = {
  readonly link: NatsLink;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly keys: KeyAdministration;
  readonly teams: TeamAdministration;
};

@Module({
  controllers: [
    ContentController,
    ContentPartsController,
    ContentAdminController,
    KnowledgeModelsController,
    KnowledgeDataController,
    KnowledgeAdminController,
    ODataController,
    AgentToolsController,
    AgentToolsAdminController,
    AgentsController,
    AgentsAdminController,
    AdminController,
  ],
})
export class GatewayModule {
  static with({ link, metrics, health, keys, teams }: GatewayParts): DynamicModule {
    return {
      module: GatewayModule,
      imports: [MessagingModule.forRoot({ link, observer: metrics.observer })],
      providers: [
        { provide: KeyAdministration, useValue: keys },
        { provide: TeamAdministration, useValue: teams },
        {
          provide: PlatformStatus,
          inject: [OperationClient],
          useFactory: (client: OperationClient) => new PlatformStatus(client, health, productVersion),
        },
      ],
    };
  }
}
