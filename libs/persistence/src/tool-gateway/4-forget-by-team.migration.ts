/** Old calls are found team by team. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { forgetOldRowsSql } from '../common-tables.js';
import { forgetCalls } from './1-tool-gateway.migration.js';

export class ForgetCallsByTeam1765000000004 implements MigrationInterface {
  name = 'ForgetCallsByTeam1765000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(forgetOldRowsSql('tool_gateway.forget_calls', 'tool_gateway.tool_call', 'call_id'));
    await runner.query('drop index tool_gateway.tool_call_by_age');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create index tool_call_by_age on tool_gateway.tool_call using brin (call_id)');
    await runner.query(forgetCalls.replace('create function', 'create or replace function'));
  }
}
