/** The functions that find deleted content and misspelt words run as an owner role. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantCrossTeamAccessSql, revokeCrossTeamAccessSql, type CrossTeamAccess } from '../ownership.js';

const access: CrossTeamAccess = {
  schema: 'content_repo',
  tables: { storage: 'select', element: 'select', deleted_version: 'select', rendition: 'select' },
  functions: [
    'storages_with_deleted(timestamptz)',
    'renditions_with_names_containing(uuid, text[], text, integer)',
    'renditions_with_names_similar_to(uuid, text[], text, integer)',
    'renditions_with_names_resembling(uuid, text[], text, integer)',
    'renditions_with_texts_containing(uuid, text[], text, integer)',
    'renditions_with_texts_similar_to(uuid, text[], text, integer)',
  ],
};

export class ContentAcrossTeams1764200000007 implements MigrationInterface {
  name = 'ContentAcrossTeams1764200000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grantCrossTeamAccessSql(access));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(revokeCrossTeamAccessSql(access));
  }
}
