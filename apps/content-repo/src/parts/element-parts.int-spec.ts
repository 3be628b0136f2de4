import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentIdOf, elementIdOf, versionIdOf } from '@tessera/content-model';
import type { ByteReply } from '@tessera/contracts';
import {
  describeElement,
  describeStorage,
  listAttributes,
  listChildren,
  listContent,
  listRelations,
  listVersions,
  readAttribute,
  readRelation,
} from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { ListElementsHandler } from '../elements/list-elements.handler.js';
import { FacetsHandler } from '../facets/facets.handler.js';
import { companyDefinition } from '../testing/company.js';
import { ElementPartsHandler } from './element-parts.handler.js';
import {
  readJsonReply,
  readBodyText,
  createReaderContext,
  type Json,
  openTestService,
  testPublicUrl,
  readFailure,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

const idOf = (key: string): string =>
  elementIdOf({ collection: companyDefinition.collection, id: companyDefinition.id }, key);
const order = idOf('order');
const version = (major: number, minor: number): string => versionIdOf(order, major, minor);
const start = contentIdOf(version(2, 0), 'start');
const P = `${testPublicUrl}/Meridian/p2p/_api/rest`;

let service: TestService;
let parts: ElementPartsHandler;
let rows: ListElementsHandler;
beforeAll(async () => {
  service = await openTestService();
  parts = service.get(ElementPartsHandler);
  rows = service.get(ListElementsHandler);
});
afterAll(() => service?.end());

const path = { ...testStorageNames, facetId: 'processes', viewId: 'detail', apiVersion: '4.0' };
const users = { facetId: 'users' };
const context = createReaderContext('meridian');
const ask = {
  attributes: (elementId: string, query: object = {}) =>
    parts.attributes(listAttributes.request.parse({ ...path, elementId, ...query }), context),
  attribute: (elementId: string, attributeName: string, query: object = {}) =>
    parts.attribute(readAttribute.request.parse({ ...path, elementId, attributeName, ...query }), context),
  relations: (elementId: string, query: object = {}) =>
    parts.relations(listRelations.request.parse({ ...path, elementId, ...query }), context),
  relation: (elementId: string, relationName: string, query: object = {}) =>
    parts.relation(readRelation.request.parse({ ...path, elementId, relationName, ...query }), context),
  content: (elementId: string, query: object = {}) =>
    parts.content(listContent.request.parse({ ...path, elementId, ...query }), context),
  describe: (elementId: string, query: object = {}) =>
    parts.describe(describeElement.request.parse({ ...path, elementId, ...query }), context),
  children: (elementId: string, query: object = {}) =>
    rows.children(listChildren.request.parse({ ...path, elementId, ...query }), context),
  versions: (elementId: string, query: object = {}) =>
    rows.versions(listVersions.request.parse({ ...path, elementId, ...query }), context),
};
const page = async (answer: Promise<Result<ByteReply>>) => {
  const result = await answer;
  if (!result.ok) throw new Error(result.failure.detail);
  const { headers = {} } = result.value;
  const body: Json = JSON.parse(await readBodyText(result.value));
  return { body, total: headers['x-total-count'], key: headers['x-page-selection-key'] };
};
const namesOf = (body: Json): unknown[] => body.elements.map((element: Json) => element.attributes?.name?.[1033]);

describe('the attributes of an element', () => {
  it('are listed with their types in the order of the type, empty ones left out', async () => {
    const body = await readJsonReply(ask.attributes(order));
    expect(body.count).toBe(body.elements.length);
    expect(body.elements.slice(0, 3)).toEqual([
      { name: 'name', type: 'string', values: { 1031: 'Ware "bestellen"', 1033: 'Order goods' } },
      { name: 'cost', type: 'number', values: { 127: 12.5 } },
      { name: 'critical', type: 'boolean', values: { 127: true } },
    ]);
    expect(body.elements.find(({ name }: Json) => name === 'links').type).toBe('link');
    expect(body.elements.at(-1)).toEqual({ name: 'isReleased', type: 'boolean', values: { 127: true } });
    expect(listAttributes.reply.schema.safeParse(body).success).toBe(true);
  });

  it('are those of the requested version or content element', async () => {
    const of = async (id: string) => (await readJsonReply(ask.attribute(id, 'name'))).elements[0].values;
    expect(await of(version(2, 1))).toEqual({ 1033: 'Order goods, better' });
    expect(await of(version(1, 0))).toEqual({ 1033: 'Order v1' });
    expect(await of(start)).toEqual({ 1033: 'Start' });
  });

  it('can be read individually, with names in any letter case, and give an empty list without a value', async () => {
    expect(await readJsonReply(ask.attribute(order, 'COST'))).toEqual({
      count: 1,
      elements: [{ name: 'cost', type: 'number', values: { 127: 12.5 } }],
    });
    expect(await readJsonReply(ask.attribute(version(1, 0), 'critical'))).toEqual({ count: 0, elements: [] });
    for (const name of ['nothing', 'constructor', '__proto__'])
      expect(await readFailure(ask.attribute(order, name))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });
});

describe('the relations of an element', () => {
  it('are listed with their references, empty ones left out', async () => {
    const body = await readJsonReply(ask.relations(order));
    expect(body.elements.map(({ name, elements }: Json) => [name, elements.map(({ id }: Json) => id)])).toEqual([
      ['owner', [idOf('ann')]],
      ['uses', [idOf('approve'), idOf('pay')]],
      ['releaseHistory', [order, order]],
    ]);
    expect(listRelations.reply.schema.safeParse(body).success).toBe(true);
  });

  it('can be read individually, page by page', async () => {
    const first = await page(ask.relation(order, 'USES', { $pageSize: 1 }));
    const second = await page(ask.relation(order, 'uses', { $pageSize: 1, $page: 2 }));
    const third = await page(ask.relation(order, 'uses', { $pageSize: 1, $page: 3 }));
    expect([first, second].map(({ body }) => body.elements[0].id)).toEqual([idOf('approve'), idOf('pay')]);
    expect(third.body).toEqual({ count: 0, elements: [] });
    expect([first, second, third].map(({ total }) => total)).toEqual(['2', '2', '2']);
  });

  it('are empty without targets, and return 404 for unknown names', async () => {
    expect(await readJsonReply(ask.relation(version(1, 0), 'owner'))).toEqual({ count: 0, elements: [] });
    expect((await readJsonReply(ask.relation(start, 'owner'))).elements).toMatchObject([{ id: idOf('bob') }]);
    expect(await readFailure(ask.relation(order, 'nothing'))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });
});

describe('API version 1.0', () => {
  const older = { apiVersion: undefined };

  it('returns attributes as an object by name, and is the default without a header', async () => {
    const body = await readJsonReply(ask.attributes(order, older));
    expect(body).toEqual(await readJsonReply(ask.attributes(order, { apiVersion: '1.0' })));
    expect(Object.keys(body)).toEqual(['count', 'values']);
    expect(body.count).toBe(Object.keys(body.values).length);
    expect(body.values).toMatchObject({ name: { 1031: 'Ware "bestellen"', 1033: 'Order goods' }, cost: { 127: 12.5 } });
    expect(listAttributes.reply.schema.safeParse(body).success).toBe(true);
    expect(await readJsonReply(ask.attribute(order, 'COST', older))).toEqual({
      count: 1,
      values: { cost: { 127: 12.5 } },
    });
    expect(await readJsonReply(ask.attribute(version(1, 0), 'critical', older))).toEqual({ count: 0, values: {} });
  });

  it('returns relations as an object by name, page by page, also for a single relation', async () => {
    const { elements } = await readJsonReply(ask.relations(order));
    const body = await readJsonReply(ask.relations(order, older));
    expect(body).toEqual({
      count: 3,
      values: Object.fromEntries(elements.map((entry: Json) => [entry.name, entry.elements])),
    });
    expect(listRelations.reply.schema.safeParse(body).success).toBe(true);
    const second = await page(ask.relation(order, 'USES', { ...older, $pageSize: 1, $page: 2 }));
    expect([second.body.count, second.total]).toEqual([1, '2']);
    expect(second.body.values).toMatchObject({ uses: [{ id: idOf('pay') }] });
    expect(await readJsonReply(ask.relation(version(1, 0), 'owner', older))).toEqual({ count: 0, values: {} });
  });

  it('lists content under "values", while 2.0 returns the same as 4.0', async () => {
    expect((await readJsonReply(ask.content(order, older))).values).toHaveLength(2);
    expect(await readJsonReply(ask.content(order, { apiVersion: '2.0' }))).toEqual(
      await readJsonReply(ask.content(order)),
    );
  });

  it('describes what a reader and a writer may do with an element', async () => {
    const read = async (id: string, more: object = {}) =>
      (await readJsonReply(ask.describe(id, { ...older, ...more }))).values[0];
    const written = async (id: string) => {
      const request = describeElement.request.parse({ ...path, elementId: id, ...older });
      return (await readJsonReply(parts.describe(request, createWriterContext('meridian')))).values[0];
    };
    expect(await read(order, { acceptLanguage: 'de' })).toEqual({
      id: order,
      name: 'Ware "bestellen"',
      elementTypeName: 'process',
      entityTypeName: 'process',
      facetTypeName: 'processes',
      facetViewKey: 'detail',
      entityIds: [version(2, 0)],
      shapeId: version(2, 0),
      uid: version(2, 0),
      rootPath: [idOf('buying')],
      permissions: ['read'],
      hasEditPermission: false,
      isCurrentInsertable: false,
      isCurrentMovable: false,
      isCurrentRemovable: false,
      isCurrentCopyable: false,
      insertableDynamicTypes: [],
      isReadOnly: true,
      isReadOnlyCollection: true,
      readOnlyContext: 'All',
      readOnlyCollectionContext: 'All',
      hasDiagram: true,
    });
    const can = { permissions: ['read', 'write'], hasEditPermission: true, isCurrentCopyable: true };
    const released = {
      isCurrentInsertable: true,
      isCurrentMovable: false,
      isCurrentRemovable: false,
      isReadOnly: true,
    };
    expect(await written(order)).toMatchObject({ ...can, ...released, name: 'Order goods' });
    const draft = { isCurrentMovable: true, isCurrentRemovable: true, isReadOnly: false, readOnlyContext: 'None' };
    expect(await written(version(2, 1))).toMatchObject({ ...can, ...draft, uid: version(2, 1), hasDiagram: false });
    expect(await written(idOf('buying'))).toMatchObject({ ...can, isCurrentMovable: true, isCurrentRemovable: false });
    expect(await written(idOf('pay'))).toMatchObject({ ...can, isCurrentRemovable: true, uid: idOf('pay') });
    const content = { hasEditPermission: true, isCurrentCopyable: false, isReadOnly: true, rootPath: [] };
    expect(await written(start)).toMatchObject(content);
    const body = await readJsonReply(ask.describe(order, older));
    expect(describeElement.reply.schema.safeParse(body).success).toBe(true);
  });
});

describe('the query options of element parts', () => {
  const names = async (query: object) =>
    (await readJsonReply(ask.relations(order, query))).elements.map(({ name }: Json) => name);

  it('select attributes and relations by name', async () => {
    const { elements } = await readJsonReply(ask.attributes(order, { $select: ['COST', 'owner'] }));
    expect(elements.map(({ name }: Json) => name)).toEqual(['cost']);
    expect(await names({ $select: ['Uses', 'cost', 'unknown'] })).toEqual(['uses']);
    expect(await names({ $select: [] })).toEqual([]);
  });

  it('keep the attributes of an element that matches the filter', async () => {
    const all = await readJsonReply(ask.attributes(order));
    expect(await readJsonReply(ask.attributes(order, { $filter: 'cost -gt 12' }))).toEqual(all);
    expect(await readJsonReply(ask.attributes(order, { $filter: 'cost -gt 13' }))).toEqual({ count: 0, elements: [] });
    expect((await readJsonReply(ask.attributes(version(2, 1), { $filter: 'cost -eq 13' }))).count).toBeGreaterThan(0);
    expect((await readJsonReply(ask.attributes(start, { $filter: "type -eq 'symbol'" }))).count).toBe(0);
  });

  it('keep the references to elements of every facet that match the filter', async () => {
    expect(await names({ $filter: "type -eq 'user'" })).toEqual(['owner']);
    expect(await names({ $filter: "type -eq 'process'" })).toEqual(['releaseHistory']);
    const expired = await readJsonReply(ask.relation(order, 'releaseHistory', { $filter: "state -eq 'expired'" }));
    expect(expired.elements).toMatchObject([{ versionId: version(1, 0), state: 'expired' }]);
    const { body, total } = await page(ask.relation(order, 'uses', { $filter: "name -eq 'Pay'", $pageSize: 1 }));
    expect([total, body.elements.map(({ id }: Json) => id)]).toEqual(['1', [idOf('pay')]]);
    expect(await readJsonReply(ask.relation(order, 'uses', { $filter: "name -eq 'x'" }))).toEqual({
      count: 0,
      elements: [],
    });
  });

  it('replace references by their elements, one level deep', async () => {
    const [expanded] = (await readJsonReply(ask.relation(idOf('ann'), 'uses', { ...users, $expandRelated: ['uses'] })))
      .elements;
    expect(expanded).toMatchObject({ id: idOf('bob'), attributes: { name: { 127: 'Bob' } } });
    const [owner, uses] = (await readJsonReply(ask.relations(order, { $expandRelated: ['owner'] }))).elements;
    expect(owner.elements[0]).toMatchObject({ id: idOf('ann'), related: { uses: [{ id: idOf('bob') }] } });
    // References of what stands in place of one have its attributes, and no references of their own.
    const [{ related, ...inner }] = owner.elements[0].related.uses;
    expect([related, inner.attributes.name]).toEqual([undefined, { 127: 'Bob' }]);
    expect(uses.elements[0]).not.toHaveProperty('attributes');
    const older = await readJsonReply(
      ask.relations(order, { apiVersion: '1.0', $expandRelated: ['owner'], $select: ['owner', 'name'] }),
    );
    expect(older).toMatchObject({ count: 1, values: { owner: [{ attributes: { name: { 127: 'Ann' } } }] } });
  });

  it('reject an invalid filter, naming the position and the nearest name', async () => {
    for (const answer of [
      ask.attributes(order, { $filter: "nmae -eq 'x'" }),
      ask.relations(order, { $filter: "nmae -eq 'x'" }),
      ask.relation(order, 'uses', { $filter: "nmae -eq 'x'" }),
    ]) {
      const failure = await readFailure(answer);
      expect(failure).toMatchObject({ code: 'CONTENT_FILTER_SYNTAX', faults: [{ position: 0, suggestion: 'name' }] });
    }
  });
});

describe('the children of an element', () => {
  const buying = idOf('buying');

  it('are listed as the view lists elements, with the total', async () => {
    const { body, total, key } = await page(ask.children(buying));
    expect([body.count, total, key]).toEqual([2, '2', undefined]);
    expect(namesOf(body)).toEqual(['Order goods', 'Receive']);
    expect(body.elements[0]).toHaveProperty('related');
    expect(body.elements[0]).not.toHaveProperty('children');
    const tree = await page(ask.children(buying, { viewId: 'reporting' }));
    expect(tree.body.elements[0].children).toHaveLength(1);
    expect(listChildren.reply.schema.safeParse(tree.body).success).toBe(true);
  });

  it('are paginated by page number and by page key', async () => {
    const first = await page(ask.children(buying, { $pageSize: 1 }));
    const second = await page(ask.children(buying, { $pageSize: 1, $pageSelectionKey: first.key }));
    const numbered = await page(ask.children(buying, { $pageSize: 1, $page: 2 }));
    expect(namesOf(first.body)).toEqual(['Order goods']);
    expect(namesOf(second.body)).toEqual(['Receive']);
    expect(numbered.body).toEqual(second.body);
    expect([first.total, second.total, second.key]).toEqual(['2', '2', undefined]);
  });

  it('can be filtered, and keep the ancestors of matches in a tree', async () => {
    const $filter = "StartsWith(name, 'Sign')";
    expect(namesOf((await page(ask.children(buying, { $filter, viewId: 'reporting' }))).body)).toEqual(['Order goods']);
    expect((await page(ask.children(buying, { $filter }))).total).toBe('0');
    expect(namesOf((await page(ask.children(buying, { $filter: 'cost -gt 100' }))).body)).toEqual(['Receive']);
    const paged = await page(ask.children(buying, { $filter: 'cost -gt 1', viewId: 'reporting', $pageSize: 1 }));
    expect([paged.total, paged.key !== undefined, namesOf(paged.body)]).toEqual(['2', true, ['Order goods']]);
    expect(await readFailure(ask.children(buying, { $filter: 'cost' }))).toMatchObject({
      code: 'CONTENT_FILTER_SYNTAX',
    });
  });

  it('are the same for each version of the element, and empty for leaves and content elements', async () => {
    expect(namesOf((await page(ask.children(version(1, 0)))).body)).toEqual(['Approve 100%_sure']);
    for (const id of [idOf('pay'), start])
      expect(await page(ask.children(id))).toMatchObject({ body: { count: 0, elements: [] }, total: '0' });
  });

  it('are limited to the types of the view, and return 404 for elements outside it', async () => {
    expect(await readFailure(ask.children(idOf('sign'), { viewId: 'areas' }))).toMatchObject({
      code: 'CONTENT_NOTFOUND',
    });
    expect((await page(ask.children(order, { viewId: 'areas' }))).total).toBe('0');
  });
});

describe('a request for the content or the versions of an element', () => {
  it('lists content in its order, page by page', async () => {
    const { body, total } = await page(ask.content(order, { $pageSize: 1, $page: 2 }));
    expect([body.count, total]).toEqual([1, '2']);
    expect(body.elements[0]).toMatchObject({ id: contentIdOf(version(2, 0), 'end'), type: 'symbol' });
    expect((await page(ask.content(order, { apiVersion: '1.0' }))).body.values).toHaveLength(2);
    expect((await page(ask.content(start))).body).toEqual({ count: 0, elements: [] });
  });

  it('lists all versions, the newest last, each with an address', async () => {
    const { body } = await page(ask.versions(version(1, 0)));
    expect(body.elements.map(({ versionId }: Json) => versionId)).toEqual([
      version(1, 0),
      version(2, 0),
      version(2, 1),
    ]);
    expect(body.elements.map(({ expandUri }: Json) => expandUri)).toEqual(
      [version(1, 0), order, version(2, 1)].map((id) => `${P}/facets/processes/reporting/${id}`),
    );
    expect(body.elements[1].content).toHaveLength(2);
    expect(listVersions.reply.schema.safeParse(body).success).toBe(true);
  });

  it('returns only the requested parts and members of versions', async () => {
    const { body } = await page(ask.versions(order, { $resources: ['attributes'], $select: ['cost'] }));
    expect(body.elements.map((element: Json) => [element.attributes, element.content])).toEqual([
      [{ cost: { 127: 10 } }, undefined],
      [{ cost: { 127: 12.5 } }, undefined],
      [{ cost: { 127: 13 } }, undefined],
    ]);
  });

  it('lists an element without versions as its only version', async () => {
    expect((await page(ask.versions(idOf('approve')))).body).toMatchObject({
      count: 1,
      elements: [{ id: idOf('approve') }],
    });
    expect((await page(ask.versions(start))).body).toMatchObject({ count: 1, elements: [{ id: start }] });
  });
});

describe('the description of an element', () => {
  const describe1 = async (id: string, query: object = {}) =>
    (await readJsonReply(ask.describe(id, query))).elements[0];

  it('describes its identity, its place and its links', async () => {
    const found = await describe1(order);
    expect(found).toEqual({
      facetName: 'processes',
      id: order,
      versionId: version(2, 0),
      creationId: order,
      type: 'process',
      state: 'released',
      stereotype: 'core',
      version: '2.0',
      isReleased: true,
      name: { 1031: 'Ware "bestellen"', 1033: 'Order goods' },
      parent: {
        facetName: 'processes',
        id: idOf('buying'),
        creationId: idOf('buying'),
        type: 'area',
        expandUri: `${P}/facets/processes/views/detail/elements/${idOf('buying')}`,
      },
      createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      changedOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      revision: '1',
      transitions: `${P}/release/${version(2, 0)}/transitions`,
      reporting: `${P}/facets/processes/reporting/${version(2, 0)}`,
      expandUri: `${P}/facets/processes/reporting/${order}`,
    });
    expect(describeElement.reply.schema.safeParse(await readJsonReply(ask.describe(order))).success).toBe(true);
  });

  it('leaves out empty members', async () => {
    const found = await describe1(idOf('paying'));
    for (const name of ['versionId', 'version', 'isReleased', 'parent']) expect(found).not.toHaveProperty(name);
    expect(found.transitions).toBe(`${P}/release/${idOf('paying')}/transitions`);
  });

  it('names the containing version of a content element as its parent', async () => {
    const found = await describe1(start);
    expect(found.parent).toMatchObject({ id: order, versionId: version(2, 0), state: 'released' });
    expect(found.parent.expandUri).toBe(`${P}/facets/processes/views/detail/elements/${version(2, 0)}`);
    expect(found).not.toHaveProperty('transitions');
  });
});

describe('a request for a part of an element', () => {
  it('returns the same failure for every unknown storage, facet, element or name', async () => {
    const missing = '00000000-0000-4000-8000-000000000000';
    const everyPart = (elementId: string, query: object = {}) => [
      ask.attributes(elementId, query),
      ask.attribute(elementId, 'name', query),
      ask.relations(elementId, query),
      ask.relation(elementId, 'owner', query),
      ask.children(elementId, query),
      ask.content(elementId, query),
      ask.versions(elementId, query),
      ask.describe(elementId, query),
    ];
    const failures = await Promise.all(
      [
        ...everyPart(missing),
        ...everyPart('no-uuid'),
        ...everyPart(order, { facetId: 'users' }),
        ...everyPart(order, { viewId: 'nowhere' }),
        ...everyPart(order, { storageId: 'p2p\0' }),
        ...everyPart(idOf('sign'), { viewId: 'areas' }),
      ].map(readFailure),
    );
    expect(new Set(failures.map((failure) => JSON.stringify(failure))).size).toBe(1);
    expect(failures[0]?.code).toBe('CONTENT_NOTFOUND');
  });
});

describe('the description of a storage', () => {
  const storage = (query: object = {}, team = 'meridian') =>
    service
      .get(FacetsHandler)
      .describe(describeStorage.request.parse({ ...testStorageNames, ...query }), createReaderContext(team));

  it('names its title, its cultures and the address of its facets', async () => {
    const entry = {
      title: 'Purchase to pay',
      collection: 'Meridian',
      id: 'p2p',
      cultures: [1033, 1031, 3082],
      defaultCulture: 1033,
      facets: `${P}/facets`,
    };
    const body = await readJsonReply(storage({ apiVersion: '4.0' }));
    expect(body).toEqual({ count: 1, elements: [entry] });
    expect(describeStorage.reply.schema.safeParse(body).success).toBe(true);
    expect(await readFailure(storage({}, 'northgate'))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });

  it('is one flat object in version 1.0', async () => {
    const body = await readJsonReply(storage());
    expect(body).toEqual({
      type: 'IStorageContext',
      tenant: 'p2p',
      title: 'Purchase to pay',
      description: '',
      apiUrl: P,
      appUrl: `${P.slice(0, P.indexOf('/', 8))}/console/`,
      dataCultures: [1033, 1031, 3082],
      defaultDataCulture: 1033,
      mandatoryCultures: [],
      optionalCultures: [1033, 1031, 3082],
      isValid: true,
      timeZone: {
        Id: 'UTC',
        DisplayName: 'Coordinated Universal Time',
        StandardName: 'UTC',
        DaylightName: 'UTC',
        BaseUtcOffset: '00:00:00',
        SupportsDaylightSavingTime: false,
      },
    });
    expect(describeStorage.reply.schema.safeParse(body).success).toBe(true);
  });
});
