import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil, createTestDatabase, type TestDatabase } from '@tessera/testing';
import type pg from 'pg';
import { toOutageFailure, RequestAbandonedError } from './database-failure.js';
import { createPool } from './pool.js';
import { readTeamRowsInBatches, type TeamRows } from './tenant-statement.js';

let database: TestDatabase;
let pool: pg.Pool;
const never = new AbortController().signal;

const open = (connectTimeoutMs: number): pg.Pool =>
  createPool({
    url: database.urlFor('knowledge-models'),
    applicationName: 'acquire-fairly-spec',
    connectionsMax: 4,
    statementTimeoutMs: 60_000,
    connectTimeoutMs,
  });
beforeAll(async () => {
  database = await createTestDatabase();
  pool = open(60_000);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** An answer that keeps its connection until it is closed. */
const hold = (team: string, signal = never, of = pool): Promise<TeamRows> =>
  readTeamRowsInBatches(of, { team, text: 'select generate_series(1, 1000)', values: [], batchRows: 5 }, signal);
const ask = async (team: string, of = pool): Promise<unknown> =>
  (await readTeamRowsInBatches(of, { team, text: 'select 7', values: [] }, never)).first;

it('a fair pool leaves connections to other teams, however many unread results one team holds', async () => {
  const held = await Promise.all([hold('a'), hold('a'), hold('a')]);
  let isAnswered = false;
  const fourth = hold('a').then((rows) => {
    isAnswered = true;
    return rows;
  });
  expect(await ask('b')).toEqual([['7']]);
  expect(await ask('b')).toEqual([['7']]);
  expect([isAnswered, pool.waitingCount]).toEqual([false, 0]);
  held[0]?.close();
  (await fourth).close();
  for (const rows of held) rows.close();
  await waitUntil(() => pool.idleCount === pool.totalCount);
});

it('a fair pool gives released connections to waiting callers, and none to callers that have left', async () => {
  const held = await Promise.all([hold('a'), hold('a'), hold('a')]);
  const controller = new AbortController();
  const gone = expect(hold('a', controller.signal)).rejects.toBeInstanceOf(RequestAbandonedError);
  await expect(hold('a', AbortSignal.abort())).rejects.toBeInstanceOf(RequestAbandonedError);
  const waiting = Array.from({ length: 5 }, () => ask('a'));
  controller.abort();
  await gone;
  for (const rows of held) rows.close();
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 5 }, () => [['7']]));
  const failing = readTeamRowsInBatches(pool, { team: 'a', text: 'select 1 / 0', values: [] }, never);
  await expect(failing).rejects.toThrow('division by zero');
  const whole = await Promise.all([hold('a'), hold('a'), hold('a')]);
  for (const rows of whole) rows.close();
});

it('a statement fails as unavailable when the connections of its team are not released in time', async () => {
  const impatient = open(1_000);
  // The first connections are made before the clock matters.
  const held = [
    await hold('a', never, impatient),
    await hold('a', never, impatient),
    await hold('a', never, impatient),
  ];
  const failed = await ask('a', impatient).catch((error: unknown) => error);
  expect(toOutageFailure(failed)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  for (const rows of held) rows.close();
  expect(await ask('a', impatient)).toEqual([['7']]);
  await impatient.end();
});
