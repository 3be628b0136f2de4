import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contentIdOf, elementIdOf, versionIdOf } from '@tessera/content-model';
import { reportElement } from '@tessera/contracts/content-repo';
import { companyDefinition } from '../testing/company.js';
import { ReportElementHandler } from './report-element.handler.js';
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

type Query = Partial<typeof reportElement.request._input>;
const idOf = (key: string): string =>
  elementIdOf({ collection: companyDefinition.collection, id: companyDefinition.id }, key);
const order = idOf('order');
const version = (major: number, minor: number): string => versionIdOf(order, major, minor);

describe('the report of one element', () => {
  let service: TestService;
  let handler: ReportElementHandler;
  beforeAll(async () => {
    service = await openTestService();
    handler = service.get(ReportElementHandler);
  });
  afterAll(() => service?.end());

  const ask = (elementId: string, query: Query = {}, team = 'meridian') =>
    handler.report(
      reportElement.request.parse({ ...testStorageNames, facetId: 'processes', elementId, ...query }),
      createReaderContext(team),
    );
  const report = async (elementId: string, query: Query = {}) => {
    const body = await readJsonReply(ask(elementId, query));
    expect(body.count).toBe(body.values.length);
    return body.values[0];
  };

  it('nests its children and lists its versions with content, oldest first', async () => {
    const found = await report(order);
    expect(Object.keys(found).slice(-5)).toEqual(['related', 'children', 'content', 'versions', 'expandUri']);
    expect(found.children[0].children[0].attributes.name[1033]).toBe('Sign');
    expect(found.versions.map((each: Json) => [each.versionId, each.state, each.content?.length])).toEqual([
      [version(1, 0), 'expired', undefined],
      [version(2, 0), 'released', 2],
      [version(2, 1), 'inProcess', undefined],
    ]);
    expect(found.versions.map((each: Json) => each.expandUri.split('/').at(-1))).toEqual([
      version(1, 0),
      order,
      version(2, 1),
    ]);
    expect(found).not.toHaveProperty('rootPath');
  });

  it('returns the version of a version id, at its place in the tree', async () => {
    const found = await report(version(1, 0));
    expect(found).toMatchObject({
      id: order,
      versionId: version(1, 0),
      state: 'expired',
      attributes: { cost: { 127: 10 } },
    });
    expect(found.children).toHaveLength(1);
    expect(found.versions).toHaveLength(3);
    expect(found.expandUri).toBe(`${testPublicUrl}/Meridian/p2p/_api/rest/facets/processes/reporting/${version(1, 0)}`);
  });

  it('adds rootPath on request, nearest parent first', async () => {
    const found = await report(idOf('sign'), { $resources: ['rootPath', 'attributes'] });
    expect(found.rootPath.map((parent: Json) => parent.attributes.name[1033])).toEqual([
      'Approve 100%_sure',
      'Order goods',
      'Buying',
    ]);
    expect(Object.keys(found)).toEqual([
      'facetName',
      'id',
      'versionId',
      'creationId',
      'type',
      'state',
      'attributes',
      'rootPath',
      'versions',
      'expandUri',
    ]);
  });

  it('leaves out versions for a type without versions, and empty members', async () => {
    const found = await report(idOf('pay'));
    for (const member of ['versions', 'children', 'content', 'related', 'rootPath'])
      expect(found).not.toHaveProperty(member);
  });

  it('keeps matches of a filter with their ancestors, and is empty without a match', async () => {
    const found = await report(idOf('buying'), { $filter: "name -eq 'receive'" });
    expect(found.children.map((child: Json) => child.id)).toEqual([idOf('receive')]);
    expect(await report(order, { $filter: "name -eq 'order goods'" })).not.toHaveProperty('children');
    expect(await readJsonReply(ask(order, { $filter: "name -eq 'receive'" }))).toEqual({ count: 0, values: [] });
    expect((await report(version(1, 0), { $filter: 'cost -eq 10' })).versionId).toBe(version(1, 0));
  });

  it('applies $select and $expandRelated to the element, its tree and its versions', async () => {
    const found = await report(order, { $select: ['cost', 'owner'], $expandRelated: ['owner'] });
    expect(found.attributes).toEqual({ cost: { 127: 12.5 } });
    expect(found.related.owner[0].id).toBe(idOf('ann'));
    expect(found.children[0]).not.toHaveProperty('attributes');
    expect(found.versions.map((each: Json) => each.attributes)).toEqual(
      [10, 12.5, 13].map((cost) => ({ cost: { 127: cost } })),
    );
  });

  it('returns a content element for its own id', async () => {
    const id = contentIdOf(version(2, 0), 'start');
    const found = await report(id, { $expandRelated: ['owner'] });
    expect(found).toMatchObject({ id, type: 'symbol', related: { owner: [{ attributes: { name: { 127: 'Bob' } } }] } });
  });

  it('shows only elements of the types of the view', async () => {
    expect((await report(order, { viewId: 'areas' })).id).toBe(order);
    expect(await report(order, { viewId: 'areas' })).not.toHaveProperty('children');
    expect(await readFailure(ask(idOf('sign'), { viewId: 'areas' }))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });

  it('returns the same failure for every unknown storage, facet, view or id', async () => {
    const answers = await Promise.all([
      readFailure(ask('00000000-0000-4000-8000-000000000000')),
      readFailure(ask('no-uuid')),
      readFailure(ask(order, { facetId: 'users' })),
      readFailure(ask(order, { viewId: 'nowhere' })),
      readFailure(ask(order, {}, 'northgate')),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.code).toBe('CONTENT_NOTFOUND');
  });
});
