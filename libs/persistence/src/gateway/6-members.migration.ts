/**
 * The people of a team, the roles that the team defined beside the built-in ones, and the log of changes to both, which is
 * append-only. One function finds the memberships of a person before a team is known.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rowLevelSecuritySql } from '../common-tables.js';
import { grantCrossTeamAccessSql } from '../ownership.js';
import { ownerRoles } from '../owner-roles.js';

const role = 'tessera_gateway';
const tables = ['access_role', 'member', 'access_change'];

export class Members1764400000007 implements MigrationInterface {
  name = 'Members1764400000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table gateway.access_role (
        tenant text not null references gateway.team,
        name text not null,
        description text not null default '',
        scopes text[] not null,
        further_scopes text[] not null default '{}',
        primary key (tenant, name)
      );

      create table gateway.member (
        tenant text not null references gateway.team,
        member_id text not null,
        -- Empty for somebody whom no issuer knows; the subject is the id then.
        issuer text not null default '',
        subject text not null,
        display_name text not null,
        roles text[] not null,
        further_scopes text[] not null default '{}',
        attributes json not null default '{}',
        created_at timestamptz not null default now(),
        disabled_at timestamptz,
        primary key (tenant, member_id),
        constraint member_subject_check check (issuer <> '' or subject = member_id)
      );
      create unique index member_by_subject on gateway.member (issuer, subject, tenant);

      create table gateway.access_change (
        tenant text not null,
        change_id uuid not null default uuidv7(),
        changed_at timestamptz not null default now(),
        subject text not null,
        subject_team text not null,
        request_id text not null,
        action text not null,
        target text not null,
        detail json not null,
        primary key (tenant, change_id)
      );
    `);
    for (const table of tables) await runner.query(rowLevelSecuritySql('gateway', table, role));
    await runner.query(`revoke update, delete on gateway.access_change from ${role}`);
    await runner.query(`
      create function gateway.find_memberships(of_issuer text, of_subject text)
        returns table (tenant text, team_name text, member_id text, display_name text, disabled_at timestamptz)
        language sql stable security definer set search_path = pg_catalog
        as $$
          select m.tenant, t.name, m.member_id, m.display_name, m.disabled_at
          from gateway.member m join gateway.team t on t.tenant = m.tenant
          where m.issuer = of_issuer and m.subject = of_subject order by m.tenant
        $$;
      revoke all on function gateway.find_memberships(text, text) from public;
      grant execute on function gateway.find_memberships(text, text) to ${role};
    `);
    await runner.query(
      grantCrossTeamAccessSql({
        schema: 'gateway',
        tables: { member: 'select' },
        functions: ['find_memberships(text, text)'],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function gateway.find_memberships(text, text);
      drop policy across_teams on gateway.member;
      revoke select on gateway.member from ${ownerRoles.acrossTeams};
      drop table ${tables.map((table) => `gateway.${table}`).join(', ')};
    `);
  }
}
