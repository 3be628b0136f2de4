/**
 * Every service that has tables: its schema, its role and the names of its migrations in order, as data, so that a service can
 * check its database without loading the migrations.
 * A migration expands when the previous version can still run, start and be rolled back to on the new schema; otherwise it
 * contracts.
 */
export type MigrationKind = 'expands' | 'contracts';

export const databaseServices = {
  gateway: {
    schema: 'gateway',
    role: 'tessera_gateway',
    migrations: {
      Gateway1763600000001: 'expands',
      GatewayIdempotency1763700000003: 'expands',
      KeyAttributes1763800000004: 'expands',
      GatewayAcrossTeams1764200000005: 'expands',
      TeamGrants1764300000006: 'expands',
      Members1764400000007: 'expands',
      AuthorizationServer1764500000008: 'expands',
      Sessions1764600000009: 'expands',
      OAuth1764700000010: 'expands',
      SingleSignOn1764800000011: 'expands',
      EvidenceKeys1764900000012: 'expands',
      OAuthTokenExpiry1765000000013: 'expands',
      SignIns1765100000014: 'expands',
      RemovedMembers1765200000015: 'expands',
      GrantsOfIssuerSessions1765300000016: 'expands',
    },
  },
  'content-repo': {
    schema: 'content_repo',
    role: 'tessera_content_repo',
    migrations: {
      Content1763600000001: 'expands',
      // Whoever writes has to say of which change it is part from there on.
      ChangeHistory1763700000002: 'contracts',
      ContentIdempotency1763700000003: 'expands',
      Outbox1763700000004: 'expands',
      Bin1763700000005: 'expands',
      FindContent1764000000006: 'expands',
      ContentAcrossTeams1764200000007: 'expands',
      OldImports1765000000008: 'expands',
    },
  },
  'knowledge-models': {
    schema: 'knowledge_models',
    role: 'tessera_knowledge_models',
    migrations: {
      // What it takes from everybody, every service has by a grant of its own.
      KnowledgeModels1763800000001: 'expands',
      TokenKey1763900000002: 'expands',
      ModelsAcrossTeams1764200000003: 'expands',
      LoadedBy1764700000004: 'expands',
      Evidence1764900000005: 'expands',
      ForgetEvidenceByTeam1765000000006: 'expands',
      OlderQueries1765200000007: 'expands',
      KeptGenerations1765400000008: 'expands',
    },
  },
  'tool-gateway': {
    schema: 'tool_gateway',
    role: 'tessera_tool_gateway',
    migrations: {
      ToolGateway1764000000001: 'expands',
      ToolsAcrossTeams1764200000002: 'expands',
      CallsOfSubject1764700000003: 'expands',
      ForgetCallsByTeam1765000000004: 'expands',
    },
  },
  agents: {
    schema: 'agents',
    role: 'tessera_agents',
    migrations: { Agents1764100000001: 'expands', AgentsAcrossTeams1764200000002: 'expands' },
  },
} as const;
export type DatabaseServiceName = keyof typeof databaseServices;

export const databaseServiceNames = Object.keys(databaseServices).filter(
  (name): name is DatabaseServiceName => name in databaseServices,
);

/** The migrations of a service in their order, each with its kind. */
export const migrationKindsOf = (service: DatabaseServiceName): ReadonlyMap<string, MigrationKind> =>
  new Map(Object.entries(databaseServices[service].migrations));

/** The advisory lock of whoever migrates; who needs a schema that stays as it is holds it, too, shared with others of its kind. */
export const migrationLockId = 7_305_821;

/** The address of a service's role on the server and database of `url`. */
export const serviceDatabaseUrl = (url: string, service: DatabaseServiceName, password: string): string => {
  const address = new URL(url);
  address.username = databaseServices[service].role;
  address.password = password;
  return address.href;
};
