/** Old evidence is found team by team. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { forgetOldRowsSql } from '../common-tables.js';
import { forgetEvidence } from './5-evidence.migration.js';

export class ForgetEvidenceByTeam1765000000006 implements MigrationInterface {
  name = 'ForgetEvidenceByTeam1765000000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      forgetOldRowsSql('knowledge_models.forget_evidence', 'knowledge_models.evidence', 'evidence_id'),
    );
    await runner.query('drop index knowledge_models.evidence_by_age');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create index evidence_by_age on knowledge_models.evidence using brin (evidence_id)');
    await runner.query(forgetEvidence.replace('create function', 'create or replace function'));
  }
}
