/**
 * Sessions that began at the issuer of the operator: whose they are there, so that it can end them. People whom it has named and who
 * have not chosen a team yet, and the sign-outs that it has told: both before a team is known.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantCrossTeamAccessSql } from '../ownership.js';

const role = 'tessera_gateway';
const finding = 'find_issuer_sessions(text, text, text)';

/** A session that began for another identity than its member has now is not found any more. */
const findSessionsSql = (condition: string): string => `
  create or replace function gateway.find_sessions(wanted bytea[]) returns table (
    tenant text, session_id uuid, digest bytea, member_id text, key_id text, created_at timestamptz,
    last_seen_at timestamptz, ends_at timestamptz, roles text[], further_scopes text[], attributes json,
    disabled_at timestamptz, granted_scopes text[], granted_further_scopes text[], granted_attributes json,
    granted_hourly_limit integer, defined_roles json)
    language sql stable security definer set search_path = pg_catalog
    as $$
      select s.tenant, s.session_id, s.digest, s.member_id, s.key_id, s.created_at, s.last_seen_at, s.ends_at,
        coalesce(m.roles, '{}'), coalesce(m.further_scopes, '{}'), coalesce(m.attributes, '{}'), m.disabled_at,
        t.granted_scopes, t.granted_further_scopes, t.granted_attributes, t.granted_hourly_limit,
        coalesce((select json_agg(json_build_object('name', r.name, 'description', r.description,
            'scopes', r.scopes, 'furtherScopes', r.further_scopes))
          from gateway.access_role r where r.tenant = s.tenant and r.name = any(m.roles)), '[]')
      from gateway.session s join gateway.team t on t.tenant = s.tenant
        left join gateway.member m on m.tenant = s.tenant and m.member_id = s.member_id
      where s.digest = any(wanted) ${condition}
    $$;
`;

export class SingleSignOn1764800000011 implements MigrationInterface {
  name = 'SingleSignOn1764800000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table gateway.session
        add column issuer text, add column subject text, add column issuer_session text, add column id_token text,
        add constraint session_issuer_check check (
          (issuer is null) = (subject is null) and (issuer is null or member_id is not null));
      create index session_by_subject on gateway.session (issuer, subject);

      create table gateway.named_person (
        digest bytea primary key,
        issuer text not null,
        subject text not null,
        issuer_session text not null default '',
        id_token text not null,
        -- Empty when the issuer says nothing of teams.
        teams text[],
        next_path text not null,
        named_at timestamptz not null,
        expires_at timestamptz not null,
        constraint named_person_digest_check check (octet_length(digest) = 32)
      );
      create index named_person_by_expiry on gateway.named_person (expires_at);

      create table gateway.issuer_logout (
        issuer text not null,
        token_id text not null,
        subject text not null default '',
        issuer_session text not null default '',
        issued_at timestamptz not null,
        expires_at timestamptz not null,
        primary key (issuer, token_id)
      );
      create index issuer_logout_by_expiry on gateway.issuer_logout (expires_at);
      grant select, insert, delete on gateway.named_person, gateway.issuer_logout to ${role};

      create function gateway.find_issuer_sessions(of_issuer text, of_subject text, of_session text)
        returns table (tenant text, session_id uuid, member_id text)
        language sql stable security definer set search_path = pg_catalog
        as $$
          select s.tenant, s.session_id, s.member_id from gateway.session s
          where s.issuer = of_issuer and (of_subject <> '' or of_session <> '')
            and (of_subject = '' or s.subject = of_subject) and (of_session = '' or s.issuer_session = of_session)
        $$;
      revoke all on function gateway.${finding} from public;
      grant execute on function gateway.${finding} to ${role};
      ${findSessionsSql(`and (s.member_id is null or (s.issuer is null and m.issuer = '')
        or (m.issuer = s.issuer and m.subject = s.subject))`)}
    `);
    await runner.query(grantCrossTeamAccessSql({ schema: 'gateway', tables: {}, functions: [finding] }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${findSessionsSql('')}
      drop function gateway.${finding};
      drop table gateway.named_person, gateway.issuer_logout;
      delete from gateway.session where issuer is not null;
      alter table gateway.session
        drop column issuer, drop column subject, drop column issuer_session, drop column id_token;
    `);
  }
}
