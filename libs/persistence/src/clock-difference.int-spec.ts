import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { readClockDifference } from './clock-difference.js';
import { createPool } from './pool.js';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    ...{ url: database.urlFor('gateway'), applicationName: 'spec', connectionsMax: 1, statementTimeoutMs: 5_000 },
  });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const threeHours = 3 * 3_600_000;

it.each([
  ['right', 0, true],
  ['three hours behind', -threeHours, false],
  ['three hours ahead', threeHours, false],
])('a clock that is %s is told as that', async (_, offMs, isBearable) => {
  const found = await readClockDifference(pool, () => Date.now() + offMs);
  expect(found.isBearable).toBe(isBearable);
  expect(Math.round(found.aheadMs / 60_000)).toBe(-offMs / 60_000 + 0);
  expect(found.databaseTime.getTime() - found.processTime.getTime()).toBeLessThan(-offMs + 60_000);
});

it('a difference that the way there and back explains is none', async () => {
  // The only connection is busy.
  const slept = pool.query('select pg_sleep(1.2)');
  expect(await readClockDifference(pool, () => Date.now() + 1_000)).toMatchObject({ aheadMs: 0, isBearable: true });
  await slept;
});
