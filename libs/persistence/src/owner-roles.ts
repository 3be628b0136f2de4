/** The roles that own schemas, tables and functions. Nobody logs in as one; like all roles they belong to the server. */
import type pg from 'pg';

export const ownerRoles = {
  /** Schemas, tables, functions of the services. Row-level security is forced, so it sees no row without a tenant either. */
  owner: 'tessera_owner',
  /** Functions that look at all teams at once, and the tables that these need: policies and grants name them one by one. */
  acrossTeams: 'tessera_across_teams',
  /** Schemas of teams and the tables in them. */
  teamTables: 'tessera_team_tables',
} as const;

const commonAttributes = 'nologin nosuperuser nobypassrls nocreatedb noinherit';

/** `open_team_schema` runs as the owner and makes the roles of teams. */
const attributesByRole: Readonly<Record<string, string>> = {
  [ownerRoles.owner]: `${commonAttributes} createrole`,
  [ownerRoles.acrossTeams]: `${commonAttributes} nocreaterole`,
  [ownerRoles.teamTables]: `${commonAttributes} nocreaterole`,
};

/** Makes them, each once for all databases of the server, and lets the one who migrates act for them. */
export const prepareOwnerRoles = async (client: pg.ClientBase): Promise<void> => {
  for (const [role, wanted] of Object.entries(attributesByRole)) {
    const { rows } = await client.query<{ readonly isOther: boolean }>(
      `select rolcanlogin or rolsuper or rolbypassrls or rolcreatedb or rolinherit or rolcreaterole <> $2 as "isOther"
       from pg_roles where rolname = $1`,
      [role, role === ownerRoles.owner],
    );
    if (rows[0] === undefined) await client.query(`create role ${role} ${wanted}`);
    // Only a superuser may say all of this, so it is not said again.
    if (rows[0]?.isOther === true) await client.query(`alter role ${role} ${wanted}`);
    await grantRole(client, role);
  }
  await grantRole(client, ownerRoles.teamTables, ownerRoles.owner);
  // A service would see of the queries of others only that they go on; see `has_older_queries`.
  await grantRole(client, 'pg_read_all_stats', ownerRoles.acrossTeams);
  const { rows } = await client.query<{ readonly database: string; readonly mayCreate: boolean }>(
    `select quote_ident(current_database()) as database,
       has_database_privilege($1, current_database(), 'create') as "mayCreate"`,
    [ownerRoles.owner],
  );
  if (rows[0]?.mayCreate === false)
    await client.query(`grant create on database ${rows[0].database} to ${ownerRoles.owner}`);
};

/** The member, or whoever is connected, may do what the role may, and make things that belong to it. */
export const grantRole = async (client: pg.ClientBase, role: string, member?: string): Promise<void> => {
  const { rows } = await client.query<{ readonly isMember: boolean }>(
    `select pg_has_role(coalesce($2::name, current_user), oid, 'usage')
       and pg_has_role(coalesce($2::name, current_user), oid, 'set') as "isMember"
     from pg_roles where rolname = $1`,
    [role, member],
  );
  if (rows[0]?.isMember !== true)
    await client.query(`grant ${role} to ${member ?? 'current_user'} with inherit true, set true`);
};
