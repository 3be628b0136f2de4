/**
 * The keys that sign access tokens, which belong to the installation and not to a team, and the tokens that were revoked. The service
 * adds keys and never changes one; whoever migrates rotates them.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rowLevelSecuritySql } from '../common-tables.js';

export class AuthorizationServer1764500000008 implements MigrationInterface {
  name = 'AuthorizationServer1764500000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table gateway.signing_key (
        key_id text primary key,
        predecessor text not null unique,
        private_key bytea not null,
        created_at timestamptz not null default now()
      );
      grant select, insert on gateway.signing_key to tessera_gateway;

      create table gateway.revoked_token (
        tenant text not null,
        token_id text not null,
        expires_at timestamptz not null,
        primary key (tenant, token_id)
      );
    `);
    await runner.query(rowLevelSecuritySql('gateway', 'revoked_token', 'tessera_gateway'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table gateway.signing_key, gateway.revoked_token');
  }
}
