import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIdempotencyTableSql, dropIdempotencyTableSql } from '../common-tables.js';

export class GatewayIdempotency1763700000003 implements MigrationInterface {
  name = 'GatewayIdempotency1763700000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createIdempotencyTableSql('gateway', 'tessera_gateway'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropIdempotencyTableSql('gateway'));
  }
}
