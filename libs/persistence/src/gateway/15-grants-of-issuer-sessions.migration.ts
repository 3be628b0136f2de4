/** Grants keep in which session of the issuer they were given, so that they end with it. Those of before have none. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantCrossTeamAccessSql } from '../ownership.js';

const role = 'tessera_gateway';
const finding = 'find_issuer_grants(text, text, text)';

export class GrantsOfIssuerSessions1765300000016 implements MigrationInterface {
  name = 'GrantsOfIssuerSessions1765300000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table gateway.oauth_grant add column issuer_session text;
      create index oauth_grant_by_issuer_session on gateway.oauth_grant (issuer_session)
        where issuer_session is not null;

      create function gateway.find_issuer_grants(of_issuer text, of_subject text, of_session text)
        returns table (tenant text, grant_id uuid, member_id text, client_id text)
        language sql stable security definer set search_path = pg_catalog
        as $$
          select g.tenant, g.grant_id, g.member_id, g.client_id
          from gateway.oauth_grant g join gateway.member m on m.tenant = g.tenant and m.member_id = g.member_id
          where m.issuer = of_issuer and (of_subject <> '' or g.issuer_session = of_session)
            and (of_subject = '' or m.subject = of_subject)
            and (of_session = '' or g.issuer_session is null or g.issuer_session = of_session)
        $$;
      revoke all on function gateway.${finding} from public;
      grant execute on function gateway.${finding} to ${role};
    `);
    await runner.query(grantCrossTeamAccessSql({ schema: 'gateway', tables: {}, functions: [finding] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function gateway.${finding};
      alter table gateway.oauth_grant drop column issuer_session;
    `);
  }
}
