/** Generations of tables that an undo brings back, and what a load found of references that lead nowhere. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rowLevelSecuritySql } from '../common-tables.js';

export class KeptGenerations1765400000008 implements MigrationInterface {
  name = 'KeptGenerations1765400000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table knowledge_models.kept_generation (
        tenant text not null,
        schema_name text not null,
        table_id text not null,
        data_version bigint not null,
        row_count bigint not null,
        loaded_at timestamptz,
        loaded_by text,
        primary key (tenant, schema_name, table_id, data_version)
      )`);
    await runner.query(rowLevelSecuritySql('knowledge_models', 'kept_generation', 'tessera_knowledge_models'));
    await runner.query('alter table knowledge_models.table_load add column orphans json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table knowledge_models.table_load drop column orphans');
    await runner.query('drop table knowledge_models.kept_generation');
  }
}
