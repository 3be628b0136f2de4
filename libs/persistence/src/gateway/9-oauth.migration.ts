/**
 * What the authorization server keeps: clients that registered themselves, requests that wait for somebody's consent, and what came of
 * consents. Clients and waiting requests belong to no team; grants belong to a member and end with it. What clients and browsers keep
 * is stored by its SHA-256 alone.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { rowLevelSecuritySql } from '../common-tables.js';
import { grantCrossTeamAccessSql } from '../ownership.js';

const role = 'tessera_gateway';
const functions = ['find_oauth_token(bytea)', 'find_oauth_grants(uuid[])', 'delete_expired_oauth(integer)'];

export class OAuth1764700000010 implements MigrationInterface {
  name = 'OAuth1764700000010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table gateway.oauth_client (
        client_id text primary key,
        metadata json not null,
        -- Of a client that keeps a secret.
        secret_digest bytea,
        registered_at timestamptz not null default now(),
        used_at timestamptz,
        expires_at timestamptz not null,
        constraint oauth_client_secret_digest_check check (octet_length(secret_digest) = 32)
      );
      create index oauth_client_by_expiry on gateway.oauth_client (expires_at);

      create table gateway.oauth_interaction (
        digest bytea primary key,
        payload text not null,
        expires_at timestamptz not null,
        constraint oauth_interaction_digest_check check (octet_length(digest) = 32)
      );
      create index oauth_interaction_by_expiry on gateway.oauth_interaction (expires_at);

      create table gateway.oauth_grant (
        tenant text not null,
        grant_id uuid not null,
        member_id text not null,
        client_id text not null,
        payload text not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        primary key (tenant, grant_id),
        foreign key (tenant, member_id) references gateway.member on delete cascade
      );
      create unique index oauth_grant_by_id on gateway.oauth_grant (grant_id);
      create index oauth_grant_by_member on gateway.oauth_grant (tenant, member_id);

      create table gateway.oauth_token (
        tenant text not null,
        digest bytea not null,
        grant_id uuid not null,
        kind text not null,
        payload text not null,
        consumed_at timestamptz,
        expires_at timestamptz not null,
        primary key (tenant, digest),
        foreign key (tenant, grant_id) references gateway.oauth_grant on delete cascade,
        constraint oauth_token_digest_check check (octet_length(digest) = 32),
        constraint oauth_token_kind_check check (kind in ('AuthorizationCode', 'RefreshToken'))
      );
      create unique index oauth_token_by_digest on gateway.oauth_token (digest);
      create index oauth_token_by_grant on gateway.oauth_token (tenant, grant_id);
      grant select, insert, update, delete on gateway.oauth_client, gateway.oauth_interaction to ${role};
    `);
    for (const table of ['oauth_grant', 'oauth_token']) await runner.query(rowLevelSecuritySql('gateway', table, role));
    await runner.query(functionsSql);
    for (const name of functions)
      await runner.query(`
        revoke all on function gateway.${name} from public;
        grant execute on function gateway.${name} to ${role};
      `);
    await runner.query(
      grantCrossTeamAccessSql({
        schema: 'gateway',
        tables: { oauth_grant: 'select, delete', oauth_token: 'select, delete' },
        functions,
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${functions.map((name) => `drop function gateway.${name};`).join('\n')}
      drop table gateway.oauth_token, gateway.oauth_grant, gateway.oauth_interaction, gateway.oauth_client;
    `);
  }
}

/** The deletion leaves a grant of which nothing was ever fetched for a day: its person may still be on the way back to the client. */
const functionsSql = `
  create function gateway.find_oauth_token(wanted bytea)
    returns table (tenant text, grant_id uuid, kind text, payload text, consumed_at timestamptz)
    language sql stable security definer set search_path = pg_catalog
    as $$
      select t.tenant, t.grant_id, t.kind, t.payload, t.consumed_at from gateway.oauth_token t where t.digest = wanted
    $$;

  create function gateway.find_oauth_grants(wanted uuid[]) returns table (
    tenant text, grant_id uuid, member_id text, client_id text, payload text, expires_at timestamptz, roles text[],
    further_scopes text[], attributes json, disabled_at timestamptz, granted_scopes text[],
    granted_further_scopes text[], granted_attributes json, granted_hourly_limit integer, defined_roles json)
    language sql stable security definer set search_path = pg_catalog
    as $$
      select g.tenant, g.grant_id, g.member_id, g.client_id, g.payload, g.expires_at, m.roles, m.further_scopes,
        m.attributes, m.disabled_at, t.granted_scopes, t.granted_further_scopes, t.granted_attributes,
        t.granted_hourly_limit,
        coalesce((select json_agg(json_build_object('name', r.name, 'description', r.description,
            'scopes', r.scopes, 'furtherScopes', r.further_scopes))
          from gateway.access_role r where r.tenant = g.tenant and r.name = any(m.roles)), '[]')
      from gateway.oauth_grant g
        join gateway.member m on m.tenant = g.tenant and m.member_id = g.member_id
        join gateway.team t on t.tenant = g.tenant
      where g.grant_id = any(wanted)
    $$;

  create function gateway.delete_expired_oauth(how_many integer) returns integer
    language sql volatile security definer set search_path = pg_catalog
    as $$
      with tokens as (
        delete from gateway.oauth_token where (tenant, digest) in (
          select tenant, digest from gateway.oauth_token where expires_at < now() limit how_many)
        returning 1),
      grants as (
        delete from gateway.oauth_grant where (tenant, grant_id) in (
          select g.tenant, g.grant_id from gateway.oauth_grant g
          where g.expires_at < now() or (g.created_at < now() - interval '1 day' and not exists (
            select from gateway.oauth_token t where t.tenant = g.tenant and t.grant_id = g.grant_id))
          limit how_many)
        returning 1)
      select (select count(*) from tokens)::integer + (select count(*) from grants)::integer
    $$;
`;
