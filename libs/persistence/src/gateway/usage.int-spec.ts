import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { avoidHourBoundary, createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { createPool } from '../pool.js';
import { readCredentialUses, readHoursOfUse } from './usage.repository.js';

let database: TestDatabase;
let pool: pg.Pool;

/** `ago`: whole hours. */
const use = (team: string, credential: string, ago: number, used: number, limit = 100) =>
  pool.query(
    `insert into gateway.rate_window (tenant, credential, window_start, used, granted, settled, hourly_limit)
     values ($1, $2, date_trunc('hour', now(), 'UTC') - make_interval(hours => $3), $4, 0, 0, $5)`,
    [team, credential, ago, used, limit],
  );

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 2,
    statementTimeoutMs: 60_000,
  });
  await use('meridian', 'key:one', 0, 5, 200);
  await use('meridian', 'key:one', 1, 7, 100);
  await use('meridian', 'key:two', 1, 90);
  await use('meridian', 'key:two', 23, 1);
  await use('meridian', 'key:old', 24, 1_000);
  await use('northgate', 'key:other', 0, 50);
});
beforeEach(avoidHourBoundary);
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

describe('what a team used', () => {
  it('is told for each of 24 hours, also for those without a request', async () => {
    const hours = await readHoursOfUse(pool, 'meridian');
    expect(hours.map(({ requests }) => requests)).toEqual([1, ...Array.from({ length: 21 }, () => 0), 97, 5]);
    const nowMs = Date.now();
    const starts = hours.map(({ startsAt }) => Date.parse(startsAt));
    expect(starts.at(-1)).toBe(nowMs - (nowMs % 3_600_000));
    expect(new Set(starts.slice(1).map((ms, index) => ms - (starts[index] ?? 0)))).toEqual(new Set([3_600_000]));
  });

  it('is told for each credential with its latest limit, the most requests first', async () => {
    expect(await readCredentialUses(pool, 'meridian', 100)).toEqual([
      { credential: 'key:two', hourlyLimit: 100, thisHour: 0, last24Hours: 91 },
      { credential: 'key:one', hourlyLimit: 200, thisHour: 5, last24Hours: 12 },
    ]);
    expect(await readCredentialUses(pool, 'meridian', 1)).toHaveLength(1);
  });

  it('is nothing for a team without requests', async () => {
    expect((await readHoursOfUse(pool, 'nobody')).every(({ requests }) => requests === 0)).toBe(true);
    expect(await readCredentialUses(pool, 'nobody', 100)).toEqual([]);
  });
});
