/** What a key tells policies on data about its bearer: scopes that no operation requires, and attributes. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyAttributes1763800000004 implements MigrationInterface {
  name = 'KeyAttributes1763800000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table gateway.api_key
        add column further_scopes text[] not null default '{}',
        add column attributes json not null default '{}'
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table gateway.api_key drop column further_scopes, drop column attributes');
  }
}
