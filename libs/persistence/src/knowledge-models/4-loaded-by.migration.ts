/** Who put the rows of a table in place; loads, which know it too, are kept for a day. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LoadedBy1764700000004 implements MigrationInterface {
  name = 'LoadedBy1764700000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table knowledge_models.team_table add column loaded_by text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table knowledge_models.team_table drop column loaded_by');
  }
}
