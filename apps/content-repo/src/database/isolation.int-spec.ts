import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { elementIdOf } from '@tessera/content-model';
import { readElement, reportElement, reportFacet } from '@tessera/contracts/content-repo';
import pg from 'pg';
import { readReferences } from '../elements/element.repository.js';
import { ReadElementHandler } from '../elements/read-element.handler.js';
import { defaultResources } from '../elements/resources.js';
import { ReportElementHandler } from '../reports/report-element.handler.js';
import { ReportFacetHandler } from '../reports/report-facet.handler.js';
import { companyContent, companyDefinition } from '../testing/company.js';
import { openSnapshot } from './snapshot.js';
import { createPoolReader } from './tenant-reader.js';
import {
  readJsonReply,
  createReaderContext,
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
} from '../testing/open-service.js';

const secret = 'Only northgate may read this';
const order = elementIdOf({ collection: companyDefinition.collection, id: companyDefinition.id }, 'order');
const northgate = {
  team: 'northgate',
  definition: companyDefinition,
  elements: [
    { id: 'order', type: 'process', attributes: { name: { 1033: secret } } },
    { id: 'theirs', type: 'process', parent: 'order', attributes: { name: { 1033: secret } } },
  ],
};
const theirs = elementIdOf({ collection: companyDefinition.collection, id: companyDefinition.id }, 'theirs');

describe('two teams with the same storage names and element ids', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService([companyContent, northgate]);
  });
  afterAll(() => service?.end());

  it('see only their own rows on every read', async () => {
    const facet = service.get(ReportFacetHandler);
    const report = service.get(ReportElementHandler);
    const element = service.get(ReadElementHandler);
    const path = { ...testStorageNames, facetId: 'processes' };
    for (const team of ['northgate', 'meridian', 'northgate']) {
      const texts = await Promise.all([
        readJsonReply(facet.report(reportFacet.request.parse(path), createReaderContext(team))),
        readJsonReply(
          report.report(reportElement.request.parse({ ...path, elementId: order }), createReaderContext(team)),
        ),
        readJsonReply(
          element.read(
            readElement.request.parse({ ...path, viewId: 'detail', elementId: order }),
            createReaderContext(team),
          ),
        ),
      ]);
      for (const text of texts) expect(JSON.stringify(text).includes(secret)).toBe(team === 'northgate');
    }
    const asked = { ...path, viewId: 'detail', elementId: theirs };
    const missing = { ...asked, elementId: '00000000-0000-4000-8000-000000000000' };
    const refusal = await readFailure(element.read(readElement.request.parse(asked), createReaderContext('meridian')));
    expect(refusal?.code).toBe('CONTENT_NOTFOUND');
    expect(refusal).toEqual(
      await readFailure(element.read(readElement.request.parse(missing), createReaderContext('meridian'))),
    );
  });

  const tables = ['storage', 'element', 'element_version', 'relation', 'content_element', 'rendition'];
  it.each(tables)('are isolated even when a statement on %s omits the tenant', async (table) => {
    const text = `select distinct tenant from content_repo.${table}`;
    const rows = await createPoolReader(service.pools.light, 'meridian').read({
      name: `forgetful_${table}`,
      text,
      values: [],
    });
    expect(rows).toEqual([{ tenant: 'meridian' }]);
    const snapshot = await openSnapshot(service.pools.reports, 'nobody', new AbortController().signal);
    expect(await snapshot.read({ name: '', text, values: [] })).toEqual([]);
    await snapshot.close();
  });

  it('show no rows to a statement without a tenant', async () => {
    const pools = Object.values(service.pools).filter((member) => member instanceof pg.Pool);
    expect(pools).toHaveLength(4);
    for (const pool of pools) expect((await pool.query('select 1 from content_repo.rendition')).rows).toEqual([]);
  });

  it('show nothing to a repository called with the wrong team', async () => {
    const storages = await createPoolReader(service.pools.light, 'northgate').read<{ readonly storageId: string }>({
      name: 'their_storage',
      text: 'select storage_id::text as "storageId" from content_repo.storage',
      values: [],
    });
    const storageId = String(storages[0]?.storageId);
    const mistaken = { ...createPoolReader(service.pools.light, 'meridian'), tenant: 'northgate' };
    expect((await readReferences(mistaken, storageId, [{ elementId: theirs }], defaultResources)).size).toBe(0);
    const right = createPoolReader(service.pools.light, 'northgate');
    expect((await readReferences(right, storageId, [{ elementId: theirs }], defaultResources)).size).toBe(1);
  });
});
