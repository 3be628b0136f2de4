/**
 * Records of questions and their answers. The service adds rows and never changes one; the function that deletes old rows of all teams
 * runs as an owner role.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rowLevelSecuritySql } from '../common-tables.js';
import { grantCrossTeamAccessSql, revokeCrossTeamAccessSql, type CrossTeamAccess } from '../ownership.js';

const schema = 'knowledge_models';
const role = 'tessera_knowledge_models';

const access: CrossTeamAccess = {
  schema,
  tables: { evidence: 'select, delete' },
  functions: ['forget_evidence(interval, integer)'],
};

export class Evidence1764900000005 implements MigrationInterface {
  name = 'Evidence1764900000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(evidenceTable);
    await runner.query(rowLevelSecuritySql(schema, 'evidence', role));
    await runner.query(`revoke update, delete on ${schema}.evidence from ${role}`);
    await runner.query(forgetEvidence);
    await runner.query(grantCrossTeamAccessSql(access));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(revokeCrossTeamAccessSql(access));
    await runner.query(`drop function ${schema}.forget_evidence(interval, integer)`);
    await runner.query(`drop table ${schema}.evidence`);
  }
}

const evidenceTable = `
  create table ${schema}.evidence (
    tenant text not null,
    evidence_id uuid not null,
    subject text not null,
    request_id text not null,
    kind text not null,
    model_id text not null,
    model_version integer not null,
    model_digests text not null,
    view_digest bytea not null,
    question json not null,
    data json not null,
    policies json not null,
    salt bytea not null,
    row_count bigint not null,
    rows_digest bytea not null,
    figures json,
    primary key (tenant, evidence_id)
  );
  create index evidence_by_age on ${schema}.evidence using brin (evidence_id);
`;

/** Deletes rows of all teams older than `age` (at least a day), up to `rows_max`; returns how many. */
export const forgetEvidence = `
  create function ${schema}.forget_evidence(age interval, rows_max integer) returns bigint
    language sql volatile security definer set search_path = pg_catalog as $$
      with gone as (
        delete from ${schema}.evidence where ctid = any(array(
          select ctid from ${schema}.evidence
          where evidence_id < (lpad(to_hex((extract(epoch from now() - greatest(age, interval '1 day')) * 1000)::bigint), 12, '0')
            || '00000000000000000000')::uuid
          limit rows_max))
        returning 1)
      select count(*) from gone
    $$;
  revoke execute on function ${schema}.forget_evidence(interval, integer) from public;
  grant execute on function ${schema}.forget_evidence(interval, integer) to ${role};
`;
