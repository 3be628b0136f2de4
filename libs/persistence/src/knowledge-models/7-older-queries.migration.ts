/** A load waits for older queries of callers, and not for what is made of the rows of other tables. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { olderQueriesSql } from './1-knowledge-models.migration.js';

export class OlderQueries1765200000007 implements MigrationInterface {
  name = 'OlderQueries1765200000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(olderQueriesSql(`and application_name <> 'knowledge-models-makings'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(olderQueriesSql());
  }
}
