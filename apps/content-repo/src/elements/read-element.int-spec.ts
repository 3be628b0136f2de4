import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { elementIdOf, versionIdOf, contentIdOf } from '@tessera/content-model';
import { readElement } from '@tessera/contracts/content-repo';
import { definition } from '../testing/company.js';
import { ReadElementHandler } from './read-element.handler.js';
import {
  answered,
  callerOf,
  type Json,
  openService,
  publicUrl,
  refused,
  storagePath,
  type TestService,
} from '../testing/open-service.js';

const names = { collection: definition.collection, id: definition.id };
const idOf = (key: string): string => elementIdOf(names, key);
const order = idOf('order');
const version = (major: number, minor: number): string => versionIdOf(order, major, minor);
type Query = Partial<typeof readElement.request._input>;

describe('reading one element', () => {
  let service: TestService;
  let handler: ReadElementHandler;
  beforeAll(async () => {
    service = await openService();
    handler = service.get(ReadElementHandler);
  });
  afterAll(() => service?.end());

  const ask = (elementId: string, query: Query = {}, team = 'meridian') =>
    handler.read(
      readElement.request.parse({ ...storagePath, facetId: 'processes', viewId: 'detail', elementId, ...query }),
      callerOf(team),
    );
  const element = async (elementId: string, query: Query = {}) => (await answered(ask(elementId, query))).elements[0];

  it('answers the released version for an id, in the order of members that is decided', async () => {
    const found = await element(order);
    expect(Object.keys(found)).toEqual([
      'facetName', 'id', 'versionId', 'creationId', 'type', 'state', 'stereotype',
      'displayNames', 'attributes', 'related', 'children', 'content', 'expandUri',
    ]); // prettier-ignore
    expect(found).toMatchObject({
      facetName: 'processes',
      id: order,
      versionId: version(2, 0),
      state: 'released',
      stereotype: 'core',
      displayNames: { 1033: 'Process' },
      attributes: { name: { 1033: 'Order goods', 1031: 'Ware "bestellen"' }, cost: { 127: 12.5 } },
      expandUri: `${publicUrl}/Meridian/p2p/_api/rest/facets/processes/reporting/${order}`,
    });
    expect(found.content).toHaveLength(2);
    expect(found.related.uses.map((target: Json) => target.id)).toEqual([idOf('approve'), idOf('pay')]);
  });

  it('names the direct children only, without content and relations', async () => {
    const { children } = await element(idOf('buying'));
    expect(children.map((child: Json) => child.attributes.name[1033])).toEqual(['Order goods', 'Receive']);
    expect(children[0].expandUri).toBe(`${publicUrl}/Meridian/p2p/_api/rest/facets/processes/reporting/${order}`);
    expect(Object.keys(children[0])).not.toContain('related');
    expect(Object.keys(children[0])).not.toContain('children');
  });

  it('answers exactly the version that a version id names, with an address of its own', async () => {
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

  it('answers a content element by its own id, in the facet of its type', async () => {
    const id = contentIdOf(version(2, 0), 'start');
    const found = await element(id);
    expect(found).toMatchObject({
      facetName: 'processes',
      id,
      type: 'symbol',
      related: { owner: [{ id: idOf('bob') }] },
    });
    expect(await refused(ask(id, { facetId: 'users' }))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    expect(await element(id, { $resources: ['attributes'] })).not.toHaveProperty('related');
  });

  it('takes facet and view names in any case and answers the defined spelling', async () => {
    expect((await element(order, { facetId: 'PROCESSES', viewId: 'Detail' })).facetName).toBe('processes');
    expect(await element(order.toUpperCase())).toEqual(await element(order));
  });

  it('names the list after the version of the interface', async () => {
    expect(Object.keys(await answered(ask(order, { apiVersion: '1.0' })))).toEqual(['count', 'values']);
  });

  it('answers only the parts asked for, rootPath nearest first', async () => {
    const found = await element(idOf('sign'), { $resources: ['rootPath'] });
    expect(Object.keys(found)).toEqual([
      'facetName',
      'id',
      'versionId',
      'creationId',
      'type',
      'state',
      'rootPath',
      'expandUri',
    ]);
    expect(found.rootPath.map((parent: Json) => parent.id)).toEqual([idOf('approve'), order, idOf('buying')]);
    expect(found.rootPath[0]).not.toHaveProperty('attributes');
  });

  it('keeps the attributes and relations that are selected, whatever their case; unknown names select nothing', async () => {
    const found = await element(order, { $select: ['NAME', 'owner', 'nothing'] });
    expect(Object.keys(found.attributes)).toEqual(['name']);
    expect(Object.keys(found.related)).toEqual(['owner']);
    expect(Object.keys(found.children[0].attributes)).toEqual(['name']);
    expect(found.content[0].related).toEqual({ owner: [expect.objectContaining({ id: idOf('bob') })] });
    const nothing = await element(order, { $select: ['nothing'] });
    expect(nothing).not.toHaveProperty('attributes');
    expect(nothing).not.toHaveProperty('related');
  });

  it('replaces the references of an expanded relation by the elements, one level', async () => {
    const found = await element(order, { $expandRelated: ['Owner'] });
    expect(found.related.owner[0]).toMatchObject({
      id: idOf('ann'),
      attributes: { name: { 127: 'Ann' } },
      related: { uses: [{ id: idOf('bob') }] },
      expandUri: `${publicUrl}/Meridian/p2p/_api/rest/facets/users/views/detail/elements/${idOf('ann')}`,
    });
    expect(found.related.owner[0].related.uses[0]).not.toHaveProperty('attributes');
    expect(found.related.uses[0]).not.toHaveProperty('attributes');
    expect(found.content[0].related.owner[0].attributes.name[127]).toBe('Bob');
  });

  it('shows in a view with types only what the view shows', async () => {
    expect((await element(order, { viewId: 'areas' })).id).toBe(order);
    for (const key of ['sign', 'approve'])
      expect(await refused(ask(idOf(key), { viewId: 'areas' }))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    expect((await element(idOf('approve'), { viewId: 'steps' })).id).toBe(idOf('approve'));
  });

  it('answers the same failure for everything that is not there', async () => {
    const missing = '00000000-0000-4000-8000-000000000000';
    const answers = await Promise.all([
      refused(ask(missing)),
      refused(ask('no-uuid')),
      refused(ask(order, { facetId: 'users' })),
      refused(ask(order, { facetId: 'nowhere' })),
      refused(ask(order, { viewId: 'nowhere' })),
      refused(ask(order, { storageId: 'other' })),
      refused(ask(order, { storageId: 'p2p\0' })),
      refused(ask(order, {}, 'northgate')),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.code).toBe('CONTENT_NOTFOUND');
  });
});
