import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { measurementModel, createMeasurementTable } from '../testing/measurements.js';
import { readJsonAnswer, openFixture, readFailure, type Fixture } from '../testing/fixture.js';

const team = 'meridian';

let fixture: Fixture;
let holder: pg.Client;
let admin: pg.Client;

const client = async (): Promise<pg.Client> => {
  const opened = new pg.Client({ connectionString: fixture.database.adminUrl });
  await opened.connect();
  return opened;
};

beforeAll(async () => {
  fixture = await openFixture({ STATEMENT_TIMEOUT_MS: '60000' });
  await fixture.publish(team, measurementModel);
  await fixture.load(team, createMeasurementTable(100));
  holder = await client();
  admin = await client();
});
afterAll(async () => {
  await holder.end();
  await admin.end();
  await fixture.end();
});

/** As long as `work` goes on, every query of the table waits in PostgreSQL. */
const whileLocked = async (work: () => Promise<unknown>): Promise<void> => {
  await holder.query('begin; lock table "meridian.m".measurement in access exclusive mode');
  try {
    await work();
  } finally {
    await holder.query('rollback');
  }
};

const waiting = async (): Promise<number> => {
  const { rows } = await admin.query<{ count: string }>(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(rows[0]?.count);
};

const counted = (): { readonly queryClient: QueryClient; readonly sent: () => number } => {
  let queries = 0;
  return { queryClient: openQueryClient(fixture, {}, { observe: () => queries++ }), sent: () => queries };
};
const kpis = { kpis: ['ROWS'] };
const ask = (queryClient: QueryClient, signal?: AbortSignal) =>
  queryClient.query({ team, ...(signal && { signal }) }, 'measurements', undefined, kpis);

describe('a query that takes long', () => {
  it('fails as unavailable after the time-out, is ended in PostgreSQL, and the next query runs', async () => {
    const impatient = await openFixture({ STATEMENT_TIMEOUT_MS: '100' });
    await impatient.publish(team, measurementModel);
    await impatient.load(team, createMeasurementTable(10));
    const holding = new pg.Client({ connectionString: impatient.database.adminUrl });
    await holding.connect();
    await holding.query('begin; lock table "meridian.m".measurement in access exclusive mode');
    const failure = await readFailure(ask(openQueryClient(impatient)));
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(failure?.detail).toMatch(/longer than is allowed/);
    await holding.query('rollback');
    await holding.end();
    // The time-out of the spec is short for a busy machine; what is shown is that the connection works on.
    await waitUntil(async () => (await ask(openQueryClient(impatient))).ok);
    await impatient.end();
  });

  it('ends in PostgreSQL when the caller leaves', async () => {
    const controller = new AbortController();
    await whileLocked(async () => {
      const { queryClient } = counted();
      const tookMs = jest.spyOn(queryClient.execution.heavy, 'recordDuration');
      const failure = readFailure(ask(queryClient, controller.signal));
      await waitUntil(async () => (await waiting()) === 1);
      controller.abort();
      expect(await failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(tookMs).toHaveBeenCalledTimes(1);
      await waitUntil(async () => (await waiting()) === 0);
    });
  });

  it('runs once for concurrent callers, even when the first of them leaves', async () => {
    const { queryClient, sent } = counted();
    const controller = new AbortController();
    const answers: Promise<unknown>[] = [];
    await whileLocked(async () => {
      const first = readFailure(ask(queryClient, controller.signal));
      await waitUntil(async () => (await waiting()) === 1);
      answers.push(...Array.from({ length: 5 }, () => readJsonAnswer(ask(queryClient))));
      // Each has looked for its total and its rows before it joined.
      await waitUntil(() => queryClient.execution.cache.misses === 12);
      controller.abort();
      expect(await first).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(await waiting()).toBe(1);
    });
    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ total: 1, content: [{ ROWS: 100 }] });
    expect(sent()).toBe(1);
  });
});
