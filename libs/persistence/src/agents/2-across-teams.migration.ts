/** Maintenance of the turns and conversations of all teams runs as an owner role. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantCrossTeamAccessSql, revokeCrossTeamAccessSql, type CrossTeamAccess } from '../ownership.js';

const access: CrossTeamAccess = {
  schema: 'agents',
  tables: { conversation: 'select, update, delete', turn: 'select, update' },
  functions: [
    'renew_leases(uuid, uuid[], interval)',
    'interrupt_turns(uuid)',
    'mark_expired_turns()',
    'forget_conversations(integer)',
  ],
};

export class AgentsAcrossTeams1764200000002 implements MigrationInterface {
  name = 'AgentsAcrossTeams1764200000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grantCrossTeamAccessSql(access));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(revokeCrossTeamAccessSql(access));
  }
}
