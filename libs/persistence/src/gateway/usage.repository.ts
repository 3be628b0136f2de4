/** What credentials of a team used of their limits in the last day. */
import type pg from 'pg';
import { readAsTenant } from '../tenant-statement.js';

export type HourOfUse = { readonly startsAt: string; readonly requests: number };

export type CredentialUse = {
  readonly credential: string;
  readonly hourlyLimit: number;
  readonly thisHour: number;
  readonly last24Hours: number;
};

const thisHour = `date_trunc('hour', now(), 'UTC')`;
const firstHour = `${thisHour} - interval '23 hours'`;

const hoursText = `
select hour.start as "startsAt", coalesce(sum(w.used), 0) as requests
from generate_series(${firstHour}, ${thisHour}, interval '1 hour') hour (start)
left join gateway.rate_window w on w.tenant = $1 and w.window_start = hour.start
group by hour.start order by hour.start`;

/** 24 hours, the oldest first; the last is the one that runs. */
export const readHoursOfUse = async (pool: pg.Pool, team: string): Promise<readonly HourOfUse[]> => {
  const statement = { name: 'usage_by_hour', text: hoursText, values: [team] };
  const rows = await readAsTenant<{ readonly startsAt: Date; readonly requests: string }>(pool, team, statement);
  return rows.map(({ startsAt, requests }) => ({ startsAt: startsAt.toISOString(), requests: Number(requests) }));
};

const credentialsText = `
select credential, (array_agg(hourly_limit order by window_start desc))[1] as "hourlyLimit",
  coalesce(sum(used) filter (where window_start = ${thisHour}), 0) as "thisHour", sum(used) as "last24Hours"
from gateway.rate_window where tenant = $1 and window_start >= ${firstHour}
group by credential order by sum(used) desc, credential collate "C" limit $2`;

type CredentialRow = Readonly<Record<'credential' | 'thisHour' | 'last24Hours', string>> &
  Pick<CredentialUse, 'hourlyLimit'>;

/** Those with the most requests first; each with its limit in its last hour. */
export const readCredentialUses = async (
  pool: pg.Pool,
  team: string,
  rowsMax: number,
): Promise<readonly CredentialUse[]> => {
  const statement = { name: 'usage_by_credential', text: credentialsText, values: [team, rowsMax] };
  const rows = await readAsTenant<CredentialRow>(pool, team, statement);
  return rows.map(({ thisHour: now, last24Hours, ...row }) => ({
    ...row,
    thisHour: Number(now),
    last24Hours: Number(last24Hours),
  }));
};
