/**
 * Which tables a backup keeps, read from the catalog: a table of a service with a tenant is kept, unless it is listed here
 * with the reason. A test fails for a table that is neither.
 */
import type pg from 'pg';
import { databaseServiceNames, databaseServices } from '../database-services.js';
import { quoteTable } from './generation-shape.js';

/** Rows of teams that are only of the moment in which a backup is made. */
export const transientTables: Readonly<Record<string, string>> = {
  'gateway.rate_window': 'counts of the last day',
  'gateway.oauth_grant': 'people allow their clients again; what was ended must not come back',
  'gateway.oauth_token': 'tokens of these grants',
  'gateway.revoked_token': 'tokens live for minutes, and the keys that signed them are not kept',
  'gateway.session': 'people sign in again; a session that was ended must not come back',
  'tool_gateway.rate_window': 'counts of the minute that runs',
  'content_repo.import': 'an import is forgotten after a day, and one that runs is begun again',
  'content_repo.import_element': 'what was staged for an import that runs',
  'knowledge_models.table_load': 'a load is forgotten after a day, and one that runs is begun again',
  'knowledge_models.kept_generation': 'generations before the one in place; a backup has what is read',
  'knowledge_models.load_batch': 'what was staged for a load that runs',
};

/** Tables of no team, which every installation makes for itself. */
export const platformTables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    databaseServiceNames.flatMap((service) => [
      [`${databaseServices[service].schema}.migration`, 'what was run on this database'],
      [`${databaseServices[service].schema}.expansion`, 'which migrations only expand'],
    ]),
  ),
  'gateway.oauth_client': 'clients register themselves again',
  'gateway.oauth_interaction': 'requests of the last minutes',
  'gateway.named_person': 'sign-ins of the last minutes',
  'gateway.issuer_logout': 'sign-outs of the last day; sessions are not kept',
  'gateway.refused_name_key': 'a secret of the installation; what it digested lives for 30 days',
  'gateway.signing_key': 'secrets of the installation; tokens live for minutes',
  'gateway.evidence_key':
    'secrets of the installation; their public halves are published, and kept by who has to check',
  'knowledge_models.token_key': 'a secret of the installation; addresses of next pages are good for a moment',
};

/** The schemas of a team are opened anew: names and roles are the platform's to give, whatever an archive says. */
export const teamSchemaTable = 'knowledge_models.team_schema';

export type BackupTable = {
  readonly schema: string;
  readonly name: string;
  /** Those that the database neither generates nor counts; never the tenant. */
  readonly columns: readonly string[];
  /** The order in which rows are copied. */
  readonly order: readonly string[];
};

export const qualifiedTableName = ({ schema, name }: Pick<BackupTable, 'schema' | 'name'>): string =>
  `${schema}.${name}`;

type TableRow = BackupTable & { readonly hasTenant: boolean; readonly refersTo: readonly string[] };

/** What the database counts itself (an identity) is given anew: rows come in its order, and numbers of other teams stay. */
const tablesText = `
  select n.nspname as schema, c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
        and a.attname <> 'tenant' order by a.attnum) as columns,
    coalesce(
      nullif(array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> ''), '{}'),
      array(select a.attname::text from pg_index i
        cross join unnest(i.indkey::int2[]) with ordinality as key (attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = key.attnum
        where i.indrelid = c.oid and i.indisprimary order by key.place)) as "order",
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant') as "hasTenant",
    array(select distinct tn.nspname || '.' || t.relname from pg_constraint k
      join pg_class t on t.oid = k.confrelid join pg_namespace tn on tn.oid = t.relnamespace
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid and not k.condeferrable) as "refersTo"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
  order by 1, 2`;

const readTables = async (client: pg.ClientBase): Promise<readonly TableRow[]> => {
  const schemas = databaseServiceNames.map((service) => databaseServices[service].schema);
  const { rows } = await client.query<TableRow>(tablesText, [schemas]);
  return rows;
};

/** In an order in which rows can be written: those first to which others refer. */
export const readBackupTables = async (client: pg.ClientBase): Promise<readonly BackupTable[]> => {
  const remaining = new Map(
    (await readTables(client))
      .filter(
        (table) =>
          table.hasTenant &&
          !(qualifiedTableName(table) in transientTables) &&
          qualifiedTableName(table) !== teamSchemaTable,
      )
      .map((table) => [qualifiedTableName(table), table]),
  );
  const ordered: BackupTable[] = [];
  while (remaining.size > 0) {
    const ready = [...remaining].filter(([, { refersTo }]) => !refersTo.some((name) => remaining.has(name)));
    if (ready.length === 0)
      throw new Error(`The tables ${[...remaining.keys()].join(', ')} refer to each other in a circle.`);
    for (const [name, { schema, name: table, columns, order }] of ready) {
      remaining.delete(name);
      ordered.push({ schema, name: table, columns, order });
    }
  }
  return ordered;
};

/** Tables that belong to no team, by their names. */
export const findTablesWithoutTenant = async (client: pg.ClientBase): Promise<readonly string[]> =>
  (await readTables(client)).filter(({ hasTenant }) => !hasTenant).map(qualifiedTableName);

/**
 * Teams with a row in any table, also those that are missing in the list of teams, by name; `among` limits the search to
 * these.
 */
export const findTeamsInTables = async (
  client: pg.ClientBase,
  tables: readonly BackupTable[],
  among?: readonly string[],
): Promise<readonly string[]> => {
  const places = [teamSchemaTable, ...tables.map(({ schema, name }) => quoteTable({ physical: schema, name }))];
  const condition = '$1::text[] is null or tenant = any($1)';
  const { rows } = await client.query<{ team: string }>(
    `select team from (${places.map((place) => `select distinct tenant as team from ${place} where ${condition}`).join(' union ')}) as found
     order by team collate "C"`,
    [among ?? null],
  );
  return rows.map(({ team }) => team);
};
