import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ByteReply } from '@tessera/contracts';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import { toQueryFailure } from '../queries/query-failure.js';
import { readAllPages, openODataClient, type ODataClient } from '../testing/odata-client.js';
import { openQueryClient } from '../testing/query-client.js';
import { measurementModel, createMeasurementTable } from '../testing/measurements.js';
import { readBodyText, openFixture, type Json, type Fixture } from '../testing/fixture.js';

const asker = { team: 'meridian' };
const rowsInAll = 11_000;

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ QUERY_CONNECTIONS: '2' });
  await fixture.publish(asker.team, measurementModel);
  await fixture.load(asker.team, createMeasurementTable(rowsInAll));
});
afterAll(() => fixture.end());

const open = (RESULT_CACHE_BYTES: string): ODataClient =>
  openODataClient(fixture, openQueryClient(fixture, { RESULT_CACHE_BYTES }));

const ask = async (odata: ODataClient, options: object = {}, signal?: AbortSignal): Promise<ByteReply> => {
  const result = await odata.page({ ...asker, ...(signal && { signal }) }, 'measurements', 'MEASUREMENT', {
    ...options,
  });
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`);
  return result.value;
};

const streamOf = ({ body }: ByteReply): AsyncIterable<Uint8Array> => {
  if (body instanceof Uint8Array) throw new Error('The answer does not stream.');
  return body;
};

const connectionsInUse = (): number => fixture.pools.queries.totalCount - fixture.pools.queries.idleCount;
const untilConnectionsAreBack = (): Promise<void> => waitUntil(() => connectionsInUse() === 0);

/** Each is sealed anew. */
/** Atom says when an answer was made. */
const withoutTime = (text: string): string => text.replaceAll(/<updated>[^<]+/g, '<updated>');
const withoutToken = (text: string): string => text.replace(/skiptoken=[\w-]+/, 'skiptoken=');

describe('pages of many entries', () => {
  it('stream in chunks of bounded size, with the next link after the entries', async () => {
    const odata = open('0');
    const pages = await readAllPages((options) => odata.page(asker, 'measurements', 'MEASUREMENT', options), {
      $count: true,
    });
    expect(pages.map(({ value }) => value.length)).toEqual([5_000, 5_000, 1_000]);
    expect(pages.map((page) => page['@odata.count'])).toEqual([rowsInAll, rowsInAll, rowsInAll]);
    const ids = pages.flatMap(({ value }) => value.map(({ ID }: Json) => ID));
    expect(ids).toEqual(Array.from({ length: rowsInAll }, (_, index) => index + 1));
    for (const $format of ['json', 'atom']) {
      const sizes: number[] = [];
      for await (const piece of streamOf(await ask(odata, { $format }))) sizes.push(piece.length);
      expect(Math.max(...sizes)).toBeLessThan(100_000);
      expect(sizes.length).toBeGreaterThan(20);
    }
    await untilConnectionsAreBack();
  });

  it('apply back-pressure, and stop reading rows when the client disconnects', async () => {
    for (const $format of ['json', 'atom'])
      for (const reads of [0, 2]) {
        const pieces = streamOf(await ask(open('0'), { $format }))[Symbol.asyncIterator]();
        for (let read = 0; read < reads; read++) await pieces.next();
        expect(connectionsInUse()).toBe(1);
        await pieces.return?.();
        await untilConnectionsAreBack();
      }
    const controller = new AbortController();
    await ask(open('0'), {}, controller.signal);
    controller.abort();
    await untilConnectionsAreBack();
  });

  it.each(['json', 'application/json;odata.metadata=full', 'atom'])(
    'are cached as %s with their next link, and repeated byte for byte',
    async ($format) => {
      const odata = open('500000000');
      for (const prefer of ['maxpagesize=10', 'maxpagesize=5000']) {
        const first = await readBodyText(await ask(odata, { $format, prefer }));
        const again = await ask(odata, { $format, prefer });
        expect(again.body).toBeInstanceOf(Uint8Array);
        const text = await readBodyText(again);
        expect(withoutTime(withoutToken(text)) === withoutTime(withoutToken(first))).toBe(true);
        expect(text).toMatch(/skiptoken=[\w-]{30,}/);
      }
    },
  );

  it('are cached separately for each format', async () => {
    const odata = open('500000000');
    const formats = ['json', 'application/json;odata.metadata=full', 'application/json;IEEE754Compatible=true', 'atom'];
    const asked = { prefer: 'maxpagesize=2' };
    const texts = await Promise.all(
      formats.map(async ($format) => readBodyText(await ask(odata, { ...asked, $format }))),
    );
    expect(new Set(texts.map(withoutToken)).size).toBe(formats.length);
    const again = await Promise.all(
      formats.map(async ($format) => readBodyText(await ask(open('0'), { ...asked, $format }))),
    );
    const isStable = (text: string): boolean => !text.startsWith('<');
    expect(texts.map(withoutToken).filter(isStable)).toEqual(again.map(withoutToken).filter(isStable));
  });
});

it.each([0, 2])('a page of entries reports an outage when the connection is lost after %s chunks', async (count) => {
  const pieces = streamOf(await ask(open('0')))[Symbol.asyncIterator]();
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
