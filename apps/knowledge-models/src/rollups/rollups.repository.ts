/**
 * Tables of rollups in the schemas of teams: their names, which there are, and how one is made and dropped. A name says all that its rows
 * depend on, so a table is never of another question or of other data. It is seen when it is complete.
 */
import { createHash } from 'node:crypto';
import { printRollupStatements, type RollupGrain, type RollupTable } from '@tessera/knowledge-model';
import {
  openTenantTransaction,
  ownerRoles,
  readAsTenant,
  runInTenantTransaction,
  type Pool,
  type PoolClient,
} from '@tessera/persistence';
import { quoteIdentifier } from '@tessera/sql';
import { stagingTableMarker } from '../database/columns.repository.js';
import { makingSettings } from '../database/makings.repository.js';

const digestCharacters = 32;
const nameStart = `rollup${stagingTableMarker}`;
const namePattern = `^${nameStart}[0-9a-f]{${digestCharacters}}$`;

/** `versionOf`: the data version of a table. Undefined while one of its tables has none. */
export const rollupName = (
  { fingerprint, tables }: RollupGrain,
  versionOf: (table: string) => string | undefined,
): string | undefined => {
  const versions = tables.map((table) => [table, versionOf(table)]);
  if (versions.some(([, version]) => version === undefined)) return undefined;
  const digest = createHash('sha256').update(JSON.stringify([fingerprint, versions]));
  return `${nameStart}${digest.digest('hex').slice(0, digestCharacters)}`;
};

export type StoredRollup = RollupTable & {
  /** The schema as PostgreSQL names it. */
  readonly physical: string;
};

type RollupRow = Omit<StoredRollup, 'columns'> & { readonly columns: Readonly<Record<string, string>> };

const rollupsText = `
  select s.physical_name as physical, c.relname::text as name, c.reltuples::float8 as rows,
    (select json_object_agg(a.attname, format_type(a.atttypid, null)) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
  from knowledge_models.team_schema s
  join pg_namespace n on n.nspname = s.physical_name
  join pg_class c on c.relnamespace = n.oid and c.relkind = 'r' and c.relname ~ $2
  where s.tenant = $1`;

/** All that the team has, those that nobody uses any more among them. */
export const readRollups = async (pool: Pool, team: string): Promise<readonly StoredRollup[]> => {
  const rows = await readAsTenant<RollupRow>(pool, team, {
    ...{ name: 'rollups_of_team', text: rollupsText },
    values: [team, namePattern],
  });
  return rows.map(({ columns, ...rollup }) => ({ ...rollup, columns: new Map(Object.entries(columns)) }));
};

export type WantedRollup = {
  readonly name: string;
  readonly grain: RollupGrain;
  readonly model: string;
  /** As definitions name it. */
  readonly schema: string;
  readonly physical: string;
  readonly role: string;
};

/** Whether a load of a table that they read was begun and has not ended. */
export const hasOpenLoads = async (
  pool: Pool,
  team: string,
  rollups: readonly Pick<WantedRollup, 'schema' | 'grain'>[],
): Promise<boolean> => {
  const read = rollups.flatMap(({ schema, grain }) => grain.tables.map((table) => [schema, table] as const));
  const loads = await readAsTenant<{ id: string }>(pool, team, {
    name: 'loads_of_rollups',
    text: `select l.load_id as id from knowledge_models.table_load l join unnest($2::text[], $3::text[]) as t (schema_name, table_id)
      using (schema_name, table_id) where l.tenant = $1 and l.state in ('loading', 'committing') limit 1`,
    values: [team, read.map(([schema]) => schema), read.map(([, table]) => table)],
  });
  return loads.length > 0;
};

export type MakingOutcome =
  | 'made'
  /** Another replica has made it. */
  | 'found'
  /** Another replica makes rollups of the team. */
  | 'busy'
  /** A load came between. */
  | 'outdated'
  | 'too-many-groups'
  | 'multiplied';

type MakingOptions = { readonly groupsMax: number; readonly signal: AbortSignal };

/** Rejects with the error of pg, and when the signal is aborted, which ends the connection. */
export const makeRollup = async (
  pool: Pool,
  team: string,
  wanted: WantedRollup,
  { groupsMax, signal }: MakingOptions,
): Promise<MakingOutcome> => {
  const transaction = await openTenantTransaction(pool, team, { settings: makingSettings, signal });
  const abandon = (): void => transaction.abandon(new Error('The service stops.'));
  signal.addEventListener('abort', abandon);
  try {
    const outcome = await makeInTransaction(transaction.client, team, wanted, groupsMax);
    await (outcome === 'made' ? transaction.commit() : transaction.rollback());
    return outcome;
  } catch (error) {
    if (!signal.aborted) await transaction.rollback().catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', abandon);
  }
};

const makeInTransaction = async (
  client: PoolClient,
  team: string,
  { name, grain, schema, physical, role }: WantedRollup,
  groupsMax: number,
): Promise<MakingOutcome> => {
  if (!(await tryLock(client, team))) return 'busy';
  const table = `${quoteIdentifier(physical)}.${quoteIdentifier(name)}`;
  if (await isThere(client, table)) return 'found';
  const { create, check, tidy } = printRollupStatements(grain, { schema: physical, name }, groupsMax);
  const { rowCount } = await client.query(create.text, [...create.values]);
  if ((rowCount ?? 0) > groupsMax) return 'too-many-groups';
  const { rows } = await client.query<{ isWhole: boolean; hasFractions: boolean; mixed: string[] }>(check);
  const [checked] = rows;
  if (checked?.hasFractions === true) throw new Error('A field of the rollup is an integer in the model alone.');
  if (checked?.isWhole !== true) return 'multiplied';
  const tidying = tidy(checked.mixed);
  if (tidying !== undefined) await client.query(tidying);
  await client.query(`alter table ${table} owner to ${ownerRoles.teamTables}`);
  await client.query(`grant select on ${table} to ${quoteIdentifier(role)}`);
  await client.query(`analyze ${table}`);
  // Rows were read by the names of tables: when their versions are still the same, they were of no others.
  const versions = await readVersions(client, team, schema, grain.tables);
  return rollupName(grain, (of) => versions.get(of)) === name ? 'made' : 'outdated';
};

/** As long as the transaction lasts. */
const tryLock = async (client: PoolClient, team: string): Promise<boolean> => {
  const { rows } = await client.query<{ mine: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 1)) as mine',
    [`rollups ${team}`],
  );
  return rows[0]?.mine === true;
};

const isThere = async (client: PoolClient, table: string): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  return rows[0]?.there === true;
};

const readVersions = async (
  client: PoolClient,
  team: string,
  schema: string,
  tables: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await client.query<{ table: string; version: string }>(
    `select table_id as "table", data_version::text as version from knowledge_models.team_table
     where tenant = $1 and schema_name = $2 and table_id = any($3)`,
    [team, schema, tables],
  );
  return new Map(rows.map(({ table, version }) => [table, version]));
};

const lockTimeoutMs = 2_000;

/** Rejects with the error of pg, e.g. while it is read. */
export const dropRollup = (pool: Pool, team: string, { physical, name }: StoredRollup): Promise<void> =>
  runInTenantTransaction(
    pool,
    team,
    async (client) => {
      await client.query(`drop table if exists ${quoteIdentifier(physical)}.${quoteIdentifier(name)}`);
    },
    { lockTimeoutMs },
  );
