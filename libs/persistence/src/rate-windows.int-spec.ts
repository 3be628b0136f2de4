import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { avoidHourBoundary, testDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { createPool } from './pool.js';
import {
  assetWindows,
  credentialWindows,
  rateWindows,
  type AdmissionRequest,
  type RateWindows,
} from './rate-windows.js';

const hourMs = 3_600_000;
let database: TestDatabase;
let pool: pg.Pool;
let windows: RateWindows;
let lastName = 0;

beforeAll(async () => {
  database = await testDatabase();
  pool = createPool({
    url: database.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 8,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
  });
  windows = rateWindows(pool, credentialWindows);
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

it('grants only what is left', async () => {
  const name = credential();
  expect(await take(name, 7)).toMatchObject({ granted: 7, used: 7 });
  expect(await take(name, 7)).toMatchObject({ granted: 3, used: 10 });
  expect(await take(name, 1)).toMatchObject({ granted: 0, used: 10 });
});

it('grants no more than the limit to the first request', async () => {
  expect(await take(credential(), 50)).toMatchObject({ granted: 10, used: 10 });
});

it('returns the UTC hour and the current instant by the clock of the database', async () => {
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

it('takes back unused admissions only in the same window', async () => {
  const name = credential();
  const { windowMs } = await take(name, 10);
  expect(await take(name, 0, { settled: -4, settledWindowMs: windowMs })).toMatchObject({ granted: 0, used: 6 });
  expect(await take(name, 0, { settled: -4, settledWindowMs: windowMs - hourMs })).toMatchObject({ used: 6 });
  expect(await take(name, 9)).toMatchObject({ granted: 4, used: 10 });
});

it('charges admissions made during an outage before it grants new ones', async () => {
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

it('grants nothing when the limit was lowered below the used count', async () => {
  const name = credential();
  await take(name, 8);
  expect(await take(name, 1, { limit: 5 })).toMatchObject({ granted: 0, used: 8 });
});

it('serves many credentials in one statement and counts teams separately', async () => {
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

it('never grants more than the limit to concurrent requests, whatever the order of their credentials', async () => {
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

it('deletes past windows and keeps the current one', async () => {
  const name = credential();
  await take(name, 1);
  await pool.query(
    `insert into gateway.rate_window values ('a', $1, date_trunc('hour', now(), 'UTC') - interval '3 hours', 1, 1, 0, 1)`,
    [name],
  );
  expect(await windows.deleteOld()).toBeGreaterThanOrEqual(1);
  const { rows } = await pool.query('select window_start from gateway.rate_window where credential = $1', [name]);
  expect(rows).toHaveLength(1);
});

it('counts calls of assets by the minute', async () => {
  const url = database.urlFor('tool-gateway');
  const assets = createPool({ url, applicationName: 'spec', connectionsMax: 1, statementTimeoutMs: 60_000 });
  const calls = rateWindows(assets, assetWindows);
  const request = { team: 'a', subject: 'p2p', limit: 3, wanted: 5, settled: 0, settledWindowMs: 0 };
  const { grants, windowMs, nowMs } = await calls.take([request]);
  expect(grants).toEqual([{ team: 'a', subject: 'p2p', granted: 3, used: 3 }]);
  expect(windowMs % 60_000).toBe(0);
  expect(nowMs - windowMs).toBeLessThan(60_000);
  await assets.end();
});
