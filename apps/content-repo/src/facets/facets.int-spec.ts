import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listFacets, listViews } from '@tessera/contracts/content-repo';
import { definition } from '../testing/company.js';
import { loadContent } from '../testing/load-content.js';
import { FacetsHandler } from './facets.handler.js';
import {
  answerBody,
  callerOf,
  type Json,
  openService,
  publicUrl,
  failureOf,
  storagePath,
  type TestService,
} from '../testing/open-service.js';

const P = `${publicUrl}/Meridian/p2p/_api/rest`;

describe('the facets of a storage and their views', () => {
  let service: TestService;
  let handler: FacetsHandler;
  beforeAll(async () => {
    service = await openService();
    handler = service.get(FacetsHandler);
  });
  afterAll(() => service?.end());

  const askFacets = (query: object = {}, team = 'meridian') =>
    handler.facets(listFacets.request.parse({ ...storagePath, ...query }), callerOf(team));
  const askViews = (query: object = {}, team = 'meridian') =>
    handler.views(listViews.request.parse({ ...storagePath, facetId: 'processes', ...query }), callerOf(team));

  it('lists the facets with one name each in version 1.0', async () => {
    expect(await answerBody(askFacets({ acceptLanguage: 'de-DE,de;q=0.9' }))).toEqual({
      count: 3,
      values: [
        { name: 'processes', displayName: 'Prozesse', views: `${P}/facets/processes/views` },
        { name: 'users', displayName: 'Users', views: `${P}/facets/users/views` },
        { name: 'empty', displayName: 'Empty', views: `${P}/facets/empty/views` },
      ],
    });
  });

  it('lists them with their names per culture in version 4.0', async () => {
    const body = await answerBody(askFacets({ apiVersion: '4.0' }));
    expect(body.values[0]).toEqual({
      name: 'processes',
      displayNames: { 1031: 'Prozesse', 1033: 'Processes' },
      views: `${P}/facets/processes/views`,
    });
    expect(listFacets.reply.schema.safeParse(body).success).toBe(true);
  });

  it('lists the views, the two standard ones last, and one name twice', async () => {
    const body = await answerBody(askViews({ facetId: 'PROCESSES' }));
    expect(body.values.map((view: Json) => [view.name, view.isHierarchical])).toEqual([
      ['areas', true],
      ['steps', false],
      ['steps', true],
      ['reporting', true],
      ['detail', false],
    ]);
    expect(body.count).toBe(5);
    expect(body.values[0]).toEqual({
      name: 'areas',
      displayName: 'Areas',
      elements: `${P}/facets/processes/views/areas/elements`,
      isHierarchical: true,
    });
    expect(listViews.reply.schema.safeParse(await answerBody(askViews({ apiVersion: '4.0' }))).success).toBe(true);
  });

  it('names the views in the requested language', async () => {
    const displayNames = { 1033: 'Areas', 1031: 'Bereiche' };
    const facetsInGerman = definition.facets.map(({ views = [], ...facet }) => ({
      ...facet,
      views: views.map((view) => ({ ...view, displayNames })),
    }));
    const german = { ...definition, facets: facetsInGerman };
    await loadContent(service, { team: 'meridian', definition: german, elements: [] });
    expect((await answerBody(askViews({ acceptLanguage: 'fr, de;q=0.8' }))).values[0].displayName).toBe('Bereiche');
    expect((await answerBody(askViews({ acceptLanguage: 'en-GB' }))).values[0].displayName).toBe('Areas');
    await loadContent(service, { team: 'meridian', definition, elements: [] });
  });

  it('shows a definition published by another process at once', async () => {
    await answerBody(askFacets());
    const renamed = {
      ...definition,
      facets: definition.facets.map((facet) => ({ ...facet, displayNames: { 1033: 'New' } })),
    };
    await loadContent(service, { team: 'meridian', definition: renamed, elements: [] });
    expect((await answerBody(askFacets())).values[0].displayName).toBe('New');
    await loadContent(service, { team: 'meridian', definition, elements: [] });
    expect((await answerBody(askFacets())).values[0].displayName).toBe('Processes');
  });

  it('returns the same failure for unknown storages and facets and those of another team', async () => {
    const answers = await Promise.all([
      failureOf(askFacets({ storageId: 'nowhere' })),
      failureOf(askFacets({ collectionId: 'meridian\0' })),
      failureOf(askFacets({}, 'northgate')),
      failureOf(askViews({ facetId: 'nowhere' })),
      failureOf(askViews({}, 'northgate')),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.code).toBe('CONTENT_NOTFOUND');
  });
});
