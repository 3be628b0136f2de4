/** @own-modules It registers a provider of traces. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { context, ROOT_CONTEXT, SpanStatusCode, trace, TraceFlags, type Context } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { createPool, readPoolMetrics } from './pool.js';
import { readTeamRowsInBatches, readAsTenant } from './tenant-statement.js';
import { runInTenantTransaction } from './tenant-transaction.js';

const exporter = new InMemorySpanExporter();
const requests = new AsyncLocalStorage<Context>();
let database: TestDatabase;
let pool: pg.Pool;

/** Runs as a request whose span has the id that is made of `letter`. */
const inRequest = <T>(letter: string, work: () => Promise<T>, traceFlags = TraceFlags.SAMPLED): Promise<T> =>
  requests.run(
    trace.setSpanContext(ROOT_CONTEXT, { traceId: 'a'.repeat(32), spanId: letter.repeat(16), traceFlags }),
    work,
  );

const spans = () =>
  exporter.getFinishedSpans().map(({ name, parentSpanContext, attributes, status }) => ({
    ...{ name, parent: parentSpanContext?.spanId[0], status: status.code },
    ...{ operation: attributes['db.operation.name'], state: attributes['db.response.status_code'] },
  }));

beforeAll(async () => {
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  const requestContexts = {
    active: () => requests.getStore() ?? ROOT_CONTEXT,
    with: <A extends unknown[], F extends (...args: A) => ReturnType<F>>(
      _context: Context,
      work: F,
      self?: ThisParameterType<F>,
      ...given: A
    ): ReturnType<F> => work.call(self, ...given),
    bind: <T>(_context: Context, target: T): T => target,
    enable: () => requestContexts,
    disable: () => requestContexts,
  };
  context.setGlobalContextManager(requestContexts);
  database = await createTestDatabase();
  pool = createPool({
    url: database.urlFor('content-repo'),
    applicationName: 'spans-spec',
    connectionsMax: 1,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
  });
});
afterEach(() => exporter.reset());
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('statements of a traced request', () => {
  it('are spans below its own, named by statement or table, however they are sent', async () => {
    await inRequest('b', async () => {
      await pool.query('select storage_id from content_repo.storage where tenant = $1', ['meridian']);
      await readAsTenant(pool, 'meridian', { name: 'spans_named', text: 'select 1 where $1 = 2', values: [1] });
      await readTeamRowsInBatches(
        pool,
        { team: 'spec', text: 'select "value" from (values (1)) as "t" ("value")', values: [] },
        never,
      );
      await runInTenantTransaction(pool, 'meridian', (client) =>
        client.query({ name: 'spans_inside', text: 'select 2' }),
      );
    });
    expect(spans().map(({ name, operation }) => [name, operation])).toEqual([
      ['SELECT content_repo.storage', 'SELECT'],
      ['spans_named', 'SELECT'],
      ['SELECT', 'SELECT'],
      ['open_tenant_transaction_1', 'SELECT'],
      ['spans_inside', 'SELECT'],
      ['COMMIT', 'COMMIT'],
    ]);
    expect(new Set(spans().map(({ parent }) => parent))).toEqual(new Set(['b']));
    expect(exporter.getFinishedSpans()[0]?.attributes).toEqual({
      ...{ 'db.system.name': 'postgresql', 'db.operation.name': 'SELECT', 'tessera.pool': 'spans-spec' },
      'db.query.summary': 'SELECT content_repo.storage',
    });
  });

  it('belong to the request that sent them, even after waiting for the connection of another request', async () => {
    const ask = (letter: string) =>
      inRequest(letter, () => pool.query({ name: `spans_of_${letter}`, text: 'select pg_sleep(0.01)' }));
    await Promise.all(['b', 'c', 'd', 'e'].map(ask));
    expect(spans().map(({ name, parent }) => name === `spans_of_${parent}`)).toEqual([true, true, true, true]);
  });

  it('record the SQLSTATE of a failure without the message of PostgreSQL', async () => {
    const mark = 'ada-example';
    const text = `select $1::text::int`;
    const sent = [
      () => pool.query({ text, values: [mark] }),
      () => readAsTenant(pool, 'meridian', { name: 'spans_fail', text, values: [mark] }),
      () => readTeamRowsInBatches(pool, { team: 'spec', text, values: [mark] }, never),
    ];
    for (const send of sent) await inRequest('b', () => expect(send()).rejects.toThrow(mark));
    expect(spans().map(({ status, state }) => [status, state])).toEqual(
      sent.map(() => [SpanStatusCode.ERROR, '22P02']),
    );
    const told = exporter
      .getFinishedSpans()
      .map(({ name, attributes, status, events }) => ({ name, attributes, status, events }));
    expect(JSON.stringify(told)).not.toContain(mark);
  });

  it('have no spans outside of a sampled request', async () => {
    await pool.query('select 1');
    await inRequest('b', () => pool.query('select 1'), TraceFlags.NONE);
    expect(spans()).toEqual([]);
  });
});

const never = new AbortController().signal;

describe('the metrics of pools', () => {
  it('count used and idle connections and waiting statements while a pool is open', async () => {
    const own = () => readPoolMetrics().filter(({ pool: name }) => name === 'figures-spec');
    const another = createPool({
      ...{ url: database.urlFor('content-repo'), applicationName: 'figures-spec', connectionsMax: 1 },
      statementTimeoutMs: 60_000,
    });
    const client = await another.connect();
    const waiting = another.query('select 1');
    expect(own()).toEqual([{ pool: 'figures-spec', max: 1, used: 1, idle: 0, waiting: 1 }]);
    client.release();
    await waiting;
    expect(own()).toMatchObject([{ used: 0, idle: 1, waiting: 0 }]);
    await another.end();
    expect(own()).toEqual([]);
  });
});
