/**
 * The tables of agents: definitions with their published versions, conversations, turns and steps.
 * A unique index allows one running turn per conversation across all replicas. turn-functions.ts changes the state of turns.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  createIdempotencyTableSql,
  createOutboxTableSql,
  dropIdempotencyTableSql,
  rowLevelSecuritySql,
} from '../common-tables.js';
import { createVersionedDefinitionTablesSql, versionedTableNames } from '../versioned-definitions-table.js';
import { createTurnMaintenanceFunctionsSql, dropTurnMaintenanceFunctionsSql } from './care-functions.js';
import { createTurnFunctionsSql, dropTurnFunctionsSql } from './turn-functions.js';

const schema = 'agents';
const role = 'tessera_agents';

const tenantTables = [...versionedTableNames('agent'), 'conversation', 'turn', 'step'];

export class Agents1764100000001 implements MigrationInterface {
  name = 'Agents1764100000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createVersionedDefinitionTablesSql(schema, 'agent'));
    await runner.query(conversation);
    await runner.query(turn);
    await runner.query(step);
    for (const table of tenantTables) await runner.query(rowLevelSecuritySql(schema, table, role));
    await runner.query(createTurnFunctionsSql);
    await runner.query(createTurnMaintenanceFunctionsSql(role));
    await runner.query(createIdempotencyTableSql(schema, role));
    await runner.query(createOutboxTableSql(schema, role));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropIdempotencyTableSql(schema));
    await runner.query(dropTurnMaintenanceFunctionsSql);
    await runner.query(dropTurnFunctionsSql);
    await runner.query(`drop table ${schema}.outbox`);
    for (const table of tenantTables.toReversed()) await runner.query(`drop table ${schema}.${table}`);
  }
}

/** The BRIN index finds expired conversations of all teams and does not slow down updates. */
const conversation = `
  create table ${schema}.conversation (
    tenant text not null,
    conversation_id uuid not null default uuidv7(),
    agent_id text not null,
    subject text not null,
    created_at timestamptz not null default clock_timestamp(),
    changed_at timestamptz not null default clock_timestamp(),
    kept_until timestamptz not null,
    turn_count integer not null,
    first_message text not null,
    primary key (tenant, conversation_id)
  ) with (fillfactor = 80);
  create index conversation_of_subject on ${schema}.conversation (tenant, subject, agent_id, conversation_id);
  create index conversation_by_age on ${schema}.conversation using brin (kept_until);
`;

/**
 * `attempt` counts how often the message was run under its Idempotency-Key. Only the replica that holds the lease may change
 * the row. The digest of a key covers the subject too.
 */
const turn = `
  create table ${schema}.turn (
    tenant text not null,
    conversation_id uuid not null,
    turn_no integer not null,
    attempt integer not null default 1,
    state text not null check (state in ('running', 'completed', 'failed', 'interrupted')),
    message text not null,
    stop text,
    answer text,
    structured_output json,
    failure text,
    agent_version text not null,
    digest bytea not null,
    model text not null,
    input_tokens bigint not null default 0,
    output_tokens bigint not null default 0,
    started_at timestamptz not null default clock_timestamp(),
    ended_at timestamptz,
    replica uuid not null,
    lease_until timestamptz not null,
    key_digest bytea,
    request_digest bytea,
    keyed_at timestamptz,
    request_id text not null,
    primary key (tenant, conversation_id, turn_no),
    foreign key (tenant, conversation_id) references ${schema}.conversation (tenant, conversation_id) on delete cascade
  ) with (fillfactor = 80);
  create unique index turn_that_runs on ${schema}.turn (tenant, conversation_id) where state = 'running';
  create unique index turn_by_key on ${schema}.turn (tenant, key_digest) where key_digest is not null;
`;

const step = `
  create table ${schema}.step (
    tenant text not null,
    conversation_id uuid not null,
    turn_no integer not null,
    attempt integer not null,
    step_no integer not null,
    content json not null,
    at timestamptz not null,
    duration_us bigint not null,
    bytes integer not null,
    primary key (tenant, conversation_id, turn_no, attempt, step_no),
    foreign key (tenant, conversation_id, turn_no)
      references ${schema}.turn (tenant, conversation_id, turn_no) on delete cascade
  );
`;
