/** Callers list their own calls, the newest first. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CallsOfSubject1764700000003 implements MigrationInterface {
  name = 'CallsOfSubject1764700000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index tool_call_of_subject on tool_gateway.tool_call (tenant, subject, call_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index tool_gateway.tool_call_of_subject');
  }
}
