/**
 * The table and the function that keep responses under an Idempotency-Key, the same in the schema of each service.
 * The function locks, looks up and compares in one round trip. It is plpgsql because each statement sees what was committed
 * when it starts: the look-up after the lock sees the response of the lock's previous holder.
 * Never stores keys or requests, only their digests.
 */
import { rowLevelSecuritySql } from './row-level-security.js';

/** For how long an answer counts. */
export const keptHours = 24;

export const createIdempotency = (schema: string, role: string): string => `
  create table ${schema}.idempotency (
    tenant text not null,
    route text not null,
    key_digest bytea not null check (octet_length(key_digest) = 32),
    request_digest bytea not null check (octet_length(request_digest) = 32),
    created_at timestamptz not null default now(),
    content_type text not null,
    headers json not null,
    body text not null,
    primary key (tenant, route, key_digest)
  );
  create index idempotency_by_age on ${schema}.idempotency (tenant, created_at);
  ${rowLevelSecuritySql(schema, 'idempotency', role)}
  create function ${schema}.find_kept_answer(of_tenant text, of_route text, of_key bytea, of_request bytea)
    returns table (is_free boolean, is_same boolean, content_type text, headers json, body text)
    language plpgsql volatile as $$
    begin
      if not pg_try_advisory_xact_lock(
        hashtextextended(concat_ws(' ', 'idempotency ${schema}', of_tenant, of_route, encode(of_key, 'hex')), 1)) then
        return query select false, null::boolean, null::text, null::json, null::text;
        return;
      end if;
      return query
        select true, kept.request_digest = of_request, kept.content_type, kept.headers, kept.body
        from (values (1)) as asked
        left join ${schema}.idempotency kept
          on kept.tenant = of_tenant and kept.route = of_route and kept.key_digest = of_key
            and kept.created_at > now() - make_interval(hours => ${keptHours});
    end $$;
`;

export const dropIdempotency = (schema: string): string => `
  drop function ${schema}.find_kept_answer(text, text, bytea, bytea);
  drop table ${schema}.idempotency;
`;
