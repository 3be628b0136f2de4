/**
 * Who owns what, and who sees what, read from the catalog of a real PostgreSQL: a table or a function that comes later has to
 * fit as well, or to be named here with the reason.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@tessera/local-stack';
import { waitUntil, testRunFolder } from '@tessera/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { databaseServiceNames, databaseServices, type DatabaseServiceName } from './database-services.js';
import { migrate, serviceDatabaseUrl } from './migrate.js';
import { migrationClassesOf } from './migration-classes.js';
import { ownerRoles } from './owner-roles.js';

/** Tables with a tenant and without row-level security. */
const openTables: Readonly<Record<string, string>> = {
  'gateway.rate_window': 'counters of many credentials are written in one statement; no caller names a row of it',
  'tool_gateway.rate_window': 'counters of many assets are written in one statement; no caller names a row of it',
};

/** Functions that do not run as their caller. What one says of teams that its caller did not name. */
const definers: Readonly<Record<string, string>> = {
  'gateway.find_api_keys(text[])': 'the keys of given ids, before it is known whose they are',
  'gateway.find_granted_keys(text[])': 'the same with the grants of their teams',
  'gateway.find_issuer_grants(text,text,text)': 'the grants that end with a sign-out at the issuer, by their ids',
  'gateway.find_issuer_sessions(text,text,text)': 'the sessions that the issuer of the operator ends, by their ids',
  'gateway.find_memberships(text,text)': 'the teams of a person, before it is known in which one the person acts',
  'gateway.find_oauth_token(bytea)': 'the code or token that a client keeps, before it is known whose it is',
  'gateway.find_oauth_grants(uuid[])': 'the grants of tokens whose signatures fit, before it is known whose they are',
  'gateway.delete_expired_oauth(integer)': 'a number',
  'gateway.delete_old_refusals(integer)': 'a number',
  'gateway.find_sessions(bytea[])': 'the sessions of what browsers keep, before it is known whose they are',
  'gateway.list_teams(text,integer)': 'the teams, for the operators',
  'gateway.mark_api_keys_used(text[],timestamp with time zone[])': 'writes one moment, answers nothing',
  'content_repo.storages_with_deleted(timestamp with time zone)': 'names of storages, for the job that purges',
  'content_repo.teams_with_old_imports(interval)': 'names of teams, for the job that deletes imports',
  'knowledge_models.old_loads(interval)': 'names of tables and loads, for the job that forgets them',
  'knowledge_models.has_older_queries(xid8)': 'yes or no',
  'knowledge_models.forget_evidence(interval,integer)': 'a number',
  'tool_gateway.forget_calls(interval,integer)': 'a number',
  'agents.renew_leases(uuid,uuid[],interval)': 'ids of turns of a replica',
  'agents.interrupt_turns(uuid)': 'a number',
  'agents.mark_expired_turns()': 'a number',
  'agents.forget_conversations(integer)': 'a number',
};
/** These take the tenant of the transaction, whatever they are given. */
const ofOneTenant = [
  'content_repo.renditions_with_names_containing(uuid,text[],text,integer)',
  'content_repo.renditions_with_names_resembling(uuid,text[],text,integer)',
  'content_repo.renditions_with_names_similar_to(uuid,text[],text,integer)',
  'content_repo.renditions_with_texts_containing(uuid,text[],text,integer)',
  'content_repo.renditions_with_texts_similar_to(uuid,text[],text,integer)',
  'knowledge_models.open_team_schema(text,text)',
];

const schemas = databaseServiceNames.map((service) => databaseServices[service].schema);
const passwords: Readonly<Record<DatabaseServiceName, string>> = {
  gateway: 'a',
  'content-repo': 'b',
  'knowledge-models': 'c',
  'tool-gateway': 'd',
  agents: 'e',
};

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({
    dataFolder: join(testRunFolder(), 'postgres-of-ownership'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '32MB' },
  });
});
afterAll(() => server.stop());

const urlOf = (database: string): string => {
  const address = new URL(server.url);
  address.pathname = `/${database}`;
  return address.href;
};

type Row = Readonly<Record<string, unknown>>;

const ask = async (url: string, ...statements: readonly string[]): Promise<readonly Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
};

const listed = `any('{${schemas.join()}}')`;
const ofPlatform = `(nspname = ${listed} or nspname in (select physical_name from knowledge_models.team_schema))`;

/** Everything in the schemas of services and teams that belongs to somebody who may log in, or to one who is no owner of these. */
const strangeOwners = `
  with objects as (
    select format('schema %I', nspname) as object, nspowner as owner from pg_namespace where ${ofPlatform}
    union all select format('relation %s', c.oid::regclass), relowner from pg_class c
      join pg_namespace n on n.oid = relnamespace where ${ofPlatform}
    union all select format('function %s', p.oid::regprocedure), proowner from pg_proc p
      join pg_namespace n on n.oid = pronamespace where ${ofPlatform}
    union all select format('type %s', t.oid::regtype), typowner from pg_type t
      join pg_namespace n on n.oid = typnamespace where ${ofPlatform})
  select object, rolname from objects join pg_roles r on r.oid = owner
  where rolcanlogin or rolsuper or rolbypassrls or rolname <> all('{${Object.values(ownerRoles).join()}}') order by 1`;

const tenantTables = `
  select c.oid::regclass::text as name, relrowsecurity and relforcerowsecurity as forced,
    exists (select from pg_policy where polrelid = c.oid and polname = 'tenant_wall' and polroles = '{0}') as walled
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname = ${listed} and relkind in ('r', 'p')
    and exists (select from pg_attribute where attrelid = c.oid and attname = 'tenant' and not attisdropped) order by 1`;

const expectSettled = async (url: string): Promise<void> => {
  expect(await ask(url, strangeOwners)).toEqual([]);
  const tables = await ask(url, tenantTables);
  expect(tables.length).toBeGreaterThan(30);
  expect(tables.filter(({ forced, walled }) => forced !== true || walled !== true).map(({ name }) => name)).toEqual(
    Object.keys(openTables),
  );
  expect(
    await ask(
      url,
      `select r.rolname from pg_auth_members m join pg_roles r on r.oid = m.member
      join pg_roles o on o.oid = m.roleid where o.rolname = '${ownerRoles.owner}' and r.rolname like 'tessera%'`,
    ),
  ).toEqual([]);
};

const openTeam = async (url: string): Promise<void> => {
  await ask(
    serviceDatabaseUrl(url, 'knowledge-models', passwords['knowledge-models']),
    `begin; set local app.tenant = 'meridian'; select knowledge_models.open_team_schema('meridian', 'p2p'); commit`,
  );
};

describe('a database', () => {
  it('belongs to the owner roles, whoever migrated it', async () => {
    const bySuperuser = urlOf('by_superuser');
    await ask(server.url, 'create database by_superuser');
    await migrate({ url: bySuperuser, passwords });
    await openTeam(bySuperuser);
    await expectSettled(bySuperuser);
  });

  it('of an earlier version is moved to the owner roles during use, by any number of migrations', async () => {
    const url = urlOf('before');
    await ask(server.url, 'create database before');
    await migrate({ url, passwords });
    await openTeam(url);
    await undo(url);
    const asBefore = serviceDatabaseUrl(url, 'knowledge-models', passwords['knowledge-models']);
    await ask(asBefore, `create table "meridian.p2p".item (id int)`);
    expect((await ask(url, strangeOwners)).length).toBeGreaterThan(100);
    const asAgents = serviceDatabaseUrl(url, 'agents', passwords.agents);
    const reader = new pg.Client({ connectionString: asAgents });
    await reader.connect();
    await reader.query('begin; select count(*) from agents.step');
    const migrated = migrate({ url, passwords });
    await waitUntil(async () => {
      const waiting = `select from pg_stat_activity where application_name = 'tessera-migrate' and wait_event_type = 'Lock'`;
      return (await ask(url, waiting)).length > 0;
    });
    // Nobody else is kept from the table for longer than a moment.
    await ask(asAgents, 'select count(*) from agents.step');
    await reader.query('commit');
    await reader.end();
    expect((await migrated).ran).toHaveLength(databaseServiceNames.length);
    await expectSettled(url);
    expect((await migrate({ url, passwords })).ran).toEqual([]);
    await ask(asBefore, 'drop table "meridian.p2p".item');
  });
});

/** As the version before this one left a database. */
const undo = async (url: string): Promise<void> => {
  for (const service of databaseServiceNames) {
    const { schema } = databaseServices[service];
    const migrations = [...migrationClassesOf(service)];
    const source = new DataSource({ type: 'postgres', url, schema, migrations, migrationsTableName: 'migration' });
    await source.initialize();
    await source.undoLastMigration();
    await source.destroy();
  }
  const rows = await ask(
    url,
    `select format('alter table %s no force row level security', c.oid::regclass) as text
     from pg_class c where relforcerowsecurity
     union all select format('alter %s %s owner to postgres', case relkind when 'v' then 'view' else 'table' end, c.oid::regclass)
     from pg_class c join pg_namespace n on n.oid = relnamespace where nspname = ${listed} and relkind in ('r', 'v')
     union all select format('alter routine %s owner to postgres', p.oid::regprocedure)
     from pg_proc p join pg_namespace n on n.oid = pronamespace where nspname = ${listed}
     union all select format('alter schema %I owner to %s', nspname,
       case when nspname = ${listed} then 'postgres' else 'tessera_knowledge_models' end)
     from pg_namespace where ${ofPlatform}`,
  );
  await ask(url, ...rows.map(({ text }) => String(text)));
};

/** A row of the team in every table, whatever its references say. */
const fill = async (url: string): Promise<void> => {
  const rows = await ask(
    url,
    `select format('insert into %s (%s) values (%s)', c.oid::regclass, string_agg(quote_ident(attname), ', '),
       string_agg(case attname when 'attributes' then case when c.relname like 'rendition%' then '''''' else '''{}''' end when 'tenant' then '''meridian''' when 'state' then '''running'''
         when 'password' then '''$argon2id$''' when 'kind' then case c.relname when 'oauth_token' then '''RefreshToken''' else '''a''' end else
         case atttypid::regtype::text when 'text' then '''a''' when 'uuid' then 'gen_random_uuid()'
           when 'bytea' then 'sha256('''')' when 'json' then '''{}''' when 'jsonb' then '''{}''' when 'text[]' then '''{}'''
           when 'timestamp with time zone' then 'now()' when 'boolean' then 'true' else '1' end end, ', ')) as text
     from pg_class c join pg_namespace n on n.oid = relnamespace join pg_attribute a on attrelid = c.oid
     where nspname = ${listed} and relkind = 'r' and attnum > 0 and not attisdropped and not atthasdef
       and attidentity = '' and (attnotnull or (c.relname, attname) = ('session', 'member_id'))
       and exists (select from pg_attribute where attrelid = c.oid and attname = 'tenant')
     group by c.oid`,
  );
  await ask(
    url,
    'set session_replication_role = replica',
    `set app.change = '1'`,
    ...rows.map(({ text }) => String(text)),
  );
};

describe('rows of a team', () => {
  let url: string;
  let walled: readonly string[];
  beforeAll(async () => {
    url = urlOf('filled');
    await ask(server.url, 'create database filled');
    await migrate({ url, passwords });
    await fill(url);
    walled = (await ask(url, tenantTables)).map(({ name }) => String(name)).filter((name) => !(name in openTables));
  });

  const counted = async (role: string, tenant?: string): Promise<readonly (readonly [string, number])[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(`set session authorization ${role}`);
      if (tenant !== undefined) await client.query(`set app.tenant = '${tenant}'`);
      const found: [string, number][] = [];
      for (const table of walled) {
        const [schema] = table.split('.');
        const may = `select has_schema_privilege('${schema}', 'usage') and has_any_column_privilege('${table}', 'select') as may`;
        if ((await client.query<{ may: boolean }>(may)).rows[0]?.may !== true) continue;
        const { rows } = await client.query<{ rows: number }>(`select count(*)::int as rows from ${table}`);
        found.push([table, rows[0]?.rows ?? -1]);
      }
      return found;
    } finally {
      await client.end();
    }
  };

  it.each([...databaseServiceNames.map((name): string => databaseServices[name].role), ownerRoles.owner])(
    'are visible to %s only as that team',
    async (role) => {
      const found = await counted(role, 'meridian');
      expect(found.length).toBeGreaterThan(2);
      expect(found.filter(([, rows]) => rows !== 1)).toEqual([]);
      for (const tenant of [undefined, '', 'other'])
        expect((await counted(role, tenant)).filter(([, rows]) => rows !== 0)).toEqual([]);
    },
  );

  it('are visible to the owner of cross-team functions only in the tables that these need', async () => {
    expect(await counted(ownerRoles.teamTables, 'meridian')).toEqual([]);
    expect((await counted(ownerRoles.acrossTeams)).map(([table]) => table)).toEqual([
      'agents.conversation',
      'agents.turn',
      'content_repo.deleted_version',
      'content_repo.element',
      'content_repo.import',
      'content_repo.rendition',
      'content_repo.storage',
      'gateway.access_change',
      'gateway.access_role',
      'gateway.api_key',
      'gateway.member',
      'gateway.oauth_grant',
      'gateway.oauth_token',
      'gateway.session',
      'gateway.team',
      'knowledge_models.evidence',
      'knowledge_models.table_load',
      'tool_gateway.tool_call',
    ]);
  });

  it('are returned across teams only by the functions listed here', async () => {
    const found = await ask(
      url,
      `select p.oid::regprocedure::text as name, rolname as owner from pg_proc p
       join pg_namespace n on n.oid = pronamespace join pg_roles o on o.oid = proowner
       where nspname = ${listed} and prosecdef order by p.oid::regprocedure::text collate "C"`,
    );
    expect(found.map(({ name }) => name)).toEqual([...Object.keys(definers), ...ofOneTenant].toSorted());
    expect(found.filter(({ owner }) => owner === ownerRoles.owner).map(({ name }) => name)).toEqual([
      'knowledge_models.open_team_schema(text,text)',
    ]);
    const asContent = serviceDatabaseUrl(url, 'content-repo', passwords['content-repo']);
    const [storage] = await ask(url, 'select storage_id from content_repo.rendition');
    for (const name of ofOneTenant.filter((of) => of.startsWith('content_repo')))
      expect(
        await ask(
          asContent,
          `select from ${name.slice(0, name.indexOf('('))}('${String(storage?.['storage_id'])}', '{%}', null, 10)`,
        ),
      ).toEqual([]);
    const asModels = serviceDatabaseUrl(url, 'knowledge-models', passwords['knowledge-models']);
    await expect(ask(asModels, `select knowledge_models.open_team_schema('meridian', 'p2p')`)).rejects.toThrow(
      'the team is not the one of the transaction',
    );
  });

  it('are found by trigram indexes, which row-level security disables for everybody else', async () => {
    const plan = async (role: string) =>
      ask(
        url,
        // Few rows are cheap to find in any way: the other ways are closed.
        `begin; update pg_index set indisvalid = indexrelid = 'content_repo.rendition_by_names'::regclass
         where indrelid = 'content_repo.rendition'::regclass`,
        `set role ${role}; set app.tenant = 'meridian'; set enable_seqscan = off; set enable_indexscan = off`,
        `explain select from content_repo.rendition where tree_path is not null and folded_names like '%order%'`,
      );
    const byWords = /Index Cond: .*folded_names/;
    expect(JSON.stringify(await plan(ownerRoles.acrossTeams))).toMatch(byWords);
    expect(JSON.stringify(await plan('tessera_content_repo'))).not.toMatch(byWords);
  });

  it('are found by the cross-team functions', async () => {
    const one = async (service: DatabaseServiceName, text: string) =>
      (await ask(serviceDatabaseUrl(url, service, passwords[service]), text))[0];
    expect(await one('gateway', `select tenant from gateway.find_api_keys('{a}')`)).toEqual({ tenant: 'meridian' });
    await ask(url, `update agents.turn set lease_until = now() - interval '1 hour'`);
    expect(await one('agents', 'select agents.mark_expired_turns() as n')).toEqual({ n: '1' });
    await ask(url, `update agents.conversation set kept_until = now() - interval '1 hour'`);
    expect(await one('agents', 'select agents.forget_conversations(10) as n')).toEqual({ n: '1' });
    expect(await one('knowledge-models', `select tenant from knowledge_models.old_loads('-1 hour')`)).toEqual({
      tenant: 'meridian',
    });
    await ask(url, `update tool_gateway.tool_call set call_id = '00000000-0000-7000-8000-000000000000'`);
    expect(await one('tool-gateway', `select tool_gateway.forget_calls('1 day', 10) as n`)).toEqual({ n: '1' });
    await ask(
      url,
      'set session_replication_role = replica',
      'update content_repo.deleted_version set storage_id = (select storage_id from content_repo.storage)',
    );
    expect(await one('content-repo', 'select tenant from content_repo.storages_with_deleted(now())')).toEqual({
      tenant: 'meridian',
    });
  });
});
