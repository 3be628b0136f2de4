/** The function that deletes old calls of all teams runs as an owner role. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantCrossTeamAccessSql, revokeCrossTeamAccessSql, type CrossTeamAccess } from '../ownership.js';

const access: CrossTeamAccess = {
  schema: 'tool_gateway',
  tables: { tool_call: 'select, delete' },
  functions: ['forget_calls(interval, integer)'],
};

export class ToolsAcrossTeams1764200000002 implements MigrationInterface {
  name = 'ToolsAcrossTeams1764200000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grantCrossTeamAccessSql(access));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(revokeCrossTeamAccessSql(access));
  }
}
