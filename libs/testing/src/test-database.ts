/**
 * A migrated PostgreSQL database of its own for each spec file, cloned from a template on one server per run.
 * Refuses: durability; the server of a test run writes nothing through to the disk.
 */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@tessera/local-stack';
import { type DatabaseService, databaseServices, serviceUrl } from '@tessera/persistence/database-services';
import pg from 'pg';
import { oncePerRun, testRunFolder } from './test-run.js';

export type TestDatabase = {
  /** Address of the superuser, in the database of this spec file. */
  readonly adminUrl: string;
  /** Address of a service's own role. */
  readonly urlFor: (service: DatabaseService) => string;
  /** Ends the connections of services and lets none in before `goOn` is called. */
  readonly takeAway: () => Promise<{ readonly goOn: () => Promise<void> }>;
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
};

const onServer = async (url: string, statement: string): Promise<void> => {
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

/** Starts the server of this run and fills the template; answers the server's address. */
const startServer = async (): Promise<string> => {
  const folder = testRunFolder();
  const server = await startPostgres({
    dataFolder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    settings,
  });
  writeFileSync(join(folder, 'postgres-data'), server.data);
  await onServer(server.url, `create database ${template}`);
  // Only the first of a run needs it, and it loads more than all else here.
  const { migrate } = await import('@tessera/persistence/migrate');
  const passwords = Object.fromEntries(Object.keys(databaseServices).map((service) => [service, rolePassword]));
  await migrate({ url: databaseUrl(server.url, template), passwords: passwords as Record<DatabaseService, string> });
  return server.url;
};

/** The first caller of a run waits about two seconds, every later one the 0.1 s of a clone. */
export const testDatabase = async (): Promise<TestDatabase> => {
  const serverUrl = await oncePerRun('postgres', startServer);
  const name = `spec_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template ${template}`);
  // Rights on a database are not cloned with it.
  await onServer(serverUrl, `grant create on database ${name} to tessera_owner`);
  const adminUrl = databaseUrl(serverUrl, name);
  return {
    adminUrl,
    urlFor: (service) => serviceUrl(adminUrl, service, rolePassword),
    takeAway: async () => {
      await onServer(serverUrl, `alter database ${name} connection limit 0`);
      await onServer(
        serverUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename <> current_user`,
      );
      return { goOn: () => onServer(serverUrl, `alter database ${name} connection limit -1`) };
    },
    drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
};
