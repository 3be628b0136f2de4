/** Reports that are answered again from memory, over a real PostgreSQL. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { elementIdOf, versionIdOf } from '@tessera/content-model';
import type { ByteReply } from '@tessera/contracts';
import { reportElement, reportFacet } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { PerformTransitionHandler } from '../release/perform-transition.handler.js';
import { companyContent } from '../testing/company.js';
import {
  readBodyText,
  createReaderContext,
  openTestService,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';
import { ReportCache } from './kept-reports.js';
import { ReportElementHandler } from './report-element.handler.js';
import { ReportFacetHandler } from './report-facet.handler.js';

const order = elementIdOf({ collection: 'Meridian', id: 'p2p' }, 'order');
const draft = versionIdOf(order, 2, 1);

describe('a report that was read completely', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await openTestService([companyContent, { ...companyContent, team: 'other' }]);
    // Rows are changed below without what records a change.
    await service.rows('set session_replication_role = replica');
  });
  afterEach(() => service.end());

  const facetReport = (query: object = {}, team = 'meridian') =>
    service
      .get(ReportFacetHandler)
      .report(
        reportFacet.request.parse({ ...testStorageNames, facetId: 'processes', ...query }),
        createReaderContext(team),
      );
  const elementReport = (query: object = {}) =>
    service.get(ReportElementHandler).report(
      reportElement.request.parse({
        ...testStorageNames,
        ...{ facetId: 'processes', elementId: order, ...query },
      }),
      createReaderContext('meridian'),
    );
  const valueOf = async (answer: Promise<Result<ByteReply>>): Promise<ByteReply> => {
    const result = await answer;
    if (!result.ok) throw new Error(result.failure.detail);
    return result.value;
  };
  const textOf = async (answer: Promise<Result<ByteReply>>) => readBodyText(await valueOf(answer));

  /** No service writes like this; it shows whether rows are read. */
  const changeRows = (name: string) =>
    service.rows(`update content_repo.rendition set attributes = replace(attributes, 'Buying', $1)`, [name]);
  const release = () =>
    service.get(PerformTransitionHandler).perform(
      {
        ...testStorageNames,
        ...{ elementId: draft, transitionId: 'InProcessToReleased', ignoreWarnings: true, apiVersion: '4.0' },
      },
      createWriterContext('meridian'),
    );

  it.each([
    ['a facet', facetReport],
    ['an element', elementReport],
  ])('of %s is served from the cache with the same bytes and ETag until the storage changes', async (_of, report) => {
    const first = await valueOf(report());
    const text = await readBodyText(first);
    await service.rows(`update content_repo.rendition set related = '', attributes = ''`);
    const again = await valueOf(report());
    expect([again.contentType, again.headers, await readBodyText(again)]).toEqual([
      first.contentType,
      first.headers,
      text,
    ]);
    expect(await textOf(report({ $resources: ['displayNames'] }))).not.toBe(text);
    expect((await release()).ok).toBe(true);
    expect(await textOf(report())).not.toBe(text);
  });

  it('is cached per team, request and public URL', async () => {
    await textOf(facetReport());
    await changeRows('Changed');
    expect(await textOf(facetReport({}, 'other'))).toContain('Changed');
    expect(await textOf(facetReport({ $resources: ['attributes'] }))).toContain('Changed');
    expect(await textOf(facetReport())).toContain('Buying');
    const elsewhere = await service
      .get(ReportFacetHandler)
      .report(reportFacet.request.parse({ ...testStorageNames, facetId: 'processes' }), {
        ...createReaderContext('meridian'),
        publicUrl: 'https://elsewhere.example',
      });
    expect(elsewhere.ok && (await readBodyText(elsewhere.value))).toContain('Changed');
  });

  it('is not cached when its reader disconnected before the end', async () => {
    const { body } = await valueOf(facetReport());
    if (body instanceof Uint8Array) throw new Error('The report is not streamed.');
    const pieces = body[Symbol.asyncIterator]();
    await pieces.next();
    await pieces.return?.();
    await changeRows('Changed');
    expect(await textOf(facetReport())).toContain('Changed');
    await changeRows('Again');
    expect(await textOf(facetReport())).toContain('Changed');
  });
});

const piecesOf = async function* (count: number, bytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let number = 0; number < count; number++) yield new Uint8Array(bytes).fill(number);
};
const readAll = async (pieces: AsyncIterable<Uint8Array>): Promise<number> => {
  let bytes = 0;
  for await (const piece of pieces) bytes += piece.length;
  return bytes;
};
const etagOf = (change: number, request: string): string => `"0-${change}.1-${request.padEnd(16, '_')}"`;

describe('the memory of the report cache', () => {
  it('is bounded to half the setting for cached reports, evicts the least recently used, and caches nothing with 0', async () => {
    const reports = new ReportCache({ REPORT_CACHE_BYTES: 10_000 });
    const read = (etag: string, count: number) => readAll(reports.keep('team', etag, piecesOf(count, 1_000)));
    await read(etagOf(1, 'a'), 2);
    await read(etagOf(1, 'b'), 2);
    expect(await readAll(reports.find('team', etagOf(1, 'a')) ?? piecesOf(0, 0))).toBe(2_000);
    await read(etagOf(1, 'c'), 2);
    expect(reports.find('team', etagOf(1, 'b'))).toBeUndefined();
    expect(reports.find('team', etagOf(1, 'a'))).toBeDefined();
    expect(await read(etagOf(1, 'd'), 6)).toBe(6_000);
    expect(reports.find('team', etagOf(1, 'd'))).toBeUndefined();
    expect(reports.find('other', etagOf(1, 'a'))).toBeUndefined();
    const none = new ReportCache({ REPORT_CACHE_BYTES: 0 });
    await readAll(none.keep('team', etagOf(1, 'a'), piecesOf(1, 10)));
    expect(none.find('team', etagOf(1, 'a'))).toBeUndefined();
  });

  it('holds one report per request, that of the last change', async () => {
    const reports = new ReportCache({ REPORT_CACHE_BYTES: 10_000 });
    await readAll(reports.keep('team', etagOf(1, 'a'), piecesOf(2, 1_000)));
    await readAll(reports.keep('team', etagOf(2, 'a'), piecesOf(3, 1_000)));
    expect(reports.find('team', etagOf(1, 'a'))).toBeUndefined();
    expect(await readAll(reports.find('team', etagOf(2, 'a')) ?? piecesOf(0, 0))).toBe(3_000);
  });

  it('counts replaced reports that slow readers still hold', async () => {
    const reports = new ReportCache({ REPORT_CACHE_BYTES: 10_000 });
    const read = (change: number) => readAll(reports.keep('team', etagOf(change, 'a'), piecesOf(3, 1_000)));
    await read(1);
    const slow = reports.find('team', etagOf(1, 'a'));
    await slow?.next();
    await read(2);
    expect(reports.find('team', etagOf(2, 'a'))).toBeDefined();
    await read(3);
    expect(reports.find('team', etagOf(3, 'a'))).toBeUndefined();
    expect(await readAll(slow ?? piecesOf(0, 0))).toBe(2_000);
    await read(4);
    expect(reports.find('team', etagOf(4, 'a'))).toBeDefined();
  });

  it('is released by readers that disconnect, even while others read the same report', async () => {
    const reports = new ReportCache({ REPORT_CACHE_BYTES: 10_000 });
    const left = reports.keep('team', etagOf(1, 'a'), piecesOf(4, 1_000));
    await left.next();
    expect(await readAll(reports.keep('team', etagOf(1, 'a'), piecesOf(4, 1_000)))).toBe(4_000);
    expect(reports.find('team', etagOf(1, 'a'))).toBeUndefined();
    await left.return();
    for (const change of [2, 3, 4]) await readAll(reports.keep('team', etagOf(change, 'a'), piecesOf(4, 1_000)));
    expect(reports.find('team', etagOf(4, 'a'))).toBeDefined();
  });
});
