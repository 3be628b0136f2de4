import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { elementIdOf } from '@tessera/content-model';
import { listChildren, listElements } from '@tessera/contracts/content-repo';
import { companyDefinition } from '../testing/company.js';
import { ListElementsHandler } from './list-elements.handler.js';
import {
  readJsonReply,
  createReaderContext,
  type Json,
  openTestService,
  testStorageNames,
  type TestService,
} from '../testing/open-service.js';

const idOf = (key: string): string =>
  elementIdOf({ collection: companyDefinition.collection, id: companyDefinition.id }, key);
const context = createReaderContext('meridian');
const path = { ...testStorageNames, facetId: 'processes', viewId: 'detail', apiVersion: '4.0' };

let service: TestService;
/** The process `order` as each of the lists shows it. */
let shown: readonly ((query: object) => Promise<Json>)[];
beforeAll(async () => {
  service = await openTestService();
  const lists = service.get(ListElementsHandler);
  const orderIn = (body: Json): Json => body.elements.find(({ id }: Json) => id === idOf('order'));
  shown = [
    async (query) =>
      orderIn(await readJsonReply(lists.list(listElements.request.parse({ ...path, ...query }), context))),
    async (query) => {
      const request = listChildren.request.parse({ ...path, elementId: idOf('buying'), ...query });
      return orderIn(await readJsonReply(lists.children(request, context)));
    },
  ];
});
afterAll(() => service?.end());

describe('a list of a view and a list of children', () => {
  it('replace the references of expanded relations by the elements, one level deep', async () => {
    for (const order of shown) {
      const { related } = await order({ $expandRelated: ['OWNER'] });
      expect(related.owner[0]).toMatchObject({
        id: idOf('ann'),
        attributes: { name: { 127: 'Ann' } },
        related: { uses: [{ id: idOf('bob') }] },
      });
      expect(related.owner[0].related.uses[0].attributes.name[127]).toBe('Bob');
      expect(related.uses[0]).not.toHaveProperty('attributes');
    }
  });

  it('contain only the requested parts', async () => {
    for (const order of shown) {
      expect(Object.keys(await order({ $resources: ['related'] }))).toEqual([
        'facetName',
        'id',
        'versionId',
        'creationId',
        'type',
        'state',
        'stereotype',
        'related',
        'expandUri',
      ]);
      const { children } = await order({ $resources: ['children'] });
      expect(children.map(({ id }: Json) => id)).toEqual([idOf('approve')]);
    }
  });

  it('keep the attributes and relations that are selected', async () => {
    for (const order of shown) {
      const { attributes, related } = await order({ $select: ['Cost', 'uses', 'nothing'] });
      expect(attributes).toEqual({ cost: { 127: 12.5 } });
      expect(Object.keys(related)).toEqual(['uses']);
    }
  });
});
