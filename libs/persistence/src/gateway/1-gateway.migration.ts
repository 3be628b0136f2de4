/**
 * The tables of the gateway: teams, API keys and the counters of the rate limit. One function finds a key by its id before the
 * tenant is known, another records the last use of many keys; everything else is under row-level security.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rowLevelSecuritySql } from '../common-tables.js';

export class Gateway1763600000001 implements MigrationInterface {
  name = 'Gateway1763600000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table gateway.team (
        tenant text primary key,
        name text not null,
        created_at timestamptz not null default now()
      );
      create table gateway.api_key (
        tenant text not null references gateway.team,
        key_id text not null,
        name text not null,
        digest bytea not null check (octet_length(digest) = 32),
        scopes text[] not null,
        hourly_limit integer not null check (hourly_limit > 0),
        created_at timestamptz not null default now(),
        expires_at timestamptz,
        last_used_at timestamptz,
        revoked_at timestamptz,
        primary key (tenant, key_id)
      );
      create unique index api_key_by_id on gateway.api_key (key_id);
      create table gateway.rate_window (
        tenant text not null,
        credential text not null,
        window_start timestamptz not null,
        used integer not null check (used >= 0),
        -- What the last statement asked of the row: how many admissions it granted, how many it gave back or
        -- settled, and under which limit. They are columns so that one upsert can read them as \`excluded\`.
        granted integer not null,
        settled integer not null,
        hourly_limit integer not null,
        primary key (tenant, credential, window_start)
      );
    `);
    await runner.query(rowLevelSecuritySql('gateway', 'team', 'tessera_gateway'));
    await runner.query(rowLevelSecuritySql('gateway', 'api_key', 'tessera_gateway'));
    // The gateway writes the counters of many credentials in one statement; no caller can address a row.
    await runner.query(`grant select, insert, update, delete on gateway.rate_window to tessera_gateway`);
    // The two functions run as the owner, whom row-level security also binds; this policy lets the owner in.
    await runner.query(`create policy owner_door on gateway.api_key to current_user using (true) with check (true)`);
    await runner.query(`
      create function gateway.find_api_keys(wanted text[]) returns setof gateway.api_key
        language sql stable security definer set search_path = pg_catalog
        as $$ select * from gateway.api_key where key_id = any(wanted) $$;
      revoke all on function gateway.find_api_keys(text[]) from public;
      grant execute on function gateway.find_api_keys(text[]) to tessera_gateway;

      create function gateway.mark_api_keys_used(used text[], used_at timestamptz[]) returns void
        language sql volatile security definer set search_path = pg_catalog
        as $$
          update gateway.api_key k set last_used_at = u.used_at
          from unnest(used, used_at) as u(key_id, used_at)
          where k.key_id = u.key_id and (k.last_used_at is null or k.last_used_at < u.used_at)
        $$;
      revoke all on function gateway.mark_api_keys_used(text[], timestamptz[]) from public;
      grant execute on function gateway.mark_api_keys_used(text[], timestamptz[]) to tessera_gateway;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `drop function gateway.find_api_keys(text[]); drop table gateway.rate_window, gateway.api_key, gateway.team`,
    );
  }
}
