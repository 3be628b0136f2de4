/** The function that deletes old calls of all teams runs as an owner role. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { acrossTeams, notAcrossTeams, type AcrossTeams } from '../ownership.js';

const access: AcrossTeams = {
  schema: 'tool_gateway',
  tables: { tool_call: 'select, delete' },
  functions: ['forget_calls(interval, integer)'],
};

export class ToolsAcrossTeams1764200000002 implements MigrationInterface {
  name = 'ToolsAcrossTeams1764200000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(acrossTeams(access));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(notAcrossTeams(access));
  }
}
