/** Old calls of all teams are forgotten by a function of a role that nobody logs in with. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { acrossTeams, notAcrossTeams, type AcrossTeams } from '../ownership.js';

const opened: AcrossTeams = {
  schema: 'tool_gateway',
  tables: { tool_call: 'select, delete' },
  functions: ['forget_calls(interval, integer)'],
};

export class ToolsAcrossTeams1764200000002 implements MigrationInterface {
  name = 'ToolsAcrossTeams1764200000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(acrossTeams(opened));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(notAcrossTeams(opened));
  }
}
