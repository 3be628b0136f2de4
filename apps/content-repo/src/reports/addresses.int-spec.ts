import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  listElements,
  listFacets,
  listViews,
  readElement,
  reportElement,
  reportFacet,
} from '@tessera/contracts/content-repo';
import { ListElementsHandler } from '../elements/list-elements.handler.js';
import { ReadElementHandler } from '../elements/read-element.handler.js';
import { ListFacetsHandler } from '../facets/list-facets.handler.js';
import { ListViewsHandler } from '../facets/list-views.handler.js';
import {
  answered,
  callerOf,
  openReading,
  publicUrl,
  storagePath,
  type Json,
  type Reading,
} from '../testing/reading.js';
import { ReportElementHandler } from './report-element.handler.js';
import { ReportFacetHandler } from './report-facet.handler.js';

/** Every address in a body, without repetition. */
const addressesIn = (body: Json): readonly string[] =>
  [...new Set(JSON.stringify(body).match(/"https:\/\/tessera\.example:8443[^"]*"/g) ?? [])].map((text) =>
    JSON.parse(text),
  );

describe('the addresses in answers', () => {
  let reading: Reading;
  beforeAll(async () => {
    reading = await openReading();
  });
  afterAll(() => reading?.end());

  /** What the gateway would do with the address. */
  const follow = (address: string): Promise<Json> => {
    const { pools, definitions } = reading;
    const [facets, facetId = '', part, viewId = '', elements, elementId = ''] = new URL(address).pathname
      .split('/')
      .slice(5)
      .map(decodeURIComponent);
    expect([facets, address.startsWith(`${publicUrl}/Meridian/p2p/_api/rest/`)]).toEqual(['facets', true]);
    const [path, context] = [{ ...storagePath, facetId }, callerOf('meridian')];
    if (part === 'reporting') {
      const request = reportElement.request.parse({ ...path, elementId: viewId });
      return answered(new ReportElementHandler(pools, definitions).report(request, context));
    }
    if (elementId !== '') {
      const request = readElement.request.parse({ ...path, viewId, elementId });
      return answered(new ReadElementHandler(pools, definitions).read(request, context));
    }
    if (elements === 'elements') {
      const request = listElements.request.parse({ ...path, viewId });
      return answered(new ListElementsHandler(pools, definitions).list(request, context));
    }
    return answered(new ListViewsHandler(pools, definitions).list(listViews.request.parse(path), context));
  };

  it('lead somewhere, and so do those in the answers they lead to', async () => {
    const { pools, definitions } = reading;
    const facets = new ListFacetsHandler(pools, definitions).list(
      listFacets.request.parse(storagePath),
      callerOf('meridian'),
    );
    const report = new ReportFacetHandler(pools, definitions).report(
      reportFacet.request.parse({ ...storagePath, facetId: 'processes' }),
      callerOf('meridian'),
    );
    const open = [...addressesIn(await answered(facets)), ...addressesIn(await answered(report))];
    const seen = new Set(open);
    for (let address = open.pop(); address !== undefined; address = open.pop())
      for (const next of addressesIn(await follow(address)))
        if (!seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
    expect([...seen].filter((address) => address.includes('/reporting/')).length).toBeGreaterThan(10);
    expect([...seen].filter((address) => address.includes('/views/detail/elements/')).length).toBeGreaterThan(10);
    expect(seen.size).toBeGreaterThan(35);
  });
});
