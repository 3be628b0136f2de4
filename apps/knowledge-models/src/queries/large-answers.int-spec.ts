import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ByteReply } from '@tessera/contracts';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { measurementFields, measurementModel, createMeasurementTable } from '../testing/measurements.js';
import { readBodyText, openFixture, type Fixture } from '../testing/fixture.js';
import { toQueryFailure } from './query-failure.js';

const team = 'meridian';
const rowsInAll = 12_000;
const asked = { fields: measurementFields, pageSize: 5_000, sort: 'ID' };

let fixture: Fixture;
beforeAll(async () => {
  // Fewer connections than there are questions at once.
  fixture = await openFixture({ QUERY_CONNECTIONS: '2' });
  await fixture.publish(team, measurementModel);
  await fixture.load(team, createMeasurementTable(rowsInAll));
});
afterAll(() => fixture.end());

const ask = async (queryClient: QueryClient, parameters: object = {}, signal?: AbortSignal): Promise<ByteReply> => {
  const asker = { team, ...(signal && { signal }) };
  const result = await queryClient.query(asker, 'measurements', 'MEASUREMENT', { ...asked, ...parameters });
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`);
  return result.value;
};

const streamOf = ({ body }: ByteReply): AsyncIterable<Uint8Array> => {
  if (body instanceof Uint8Array) throw new Error('The answer does not stream.');
  return body;
};

const untilConnectionsAreBack = (): Promise<void> =>
  waitUntil(() => fixture.pools.queries.idleCount === fixture.pools.queries.totalCount);

const uncached = (): QueryClient => openQueryClient(fixture, { RESULT_CACHE_BYTES: '0' });

describe('a page of many rows', () => {
  it('streams completely and in order, in chunks of bounded size', async () => {
    for (const [page, rows] of [
      [0, 5_000],
      [2, 2_000],
      [3, 0],
    ] as const) {
      const pieces: Uint8Array[] = [];
      const { body } = await ask(uncached(), { page });
      if (body instanceof Uint8Array) pieces.push(body);
      else for await (const piece of body) pieces.push(piece);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
      const answer = JSON.parse(Buffer.concat(pieces).toString());
      expect([answer.total, answer.content.length]).toEqual([rowsInAll, rows]);
      const ids: readonly number[] = answer.content.map(({ ID }: { ID: number }) => ID);
      expect(ids).toEqual(Array.from({ length: rows }, (_, index) => page * 5_000 + index + 1));
    }
    await untilConnectionsAreBack();
  });

  it('has headers before its rows when they are requested', async () => {
    const result = await uncached().data({ team }, 'measurements', 'MEASUREMENT', asked);
    if (!result.ok) throw new Error(result.failure.detail);
    const { content } = JSON.parse(await readBodyText(result.value));
    expect([content.headers.length, content.data.length]).toEqual([20, 5_000]);
  });

  it('applies back-pressure', async () => {
    const pieces = streamOf(await ask(uncached()))[Symbol.asyncIterator]();
    await pieces.next();
    await pieces.next();
    const reading = fixture.pools.queries.totalCount - fixture.pools.queries.idleCount;
    expect(reading).toBe(1);
    await pieces.return?.();
    await untilConnectionsAreBack();
  });

  it('releases its connection whenever the reader leaves', async () => {
    for (const reads of [0, 1, 2, 5, 12]) {
      const pieces = streamOf(await ask(uncached()))[Symbol.asyncIterator]();
      for (let read = 0; read < reads; read++) await pieces.next();
      await pieces.return?.();
      await untilConnectionsAreBack();
    }
  });

  it('ends when the request is aborted, before or while it is read', async () => {
    for (const reads of [0, 3]) {
      const controller = new AbortController();
      const pieces = streamOf(await ask(uncached(), {}, controller.signal))[Symbol.asyncIterator]();
      for (let read = 0; read < reads; read++) await pieces.next();
      controller.abort();
      await untilConnectionsAreBack();
    }
  });

  it('answers concurrent callers over fewer connections', async () => {
    const queryClient = uncached();
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, number) => {
        const filterExpr = [`ID gt ${number % 4}`];
        return JSON.parse(await readBodyText(await ask(queryClient, { filterExpr }))).content.length;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 8 }, () => 5_000));
  });

  it('is cached byte for byte only if it is small enough', async () => {
    const queryClient = openQueryClient(fixture, { RESULT_CACHE_BYTES: '200000000' });
    const first = await readBodyText(await ask(queryClient));
    const again = await ask(queryClient);
    expect(again.body).toBeInstanceOf(Uint8Array);
    expect((await readBodyText(again)) === first).toBe(true);
    const small = openQueryClient(fixture, { RESULT_CACHE_BYTES: '8000000' });
    await readBodyText(await ask(small));
    const pieces = streamOf(await ask(small))[Symbol.asyncIterator]();
    await pieces.return?.();
  });
});

it.each([0, 2])('a page of rows reports an outage when the connection is lost after %s chunks', async (count) => {
  const pieces = streamOf(await ask(uncached()))[Symbol.asyncIterator]();
  for (let read = 0; read < count; read++) await pieces.next();
  const admin = new pg.Client({ connectionString: fixture.database.adminUrl });
  await admin.connect();
  await admin.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where usename = 'tessera_knowledge_models' and datname = current_database() and state = 'active'`,
  );
  await admin.end();
  const broken: unknown = await (async () => {
    while ((await pieces.next()).done !== true);
  })().catch((error: unknown) => error);
  expect(toQueryFailure(broken)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await untilConnectionsAreBack();
});
