/**
 * Brings a database to the state that this version expects: schemas, one login role per service, tables.
 * Refuses: to run twice at once; a second caller waits on an advisory lock and then finds nothing left to do.
 */
import 'reflect-metadata';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Agents1764100000001 } from './agents/1-agents.migration.js';
import { Content1763600000001 } from './content-repo/1-content.migration.js';
import { ChangeHistory1763700000002 } from './content-repo/2-change-history.migration.js';
import { ContentIdempotency1763700000003 } from './content-repo/3-idempotency.migration.js';
import { Outbox1763700000004 } from './content-repo/4-outbox.migration.js';
import { Bin1763700000005 } from './content-repo/5-bin.migration.js';
import { FindContent1764000000006 } from './content-repo/6-find-content.migration.js';
import { Gateway1763600000001 } from './gateway/1-gateway.migration.js';
import { GatewayIdempotency1763700000003 } from './gateway/2-idempotency.migration.js';
import { KeyAttributes1763800000004 } from './gateway/3-key-attributes.migration.js';
import { KnowledgeModels1763800000001 } from './knowledge-models/1-knowledge-models.migration.js';
import { TokenKey1763900000002 } from './knowledge-models/2-token-key.migration.js';
import { ToolGateway1764000000001 } from './tool-gateway/1-tool-gateway.migration.js';

/** Every service that has tables: its schema, its role, its migrations in order. */
export const databaseServices = {
  gateway: {
    schema: 'gateway',
    role: 'tessera_gateway',
    migrations: [Gateway1763600000001, GatewayIdempotency1763700000003, KeyAttributes1763800000004],
  },
  'content-repo': {
    schema: 'content_repo',
    role: 'tessera_content_repo',
    migrations: [
      Content1763600000001,
      ChangeHistory1763700000002,
      ContentIdempotency1763700000003,
      Outbox1763700000004,
      Bin1763700000005,
      FindContent1764000000006,
    ],
  },
  'knowledge-models': {
    schema: 'knowledge_models',
    role: 'tessera_knowledge_models',
    migrations: [KnowledgeModels1763800000001, TokenKey1763900000002],
  },
  'tool-gateway': {
    schema: 'tool_gateway',
    role: 'tessera_tool_gateway',
    migrations: [ToolGateway1764000000001],
  },
  agents: {
    schema: 'agents',
    role: 'tessera_agents',
    migrations: [Agents1764100000001],
  },
} as const;
export type DatabaseService = keyof typeof databaseServices;

export type MigrateOptions = {
  /** A role that may create schemas and roles. */
  readonly url: string;
  /** The password of each service's role. */
  readonly passwords: Readonly<Record<DatabaseService, string>>;
};

const migrationLock = 7_305_821;

/** Resolves with the names of the migrations that were run. Rejects with the error of PostgreSQL; nothing is half done. */
export const migrate = async ({ url, passwords }: MigrateOptions): Promise<readonly string[]> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tessera-migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    const done: string[] = [];
    for (const service of serviceNames) {
      await prepareRole(client, service, passwords[service]);
      done.push(...(await runMigrations(url, service)));
    }
    return done;
  } finally {
    await client.end();
  }
};

/** The address of a service's role on the server and database of `url`. */
export const serviceUrl = (url: string, service: DatabaseService, password: string): string => {
  const address = new URL(url);
  address.username = databaseServices[service].role;
  address.password = password;
  return address.href;
};

const serviceNames = Object.keys(databaseServices).filter((name): name is DatabaseService => name in databaseServices);

const prepareRole = async (client: pg.Client, service: DatabaseService, password: string): Promise<void> => {
  const { schema, role } = databaseServices[service];
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = rowCount ? 'alter' : 'create';
  await client.query(
    `${verb} role ${role} login nosuperuser nobypassrls nocreatedb nocreaterole noinherit password ${pg.escapeLiteral(password)}`,
  );
  await client.query(`create schema if not exists ${schema}`);
  await client.query(`grant usage on schema ${schema} to ${role}`);
  // Not everybody may call it: see the migration of knowledge models.
  await client.query(`grant execute on function pg_catalog.set_config(text, text, boolean) to ${role}`);
};

const runMigrations = async (url: string, service: DatabaseService): Promise<readonly string[]> => {
  const { schema, migrations } = databaseServices[service];
  const source = new DataSource({
    type: 'postgres',
    url,
    schema,
    applicationName: 'tessera-migrate',
    migrations: [...migrations],
    migrationsTableName: 'migration',
    poolSize: 1,
  });
  await source.initialize();
  try {
    const run = await source.runMigrations({ transaction: 'each' });
    return run.map((migration) => migration.name);
  } finally {
    await source.destroy();
  }
};
