import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIdempotencyTableSql, dropIdempotencyTableSql } from '../common-tables.js';

export class ContentIdempotency1763700000003 implements MigrationInterface {
  name = 'ContentIdempotency1763700000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createIdempotencyTableSql('content_repo', 'tessera_content_repo'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropIdempotencyTableSql('content_repo'));
  }
}
