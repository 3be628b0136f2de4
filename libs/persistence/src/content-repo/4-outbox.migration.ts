import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createOutboxTableSql } from '../common-tables.js';

export class Outbox1763700000004 implements MigrationInterface {
  name = 'Outbox1763700000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createOutboxTableSql('content_repo', 'tessera_content_repo'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table content_repo.outbox');
  }
}
