/** What the gateway is made of. */
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { MessagingModule } from '@tessera/messaging';
import { Health, logToken, metricsToken, settingsToken, type ServiceProcess } from '@tessera/service-kit';
import { AdminController } from './admin/admin.controller.js';
import { CallerDescriber } from './admin/caller-description.js';
import { KeyAdministration } from './admin/key-administration.js';
import { MemberAdministration } from './admin/member-administration.js';
import { PlatformStatusReader } from './admin/platform-status.js';
import { RoleAdministration } from './admin/role-administration.js';
import { SessionAdministration } from './admin/session-administration.js';
import { TeamAdministration } from './admin/team-administration.js';
import { AgentToolsAdminController } from './agent-tools/agent-tools-admin.controller.js';
import { AgentToolsController } from './agent-tools/agent-tools.controller.js';
import { AgentsAdminController } from './agents/agents-admin.controller.js';
import { AgentsController } from './agents/agents.controller.js';
import { AuthModule } from './auth/auth.module.js';
import type { GatewayConfiguration } from './configuration.js';
import { ContentAdminController } from './content/content-admin.controller.js';
import { ContentController } from './content/content.controller.js';
import { ContentPartsController } from './content/content-parts.controller.js';
import { DatabaseModule } from './database.module.js';
import { EvidenceController } from './evidence/evidence.controller.js';
import { EvidenceExporter } from './evidence/evidence-exporter.js';
import { EvidenceReader } from './evidence/evidence-reader.js';
import { FailureExceptionFilter } from './http/catch-failures.js';
import { EdgeServer } from './http/edge-server.js';
import { EdgeState } from './http/exchange.js';
import { RequestRecorder } from './http/request-recorder.js';
import { KnowledgeAdminController } from './knowledge-models/knowledge-admin.controller.js';
import { KnowledgeDataController } from './knowledge-models/knowledge-data.controller.js';
import { KnowledgeModelsController } from './knowledge-models/knowledge-models.controller.js';
import { McpExchangeClient } from './agent-tools/mcp-exchanges.js';
import { ModelDocumentCache } from './knowledge-models/model-documents.js';
import { ODataBatch } from './odata/batch.js';
import { ODataController } from './odata/odata.controller.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { SessionModule } from './sessions/session.module.js';

export type ProcessProviders = Pick<
  ServiceProcess<GatewayConfiguration>,
  'configuration' | 'log' | 'metrics' | 'health' | 'link'
>;

/** What the process gives to every module. Its link outlives the application: requests are answered until the end. */
@Module({})
class ProcessModule {
  static forRoot({ configuration, log, metrics, health, link }: ProcessProviders): DynamicModule {
    const providers = [
      { provide: settingsToken, useValue: configuration },
      { provide: logToken, useValue: log },
      { provide: metricsToken, useValue: metrics },
      { provide: Health, useValue: health },
    ];
    const imports = [MessagingModule.forRoot({ link, observer: metrics.observer })];
    return { module: ProcessModule, global: true, imports, providers, exports: providers };
  }
}

@Module({
  imports: [AuthModule, DatabaseModule, OAuthModule, SessionModule],
  controllers: [
    ContentController,
    ContentPartsController,
    ContentAdminController,
    KnowledgeModelsController,
    KnowledgeDataController,
    KnowledgeAdminController,
    EvidenceController,
    ODataController,
    AgentToolsController,
    AgentToolsAdminController,
    AgentsController,
    AgentsAdminController,
    AdminController,
  ],
  providers: [
    KeyAdministration,
    CallerDescriber,
    TeamAdministration,
    MemberAdministration,
    RoleAdministration,
    SessionAdministration,
    PlatformStatusReader,
    McpExchangeClient,
    ModelDocumentCache,
    EvidenceExporter,
    EvidenceReader,
    ODataBatch,
    EdgeServer,
    EdgeState,
    RequestRecorder,
    FailureExceptionFilter,
    { provide: APP_FILTER, useExisting: FailureExceptionFilter },
  ],
})
export class GatewayModule {
  static forRoot(providers: ProcessProviders): DynamicModule {
    return { module: GatewayModule, imports: [ProcessModule.forRoot(providers)] };
  }
}
