/** The function that deletes old calls of all teams runs as an owner role. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantAcrossTeams, revokeAcrossTeams, type AcrossTeamsAccess } from '../ownership.js';

const access: AcrossTeamsAccess = {
  schema: 'tool_gateway',
  tables: { tool_call: 'select, delete' },
  functions: ['forget_calls(interval, integer)'],
};

export class ToolsAcrossTeams1764200000002 implements MigrationInterface {
  name = 'ToolsAcrossTeams1764200000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grantAcrossTeams(access));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(revokeAcrossTeams(access));
  }
}
