/**
 * The counters of the rate limit: one row per credential and UTC hour, changed by one atomic statement for many
 * credentials at once, by the clock of the database.
 * Refuses: to read and then write. What is granted is decided inside the statement, so admitted <= limit always holds.
 */
import type pg from 'pg';

/** What one replica asks for one credential; a statement must not name a credential twice. */
export type AdmissionRequest = {
  readonly team: string;
  readonly credential: string;
  readonly hourlyLimit: number;
  /** Admissions wanted; fewer are granted when fewer are left. */
  readonly wanted: number;
  /** Admissions given back (negative) or made on credit while the store was away (positive). */
  readonly settled: number;
  /** The window in which `settled` arose; it counts for nothing in another. */
  readonly settledWindowMs: number;
};

export type AdmissionGrant = {
  readonly team: string;
  readonly credential: string;
  readonly granted: number;
  /** Used in the window by all replicas, what is leased included. */
  readonly used: number;
};

export type AdmissionGrants = {
  /** Start of the UTC hour and the instant of the statement by the database's clock, epoch milliseconds. */
  readonly windowMs: number;
  readonly nowMs: number;
  readonly grants: readonly AdmissionGrant[];
};

type GrantRow = {
  readonly tenant: string;
  readonly credential: string;
  readonly granted: number;
  readonly used: number;
  readonly window_ms: string;
  readonly now_ms: string;
};

// `order by` makes replicas lock rows in one order. `granted` and `settled` of an arriving row are what it asks for.
const takeText = `
  with asked as (
    select a.tenant, a.credential, a.hourly_limit, a.wanted, clock.window_start,
           case when extract(epoch from clock.window_start) * 1000 = a.settled_window_ms then a.settled else 0 end as settled
    from (select date_trunc('hour', now(), 'UTC') as window_start) as clock,
         unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::int[], $6::bigint[])
           as a(tenant, credential, hourly_limit, wanted, settled, settled_window_ms)
  ), fresh as (
    select *, least(wanted, greatest(hourly_limit - greatest(settled, 0), 0)) as granted from asked
  )
  insert into gateway.rate_window as w (tenant, credential, window_start, used, granted, settled, hourly_limit)
  select tenant, credential, window_start, greatest(settled, 0) + granted, granted, settled, hourly_limit
  from fresh
  order by tenant, credential
  on conflict (tenant, credential, window_start) do update set
    hourly_limit = excluded.hourly_limit,
    settled = excluded.settled,
    granted = least(excluded.granted, greatest(excluded.hourly_limit - greatest(w.used + excluded.settled, 0), 0)),
    used = greatest(w.used + excluded.settled, 0)
         + least(excluded.granted, greatest(excluded.hourly_limit - greatest(w.used + excluded.settled, 0), 0))
  returning tenant, credential, granted, used,
    (extract(epoch from window_start) * 1000)::bigint as window_ms, (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`;

/** Takes and settles admissions of many credentials in one statement. Rejects with the error of PostgreSQL. */
export const takeAdmissions = async (
  pool: pg.Pool,
  requests: readonly AdmissionRequest[],
): Promise<AdmissionGrants> => {
  const { rows } = await pool.query<GrantRow>({
    name: 'take_admissions',
    text: takeText,
    values: [
      requests.map(({ team }) => team),
      requests.map(({ credential }) => credential),
      requests.map(({ hourlyLimit }) => hourlyLimit),
      requests.map(({ wanted }) => wanted),
      requests.map(({ settled }) => settled),
      requests.map(({ settledWindowMs }) => settledWindowMs),
    ],
  });
  const [first] = rows;
  return {
    windowMs: Number(first?.window_ms ?? 0),
    nowMs: Number(first?.now_ms ?? 0),
    grants: rows.map(({ tenant, credential, granted, used }) => ({ team: tenant, credential, granted, used })),
  };
};

/** Deletes windows that ended more than an hour ago; answers how many rows went. */
export const deleteOldRateWindows = async (pool: pg.Pool): Promise<number> => {
  const { rowCount } = await pool.query(
    `delete from gateway.rate_window where window_start < date_trunc('hour', now(), 'UTC') - interval '1 hour'`,
  );
  return rowCount ?? 0;
};
