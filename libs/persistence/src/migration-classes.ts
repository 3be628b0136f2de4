/** The code of every migration under its name; the compiler refuses a name without code, and code without a name. */
import type { MigrationInterface } from 'typeorm';
import { Agents1764100000001 } from './agents/1-agents.migration.js';
import { AgentsAcrossTeams1764200000002 } from './agents/2-across-teams.migration.js';
import { Content1763600000001 } from './content-repo/1-content.migration.js';
import { ChangeHistory1763700000002 } from './content-repo/2-change-history.migration.js';
import { ContentIdempotency1763700000003 } from './content-repo/3-idempotency.migration.js';
import { Outbox1763700000004 } from './content-repo/4-outbox.migration.js';
import { Bin1763700000005 } from './content-repo/5-bin.migration.js';
import { FindContent1764000000006 } from './content-repo/6-find-content.migration.js';
import { ContentAcrossTeams1764200000007 } from './content-repo/7-across-teams.migration.js';
import { OldImports1765000000008 } from './content-repo/8-old-imports.migration.js';
import type { DatabaseServiceName, databaseServices } from './database-services.js';
import { Gateway1763600000001 } from './gateway/1-gateway.migration.js';
import { GatewayIdempotency1763700000003 } from './gateway/2-idempotency.migration.js';
import { KeyAttributes1763800000004 } from './gateway/3-key-attributes.migration.js';
import { GatewayAcrossTeams1764200000005 } from './gateway/4-across-teams.migration.js';
import { TeamGrants1764300000006 } from './gateway/5-team-grants.migration.js';
import { Members1764400000007 } from './gateway/6-members.migration.js';
import { AuthorizationServer1764500000008 } from './gateway/7-authorization-server.migration.js';
import { Sessions1764600000009 } from './gateway/8-sessions.migration.js';
import { OAuth1764700000010 } from './gateway/9-oauth.migration.js';
import { SingleSignOn1764800000011 } from './gateway/10-single-sign-on.migration.js';
import { EvidenceKeys1764900000012 } from './gateway/11-evidence-keys.migration.js';
import { OAuthTokenExpiry1765000000013 } from './gateway/12-oauth-token-expiry.migration.js';
import { SignIns1765100000014 } from './gateway/13-sign-ins.migration.js';
import { RemovedMembers1765200000015 } from './gateway/14-removed-members.migration.js';
import { GrantsOfIssuerSessions1765300000016 } from './gateway/15-grants-of-issuer-sessions.migration.js';
import { KnowledgeModels1763800000001 } from './knowledge-models/1-knowledge-models.migration.js';
import { TokenKey1763900000002 } from './knowledge-models/2-token-key.migration.js';
import { ModelsAcrossTeams1764200000003 } from './knowledge-models/3-across-teams.migration.js';
import { LoadedBy1764700000004 } from './knowledge-models/4-loaded-by.migration.js';
import { Evidence1764900000005 } from './knowledge-models/5-evidence.migration.js';
import { ForgetEvidenceByTeam1765000000006 } from './knowledge-models/6-forget-by-team.migration.js';
import { OlderQueries1765200000007 } from './knowledge-models/7-older-queries.migration.js';
import { KeptGenerations1765400000008 } from './knowledge-models/8-kept-generations.migration.js';
import { ToolGateway1764000000001 } from './tool-gateway/1-tool-gateway.migration.js';
import { ToolsAcrossTeams1764200000002 } from './tool-gateway/2-across-teams.migration.js';
import { CallsOfSubject1764700000003 } from './tool-gateway/3-calls-of-subject.migration.js';
import { ForgetCallsByTeam1765000000004 } from './tool-gateway/4-forget-by-team.migration.js';

type MigrationClass = new () => MigrationInterface;

const classesByService: {
  readonly [Service in DatabaseServiceName]: Readonly<
    Record<keyof (typeof databaseServices)[Service]['migrations'], MigrationClass>
  >;
} = {
  gateway: {
    Gateway1763600000001,
    GatewayIdempotency1763700000003,
    KeyAttributes1763800000004,
    GatewayAcrossTeams1764200000005,
    TeamGrants1764300000006,
    Members1764400000007,
    AuthorizationServer1764500000008,
    Sessions1764600000009,
    OAuth1764700000010,
    SingleSignOn1764800000011,
    EvidenceKeys1764900000012,
    OAuthTokenExpiry1765000000013,
    SignIns1765100000014,
    RemovedMembers1765200000015,
    GrantsOfIssuerSessions1765300000016,
  },
  'content-repo': {
    Content1763600000001,
    ChangeHistory1763700000002,
    ContentIdempotency1763700000003,
    Outbox1763700000004,
    Bin1763700000005,
    FindContent1764000000006,
    ContentAcrossTeams1764200000007,
    OldImports1765000000008,
  },
  'knowledge-models': {
    KnowledgeModels1763800000001,
    TokenKey1763900000002,
    ModelsAcrossTeams1764200000003,
    LoadedBy1764700000004,
    Evidence1764900000005,
    ForgetEvidenceByTeam1765000000006,
    OlderQueries1765200000007,
    KeptGenerations1765400000008,
  },
  'tool-gateway': {
    ToolGateway1764000000001,
    ToolsAcrossTeams1764200000002,
    CallsOfSubject1764700000003,
    ForgetCallsByTeam1765000000004,
  },
  agents: { Agents1764100000001, AgentsAcrossTeams1764200000002 },
};

export const migrationClassesOf = (service: DatabaseServiceName): readonly MigrationClass[] =>
  Object.values<MigrationClass>(classesByService[service]);
