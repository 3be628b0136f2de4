/** A migrated PostgreSQL database per spec file, cloned from a template on the one server of the run, which is not durable. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@tessera/local-stack';
import { type DatabaseServiceName, databaseServices, serviceDatabaseUrl } from '@tessera/persistence/database-services';
import pg from 'pg';
import { makeOncePerTestRun, testRunFolder } from './test-run.js';

export type TestDatabase = {
  /** Address of the superuser, in the database of this spec file. */
  readonly adminUrl: string;
  /** Address of the service's role. */
  readonly urlFor: (service: DatabaseServiceName) => string;
  /** Ends the connections of the services and refuses new ones until `unblock` is called. */
  readonly blockConnections: () => Promise<{ readonly unblock: () => Promise<void> }>;
  readonly drop: () => Promise<void>;
};

const template = 'tessera_template';
/** Roles belong to the server, not to a database: one password for all services of all spec files. */
const rolePassword = 'only-for-tests';
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
  shared_buffers: '64MB',
  // Its ANALYZE holds a snapshot while it runs, and what a spec plans would depend on when it ran.
  autovacuum: 'off',
};

const execute = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

const databaseUrl = (serverUrl: string, database: string): string => {
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  return address.href;
};

/** Starts the server of this run, migrates the template and returns the server's address. */
const startServer = async (): Promise<string> => {
  const folder = testRunFolder();
  const server = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    settings,
  });
  writeFileSync(join(folder, 'postgres-data'), server.data);
  await execute(server.url, `create database ${template}`);
  // Imported here because only the first caller of a run needs it, and it is large.
  const { migrate } = await import('@tessera/persistence/migrate');
  const passwords = Object.fromEntries(Object.keys(databaseServices).map((service) => [service, rolePassword]));
  await migrate({
    url: databaseUrl(server.url, template),
    passwords: passwords as Record<DatabaseServiceName, string>,
  });
  return server.url;
};

/** The first call of a run takes about two seconds, later ones 0.1 s. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const serverUrl = await makeOncePerTestRun('postgres', startServer);
  const name = `spec_${randomBytes(6).toString('hex')}`;
  // The server writes no log to recover from, so copying the files costs least.
  await execute(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  // Grants on a database are not cloned.
  await execute(serverUrl, `grant create on database ${name} to tessera_owner`);
  const adminUrl = databaseUrl(serverUrl, name);
  return {
    adminUrl,
    urlFor: (service) => serviceDatabaseUrl(adminUrl, service, rolePassword),
    blockConnections: async () => {
      await execute(serverUrl, `alter database ${name} connection limit 0`);
      await execute(
        serverUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename <> current_user`,
      );
      return { unblock: () => execute(serverUrl, `alter database ${name} connection limit -1`) };
    },
    drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`),
  };
};
