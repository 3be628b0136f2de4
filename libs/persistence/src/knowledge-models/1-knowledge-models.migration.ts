/**
 * The tables of knowledge models: definitions with their published versions, tables of teams and their loads. Rows of teams
 * are not here: each team has schemas of its own for them and a role that can read these and nothing else.
 * Refuses: schemas and roles made by the service itself; `open_team_schema` makes both, with names that it decides.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIdempotency, dropIdempotency } from '../idempotency-table.js';
import { createOutbox } from '../outbox-table.js';
import { tenantWall } from '../tenant-wall.js';
import { createVersionedDefinitions } from '../versioned-definitions-table.js';

const schema = 'knowledge_models';
const role = 'tessera_knowledge_models';

const tables = ['team_state', 'model', 'model_version', 'team_schema', 'team_table', 'table_load', 'load_batch'];

export class KnowledgeModels1763800000001 implements MigrationInterface {
  name = 'KnowledgeModels1763800000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create extension if not exists pg_trgm');
    await runner.query(createVersionedDefinitions(schema, 'model'));
    await runner.query(teamTables);
    for (const table of tables) await runner.query(tenantWall(schema, table, role));
    await runner.query(openTeamSchema);
    await runner.query(oldLoads);
    await runner.query(olderQueries);
    await runner.query(noSettings);
    await runner.query(createIdempotency(schema, role));
    await runner.query(createOutbox(schema, role));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropIdempotency(schema));
    await runner.query(`grant execute on function pg_catalog.set_config(text, text, boolean) to public`);
    await runner.query(`grant usage on language plpgsql to public`);
    await runner.query(`drop function ${schema}.has_older_queries(xid8)`);
    await runner.query(`drop function ${schema}.old_loads(interval)`);
    await runner.query(`drop function ${schema}.open_team_schema(text, text)`);
    await runner.query(`drop table ${schema}.outbox`);
    for (const table of tables.toReversed()) await runner.query(`drop table ${schema}.${table}`);
  }
}

const teamTables = `
  create table ${schema}.team_schema (
    tenant text not null,
    schema_name text not null,
    physical_name text not null,
    role_name text not null,
    primary key (tenant, schema_name)
  );
  create table ${schema}.team_table (
    tenant text not null,
    schema_name text not null,
    table_id text not null,
    definition json not null,
    digest bytea not null,
    data_version bigint not null default 0,
    row_count bigint not null default 0,
    loaded_at timestamptz,
    primary key (tenant, schema_name, table_id)
  );
  create table ${schema}.table_load (
    tenant text not null,
    load_id uuid not null default uuidv7(),
    schema_name text not null,
    table_id text not null,
    options json not null,
    state text not null default 'loading' check (state in ('loading', 'committing', 'committed', 'refused')),
    data_version bigint,
    row_count bigint,
    appended_version bigint,
    appended_rows bigint,
    faults json,
    created_at timestamptz not null default now(),
    created_by text not null,
    primary key (tenant, load_id)
  );
  create index table_load_by_age on ${schema}.table_load (created_at);
  create table ${schema}.load_batch (
    tenant text not null,
    load_id uuid not null,
    ordinal integer not null,
    row_count bigint not null,
    primary key (tenant, load_id, ordinal),
    foreign key (tenant, load_id) references ${schema}.table_load (tenant, load_id) on delete cascade
  );
`;

/**
 * Who may drop what loads left behind, in all teams: names and nothing else. It runs with the rights of its owner, whom no
 * row-level security binds.
 */
const oldLoads = `
  create function ${schema}.old_loads(age interval)
    returns table (tenant text, schema_name text, table_id text, load_id uuid)
    language sql stable security definer set search_path = '' as $$
      select l.tenant, l.schema_name, l.table_id, l.load_id from ${schema}.table_load l
      where l.created_at < now() - age order by l.created_at
    $$;
  revoke execute on function ${schema}.old_loads(interval) from public;
  grant execute on function ${schema}.old_loads(interval) to ${role};
`;

/**
 * Whether a query of any service goes on that would not see what was committed before `than`: pages of rows that it does not
 * see cannot be settled. Other services' queries are hidden from a service; this tells nothing else of them.
 */
const olderQueries = `
  create function ${schema}.has_older_queries(than xid8) returns boolean
    language sql volatile security definer set search_path = pg_catalog as $$
      select exists (select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
          and age(backend_xmin) > age(xid(than)) and query !~* '^\\s*vacuum')
    $$;
  revoke execute on function ${schema}.has_older_queries(xid8) from public;
  grant execute on function ${schema}.has_older_queries(xid8) to ${role};
`;

/**
 * The role of a team is put on by a setting; one statement that could call this function, or hold a block of PL/pgSQL, would
 * put it off again. The services have the function by a grant of their own, and functions that are there go on to work.
 */
const noSettings = `
  grant execute on function pg_catalog.set_config(text, text, boolean) to current_user;
  revoke execute on function pg_catalog.set_config(text, text, boolean) from public;
  grant usage on language plpgsql to current_user;
  revoke usage on language plpgsql from public;
`;

/**
 * A name of a team and one of its schemas fill 63 bytes or are cut and told apart by a digest. Roles belong to the server:
 * another database on it may have made the role already.
 */
const openTeamSchema = `
  create function ${schema}.open_team_schema(of_team text, of_schema text, out physical_name text, out role_name text)
    language plpgsql security definer set search_path = pg_catalog as $$
    begin
      if of_team is distinct from nullif(current_setting('app.tenant', true), '') then
        raise exception 'the team is not the one of the transaction' using errcode = '42501';
      end if;
      select s.physical_name, s.role_name into physical_name, role_name from ${schema}.team_schema s
        where s.tenant = of_team and s.schema_name = of_schema;
      if found and to_regnamespace(quote_ident(physical_name)) is not null
        and to_regrole(quote_ident(role_name)) is not null then
        return;
      end if;
      if of_team !~ '^[a-z0-9][a-z0-9-]*$' or of_schema !~ '^[a-z_][a-z0-9_]*$' then
        raise exception 'no name of a team and a schema' using errcode = '22023';
      end if;
      physical_name := of_team || '.' || of_schema;
      if octet_length(physical_name) > 63 then
        physical_name := left(physical_name, 46) || '.' || left(encode(sha256(convert_to(physical_name, 'UTF8')), 'hex'), 16);
      end if;
      role_name := 'tessera.' || of_team;
      if octet_length(role_name) > 63 then
        role_name := left(role_name, 46) || '.' || left(encode(sha256(convert_to(role_name, 'UTF8')), 'hex'), 16);
      end if;
      perform pg_advisory_xact_lock(hashtextextended('tessera open team schema', 0));
      if not exists (select from pg_roles where rolname = role_name) then
        begin
          execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit', role_name);
        exception when duplicate_object or unique_violation then null;
        end;
      end if;
      if not pg_has_role('${role}', role_name, 'set') then
        execute format('grant %I to ${role} with inherit false, set true', role_name);
      end if;
      execute format('create schema if not exists %I authorization ${role}', physical_name);
      execute format('grant usage on schema %I to %I', physical_name, role_name);
      insert into ${schema}.team_schema (tenant, schema_name, physical_name, role_name)
        values (of_team, of_schema, open_team_schema.physical_name, open_team_schema.role_name) on conflict do nothing;
    end $$;
  revoke execute on function ${schema}.open_team_schema(text, text) from public;
  grant execute on function ${schema}.open_team_schema(text, text) to ${role};
`;
