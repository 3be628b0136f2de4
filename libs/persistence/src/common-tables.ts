/** SQL of migrations: row-level security, and the tables that several services have, each in its own schema. */

/**
 * Row-level security: a row is visible only while `app.tenant` names its tenant, whether or not a query filters by tenant. A
 * transaction that did not set it sees no rows.
 * `tessera migrate` forces it, so that it also binds the owner of the tables. Functions across teams run as a role that the
 * policies of their tables name (ownership.ts); superusers and roles that bypass row-level security see all rows.
 */
export const rowLevelSecuritySql = (schema: string, table: string, role: string): string => `
  alter table ${schema}.${table} enable row level security;
  create policy tenant_wall on ${schema}.${table}
    using (tenant = (select nullif(current_setting('app.tenant', true), '')))
    with check (tenant = (select nullif(current_setting('app.tenant', true), '')));
  grant select, insert, update, delete on ${schema}.${table} to ${role};
`;

/** How long a response is kept. */
export const idempotencyRetentionHours = 24;

/**
 * The table and the function that keep responses under an Idempotency-Key, the same in the schema of each service.
 * The function locks, looks up and compares in one round trip. It is plpgsql because each statement sees what was committed
 * when it starts: the look-up after the lock sees the response of the lock's previous holder.
 * Never stores keys or requests, only their digests.
 */
export const createIdempotencyTableSql = (schema: string, role: string): string => `
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
            and kept.created_at > now() - make_interval(hours => ${idempotencyRetentionHours});
    end $$;
`;

export const dropIdempotencyTableSql = (schema: string): string => `
  drop function ${schema}.find_kept_answer(text, text, bytea, bytea);
  drop table ${schema}.idempotency;
`;

/**
 * Events that wait for NATS. `position` is the order in which they are sent: writers of the same thing wait for each other,
 * so its events have rising positions, whatever the clocks say. The index has no tenant: the publisher reads the events of
 * all tenants in one order, in a transaction that says so.
 */
export const createOutboxTableSql = (schema: string, role: string): string => `
  create table ${schema}.outbox (
    tenant text not null,
    event_id uuid not null default uuidv7(),
    position bigint not null generated always as identity,
    subject text not null,
    payload text not null,
    created_at timestamptz not null default now(),
    primary key (tenant, event_id)
  );
  create index outbox_in_order on ${schema}.outbox (position);
  ${rowLevelSecuritySql(schema, 'outbox', role)}
  create policy publisher on ${schema}.outbox
    using ((select current_setting('app.outbox_publisher', true)) = 'on')
    with check (false);
`;

/**
 * The function that deletes rows of all teams older than `age` (at least a day), up to `rows_max`, and returns how many. `id` is a UUID
 * of version 7, the primary key is that of the tenant and the id. Each team is looked up there, so that nothing is read that stays. By
 * an index of ranges (BRIN) everything would be read: newer rows take the place of those that went, in ranges that began with these.
 */
export const forgetOldRowsSql = (functionName: string, table: string, id: string): string => `
  create or replace function ${functionName}(age interval, rows_max integer) returns bigint
    language sql volatile security definer set search_path = pg_catalog as $$
      with recursive teams as (
        select min(tenant) as tenant from ${table}
        union all
        select (select min(next.tenant) from ${table} next where next.tenant > teams.tenant)
        from teams where teams.tenant is not null),
      gone as (
        delete from ${table} where ctid = any(array(
          select old.ctid from teams cross join lateral (
            select r.ctid from ${table} r
            where r.tenant = teams.tenant
              and r.${id} < (lpad(to_hex((extract(epoch from now() - greatest(age, interval '1 day')) * 1000)::bigint), 12, '0')
                || '00000000000000000000')::uuid
            order by r.${id} limit rows_max) old
          limit rows_max))
        returning 1)
      select count(*) from gone
    $$;
`;
