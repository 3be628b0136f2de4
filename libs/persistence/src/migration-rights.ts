/**
 * The rights that a role needs to migrate. A superuser has them and grants them to another role once per database: only a
 * superuser can revoke `set_config` from public, and whoever may call it can reset the role of a team.
 * Never goes on without them: PostgreSQL would only warn, and teams would not be isolated.
 */
import type pg from 'pg';
import { ownerRoles } from './owner-roles.js';

type Rights = {
  readonly role: string;
  readonly database: string;
  readonly isSuperuser: boolean;
  readonly createsRoles: boolean;
  readonly seesRows: boolean;
  readonly createsSchemas: boolean;
  readonly createsExtensions: boolean;
  readonly seesQueries: boolean;
  /** Of the owners that are there and which it may not act for. */
  readonly inaccessibleOwners: readonly string[];
  readonly grantsSettings: boolean;
  readonly grantsPlpgsql: boolean;
};

export type MissingRights = {
  readonly role: string;
  readonly database: string;
  /** SQL that a superuser runs in the database. */
  readonly grants: readonly string[];
};

const setConfig = 'pg_catalog.set_config(text, text, boolean)';

/** Undefined when nothing is missing. */
export const findMissingRights = async (client: pg.ClientBase): Promise<MissingRights | undefined> => {
  const { rows } = await client.query<Rights>(
    `
    select quote_ident(current_user) as role, quote_ident(current_database()) as database,
      rolsuper as "isSuperuser", rolcreaterole as "createsRoles", rolbypassrls as "seesRows",
      has_database_privilege(current_database(), 'create with grant option') as "createsSchemas",
      has_schema_privilege('public', 'create') as "createsExtensions",
      pg_has_role('pg_read_all_stats', 'usage with admin option') as "seesQueries",
      array(select o.rolname::text from pg_roles o where o.rolname = any($1)
        and not pg_has_role(o.oid, 'usage with admin option')
        and not (pg_has_role(o.oid, 'usage') and pg_has_role(o.oid, 'set'))) as "inaccessibleOwners",
      has_function_privilege('${setConfig}', 'execute with grant option')
        and not has_function_privilege('public', '${setConfig}', 'execute') as "grantsSettings",
      has_language_privilege('plpgsql', 'usage with grant option')
        and not has_language_privilege('public', 'plpgsql', 'usage') as "grantsPlpgsql"
    from pg_roles where rolname = current_user`,
    [Object.values(ownerRoles)],
  );
  const [rights] = rows;
  if (rights === undefined || rights.isSuperuser) return undefined;
  const { role, database } = rights;
  const grants = [
    ...(rights.createsRoles ? [] : [`alter role ${role} createrole`]),
    // Row-level security is forced: nobody else could migrate, back up and restore the rows of all teams.
    ...(rights.seesRows ? [] : [`alter role ${role} bypassrls`]),
    ...rights.inaccessibleOwners.map((owner) => `grant ${owner} to ${role} with admin option`),
    ...(rights.createsSchemas ? [] : [`grant create on database ${database} to ${role} with grant option`]),
    ...(rights.createsExtensions ? [] : [`grant create on schema public to ${role}`]),
    ...(rights.seesQueries ? [] : [`grant pg_read_all_stats to ${role} with admin option`]),
    ...(rights.grantsSettings ? [] : restrictTo(role, `execute on function ${setConfig}`)),
    ...(rights.grantsPlpgsql ? [] : restrictTo(role, 'usage on language plpgsql')),
  ];
  return grants.length === 0 ? undefined : { role, database, grants };
};

const restrictTo = (role: string, right: string): readonly string[] => [
  `revoke ${right} from public`,
  `grant ${right} to ${role} with grant option`,
];
