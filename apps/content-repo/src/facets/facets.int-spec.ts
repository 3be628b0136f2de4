import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listFacets, listTypes, listViews } from '@tessera/contracts/content-repo';
import { companyContent, companyDefinition } from '../testing/company.js';
import { importTestContent } from '../testing/load-content.js';
import { FacetsHandler } from './facets.handler.js';
import {
  readJsonReply,
  createReaderContext,
  type Json,
  openTestService,
  testPublicUrl,
  readFailure,
  testStorageNames,
  type TestService,
} from '../testing/open-service.js';

const P = `${testPublicUrl}/Meridian/p2p/_api/rest`;

describe('a request for facets or views', () => {
  let service: TestService;
  let handler: FacetsHandler;
  beforeAll(async () => {
    service = await openTestService();
    handler = service.get(FacetsHandler);
  });
  afterAll(() => service?.end());

  const askFacets = (query: object = {}, team = 'meridian') =>
    handler.facets(listFacets.request.parse({ ...testStorageNames, ...query }), createReaderContext(team));
  const askViews = (query: object = {}, team = 'meridian') =>
    handler.views(
      listViews.request.parse({ ...testStorageNames, facetId: 'processes', ...query }),
      createReaderContext(team),
    );

  it('lists the facets with one name each in version 1.0', async () => {
    expect(await readJsonReply(askFacets({ acceptLanguage: 'de-DE,de;q=0.9' }))).toEqual({
      count: 3,
      values: [
        { name: 'processes', displayName: 'Prozesse', views: `${P}/facets/processes/views` },
        { name: 'users', displayName: 'Users', views: `${P}/facets/users/views` },
        { name: 'empty', displayName: 'Empty', views: `${P}/facets/empty/views` },
      ],
    });
  });

  it('lists the facets with their names per culture in version 4.0', async () => {
    const body = await readJsonReply(askFacets({ apiVersion: '4.0' }));
    expect(body.values[0]).toEqual({
      name: 'processes',
      displayNames: { 1031: 'Prozesse', 1033: 'Processes' },
      views: `${P}/facets/processes/views`,
    });
    expect(listFacets.reply.schema.safeParse(body).success).toBe(true);
  });

  it('lists the views with the two standard views last, including two views of the same name', async () => {
    const body = await readJsonReply(askViews({ facetId: 'PROCESSES' }));
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
    expect(listViews.reply.schema.safeParse(await readJsonReply(askViews({ apiVersion: '4.0' }))).success).toBe(true);
  });

  it('names the views in the requested language', async () => {
    const displayNames = { 1033: 'Areas', 1031: 'Bereiche' };
    const facetsInGerman = companyDefinition.facets.map(({ views = [], ...facet }) => ({
      ...facet,
      views: views.map((view) => ({ ...view, displayNames })),
    }));
    const german = { ...companyDefinition, facets: facetsInGerman };
    await importTestContent(service, { team: 'meridian', definition: german, elements: [] });
    expect((await readJsonReply(askViews({ acceptLanguage: 'fr, de;q=0.8' }))).values[0].displayName).toBe('Bereiche');
    expect((await readJsonReply(askViews({ acceptLanguage: 'en-GB' }))).values[0].displayName).toBe('Areas');
    await importTestContent(service, { team: 'meridian', definition: companyDefinition, elements: [] });
  });

  it('immediately shows a definition published by another process', async () => {
    await readJsonReply(askFacets());
    const renamed = {
      ...companyDefinition,
      facets: companyDefinition.facets.map((facet) => ({ ...facet, displayNames: { 1033: 'New' } })),
    };
    await importTestContent(service, { team: 'meridian', definition: renamed, elements: [] });
    expect((await readJsonReply(askFacets())).values[0].displayName).toBe('New');
    await importTestContent(service, { team: 'meridian', definition: companyDefinition, elements: [] });
    expect((await readJsonReply(askFacets())).values[0].displayName).toBe('Processes');
  });

  it('returns the same failure for unknown storages and facets as for those of another team', async () => {
    const answers = await Promise.all([
      readFailure(askFacets({ storageId: 'nowhere' })),
      readFailure(askFacets({ collectionId: 'meridian\0' })),
      readFailure(askFacets({}, 'northgate')),
      readFailure(askViews({ facetId: 'nowhere' })),
      readFailure(askViews({}, 'northgate')),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.code).toBe('CONTENT_NOTFOUND');
  });
});

describe('the types of a facet', () => {
  const described = {
    ...companyDefinition,
    types: companyDefinition.types.map((type) =>
      type.name === 'process'
        ? {
            ...type,
            attributes: [
              {
                name: 'name',
                localised: true,
                mandatoryCultures: [1033],
                displayNames: { 1033: 'Name', 1031: 'Bezeichnung' },
              },
              { name: 'cost', type: 'number' as const, mandatory: true },
            ],
          }
        : type,
    ),
    relations: [
      { name: 'owner', displayNames: { 1031: 'Besitzer' }, to: ['user'], many: false },
      { name: 'uses', from: ['area'] },
    ],
  };
  let service: TestService;
  let handler: FacetsHandler;
  beforeAll(async () => {
    service = await openTestService([{ ...companyContent, definition: described, elements: [] }]);
    handler = service.get(FacetsHandler);
  });
  afterAll(() => service?.end());

  const askTypes = (query: object = {}, team = 'meridian') =>
    handler.types(
      listTypes.request.parse({ ...testStorageNames, facetId: 'Processes', ...query }),
      createReaderContext(team),
    );

  it('are told with their attributes, relations, states and transitions', async () => {
    const body = await readJsonReply(askTypes());
    expect(listTypes.reply.schema.parse(body)).toEqual(body);
    expect(body.values.map(({ name }: Json) => name)).toEqual(['area', 'process', 'step', 'symbol']);
    const [, process] = body.values;
    expect(process).toMatchObject({
      displayNames: { 1033: 'Process' },
      versioned: true,
      childTypes: ['process', 'step', 'area'],
      contentTypes: ['symbol'],
    });
    expect(process.attributes.slice(0, 3)).toEqual([
      {
        name: 'name',
        displayNames: { 1033: 'Name', 1031: 'Bezeichnung' },
        type: 'string',
        localised: true,
        mandatory: true,
        mandatoryCultures: [1033],
        isSystem: false,
      },
      {
        name: 'cost',
        displayNames: {},
        type: 'number',
        localised: false,
        mandatory: true,
        mandatoryCultures: [],
        isSystem: false,
      },
      expect.objectContaining({ name: 'createdOn', type: 'date-time', isSystem: true }),
    ]);
    expect(process.states[0]).toBe('inProcess');
    expect(process.transitions[0]).toEqual({ id: 'InProcessToInReview', from: 'inProcess', to: 'inReview' });
  });

  it('have the relations that start at them and those that the server keeps', async () => {
    const [area, process] = (await readJsonReply(askTypes())).values;
    const namesOf = (type: Json) => type.relations.map(({ name }: Json) => name);
    expect(namesOf(area)).toEqual(['owner', 'uses', 'createdBy', 'changedBy', 'author', 'releaseHistory']);
    expect(namesOf(process)).not.toContain('uses');
    expect(process.relations[0]).toEqual({
      name: 'owner',
      displayNames: { 1031: 'Besitzer' },
      to: ['user'],
      many: false,
      isSystem: false,
    });
    expect(process.relations[1]).toEqual({ name: 'createdBy', displayNames: {}, many: false, isSystem: true });
  });

  it('are left out for who has them, until the definition changes', async () => {
    const etagOf = async (ifNoneMatch?: string) => {
      const answer = await askTypes(ifNoneMatch === undefined ? {} : { ifNoneMatch });
      return answer.ok
        ? ([answer.value.status ?? 200, answer.value.headers?.['etag'] ?? ''] as const)
        : ([0, ''] as const);
    };
    const [, etag] = await etagOf();
    expect(await etagOf(etag)).toEqual([304, etag]);
    await importTestContent(service, { team: 'meridian', definition: companyDefinition, elements: [] });
    expect((await etagOf(etag))[0]).toBe(200);
  });

  it('are not there for an unknown facet and for another team', async () => {
    const answers = await Promise.all([
      readFailure(askTypes({ facetId: 'nowhere' })),
      readFailure(askTypes({}, 'northgate')),
    ]);
    expect(answers.map((answer) => answer?.code)).toEqual(['CONTENT_NOTFOUND', 'CONTENT_NOTFOUND']);
  });
});
