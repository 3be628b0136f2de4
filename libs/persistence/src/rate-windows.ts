/**
 * The counters of a rate limit: one row per subject and UTC hour or minute, changed for many subjects in one atomic statement,
 * by the clock of the database. The statement decides what it grants, so admitted <= limit always holds.
 */
import type pg from 'pg';

/** Where a service counts, and by what: the table `rate_window` of its schema with its own words for two columns. */
export type RateWindowTable = {
  readonly schema: string;
  /** The column of who or what is limited. */
  readonly subject: string;
  /** The column of the limit that the last statement knew. */
  readonly limit: string;
  readonly window: 'hour' | 'minute';
  /** For how long windows are kept that are over. */
  readonly keptHours: number;
};

/** Requests of credentials, by the hour; teams see what they used in the last day. */
export const credentialWindowTable: RateWindowTable = {
  schema: 'gateway',
  subject: 'credential',
  limit: 'hourly_limit',
  window: 'hour',
  keptHours: 24,
};

/** Calls of assets, by the minute. */
export const assetWindowTable: RateWindowTable = {
  schema: 'tool_gateway',
  subject: 'asset_id',
  limit: 'calls_per_minute',
  window: 'minute',
  keptHours: 1,
};

/** What one replica asks for one subject; a statement must not name a subject twice. */
export type AdmissionRequest = {
  readonly team: string;
  readonly subject: string;
  readonly limit: number;
  /** Admissions wanted; fewer are granted when fewer are left. */
  readonly wanted: number;
  /** Admissions given back (negative) or made on credit while the store was away (positive). */
  readonly settled: number;
  /** The window in which `settled` arose; it counts for nothing in another. */
  readonly settledWindowMs: number;
};

export type AdmissionGrant = {
  readonly team: string;
  readonly subject: string;
  readonly granted: number;
  /** Used in the window by all replicas, what is leased included. */
  readonly used: number;
};

export type AdmissionResult = {
  /** Start of the window and the instant of the statement by the database's clock, epoch milliseconds. */
  readonly windowMs: number;
  readonly nowMs: number;
  readonly grants: readonly AdmissionGrant[];
};

type GrantRow = {
  readonly tenant: string;
  readonly subject: string;
  readonly granted: number;
  readonly used: number;
  readonly window_ms: string;
  readonly now_ms: string;
};

// `order by` makes replicas lock rows in one order. `granted` and `settled` of an arriving row are what it asks for.
const takeStatement = ({ schema, subject, limit, window }: RateWindowTable): string => `
  with asked as (
    select a.tenant, a.subject, a.max, a.wanted, clock.window_start,
           case when extract(epoch from clock.window_start) * 1000 = a.settled_window_ms then a.settled else 0 end as settled
    from (select date_trunc('${window}', now(), 'UTC') as window_start) as clock,
         unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::int[], $6::bigint[])
           as a(tenant, subject, max, wanted, settled, settled_window_ms)
  ), fresh as (
    select *, least(wanted, greatest(max - greatest(settled, 0), 0)) as granted from asked
  )
  insert into ${schema}.rate_window as w (tenant, ${subject}, window_start, used, granted, settled, ${limit})
  select tenant, subject, window_start, greatest(settled, 0) + granted, granted, settled, max
  from fresh
  order by tenant, subject
  on conflict (tenant, ${subject}, window_start) do update set
    ${limit} = excluded.${limit},
    settled = excluded.settled,
    granted = least(excluded.granted, greatest(excluded.${limit} - greatest(w.used + excluded.settled, 0), 0)),
    used = greatest(w.used + excluded.settled, 0)
         + least(excluded.granted, greatest(excluded.${limit} - greatest(w.used + excluded.settled, 0), 0))
  returning tenant, ${subject} as subject, granted, used,
    (extract(epoch from window_start) * 1000)::bigint as window_ms, (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`;

export type RateWindows = {
  readonly window: RateWindowTable['window'];
  /** Takes and settles admissions of many subjects in one statement. Rejects with the error of PostgreSQL. */
  readonly take: (requests: readonly AdmissionRequest[]) => Promise<AdmissionResult>;
  /** Deletes windows that are kept no longer; answers how many rows went. */
  readonly deleteOld: () => Promise<number>;
};

export const createRateWindows = (pool: pg.Pool, table: RateWindowTable): RateWindows => {
  const statement = { name: `take_admissions_${table.schema}`, text: takeStatement(table) };
  return {
    window: table.window,
    take: async (requests) => {
      const { rows } = await pool.query<GrantRow>({ ...statement, values: valuesOf(requests) });
      const [first] = rows;
      return {
        windowMs: Number(first?.window_ms ?? 0),
        nowMs: Number(first?.now_ms ?? 0),
        grants: rows.map(({ tenant, subject, granted, used }) => ({ team: tenant, subject, granted, used })),
      };
    },
    deleteOld: async () => {
      const { rowCount } = await pool.query(
        `delete from ${table.schema}.rate_window
         where window_start < date_trunc('${table.window}', now(), 'UTC') - make_interval(hours => $1)`,
        [table.keptHours],
      );
      return rowCount ?? 0;
    },
  };
};

const valuesOf = (requests: readonly AdmissionRequest[]): unknown[] => [
  requests.map(({ team }) => team),
  requests.map(({ subject }) => subject),
  requests.map(({ limit }) => limit),
  requests.map(({ wanted }) => wanted),
  requests.map(({ settled }) => settled),
  requests.map(({ settledWindowMs }) => settledWindowMs),
];
