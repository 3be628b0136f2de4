/**
 * Passwords of members whom no issuer knows, and the sessions of people in browsers. Both end with the member or the key. One
 * function finds sessions with the rights of their members before a team is known.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rowLevelSecuritySql } from '../common-tables.js';
import { grantCrossTeamAccessSql } from '../ownership.js';
import { ownerRoles } from '../owner-roles.js';

const role = 'tessera_gateway';
const tables = ['local_user', 'session'];

export class Sessions1764600000009 implements MigrationInterface {
  name = 'Sessions1764600000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table gateway.local_user (
        tenant text not null,
        member_id text not null,
        password text not null,
        changed_at timestamptz not null default now(),
        primary key (tenant, member_id),
        foreign key (tenant, member_id) references gateway.member on delete cascade,
        constraint local_user_password_check check (password like '$argon2id$%')
      );

      create table gateway.session (
        tenant text not null,
        session_id uuid not null default uuidv7(),
        digest bytea not null,
        member_id text,
        key_id text,
        created_at timestamptz not null default now(),
        last_seen_at timestamptz not null default now(),
        ends_at timestamptz not null,
        user_agent text not null default '',
        primary key (tenant, session_id),
        foreign key (tenant, member_id) references gateway.member on delete cascade,
        foreign key (tenant, key_id) references gateway.api_key on delete cascade,
        constraint session_digest_check check (octet_length(digest) = 32),
        constraint session_holder_check check (num_nonnulls(member_id, key_id) = 1)
      );
      create unique index session_by_digest on gateway.session (digest);
      create index session_by_member on gateway.session (tenant, member_id);
      create index session_by_key on gateway.session (tenant, key_id);
    `);
    for (const table of tables) await runner.query(rowLevelSecuritySql('gateway', table, role));
    await runner.query(`
      create function gateway.find_sessions(wanted bytea[]) returns table (
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
          where s.digest = any(wanted)
        $$;
      revoke all on function gateway.find_sessions(bytea[]) from public;
      grant execute on function gateway.find_sessions(bytea[]) to ${role};
    `);
    await runner.query(
      grantCrossTeamAccessSql({
        schema: 'gateway',
        tables: { session: 'select', access_role: 'select' },
        functions: ['find_sessions(bytea[])'],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function gateway.find_sessions(bytea[]);
      drop policy across_teams on gateway.access_role;
      revoke select on gateway.access_role from ${ownerRoles.acrossTeams};
      drop table ${tables.map((table) => `gateway.${table}`).join(', ')};
    `);
  }
}
