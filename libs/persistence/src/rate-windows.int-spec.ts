import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { avoidHourBoundary, createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { createPool } from './pool.js';
import {
  assetWindowTable,
  credentialWindowTable,
  createRateWindows,
  type AdmissionRequest,
  type RateWindows,
} from './rate-windows.js';

const hourMs = 3_600_000;
let database: TestDatabase;
let pool: pg.Pool;
let windows: RateWindows;
let lastName = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 8,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
  });
  windows = createRateWindows(pool, credentialWindowTable);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

beforeEach(avoidHourBoundary);

const credential = (): string => `key:${++lastName}`;

const take = async (name: string, wanted: number, more: Partial<AdmissionRequest> = {}) => {
  const request = { team: 'a', subject: name, limit: 10, wanted, settled: 0, settledWindowMs: 0, ...more };
  const { grants, windowMs, nowMs } = await windows.take([request]);
  return { granted: grants[0]?.granted, used: grants[0]?.used, windowMs, nowMs };
};

it('a rate window grants only the admissions that are left', async () => {
  const name = credential();
  expect(await take(name, 7)).toMatchObject({ granted: 7, used: 7 });
  expect(await take(name, 7)).toMatchObject({ granted: 3, used: 10 });
  expect(await take(name, 1)).toMatchObject({ granted: 0, used: 10 });
});

it('a rate window grants no more than the limit to the first request', async () => {
  expect(await take(credential(), 50)).toMatchObject({ granted: 10, used: 10 });
});

it('a rate window begins at the UTC hour by the clock of the database', async () => {
  const beforeMs = Date.now();
  const { windowMs, nowMs } = await take(credential(), 1);
  const afterMs = Date.now();
  expect(windowMs % hourMs).toBe(0);
  expect(nowMs - windowMs).toBeGreaterThanOrEqual(0);
  expect(nowMs - windowMs).toBeLessThan(hourMs);
  // Both run on this machine.
  expect(nowMs).toBeGreaterThanOrEqual(beforeMs - 1);
  expect(nowMs).toBeLessThanOrEqual(afterMs + 1);
});

it('a rate window takes back unused admissions only of the same window', async () => {
  const name = credential();
  const { windowMs } = await take(name, 10);
  expect(await take(name, 0, { settled: -4, settledWindowMs: windowMs })).toMatchObject({ granted: 0, used: 6 });
  expect(await take(name, 0, { settled: -4, settledWindowMs: windowMs - hourMs })).toMatchObject({ used: 6 });
  expect(await take(name, 9)).toMatchObject({ granted: 4, used: 10 });
});

it('a rate window charges admissions made during an outage before it grants new ones', async () => {
  const name = credential();
  const { windowMs } = await take(name, 2);
  expect(await take(name, 5, { settled: 6, settledWindowMs: windowMs })).toMatchObject({ granted: 2, used: 10 });
  expect(await take(credential(), 5, { settled: 8, settledWindowMs: windowMs })).toMatchObject({
    granted: 2,
    used: 10,
  });
  expect(await take(credential(), 5, { settled: 80, settledWindowMs: windowMs })).toMatchObject({
    granted: 0,
    used: 80,
  });
});

it('a rate window grants nothing when the limit was lowered below the used count', async () => {
  const name = credential();
  await take(name, 8);
  expect(await take(name, 1, { limit: 5 })).toMatchObject({ granted: 0, used: 8 });
});

it('rate windows serve many credentials in one statement and count teams separately', async () => {
  const name = credential();
  const request = { subject: name, limit: 3, wanted: 2, settled: 0, settledWindowMs: 0 };
  const { grants } = await windows.take([
    { ...request, team: 'a' },
    { ...request, team: 'b' },
    { ...request, team: 'b', subject: `${name}x` },
  ]);
  expect(grants.map(({ team, granted }) => `${team}${granted}`).sort()).toEqual(['a2', 'b2', 'b2']);
  expect((await windows.take([])).grants).toEqual([]);
});

it('rate windows never grant more than the limit to concurrent requests, whatever the order of their credentials', async () => {
  const names = [credential(), credential(), credential()];
  const ask = async (turn: number): Promise<readonly [string, number][]> => {
    const order = turn % 2 === 0 ? names : names.toReversed();
    const requests = order.map((name) => ({
      team: 'a',
      subject: name,
      limit: 100,
      wanted: 3,
      settled: 0,
      settledWindowMs: 0,
    }));
    return (await windows.take(requests)).grants.map((grant) => [grant.subject, grant.granted]);
  };
  const grants = (await Promise.all(Array.from({ length: 80 }, (_, turn) => ask(turn)))).flat();
  for (const name of names) {
    const admitted = grants.filter(([each]) => each === name).reduce((sum, [, granted]) => sum + granted, 0);
    expect(admitted).toBe(100);
  }
});

it.each([
  ['a day of credentials', () => windows, 24],
  [
    'an hour of assets',
    () => createRateWindows(pool, { ...credentialWindowTable, keptHours: assetWindowTable.keptHours }),
    1,
  ],
])('keeps %s and deletes what is older', async (_, windowsOf, keptHours) => {
  const name = credential();
  await take(name, 1);
  for (const hours of [keptHours, keptHours + 1])
    await pool.query(
      `insert into gateway.rate_window
       values ('a', $1, date_trunc('hour', now(), 'UTC') - make_interval(hours => $2), 1, 1, 0, 1)`,
      [name, hours],
    );
  expect(await windowsOf().deleteOld()).toBeGreaterThanOrEqual(1);
  const { rows } = await pool.query('select window_start from gateway.rate_window where credential = $1', [name]);
  expect(rows).toHaveLength(2);
});

it('the rate window of an asset counts calls by the minute', async () => {
  const url = database.urlFor('tool-gateway');
  const assets = createPool({ url, applicationName: 'spec', connectionsMax: 1, statementTimeoutMs: 60_000 });
  const calls = createRateWindows(assets, assetWindowTable);
  const request = { team: 'a', subject: 'p2p', limit: 3, wanted: 5, settled: 0, settledWindowMs: 0 };
  const { grants, windowMs, nowMs } = await calls.take([request]);
  expect(grants).toEqual([{ team: 'a', subject: 'p2p', granted: 3, used: 3 }]);
  expect(windowMs % 60_000).toBe(0);
  expect(nowMs - windowMs).toBeLessThan(60_000);
  await assets.end();
});
