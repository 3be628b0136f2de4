import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { elementIdOf } from '@tessera/content-model';
import { readElement, reportElement, reportFacet } from '@tessera/contracts/content-repo';
import pg from 'pg';
import { readReferences } from '../elements/element.repository.js';
import { ReadElementHandler } from '../elements/read-element.handler.js';
import { standardResources } from '../elements/resources.js';
import { ReportElementHandler } from '../reports/report-element.handler.js';
import { ReportFacetHandler } from '../reports/report-facet.handler.js';
import { company, definition } from '../testing/company.js';
import { openSnapshot } from './snapshot.js';
import { poolReader } from './tenant-reader.js';
import {
  answerBody,
  callerOf,
  openService,
  failureOf,
  storagePath,
  type TestService,
} from '../testing/open-service.js';

const secret = 'Only northgate may read this';
const order = elementIdOf({ collection: definition.collection, id: definition.id }, 'order');
const northgate = {
  team: 'northgate',
  definition,
  elements: [
    { id: 'order', type: 'process', attributes: { name: { 1033: secret } } },
    { id: 'theirs', type: 'process', parent: 'order', attributes: { name: { 1033: secret } } },
  ],
};
const theirs = elementIdOf({ collection: definition.collection, id: definition.id }, 'theirs');

describe('two teams with a storage of the same names and elements of the same ids', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openService([company, northgate]);
  });
  afterAll(() => service?.end());

  it('each see only their own rows on every read', async () => {
    const facet = service.get(ReportFacetHandler);
    const report = service.get(ReportElementHandler);
    const element = service.get(ReadElementHandler);
    const path = { ...storagePath, facetId: 'processes' };
    for (const team of ['northgate', 'meridian', 'northgate']) {
      const texts = await Promise.all([
        answerBody(facet.report(reportFacet.request.parse(path), callerOf(team))),
        answerBody(report.report(reportElement.request.parse({ ...path, elementId: order }), callerOf(team))),
        answerBody(
          element.read(readElement.request.parse({ ...path, viewId: 'detail', elementId: order }), callerOf(team)),
        ),
      ]);
      for (const text of texts) expect(JSON.stringify(text).includes(secret)).toBe(team === 'northgate');
    }
    const asked = { ...path, viewId: 'detail', elementId: theirs };
    const missing = { ...asked, elementId: '00000000-0000-4000-8000-000000000000' };
    const refusal = await failureOf(element.read(readElement.request.parse(asked), callerOf('meridian')));
    expect(refusal?.code).toBe('CONTENT_NOTFOUND');
    expect(refusal).toEqual(await failureOf(element.read(readElement.request.parse(missing), callerOf('meridian'))));
  });

  const tables = ['storage', 'element', 'element_version', 'relation', 'content_element', 'rendition'];
  it.each(tables)('a statement on %s that forgets the tenant sees nothing of the other team', async (table) => {
    const text = `select distinct tenant from content_repo.${table}`;
    const rows = await poolReader(service.pools.light, 'meridian').read({
      name: `forgetful_${table}`,
      text,
      values: [],
    });
    expect(rows).toEqual([{ tenant: 'meridian' }]);
    const snapshot = await openSnapshot(service.pools.reports, 'nobody', new AbortController().signal);
    expect(await snapshot.read({ name: '', text, values: [] })).toEqual([]);
    await snapshot.close();
  });

  it('a statement without a tenant sees no rows', async () => {
    const pools = Object.values(service.pools).filter((member) => member instanceof pg.Pool);
    expect(pools).toHaveLength(4);
    for (const pool of pools) expect((await pool.query('select 1 from content_repo.rendition')).rows).toEqual([]);
  });

  it('a repository called with the wrong team finds nothing', async () => {
    const storages = await poolReader(service.pools.light, 'northgate').read<{ readonly storageId: string }>({
      name: 'their_storage',
      text: 'select storage_id::text as "storageId" from content_repo.storage',
      values: [],
    });
    const storageId = String(storages[0]?.storageId);
    const mistaken = { ...poolReader(service.pools.light, 'meridian'), tenant: 'northgate' };
    expect((await readReferences(mistaken, storageId, [{ elementId: theirs }], standardResources)).size).toBe(0);
    const right = poolReader(service.pools.light, 'northgate');
    expect((await readReferences(right, storageId, [{ elementId: theirs }], standardResources)).size).toBe(1);
  });
});
