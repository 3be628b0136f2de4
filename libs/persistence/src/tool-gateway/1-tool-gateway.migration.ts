/**
 * The tables of agent tools: assets with their published versions, the counters of their limits and the log of calls.
 * A row of the log can be added, ended once while its call runs, and deleted when it is old.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  createIdempotencyTableSql,
  createOutboxTableSql,
  dropIdempotencyTableSql,
  rowLevelSecuritySql,
} from '../common-tables.js';
import { createVersionedDefinitionTablesSql, versionedTableNames } from '../versioned-definitions-table.js';

const schema = 'tool_gateway';
const role = 'tessera_tool_gateway';

const tenantTables = [...versionedTableNames('asset'), 'tool_call'];

export class ToolGateway1764000000001 implements MigrationInterface {
  name = 'ToolGateway1764000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createVersionedDefinitionTablesSql(schema, 'asset'));
    await runner.query(rateWindow);
    await runner.query(toolCall);
    for (const table of tenantTables) await runner.query(rowLevelSecuritySql(schema, table, role));
    await runner.query(protectCallLog);
    await runner.query(forgetCalls);
    await runner.query(createIdempotencyTableSql(schema, role));
    await runner.query(createOutboxTableSql(schema, role));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropIdempotencyTableSql(schema));
    await runner.query(`drop function ${schema}.forget_calls(interval, integer)`);
    await runner.query(`drop table ${schema}.outbox, ${schema}.rate_window`);
    for (const table of tenantTables.toReversed()) await runner.query(`drop table ${schema}.${table}`);
  }
}

/** The service counts for many teams in one statement, as the gateway does; no caller can address a row. */
const rateWindow = `
  create table ${schema}.rate_window (
    tenant text not null,
    asset_id text not null,
    window_start timestamptz not null,
    used integer not null check (used >= 0),
    granted integer not null,
    settled integer not null,
    calls_per_minute integer not null,
    primary key (tenant, asset_id, window_start)
  );
  grant select, insert, update, delete on ${schema}.rate_window to ${role};
`;

/**
 * The id of a call contains its start time (UUID version 7), so ids are ordered by time. Old rows lie together: the BRIN
 * index finds those of all teams.
 */
const toolCall = `
  create table ${schema}.tool_call (
    tenant text not null,
    call_id uuid not null,
    subject text not null,
    door text not null,
    asset_id text not null,
    version text not null,
    digest bytea not null,
    tool_id text not null,
    arguments_digest bytea not null,
    duration_us bigint,
    outcome text not null,
    request_id text not null,
    primary key (tenant, call_id)
  );
  create index tool_call_of_asset on ${schema}.tool_call (tenant, asset_id, call_id);
  create index tool_call_by_age on ${schema}.tool_call using brin (call_id);
`;

/** The service may set the outcome of a running call once and change nothing else. */
const protectCallLog = `
  revoke update, delete on ${schema}.tool_call from ${role};
  grant update (outcome, duration_us) on ${schema}.tool_call to ${role};
  create policy ends_once on ${schema}.tool_call as restrictive for update
    using (outcome = 'running') with check (outcome <> 'running');
`;

/** Deletes rows of all teams older than `age` (at least a day), up to `rows_max`; returns how many. It runs as its owner. */
export const forgetCalls = `
  create function ${schema}.forget_calls(age interval, rows_max integer) returns bigint
    language sql volatile security definer set search_path = pg_catalog as $$
      with gone as (
        delete from ${schema}.tool_call where ctid = any(array(
          select ctid from ${schema}.tool_call
          where call_id < (lpad(to_hex((extract(epoch from now() - greatest(age, interval '1 day')) * 1000)::bigint), 12, '0')
            || '00000000000000000000')::uuid
          limit rows_max))
        returning 1)
      select count(*) from gone
    $$;
  revoke execute on function ${schema}.forget_calls(interval, integer) from public;
  grant execute on function ${schema}.forget_calls(interval, integer) to ${role};
`;
