/** The keys that sign exported evidence, as those that sign access tokens; none is deleted, since what it signed is to be checked later. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EvidenceKeys1764900000012 implements MigrationInterface {
  name = 'EvidenceKeys1764900000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table gateway.evidence_key (
        key_id text primary key,
        predecessor text not null unique,
        private_key bytea not null,
        created_at timestamptz not null default now()
      );
      grant select, insert on gateway.evidence_key to tessera_gateway;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table gateway.evidence_key');
  }
}
