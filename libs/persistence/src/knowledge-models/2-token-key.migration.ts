/**
 * The key that encrypts the position at which a page of OData ended: one for all replicas, created here and never changed.
 * Only the service reads it and only the owner writes it; roles of teams have no access.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TokenKey1763900000002 implements MigrationInterface {
  name = 'TokenKey1763900000002';

  /** Three random ids have more unpredictable bits than the 256 of the key. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table knowledge_models.token_key (
        is_only boolean primary key default true check (is_only),
        key bytea not null check (octet_length(key) = 32)
      )`);
    await runner.query(`
      insert into knowledge_models.token_key (key)
      select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`);
    await runner.query('grant select on knowledge_models.token_key to tessera_knowledge_models');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table knowledge_models.token_key');
  }
}
