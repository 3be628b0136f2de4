/**
 * Brings a database to the state that this version expects: schemas, one login role per service, tables, and the owner roles,
 * as whom nobody logs in. Concurrent callers wait on an advisory lock. Never migrates a database that a later version has made
 * incompatible, or as a role without all the rights.
 */
import 'reflect-metadata';
import { types } from 'node:util';
import pg from 'pg';
import { DataSource } from 'typeorm';
import {
  databaseServiceNames,
  databaseServices,
  migrationLockId,
  migrationKindsOf,
  serviceDatabaseUrl,
  type DatabaseServiceName,
} from './database-services.js';
import { migrationClassesOf } from './migration-classes.js';
import { findMissingRights } from './migration-rights.js';
import { grantRole, ownerRoles, prepareOwnerRoles } from './owner-roles.js';
import { assignDatabaseOwners } from './ownership.js';
import { readRecordedMigrations, findServerFault } from './schema-state.js';
import { createScramVerifier } from './scram-verifier.js';

export {
  databaseServiceNames,
  databaseServices,
  serviceDatabaseUrl,
  type DatabaseServiceName,
} from './database-services.js';

export type MigrateOptions = {
  /** Of a superuser, or of a role that has what `findMissingRights` asks for. */
  readonly url: string;
  /** The password of each service's role; a role that has another one gets this one. */
  readonly passwords: Readonly<Record<DatabaseServiceName, string>>;
  /** Ends the wait for the lock, and what comes after the migrations of the service that is being migrated. */
  readonly stopping?: AbortSignal;
};

export type ServiceMigration = { readonly service: DatabaseServiceName; readonly migration: string };

export type MigrationResult = {
  readonly ran: readonly ServiceMigration[];
  /** Of a version after this one; they only expand, so this one works with them. */
  readonly ahead: readonly ServiceMigration[];
  /** Roles that were there with another password. */
  readonly newPasswords: readonly string[];
};

/** Why a database is not migrated, in a line for the person who asked for it. */
export class MigrationRefusedError extends Error {}

const invalidPassword = '28P01';

/** Rejects with a refusal, the reason of `stopping` or the error of PostgreSQL; no migration is half done. */
export const migrate = async ({ url, passwords, stopping }: MigrateOptions): Promise<MigrationResult> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tessera-migrate' });
  // A connection that breaks tells its statement; without a listener it would end the process, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await checkServer(client);
    await takeLock(client, stopping);
    await checkRights(client);
    const ahead = await migrationsAhead(client);
    await prepareOwnerRoles(client);
    const ran: ServiceMigration[] = [];
    const newPasswords: string[] = [];
    for (const service of databaseServiceNames) {
      stopping?.throwIfAborted();
      const { role } = databaseServices[service];
      const exists = (await client.query('select from pg_roles where rolname = $1', [role])).rowCount === 1;
      if (exists && (await rejectsPassword(serviceDatabaseUrl(url, service, passwords[service]))))
        newPasswords.push(role);
      await prepareService(client, service, passwords[service]);
      ran.push(...(await runMigrations(url, service)).map((migration) => ({ service, migration })));
      await grantMigrationTables(client, service);
    }
    const schemas = databaseServiceNames.map((service) => databaseServices[service].schema);
    await assignDatabaseOwners(client, schemas, stopping);
    return { ran, ahead, newPasswords };
  } catch (error) {
    throw (await fullDiskRefusal(client, error)) ?? error;
  } finally {
    await client.end();
  }
};

const diskFull = '53100';

const fullDiskRefusal = async (client: pg.Client, error: unknown): Promise<MigrationRefusedError | undefined> => {
  if (!types.isNativeError(error) || !('code' in error) || error.code !== diskFull) return undefined;
  // Who may not know where the data is, migrates all the same.
  const found = await client
    .query<{ readonly folder: string }>("select current_setting('data_directory') as folder")
    .catch(() => undefined);
  const folder = found?.rows[0]?.folder ?? 'unknown to this role';
  return new MigrationRefusedError(
    `The disk of the PostgreSQL server is full (data directory ${folder}): ${error.message}. Make room there, some 200 MB, and migrate again; no migration is half done.`,
  );
};

const takeLock = async (client: pg.Client, stopping: AbortSignal | undefined): Promise<void> => {
  // A signal that has fired is not heard again.
  stopping?.throwIfAborted();
  const giveUp = (): void => void client.end();
  stopping?.addEventListener('abort', giveUp);
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLockId]);
  } catch (error) {
    stopping?.throwIfAborted();
    throw error;
  } finally {
    stopping?.removeEventListener('abort', giveUp);
  }
};

const checkServer = async (client: pg.Client): Promise<void> => {
  const expected = await findServerFault(client);
  if (expected !== undefined) throw new MigrationRefusedError(`DATABASE_URL has to name ${expected}.`);
};

const checkRights = async (client: pg.Client): Promise<void> => {
  const missing = await findMissingRights(client);
  if (missing === undefined) return;
  const { role, database, grants } = missing;
  throw new MigrationRefusedError(
    `The role ${role} may not do all that is needed; use a superuser, or let one run in the database ${database}: ${grants.join('; ')};`,
  );
};

/** What a version after this one ran. Throws when one of them takes away what this version needs. */
const migrationsAhead = async (client: pg.Client): Promise<readonly ServiceMigration[]> => {
  const ahead: ServiceMigration[] = [];
  for (const service of databaseServiceNames) {
    const known = migrationKindsOf(service);
    for (const { name, expands } of await readRecordedMigrations(client, databaseServices[service].schema)) {
      if (known.has(name)) continue;
      if (!expands)
        throw new MigrationRefusedError(
          `The schema of ${service} is newer than this version: ${name} was run by a later one and does more than add; use that version or one after it.`,
        );
      ahead.push({ service, migration: name });
    }
  }
  return ahead;
};

/**
 * What the migrations of a service build on. The names of those that expand are there before the first of them is run:
 * at no moment does the version before find one that it does not know and is not told about.
 */
const prepareService = async (client: pg.Client, service: DatabaseServiceName, password: string): Promise<void> => {
  const { schema, role } = databaseServices[service];
  await prepareRole(client, role, password);
  if (service === 'knowledge-models') await grantRole(client, ownerRoles.teamTables, role);
  await client.query(`create schema if not exists ${schema}`);
  await client.query(`grant usage on schema ${schema} to ${role}`);
  // Not everybody may call it: see the migration of knowledge models.
  await client.query(`grant execute on function pg_catalog.set_config(text, text, boolean) to ${role}`);
  await client.query(`create table if not exists ${schema}.expansion (name text primary key)`);
  const expansions = [...migrationKindsOf(service)].filter(([, kind]) => kind === 'expands').map(([name]) => name);
  await client.query(`insert into ${schema}.expansion select unnest($1::text[]) on conflict do nothing`, [expansions]);
};

type RoleState = { readonly hasMoreRights: boolean };

const serviceRoleAttributes = 'nosuperuser nobypassrls nocreatedb nocreaterole noinherit';

/** Open connections live on, and every new one needs the new password: also those of another database of this server. */
const rejectsPassword = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, application_name: 'tessera-migrate' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return false;
  } catch (error) {
    return types.isNativeError(error) && 'code' in error && error.code === invalidPassword;
  } finally {
    await client.end();
  }
};

const prepareRole = async (client: pg.Client, role: string, password: string): Promise<void> => {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await client.query(`create role ${role} login ${serviceRoleAttributes}`);
  await client.query(`alter role ${role} login password ${pg.escapeLiteral(createScramVerifier(password))}`);
  const { rows } = await client.query<RoleState>(
    `select rolsuper or rolbypassrls or rolcreatedb or rolcreaterole or rolinherit as "hasMoreRights"
     from pg_roles where rolname = $1`,
    [role],
  );
  // Only a superuser may say this of a role that is there, so it is not said of one that is so already.
  if (rows[0]?.hasMoreRights === true) await client.query(`alter role ${role} ${serviceRoleAttributes}`);
  // Versions before this one made tables of teams that belong to a service; they are moved.
  await grantRole(client, role);
};

const runMigrations = async (url: string, service: DatabaseServiceName): Promise<readonly string[]> => {
  const source = new DataSource({
    type: 'postgres',
    url,
    schema: databaseServices[service].schema,
    applicationName: 'tessera-migrate',
    migrations: [...migrationClassesOf(service)],
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

/** A service compares at its start what was run with what it knows. */
const grantMigrationTables = async (client: pg.Client, service: DatabaseServiceName): Promise<void> => {
  const { schema, role } = databaseServices[service];
  await client.query(`grant select on ${schema}.migration, ${schema}.expansion to ${role}`);
};
