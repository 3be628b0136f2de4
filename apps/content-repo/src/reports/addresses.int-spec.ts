import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describeElement,
  describeStorage,
  listAttributes,
  listChildren,
  listContent,
  listElements,
  listFacets,
  listRelations,
  listTransitions,
  listVersions,
  listViews,
  readElement,
  readRelation,
  reportElement,
  reportFacet,
} from '@tessera/contracts/content-repo';
import type { OperationContext } from '@tessera/messaging';
import { ListElementsHandler } from '../elements/list-elements.handler.js';
import { ReadElementHandler } from '../elements/read-element.handler.js';
import { FacetsHandler } from '../facets/facets.handler.js';
import { ElementPartsHandler } from '../parts/element-parts.handler.js';
import { ListTransitionsHandler } from '../release/list-transitions.handler.js';
import { ReportElementHandler } from './report-element.handler.js';
import { ReportFacetHandler } from './report-facet.handler.js';
import {
  readJsonReply,
  createReaderContext,
  type Json,
  openTestService,
  testPublicUrl,
  testStorageNames,
  type TestService,
} from '../testing/open-service.js';

/** Every address in a body, without repetition. */
const addressesIn = (body: Json): readonly string[] =>
  [...new Set(JSON.stringify(body).match(/"https:\/\/tessera\.example:8443[^"]*"/g) ?? [])].map((text) =>
    JSON.parse(text),
  );

describe('the addresses in responses', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService();
  });
  afterAll(() => service?.end());

  /** What the gateway would do with the address. */
  const follow = (address: string): Promise<Json> => {
    const [start, facetId = '', part, viewId = '', elements, elementId = ''] = new URL(address).pathname
      .split('/')
      .slice(5)
      .map(decodeURIComponent);
    expect([address, address.startsWith(`${testPublicUrl}/Meridian/p2p/_api/rest/`)]).toEqual([address, true]);
    const context = createReaderContext('meridian');
    if (start === 'release') {
      expect(part).toBe('transitions');
      const request = listTransitions.request.parse({ ...testStorageNames, elementId: facetId });
      return readJsonReply(service.get(ListTransitionsHandler).list(request, context));
    }
    expect(start).toBe('facets');
    const path = { ...testStorageNames, facetId };
    if (facetId === '')
      return readJsonReply(service.get(FacetsHandler).facets(listFacets.request.parse(testStorageNames), context));
    if (part === 'reporting') {
      const request = reportElement.request.parse({ ...path, elementId: viewId });
      return readJsonReply(service.get(ReportElementHandler).report(request, context));
    }
    if (elementId !== '') {
      const request = readElement.request.parse({ ...path, viewId, elementId });
      return readJsonReply(service.get(ReadElementHandler).read(request, context)).then(async (whole) => [
        whole,
        ...(await partsOf({ ...path, viewId, elementId }, context)),
      ]);
    }
    if (elements === 'elements') {
      const request = listElements.request.parse({ ...path, viewId });
      return readJsonReply(service.get(ListElementsHandler).list(request, context));
    }
    return readJsonReply(service.get(FacetsHandler).views(listViews.request.parse(path), context));
  };

  /** All parts of one element, each from an address of its own. */
  const partsOf = (path: object, context: OperationContext): Promise<readonly Json[]> => {
    const parts = service.get(ElementPartsHandler);
    const rows = service.get(ListElementsHandler);
    return Promise.all(
      [
        parts.attributes(listAttributes.request.parse(path), context),
        parts.relations(listRelations.request.parse(path), context),
        parts.relation(readRelation.request.parse({ ...path, relationName: 'uses' }), context),
        parts.content(listContent.request.parse(path), context),
        parts.describe(describeElement.request.parse({ ...path, apiVersion: '4.0' }), context),
        rows.children(listChildren.request.parse(path), context),
        rows.versions(listVersions.request.parse(path), context),
      ].map(readJsonReply),
    );
  };

  it('can be followed, as can those in the responses to them', async () => {
    const storage = service
      .get(FacetsHandler)
      .describe(
        describeStorage.request.parse({ ...testStorageNames, apiVersion: '4.0' }),
        createReaderContext('meridian'),
      );
    const report = service
      .get(ReportFacetHandler)
      .report(
        reportFacet.request.parse({ ...testStorageNames, facetId: 'processes' }),
        createReaderContext('meridian'),
      );
    const open = [...addressesIn(await readJsonReply(storage)), ...addressesIn(await readJsonReply(report))];
    const seen = new Set(open);
    for (let address = open.pop(); address !== undefined; address = open.pop())
      for (const next of addressesIn(await follow(address)))
        if (!seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
    expect([...seen].filter((address) => address.includes('/reporting/')).length).toBeGreaterThan(10);
    expect([...seen].filter((address) => address.includes('/views/detail/elements/')).length).toBeGreaterThan(10);
    expect([...seen].filter((address) => address.endsWith('/transitions')).length).toBeGreaterThan(10);
    expect(seen.size).toBeGreaterThan(45);
  });
});
