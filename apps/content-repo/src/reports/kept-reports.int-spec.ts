/** Reports that are answered again from memory, over a real PostgreSQL. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { elementIdOf, versionIdOf } from '@tessera/content-model';
import type { ByteReply } from '@tessera/contracts';
import { reportElement, reportFacet } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { PerformTransitionHandler } from '../release/perform-transition.handler.js';
import { company } from '../testing/company.js';
import { bodyText, callerOf, openService, storagePath, type TestService, writerOf } from '../testing/open-service.js';
import { KeptReports } from './kept-reports.js';
import { ReportElementHandler } from './report-element.handler.js';
import { ReportFacetHandler } from './report-facet.handler.js';

const order = elementIdOf({ collection: 'Meridian', id: 'p2p' }, 'order');
const draft = versionIdOf(order, 2, 1);

describe('a report that was read to its end', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await openService([company, { ...company, team: 'other' }]);
    // Rows are changed below without what records a change.
    await service.rows('set session_replication_role = replica');
  });
  afterEach(() => service.end());

  const facetReport = (query: object = {}, team = 'meridian') =>
    service
      .get(ReportFacetHandler)
      .report(reportFacet.request.parse({ ...storagePath, facetId: 'processes', ...query }), callerOf(team));
  const elementReport = (query: object = {}) =>
    service.get(ReportElementHandler).report(
      reportElement.request.parse({
        ...storagePath,
        ...{ facetId: 'processes', elementId: order, ...query },
      }),
      callerOf('meridian'),
    );
  const valueOf = async (answer: Promise<Result<ByteReply>>): Promise<ByteReply> => {
    const result = await answer;
    if (!result.ok) throw new Error(result.failure.detail);
    return result.value;
  };
  const textOf = async (answer: Promise<Result<ByteReply>>) => bodyText(await valueOf(answer));

  /** No service writes like this; it shows whether rows are read. */
  const changeRows = (name: string) =>
    service.rows(`update content_repo.rendition set attributes = replace(attributes, 'Buying', $1)`, [name]);
  const release = () =>
    service.get(PerformTransitionHandler).perform(
      {
        ...storagePath,
        ...{ elementId: draft, transitionId: 'InProcessToReleased', ignoreWarnings: true, apiVersion: '4.0' },
      },
      writerOf('meridian'),
    );

  it.each([
    ['a facet', facetReport],
    ['an element', elementReport],
  ])('of %s is answered again with the same bytes and ETag, until the storage changes', async (_of, report) => {
    const first = await valueOf(report());
    const text = await bodyText(first);
    await service.rows(`update content_repo.rendition set related = '', attributes = ''`);
    const again = await valueOf(report());
    expect([again.contentType, again.headers, await bodyText(again)]).toEqual([first.contentType, first.headers, text]);
    expect(await textOf(report({ $resources: ['displayNames'] }))).not.toBe(text);
    expect((await release()).ok).toBe(true);
    expect(await textOf(report())).not.toBe(text);
  });

  it('is one of its team, its request and the public address', async () => {
    await textOf(facetReport());
    await changeRows('Changed');
    expect(await textOf(facetReport({}, 'other'))).toContain('Changed');
    expect(await textOf(facetReport({ $resources: ['attributes'] }))).toContain('Changed');
    expect(await textOf(facetReport())).toContain('Buying');
    const elsewhere = await service
      .get(ReportFacetHandler)
      .report(reportFacet.request.parse({ ...storagePath, facetId: 'processes' }), {
        ...callerOf('meridian'),
        publicUrl: 'https://elsewhere.example',
      });
    expect(elsewhere.ok && (await bodyText(elsewhere.value))).toContain('Changed');
  });

  it('is not kept when its reader left before the end', async () => {
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

describe('the memory of kept reports', () => {
  it('is bounded: half of it for what is kept, the least recently used goes first, nothing is kept with 0', async () => {
    const reports = new KeptReports({ REPORT_CACHE_BYTES: 10_000 });
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
    const none = new KeptReports({ REPORT_CACHE_BYTES: 0 });
    await readAll(none.keep('team', etagOf(1, 'a'), piecesOf(1, 10)));
    expect(none.find('team', etagOf(1, 'a'))).toBeUndefined();
  });

  it('has one report of a request, that of the last change', async () => {
    const reports = new KeptReports({ REPORT_CACHE_BYTES: 10_000 });
    await readAll(reports.keep('team', etagOf(1, 'a'), piecesOf(2, 1_000)));
    await readAll(reports.keep('team', etagOf(2, 'a'), piecesOf(3, 1_000)));
    expect(reports.find('team', etagOf(1, 'a'))).toBeUndefined();
    expect(await readAll(reports.find('team', etagOf(2, 'a')) ?? piecesOf(0, 0))).toBe(3_000);
  });

  it('counts what slow readers hold of reports that others have replaced', async () => {
    const reports = new KeptReports({ REPORT_CACHE_BYTES: 10_000 });
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

  it('is given back by readers that leave, also while others read the same', async () => {
    const reports = new KeptReports({ REPORT_CACHE_BYTES: 10_000 });
    const left = reports.keep('team', etagOf(1, 'a'), piecesOf(4, 1_000));
    await left.next();
    expect(await readAll(reports.keep('team', etagOf(1, 'a'), piecesOf(4, 1_000)))).toBe(4_000);
    expect(reports.find('team', etagOf(1, 'a'))).toBeUndefined();
    await left.return();
    for (const change of [2, 3, 4]) await readAll(reports.keep('team', etagOf(change, 'a'), piecesOf(4, 1_000)));
    expect(reports.find('team', etagOf(4, 'a'))).toBeDefined();
  });
});
