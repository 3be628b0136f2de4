/**
 * Whether a database has what this version of a service expects. An unknown migration is accepted when it only expands: a later
 * version may have run it before a rollback to this one. Only reads, and loads no migration code.
 */
import { types } from 'node:util';
import type pg from 'pg';
import { databaseServices, migrationKindsOf, type DatabaseServiceName } from './database-services.js';

export type SchemaState =
  | { readonly state: 'current' }
  /** `tessera migrate` of this version has not run. */
  | { readonly state: 'older'; readonly missing: readonly string[] }
  /** A version after this one took away what this one needs. */
  | { readonly state: 'newer'; readonly unknown: readonly string[] };

/** No schema, no table, no right to read it: whoever migrates makes all three. */
const notMigratedStates = new Set(['3F000', '42P01', '42501']);

/** Rejects when the server is away or refuses. */
export const readSchemaState = async (pool: pg.Pool, service: DatabaseServiceName): Promise<SchemaState> => {
  const { schema } = databaseServices[service];
  const known = migrationKindsOf(service);
  const found = await readRecordedMigrations(pool, schema);
  const unknown = found.filter(({ name, expands }) => !known.has(name) && !expands).map(({ name }) => name);
  if (unknown.length > 0) return { state: 'newer', unknown };
  const names = new Set(found.map(({ name }) => name));
  const missing = [...known.keys()].filter((name) => !names.has(name));
  return missing.length > 0 ? { state: 'older', missing } : { state: 'current' };
};

export type RecordedMigration = { readonly name: string; readonly expands: boolean };

/** What was run on a schema, in its order; nothing when nothing was. */
export const readRecordedMigrations = async (
  database: Pick<pg.ClientBase, 'query'>,
  schema: string,
): Promise<readonly RecordedMigration[]> => {
  try {
    // PostgreSQL would log a fault each time that a table is read which is not there yet.
    const { rows: tables } = await database.query<{ readonly areThere: boolean }>(
      `select to_regclass('${schema}.migration') is not null and to_regclass('${schema}.expansion') is not null as "areThere"`,
    );
    if (tables[0]?.areThere !== true) return [];
    const { rows } = await database.query<RecordedMigration>(
      `select m.name, exists (select from ${schema}.expansion e where e.name = m.name) as expands
       from ${schema}.migration m order by m.id`,
    );
    return rows;
  } catch (error) {
    const isNotMigrated =
      types.isNativeError(error) &&
      'code' in error &&
      typeof error.code === 'string' &&
      notMigratedStates.has(error.code);
    if (isNotMigrated) return [];
    throw error;
  }
};

const oldestVersion = 18;

/** What the server or the database should have been; undefined when both fit. */
export const findServerFault = async (database: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> => {
  const { rows } = await database.query<{ readonly version: number; readonly encoding: string }>(
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding`,
  );
  const [{ version, encoding } = { version: 0, encoding: '' }] = rows;
  if (version < oldestVersion) return `PostgreSQL ${oldestVersion} or newer; this is ${version}`;
  return encoding === 'UTF8' ? undefined : `a database with the encoding UTF8; this has ${encoding}`;
};
