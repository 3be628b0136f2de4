/** Expired codes and refresh tokens are found without reading the others: a client has some thousand of them in a month. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OAuthTokenExpiry1765000000013 implements MigrationInterface {
  name = 'OAuthTokenExpiry1765000000013';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index oauth_token_by_expiry on gateway.oauth_token (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index gateway.oauth_token_by_expiry');
  }
}
