/** Finds the change that an instant means; one statement a function. */
import type { TenantReader } from '../database/tenant-reader.js';
import { storageClockLockSql } from '../change/change.repository.js';

type InstantAge = {
  readonly age: 'future' | 'young' | 'old';
  /** The database's clock, ISO 8601. */
  readonly now: string;
};

export const readInstantPosition = async (reader: TenantReader, instant: Date): Promise<InstantAge> => {
  const [row] = await reader.read<InstantAge>({
    name: 'instant_age',
    text: `
      select case when $1::timestamptz > clock.now then 'future' when $1 > clock.now - interval '2 minutes' then 'young' else 'old' end as age,
        to_char(clock.now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now
      from (select clock_timestamp() as now offset 0) clock`,
    values: [instant],
  });
  if (!row) throw new Error('The clock of the database was not answered.');
  return row;
};

/**
 * When it resolves, every change up to the instant is committed: none that begins later can take an instant of that
 * millisecond, and those that have taken one hold the lock until they are committed.
 */
export const waitForChangesUntil = async (reader: TenantReader, storageId: string, instant: Date): Promise<void> => {
  await reader.read({
    name: 'changes_until',
    text: `
      with passed as materialized (
        select pg_sleep(greatest(0, extract(epoch from $3::timestamptz + interval '1 millisecond' - clock_timestamp()))::float8)),
      locked as materialized (${storageClockLockSql('pg_advisory_xact_lock_shared')} from passed)
      select from locked`,
    values: [reader.tenant, storageId, instant],
  });
};

/**
 * From here on the transaction reads at the number of the last change up to the instant; false when the storage was not
 * there yet.
 */
export const pinReadsToInstant = async (reader: TenantReader, storageId: string, instant: Date): Promise<boolean> => {
  const rows = await reader.read({
    name: 'read_at_instant',
    text: `
      select set_config('app.as_of', sequence::text, true) from (
        select sequence from content_repo.change
        where tenant = $1 and storage_id = $2::uuid and changed_at <= $3
        order by changed_at desc limit 1) last`,
    values: [reader.tenant, storageId, instant],
  });
  return rows.length > 0;
};
