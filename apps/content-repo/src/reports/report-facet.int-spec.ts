import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentIdOf, elementIdOf, versionIdOf } from '@tessera/content-model';
import { reportFacet } from '@tessera/contracts/content-repo';
import { companyDefinition } from '../testing/company.js';
import { ReportFacetHandler } from './report-facet.handler.js';
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

type Query = Partial<typeof reportFacet.request._input>;
const idOf = (key: string): string =>
  elementIdOf({ collection: companyDefinition.collection, id: companyDefinition.id }, key);

describe('the report of a facet', () => {
  let service: TestService;
  let handler: ReportFacetHandler;
  beforeAll(async () => {
    service = await openTestService();
    handler = service.get(ReportFacetHandler);
  });
  afterAll(() => service?.end());

  const ask = (query: Query = {}, team = 'meridian') =>
    handler.report(
      reportFacet.request.parse({ ...testStorageNames, facetId: 'processes', ...query }),
      createReaderContext(team),
    );
  const report = (query: Query = {}) => readJsonReply(ask(query));
  const namesOf = (list: readonly Json[] = []): unknown[] =>
    list.map((item) => [item.attributes.name['1033'], ...(item.children ? [namesOf(item.children)] : [])]);

  it('nests children to any depth under the roots of the standard view', async () => {
    const body = await report();
    expect(body.count).toBe(3);
    expect(namesOf(body.values)).toEqual([
      ['Buying', [['Order goods', [['Approve 100%_sure', [['Sign']]]]], ['Receive']]],
      ['Paying', [['Pay']]],
      ['Top step'],
    ]);
    expect(reportFacet.reply.schema.safeParse(body).success).toBe(true);
  });

  it('shows attributes, references with addresses, and content of every element', async () => {
    const [buying] = (await report()).values;
    const [order] = buying.children;
    expect(Object.keys(order)).toEqual([
      'facetName',
      'id',
      'versionId',
      'creationId',
      'type',
      'state',
      'stereotype',
      'displayNames',
      'attributes',
      'related',
      'children',
      'content',
      'expandUri',
    ]);
    expect(order.related.owner).toEqual([
      {
        facetName: 'users',
        id: idOf('ann'),
        creationId: idOf('ann'),
        type: 'user',
        expandUri: `${testPublicUrl}/Meridian/p2p/_api/rest/facets/users/views/detail/elements/${idOf('ann')}`,
      },
    ]);
    expect(order.content.map((element: Json) => element.id)).toEqual(
      ['start', 'end'].map((key) => contentIdOf(versionIdOf(idOf('order'), 2, 0), key)),
    );
    expect(JSON.stringify(buying)).not.toContain('\\u0001');
  });

  it('shows and counts only elements of the types of the view whose ancestors are shown too', async () => {
    const areas = await report({ viewId: 'areas' });
    expect(areas.count).toBe(2);
    expect(namesOf(areas.values)).toEqual([['Buying', [['Order goods'], ['Receive']]], ['Paying']]);
    const steps = await report({ viewId: 'steps' });
    expect([steps.count, namesOf(steps.values)]).toEqual([1, [['Top step']]]);
  });

  it('lists the elements of a flat view without nesting', async () => {
    const body = await report({ viewId: 'detail' });
    expect(body.count).toBe(8);
    expect(body.values).toHaveLength(8);
    expect(body.values.some((element: Json) => element.children)).toBe(false);
  });

  it('keeps matches of a filter with their ancestors and counts the remaining roots', async () => {
    const body = await report({ $filter: "name -eq 'sign' OR name -eq 'pay'" });
    expect(body.count).toBe(2);
    expect(namesOf(body.values)).toEqual([
      ['Buying', [['Order goods', [['Approve 100%_sure', [['Sign']]]]]]],
      ['Paying', [['Pay']]],
    ]);
    expect(await report({ $filter: "name -eq 'nothing'" })).toEqual({ count: 0, values: [] });
    expect(namesOf((await report({ viewId: 'areas', $filter: "type -eq 'process'" })).values)).toEqual([
      ['Buying', [['Order goods'], ['Receive']]],
    ]);
    expect(await report({ viewId: 'areas', $filter: "name -eq 'sign'" })).toEqual({ count: 0, values: [] });
    expect((await report({ viewId: 'detail', $filter: "type -eq 'step'" })).count).toBe(3);
  });

  it('returns only the requested parts', async () => {
    const roots = await report({ $resources: ['attributes'] });
    expect(roots.values.map((root: Json) => Object.keys(root))).toEqual(
      Array.from({ length: 3 }, () => ['facetName', 'id', 'creationId', 'type', 'state', 'attributes', 'expandUri']),
    );
    const [buying] = (await report({ $resources: ['children', 'content'] })).values;
    expect(buying.children[0].content).toHaveLength(2);
    expect(buying.children[0]).not.toHaveProperty('attributes');
    expect((await report({ $resources: ['rootPath', 'children'] })).values[0]).not.toHaveProperty('rootPath');
  });

  it('applies $select and $expandRelated to elements and their content', async () => {
    const [buying] = (await report({ $select: ['name', 'owner'], $expandRelated: ['owner', 'uses'] })).values;
    const [order] = buying.children;
    expect(Object.keys(order.attributes)).toEqual(['name']);
    expect(Object.keys(order.related)).toEqual(['owner']);
    expect(order.related.owner[0].attributes).toEqual({ name: { 127: 'Ann' } });
    expect(order.related.owner[0]).not.toHaveProperty('related');
    expect(order.content[0].related.owner[0].attributes.name[127]).toBe('Bob');
    expect(order.children[0].children[0].attributes).toEqual({ name: { 1033: 'Sign' } });
  });

  it('returns an empty list for an empty facet, with every option', async () => {
    for (const query of [{}, { $select: ['name'] }, { $resources: ['attributes' as const] }, { viewId: 'detail' }])
      expect(await report({ facetId: 'empty', ...query })).toEqual({ count: 0, values: [] });
  });

  it('returns 404 for unknown facets, views and storages', async () => {
    for (const query of [{ facetId: 'x' }, { viewId: 'x' }, { storageId: 'x' }])
      expect(await readFailure(ask(query))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    expect(await readFailure(ask({}, 'northgate'))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    expect(await readFailure(ask({ $filter: 'name' }))).toMatchObject({ code: 'CONTENT_FILTER_SYNTAX' });
  });
});
