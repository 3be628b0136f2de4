/**
 * The tables of knowledge models: definitions with their published versions, tables of teams and their loads. The rows of
 * teams are not here: each team has schemas of its own for them, and a role that can read only these. `open_team_schema`
 * creates both and chooses their names.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  createIdempotencyTableSql,
  createOutboxTableSql,
  dropIdempotencyTableSql,
  rowLevelSecuritySql,
} from '../common-tables.js';
import { createVersionedDefinitionTablesSql } from '../versioned-definitions-table.js';
import { createOpenTeamSchemaFunctionSql } from './open-team-schema.js';

const schema = 'knowledge_models';
const role = 'tessera_knowledge_models';

const tables = ['team_state', 'model', 'model_version', 'team_schema', 'team_table', 'table_load', 'load_batch'];

export class KnowledgeModels1763800000001 implements MigrationInterface {
  name = 'KnowledgeModels1763800000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create extension if not exists pg_trgm');
    await runner.query(createVersionedDefinitionTablesSql(schema, 'model'));
    await runner.query(teamTables);
    for (const table of tables) await runner.query(rowLevelSecuritySql(schema, table, role));
    await runner.query(createOpenTeamSchemaFunctionSql(role));
    await runner.query(grantToService);
    await runner.query(oldLoads);
    await runner.query(olderQueriesSql());
    await runner.query(revokeSettings);
    await runner.query(createIdempotencyTableSql(schema, role));
    await runner.query(createOutboxTableSql(schema, role));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropIdempotencyTableSql(schema));
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

/** Old loads of all teams, by name, for the job that drops what they left behind. It runs as its owner, who sees all teams. */
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
 * Whether any service runs a query whose snapshot is older than `than`: pages with rows that it does not see cannot be
 * marked as all-visible. A service cannot see the queries of others; this function reveals nothing else about them.
 */
export const olderQueriesSql = (others = ''): string => `
  create or replace function ${schema}.has_older_queries(than xid8) returns boolean
    language sql volatile security definer set search_path = pg_catalog as $$
      select exists (select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
          and age(backend_xmin) > age(xid(than)) and query !~* '^\\s*vacuum' ${others})
    $$;
  revoke execute on function ${schema}.has_older_queries(xid8) from public;
  grant execute on function ${schema}.has_older_queries(xid8) to ${role};
`;

/**
 * The role of a team is set for a statement; a statement that could call this function, or run a block of PL/pgSQL, could
 * reset the role. Each service is granted the function, and existing functions keep working.
 */
const revokeSettings = `
  grant execute on function pg_catalog.set_config(text, text, boolean) to current_user;
  revoke execute on function pg_catalog.set_config(text, text, boolean) from public;
  grant usage on language plpgsql to current_user;
  revoke usage on language plpgsql from public;
`;

const grantToService = `
  revoke execute on function ${schema}.open_team_schema(text, text) from public;
  grant execute on function ${schema}.open_team_schema(text, text) to ${role};
`;
