/**
 * The connection and the transaction of a backup or a restore. Values are written and read in one format, whatever the server's
 * settings are, and rows that row-level security would hide raise an error. Never works while a migration runs, or on a schema
 * that this version does not know.
 */
import pg from 'pg';
import { databaseServiceNames, databaseServices, migrationLockId, migrationKindsOf } from '../database-services.js';
import { readRecordedMigrations, type RecordedMigration } from '../schema-state.js';
import { BackupFault } from './backup-fault.js';

const sessionText = `
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set client_encoding = 'UTF8'; set row_security = off; set synchronize_seqscans = off;
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set maintenance_work_mem = '256MB'; set jit = off`;

export type TransactionKind = 'snapshot' | 'write';

const beginByKind = { snapshot: 'begin isolation level repeatable read read only', write: 'begin' } as const;

/** What `work` answers, committed; rolled back when it rejects, and when `stopping` fires. */
export const runInMaintenanceTransaction = async <T>(
  url: string,
  kind: TransactionKind,
  stopping: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  stopping.throwIfAborted();
  const client = new pg.Client({
    connectionString: url,
    application_name: kind === 'snapshot' ? 'tessera-backup' : 'tessera-restore',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection that breaks tells its statement; without a listener it would end the process, too.
  client.on('error', () => undefined);
  const stop = (): void => void client.end();
  try {
    await client.connect();
    // A signal that fired meanwhile is not heard again.
    stopping.throwIfAborted();
    stopping.addEventListener('abort', stop);
    await client.query(sessionText);
    await blockMigrations(client);
    await client.query(beginByKind[kind]);
    const done = await work(client);
    await client.query('commit');
    return done;
  } catch (error) {
    stopping.throwIfAborted();
    throw error;
  } finally {
    stopping.removeEventListener('abort', stop);
    await client.end();
  }
};

/** As long as the connection; several backups and restores may go on at once. */
const blockMigrations = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock_shared($1) as mine', [
    migrationLockId,
  ]);
  if (rows[0]?.mine !== true)
    throw new BackupFault('the database is being migrated at this moment; try again when that has ended');
};

export type MigrationsBySchema = ReadonlyMap<string, readonly RecordedMigration[]>;

/** By schema. */
export const readMigrationsBySchema = async (client: pg.Client): Promise<MigrationsBySchema> => {
  await checkOwnership(client);
  const run = new Map<string, readonly RecordedMigration[]>();
  for (const service of databaseServiceNames) {
    const { schema } = databaseServices[service];
    await client.query('savepoint migrations');
    const found = await readRecordedMigrations(client, schema);
    await client.query('rollback to savepoint migrations');
    if (found.length === 0)
      throw new BackupFault(`the database has no schema ${schema} of the platform; run tessera migrate on it first`);
    const unknown = found.find(({ name }) => !migrationKindsOf(service).has(name));
    if (unknown)
      throw new BackupFault(
        `the database has the migration ${unknown.name}, which this version does not know; use the tessera of the version that brought it`,
      );
    run.set(schema, found);
  }
  return run;
};

const checkOwnership = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string; role: string }>(
    `select nspname as name, current_user as role from pg_namespace
     where nspname = any($1) and not pg_has_role(nspowner, 'usage') limit 1`,
    [databaseServiceNames.map((service) => databaseServices[service].schema)],
  );
  const [other] = rows;
  if (other)
    throw new BackupFault(
      `the role ${other.role} of DATABASE_URL does not own the schema ${other.name}; use the one that migrates`,
    );
};
