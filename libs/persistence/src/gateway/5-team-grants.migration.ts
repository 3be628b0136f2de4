/**
 * What a team may grant to keys, and which keys it created itself. The creator of an existing key is unknown: it counts as
 * created by the operators, so that no key loses anything.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { grantCrossTeamAccessSql } from '../ownership.js';
import { ownerRoles } from '../owner-roles.js';

export class TeamGrants1764300000006 implements MigrationInterface {
  name = 'TeamGrants1764300000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table gateway.team
        -- Null is the standard of the platform.
        add column granted_scopes text[],
        add column granted_further_scopes text[] not null default '{}',
        add column granted_attributes json not null default '{}',
        add column granted_hourly_limit integer check (granted_hourly_limit > 0);
      alter table gateway.api_key
        add column made_by text not null default 'operators' check (made_by in ('operators', 'team'));

      -- The release before has prepared a statement over it: what it answers must not grow with the table.
      drop function gateway.find_api_keys(text[]);
      create function gateway.find_api_keys(wanted text[]) returns table (
        tenant text, key_id text, name text, digest bytea, scopes text[], hourly_limit integer, created_at timestamptz,
        expires_at timestamptz, last_used_at timestamptz, revoked_at timestamptz, further_scopes text[], attributes json)
        language sql stable security definer set search_path = pg_catalog
        as $$
          select k.tenant, k.key_id, k.name, k.digest, k.scopes, k.hourly_limit, k.created_at, k.expires_at,
            k.last_used_at, k.revoked_at, k.further_scopes, k.attributes
          from gateway.api_key k where k.key_id = any(wanted)
        $$;
      revoke all on function gateway.find_api_keys(text[]) from public;
      grant execute on function gateway.find_api_keys(text[]) to tessera_gateway;

      create function gateway.find_granted_keys(wanted text[]) returns table (
        tenant text, key_id text, name text, digest bytea, scopes text[], further_scopes text[], attributes json,
        hourly_limit integer, created_at timestamptz, expires_at timestamptz, last_used_at timestamptz,
        revoked_at timestamptz, made_by text, granted_scopes text[], granted_further_scopes text[],
        granted_attributes json, granted_hourly_limit integer)
        language sql stable security definer set search_path = pg_catalog
        as $$
          select k.tenant, k.key_id, k.name, k.digest, k.scopes, k.further_scopes, k.attributes, k.hourly_limit,
            k.created_at, k.expires_at, k.last_used_at, k.revoked_at, k.made_by, t.granted_scopes,
            t.granted_further_scopes, t.granted_attributes, t.granted_hourly_limit
          from gateway.api_key k join gateway.team t on t.tenant = k.tenant
          where k.key_id = any(wanted)
        $$;
      revoke all on function gateway.find_granted_keys(text[]) from public;
      grant execute on function gateway.find_granted_keys(text[]) to tessera_gateway;

      create function gateway.list_teams(behind text, how_many integer) returns setof gateway.team
        language sql stable security definer set search_path = pg_catalog
        as $$ select * from gateway.team where tenant > behind order by tenant limit how_many $$;
      revoke all on function gateway.list_teams(text, integer) from public;
      grant execute on function gateway.list_teams(text, integer) to tessera_gateway;
    `);
    await runner.query(
      grantCrossTeamAccessSql({
        schema: 'gateway',
        tables: { team: 'select' },
        functions: ['find_api_keys(text[])', 'find_granted_keys(text[])', 'list_teams(text, integer)'],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function gateway.find_granted_keys(text[]);
      drop function gateway.list_teams(text, integer);
      drop policy across_teams on gateway.team;
      revoke select on gateway.team from ${ownerRoles.acrossTeams};
      alter table gateway.api_key drop column made_by;
      alter table gateway.team drop column granted_scopes, drop column granted_further_scopes,
        drop column granted_attributes, drop column granted_hourly_limit;
    `);
  }
}
