/** The functions that find keys by id, whatever their team, run as an owner role. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantCrossTeamAccessSql, revokeCrossTeamAccessSql, type CrossTeamAccess } from '../ownership.js';

const access: CrossTeamAccess = {
  schema: 'gateway',
  tables: { api_key: 'select, update (last_used_at)' },
  functions: ['find_api_keys(text[])', 'mark_api_keys_used(text[], timestamptz[])'],
};

export class GatewayAcrossTeams1764200000005 implements MigrationInterface {
  name = 'GatewayAcrossTeams1764200000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(grantCrossTeamAccessSql(access));
    await runner.query('drop policy owner_door on gateway.api_key');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create policy owner_door on gateway.api_key to current_user using (true) with check (true)');
    await runner.query(revokeCrossTeamAccessSql(access));
  }
}
