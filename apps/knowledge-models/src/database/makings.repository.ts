/**
 * What is made of the rows of teams in the background (copies by columns, rollups) and loads of these tables: a load goes first. It ends
 * the statements that read the table which it replaces; who is at the making tries again later. Never ends the query of a caller.
 */
import { KeyedQueue } from '@tessera/fair-queue';
import type { Pool, PoolClient } from '@tessera/persistence';
import { quoteIdentifier } from '@tessera/sql';
import pg from 'pg';

const queueByPool = new WeakMap<Pool, KeyedQueue>();

/**
 * The makings of a replica that go on at the same time: half of the connections for loads are left to these. A team has one of them, so that a
 * slow one holds up its team alone while there are two.
 */
export const makingQueueOf = (loads: Pool): KeyedQueue => {
  const limit = Math.max(1, Math.floor(loads.options.max / 2));
  const queue = queueByPool.get(loads) ?? new KeyedQueue({ limit, limitPerKey: 1 });
  queueByPool.set(loads, queue);
  return queue;
};

const applicationName = 'knowledge-models-makings';

/**
 * Of each transaction that reads for a making. Values have one text, whatever the server is set to; another query of somebody is worth
 * more than a second worker for this.
 */
export const makingSettings = {
  application_name: applicationName,
  timezone: 'UTC',
  datestyle: 'ISO',
  max_parallel_workers_per_gather: '0',
} as const;

/** All replicas log in as one role, which may cancel what it runs. */
const cancelText = `
  select pg_cancel_backend(pid) from pg_stat_activity where application_name = $1 and pid in (
    select pid from pg_locks where relation = to_regclass($2)
      and database = (select oid from pg_database where datname = current_database()))`;

/** Those of all replicas that read the table. */
export const cancelMakings = async (
  client: PoolClient,
  { physical, name }: { readonly physical: string; readonly name: string },
): Promise<void> => {
  await client.query(cancelText, [applicationName, `${quoteIdentifier(physical)}.${quoteIdentifier(name)}`]);
};

/** True while a making of any replica keeps PostgreSQL from settling pages: by what it reads, or by what it writes. */
export const hasMakings = async (client: PoolClient): Promise<boolean> => {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where application_name = $1 and datname = current_database()
      and coalesce(backend_xmin, backend_xid) is not null limit 1`,
    [applicationName],
  );
  return (rowCount ?? 0) > 0;
};

const queryCanceled = '57014';

/** Whether a load ended the making, rather than the time of the statement. */
export const isMakingCancelled = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === queryCanceled && error.message.includes('user request');
