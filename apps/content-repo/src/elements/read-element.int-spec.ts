import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { elementIdOf, versionIdOf, contentIdOf } from '@tessera/content-model';
import { readElement } from '@tessera/contracts/content-repo';
import { companyDefinition } from '../testing/company.js';
import { ReadElementHandler } from './read-element.handler.js';
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

const names = { collection: companyDefinition.collection, id: companyDefinition.id };
const idOf = (key: string): string => elementIdOf(names, key);
const order = idOf('order');
const version = (major: number, minor: number): string => versionIdOf(order, major, minor);
type Query = Partial<typeof readElement.request._input>;

describe('reading one element', () => {
  let service: TestService;
  let handler: ReadElementHandler;
  beforeAll(async () => {
    service = await openTestService();
    handler = service.get(ReadElementHandler);
  });
  afterAll(() => service?.end());

  const ask = (elementId: string, query: Query = {}, team = 'meridian') =>
    handler.read(
      readElement.request.parse({ ...testStorageNames, facetId: 'processes', viewId: 'detail', elementId, ...query }),
      createReaderContext(team),
    );
  const element = async (elementId: string, query: Query = {}) =>
    (await readJsonReply(ask(elementId, query))).elements[0];

  it('returns the released version for an element id, with members in the documented order', async () => {
    const found = await element(order);
    expect(Object.keys(found)).toEqual([
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
    expect(found).toMatchObject({
      facetName: 'processes',
      id: order,
      versionId: version(2, 0),
      state: 'released',
      stereotype: 'core',
      displayNames: { 1033: 'Process' },
      attributes: { name: { 1033: 'Order goods', 1031: 'Ware "bestellen"' }, cost: { 127: 12.5 } },
      expandUri: `${testPublicUrl}/Meridian/p2p/_api/rest/facets/processes/reporting/${order}`,
    });
    expect(found.content).toHaveLength(2);
    expect(found.related.uses.map((target: Json) => target.id)).toEqual([idOf('approve'), idOf('pay')]);
  });

  it('lists only the direct children, without content and relations', async () => {
    const { children } = await element(idOf('buying'));
    expect(children.map((child: Json) => child.attributes.name[1033])).toEqual(['Order goods', 'Receive']);
    expect(children[0].expandUri).toBe(`${testPublicUrl}/Meridian/p2p/_api/rest/facets/processes/reporting/${order}`);
    expect(Object.keys(children[0])).not.toContain('related');
    expect(Object.keys(children[0])).not.toContain('children');
  });

  it('returns the version of a version id, with its own address', async () => {
    const draft = await element(version(2, 1));
    expect(draft).toMatchObject({
      id: order,
      versionId: version(2, 1),
      state: 'inProcess',
      attributes: { cost: { 127: 13 } },
    });
    expect(draft.expandUri).toMatch(new RegExp(`/reporting/${version(2, 1)}$`));
    expect(draft.children).toHaveLength(1);
    expect(await element(version(2, 0))).toEqual(await element(order));
  });

  it('returns a content element by its own id, in the facet of its type', async () => {
    const id = contentIdOf(version(2, 0), 'start');
    const found = await element(id);
    expect(found).toMatchObject({
      facetName: 'processes',
      id,
      type: 'symbol',
      related: { owner: [{ id: idOf('bob') }] },
    });
    expect(await readFailure(ask(id, { facetId: 'users' }))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    expect(await element(id, { $resources: ['attributes'] })).not.toHaveProperty('related');
  });

  it('accepts facet and view names in any letter case and returns the defined spelling', async () => {
    expect((await element(order, { facetId: 'PROCESSES', viewId: 'Detail' })).facetName).toBe('processes');
    expect(await element(order.toUpperCase())).toEqual(await element(order));
  });

  it('names the list member by the API version', async () => {
    expect(Object.keys(await readJsonReply(ask(order, { apiVersion: '1.0' })))).toEqual(['count', 'values']);
  });

  it('returns only the requested parts, rootPath nearest first', async () => {
    const found = await element(idOf('sign'), { $resources: ['rootPath'] });
    expect(Object.keys(found)).toEqual([
      'facetName',
      'id',
      'versionId',
      'creationId',
      'type',
      'state',
      'displayNames',
      'rootPath',
      'expandUri',
    ]);
    expect(found.rootPath.map((parent: Json) => parent.id)).toEqual([idOf('approve'), order, idOf('buying')]);
    expect(found.rootPath[0]).not.toHaveProperty('attributes');
    expect(found.rootPath[0]).toHaveProperty('displayNames');
    const further = await element(idOf('sign'), { $resources: ['rootPath', 'attributes'] });
    expect(further).not.toHaveProperty('displayNames');
  });

  it('always returns the stereotype, and accepts it as a requested part', async () => {
    const named = await element(order, { $resources: ['stereotype'] });
    expect(named).toEqual(await element(order, { $resources: [] }));
    expect(named).toMatchObject({ stereotype: 'core' });
    expect(named).not.toHaveProperty('attributes');
    const path = await element(order, { $resources: ['stereotype', 'rootPath'] });
    expect(path).toEqual(await element(order, { $resources: ['rootPath'] }));
  });

  it('keeps only the selected attributes and relations, in any letter case, and ignores unknown names', async () => {
    const found = await element(order, { $select: ['NAME', 'owner', 'nothing'] });
    expect(Object.keys(found.attributes)).toEqual(['name']);
    expect(Object.keys(found.related)).toEqual(['owner']);
    expect(Object.keys(found.children[0].attributes)).toEqual(['name']);
    expect(found.content[0].related).toEqual({ owner: [expect.objectContaining({ id: idOf('bob') })] });
    const nothing = await element(order, { $select: ['nothing'] });
    expect(nothing).not.toHaveProperty('attributes');
    expect(nothing).not.toHaveProperty('related');
  });

  it('replaces the references of an expanded relation by the elements, one level deep', async () => {
    const found = await element(order, { $expandRelated: ['Owner'] });
    expect(found.related.owner[0]).toMatchObject({
      id: idOf('ann'),
      attributes: { name: { 127: 'Ann' } },
      related: { uses: [{ id: idOf('bob') }] },
      expandUri: `${testPublicUrl}/Meridian/p2p/_api/rest/facets/users/views/detail/elements/${idOf('ann')}`,
    });
    expect(found.related.owner[0].related.uses[0].attributes.name[127]).toBe('Bob');
    expect(found.related.uses[0]).not.toHaveProperty('attributes');
    expect(found.content[0].related.owner[0].attributes.name[127]).toBe('Bob');
  });

  it('returns only elements of the types of the view', async () => {
    expect((await element(order, { viewId: 'areas' })).id).toBe(order);
    for (const key of ['sign', 'approve'])
      expect(await readFailure(ask(idOf(key), { viewId: 'areas' }))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    expect((await element(idOf('approve'), { viewId: 'steps' })).id).toBe(idOf('approve'));
  });

  it('returns the same failure for every unknown storage, facet, view or id', async () => {
    const missing = '00000000-0000-4000-8000-000000000000';
    const answers = await Promise.all([
      readFailure(ask(missing)),
      readFailure(ask('no-uuid')),
      readFailure(ask(order, { facetId: 'users' })),
      readFailure(ask(order, { facetId: 'nowhere' })),
      readFailure(ask(order, { viewId: 'nowhere' })),
      readFailure(ask(order, { storageId: 'other' })),
      readFailure(ask(order, { storageId: 'p2p\0' })),
      readFailure(ask(order, {}, 'northgate')),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.code).toBe('CONTENT_NOTFOUND');
  });
});
