import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentIdOf, elementIdOf, versionIdOf } from '@tessera/content-model';
import { describeStorage, listFacets, listViews, readElement } from '@tessera/contracts/content-repo';
import { ReadElementHandler } from './elements/read-element.handler.js';
import { FacetsHandler } from './facets/facets.handler.js';
import { PerformTransitionHandler } from './release/perform-transition.handler.js';
import { revisionOfEtag } from './replies.js';
import { companyContent } from './testing/company.js';
import { type PendingReply, createReadsByName } from './testing/all-reads.js';
import {
  readBodyText,
  createReaderContext,
  openTestService,
  testStorageNames,
  type TestService,
  createWriterContext,
} from './testing/open-service.js';

const order = elementIdOf({ collection: 'Meridian', id: 'p2p' }, 'order');
const draft = versionIdOf(order, 2, 1);
const start = contentIdOf(versionIdOf(order, 2, 0), 'start');

const answerOf = async (answer: PendingReply) => {
  const result = await answer;
  if (!result.ok) throw new Error(result.failure.detail);
  const { status = 200, headers = {} } = result.value;
  return { status, etag: headers['etag'] ?? '', text: await readBodyText(result.value) };
};

describe('the ETag of an answer', () => {
  let service: TestService;
  let reads: ReadonlyMap<string, (query: object) => PendingReply>;
  beforeAll(async () => {
    service = await openTestService([companyContent]);
    const facets = service.get(FacetsHandler);
    const context = createReaderContext('meridian');
    reads = new Map([
      ...createReadsByName(service, [order, start]),
      ['facets', (query) => facets.facets(listFacets.request.parse({ ...testStorageNames, ...query }), context)],
      [
        'views',
        (query) =>
          facets.views(listViews.request.parse({ ...testStorageNames, facetId: 'processes', ...query }), context),
      ],
      [
        'the storage',
        (query) => facets.describe(describeStorage.request.parse({ ...testStorageNames, ...query }), context),
      ],
    ]);
    const notThere = [`the element ${start} in a view with types`, `an attribute of ${start}`];
    reads = new Map([...reads].filter(([name]) => !notThere.includes(name)));
  });
  afterAll(() => service?.end());

  const read = (elementId: string, query: object = {}) =>
    answerOf(
      service.get(ReadElementHandler).read(
        readElement.request.parse({
          ...testStorageNames,
          facetId: 'processes',
          viewId: 'detail',
          elementId,
          ...query,
        }),
        createReaderContext('meridian'),
      ),
    );
  const release = () =>
    service.get(PerformTransitionHandler).perform(
      {
        ...testStorageNames,
        elementId: draft,
        transitionId: 'InProcessToReleased',
        ignoreWarnings: true,
        apiVersion: '4.0',
      },
      createWriterContext('meridian'),
    );

  it('supports conditional reads and changes with every write', async () => {
    const before = new Map<string, string>();
    for (const [name, ask] of reads) {
      const { status, etag, text } = await answerOf(ask({}));
      expect([name, status, etag]).toEqual([name, 200, expect.stringMatching(/^"\d+-1\.1-[\w-]{16}"$/)]);
      expect([name, await answerOf(ask({ ifNoneMatch: etag }))]).toEqual([name, { status: 304, etag, text: '' }]);
      expect(await answerOf(ask({ ifNoneMatch: '"0-1.1-0000000000000000"' }))).toEqual({ status, etag, text });
      before.set(name, etag);
    }
    expect(await release()).toMatchObject({ ok: true });
    for (const [name, ask] of reads) {
      const ifNoneMatch = before.get(name);
      const after = await answerOf(ask({ ifNoneMatch }));
      expect([name, after.status, after.etag === ifNoneMatch]).toEqual([name, 200, false]);
    }
    expect((await answerOf(reads.get('the report')?.({}) ?? release())).text).toContain('Order goods, better');
  });

  it('contains the number of the last change even for reads as of an instant, since a purge can change those', async () => {
    const [row] = await service.rows('select min(changed_at) as instant from content_repo.change');
    const asOf = row?.['instant'] instanceof Date ? row['instant'].toISOString() : '';
    for (const name of ['the report', 'the list', `the element ${order}`, `versions of ${order}`]) {
      const ask = reads.get(name) ?? release;
      const { etag } = await answerOf(ask({ asOf }));
      expect(etag).toMatch(/^"\d+-2\.1-/);
      expect((await answerOf(ask({ asOf, ifNoneMatch: etag }))).status).toBe(304);
    }
  });

  it('begins with the revision of the version, or with 0 for several versions', async () => {
    const [row] = await service.rows('select revision::text from content_repo.element_version where version_id = $1', [
      draft,
    ]);
    expect(revisionOfEtag((await read(order)).etag)).toBe(row?.['revision']);
    expect(revisionOfEtag((await read(versionIdOf(order, 2, 0))).etag)).not.toBe('0');
    for (const name of ['the report', 'the list', `the report of ${order}`, 'facets'])
      expect(revisionOfEtag((await answerOf(reads.get(name)?.({}) ?? release())).etag)).toBe('0');
  });
});
