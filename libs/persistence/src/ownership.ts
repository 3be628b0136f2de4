/**
 * Gives schemas, tables and functions to the owner roles and forces row-level security, which binds these roles too.
 * A migration runs as whoever migrates; what it created, or an earlier version did, is moved here.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ownerRoles } from './owner-roles.js';

export type CrossTeamAccess = {
  readonly schema: string;
  /** What the functions may do, by table, e.g. `select, delete`. */
  readonly tables: Readonly<Record<string, string>>;
  /** By their signatures. */
  readonly functions: readonly string[];
};

/** SQL that lets functions see the rows of all teams: they run as a role that has these rights and no other. */
export const grantCrossTeamAccessSql = ({ schema, tables, functions }: CrossTeamAccess): string =>
  [
    `grant usage, create on schema ${schema} to ${ownerRoles.acrossTeams};`,
    ...Object.entries(tables).map(
      ([table, rights]) =>
        `grant ${rights} on ${schema}.${table} to ${ownerRoles.acrossTeams};
         create policy across_teams on ${schema}.${table} to ${ownerRoles.acrossTeams} using (true) with check (true);`,
    ),
    ...functions.map((name) => `alter function ${schema}.${name} owner to ${ownerRoles.acrossTeams};`),
    `revoke create on schema ${schema} from ${ownerRoles.acrossTeams};`,
  ].join('\n');

/** The functions belong to whoever undoes it. */
export const revokeCrossTeamAccessSql = ({ schema, tables, functions }: CrossTeamAccess): string =>
  [
    ...functions.map((name) => `alter function ${schema}.${name} owner to current_user;`),
    ...Object.entries(tables).map(
      ([table, rights]) =>
        `drop policy across_teams on ${schema}.${table}; revoke ${rights} on ${schema}.${table} from ${ownerRoles.acrossTeams};`,
    ),
    `revoke usage on schema ${schema} from ${ownerRoles.acrossTeams};`,
  ].join('\n');

/** Statements, the schema first: only who may create in it can own what is in it. Indexes and sequences follow their tables. */
const schemaOwnershipSql = `
  with others as (
    select oid, rolname from pg_roles where rolname not in ('${ownerRoles.owner}', '${ownerRoles.acrossTeams}')),
  places as (select oid, nspname, nspowner from pg_namespace where nspname = any($1))
  select statement from (
    select 1 as step, format('alter schema %I owner to ${ownerRoles.owner}', nspname) as statement
    from places where nspowner in (select oid from others)
    union all
    select 2, format('alter %s %s owner to ${ownerRoles.owner}',
      case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' when 'c' then 'type'
        when 'f' then 'foreign table' else 'table' end, c.oid::regclass)
    from pg_class c join places p on p.oid = c.relnamespace
    where c.relowner in (select oid from others) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
        and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and c.relkind = 'S')
    union all
    select 3, format('alter table %s force row level security', c.oid::regclass)
    from pg_class c join places p on p.oid = c.relnamespace
    where c.relrowsecurity and not c.relforcerowsecurity
    union all
    select 4, format('alter routine %s owner to ${ownerRoles.owner}', f.oid::regprocedure)
    from pg_proc f join places p on p.oid = f.pronamespace
    where f.proowner in (select oid from others)
    union all
    select 5, format('alter type %s owner to ${ownerRoles.owner}', t.oid::regtype)
    from pg_type t join places p on p.oid = t.typnamespace
    where t.typowner in (select oid from others) and t.typtype in ('d', 'e', 'r')
  ) as found order by step, statement`;

/** Schemas of teams and the tables in them, also those that a load fills; `open_team_schema` grants their roles. */
const teamOwnershipSql = `
  with places as (
    select n.oid, n.nspname, n.nspowner from pg_namespace n
    join knowledge_models.team_schema s on s.physical_name = n.nspname),
  owner as (select oid from pg_roles where rolname = '${ownerRoles.teamTables}')
  select statement from (
    select 1 as step, format('alter schema %I owner to ${ownerRoles.teamTables}', nspname) as statement
    from places where nspowner <> (select oid from owner)
    union all
    select 2, format('alter table %I.%I owner to ${ownerRoles.teamTables}', p.nspname, c.relname)
    from pg_class c join places p on p.oid = c.relnamespace
    where c.relkind = 'r' and c.relowner <> (select oid from owner)
    union all
    select distinct 3, format('grant %I to ${ownerRoles.owner} with admin option, inherit false, set false', r.rolname)
    from pg_roles r join knowledge_models.team_schema s on s.role_name = r.rolname
    where not pg_has_role('${ownerRoles.owner}', r.oid, 'usage with admin option')
      and pg_has_role(r.oid, 'usage with admin option')
  ) as found order by step, statement`;

/** Does nothing where all of it is so already. */
export const assignDatabaseOwners = async (
  client: pg.Client,
  schemas: readonly string[],
  stopping: AbortSignal | undefined,
): Promise<void> => {
  const { rows } = await client.query<Statement>(schemaOwnershipSql, [schemas]);
  const { rows: ofTeams } = await client.query<Statement>(teamOwnershipSql);
  for (const { statement } of [...rows, ...ofTeams]) await runWithShortLocks(client, statement, stopping);
};

type Statement = { readonly statement: string };

const lockTimeoutMs = 500;
const pauseMs = 200;
const lockNotAvailable = '55P03';
/** A load put another table in the place of one, or was forgotten. */
const missingStates = new Set(['42P01', '3F000']);

/** Who waits for a lock makes all others wait that come later: for short moments, with a pause between them. */
const runWithShortLocks = async (
  client: pg.Client,
  statement: string,
  stopping: AbortSignal | undefined,
): Promise<void> => {
  for (;;) {
    stopping?.throwIfAborted();
    try {
      await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}; ${statement}; commit`);
      return;
    } catch (error) {
      await client.query('rollback');
      const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
      if (missingStates.has(code)) return;
      if (code !== lockNotAvailable) throw error;
      await sleep(pauseMs, undefined, stopping ? { signal: stopping } : {});
    }
  }
};
