import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { searchElements } from '@tessera/contracts/content-repo';
import { companyContent, companyDefinition, companyElements } from '../testing/company.js';
import {
  readJsonReply,
  createReaderContext,
  readFailure,
  type Json,
  openTestService,
  testPublicUrl,
  testStorageNames,
  type TestService,
} from '../testing/open-service.js';
import { SearchElementsHandler } from './search-elements.handler.js';

const area = (id: string, name: string, parent?: string) => ({
  id,
  type: 'area',
  attributes: { name: { 1033: name } },
  ...(parent !== undefined && { parent }),
});
/** A chain of areas, and 25 that are called alike. */
const found = [
  area('found-top', 'Top of all'),
  area('found-middle', 'Middle of it', 'found-top'),
  area('found-deep', 'Deep warehouse', 'found-middle'),
  ...Array.from({ length: 25 }, (_, index) => area(`shelf-${index}`, `Shelf ${String(index).padStart(2, '0')}`)),
];

let service: TestService;
let handler: SearchElementsHandler;
beforeAll(async () => {
  service = await openTestService([
    { ...companyContent, elements: [...companyElements, ...found] },
    { team: 'northgate', definition: companyDefinition, elements: [area('secret', 'Secret warehouse')] },
  ]);
  handler = service.get(SearchElementsHandler);
});
afterAll(() => service?.end());

const ask = ($search: string, query: object = {}, team = 'meridian') =>
  handler.search(searchElements.request.parse({ ...testStorageNames, $search, ...query }), createReaderContext(team));
const namesOf = (body: Json): readonly string[] => body.values.map(({ name }: Json) => name['1033'] ?? name['127']);

describe('a search over the facets of a storage', () => {
  it('tells each element with its facet, its type and what it stands under', async () => {
    const body = await readJsonReply(ask('warehouse'));
    expect(searchElements.reply.schema.parse(body)).toEqual(body);
    const [deep] = body.values;
    expect(deep).toMatchObject({
      facetName: 'processes',
      type: 'area',
      displayNames: { 1033: 'Area', 1031: 'Bereich' },
      state: 'show',
      name: { 1033: 'Deep warehouse' },
      expandUri: `${testPublicUrl}/Meridian/p2p/_api/rest/facets/processes/reporting/${deep.id}`,
    });
    expect(deep.rootPath).toEqual([
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/), type: 'area', name: { 1033: 'Middle of it' } },
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/), type: 'area', name: { 1033: 'Top of all' } },
    ]);
  });

  it('finds in every facet, versioned and not, with names in all cultures', async () => {
    const [order] = (await readJsonReply(ask('order goods'))).values;
    expect(order).toMatchObject({
      versionId: expect.any(String),
      type: 'process',
      stereotype: 'core',
      state: 'released',
      name: { 1033: 'Order goods', 1031: 'Ware "bestellen"' },
      rootPath: [{ type: 'area', name: { 1033: 'Buying', 1031: 'Einkauf' } }],
    });
    const [ann] = (await readJsonReply(ask('ann'))).values;
    expect(ann).toMatchObject({ facetName: 'users', type: 'user', name: { 127: 'Ann' }, rootPath: [] });
  });

  it('finds misspelt words, in one facet or culture where that is asked for', async () => {
    expect(namesOf(await readJsonReply(ask('warehuose')))).toEqual(['Deep warehouse']);
    expect(namesOf(await readJsonReply(ask('ann', { $facet: 'USERS' })))).toEqual(['Ann']);
    expect(namesOf(await readJsonReply(ask('warehouse', { $facet: 'users' })))).toEqual([]);
    expect(namesOf(await readJsonReply(ask('einkauf', { $culture: 1031 })))).toEqual(['Buying']);
    expect(namesOf(await readJsonReply(ask('einkauf', { $culture: 1033 })))).toEqual([]);
  });

  it('comes in pages, each element once, until there is no more', async () => {
    const names: string[] = [];
    for (let page = 1; ; page++) {
      const body = await readJsonReply(ask('shelf', { $page: page, $pageSize: 10 }));
      names.push(...namesOf(body));
      if (body.nextUri === undefined) break;
      const options = `$search=shelf&$page=${page + 1}&$pageSize=10`;
      const address = new URL(body.nextUri);
      expect(address.pathname).toBe('/Meridian/p2p/_api/rest/search');
      expect([...address.searchParams].sort()).toEqual([...new URLSearchParams(options)].sort());
    }
    expect(names).toEqual(Array.from({ length: 25 }, (_, index) => `Shelf ${String(index).padStart(2, '0')}`));
    const first = await ask('shelf', { $pageSize: 10 });
    expect(first.ok && first.value.headers?.['link']).toMatch(/^<.*>; rel="next"$/);
  });

  it('takes any text as words, also marks that mean something elsewhere', async () => {
    for (const text of ['%', '_', "'; drop table x; --", '"', '\\', '(', '\u202e'])
      expect((await readJsonReply(ask(text))).count).toBeLessThanOrEqual(20);
    expect(searchElements.request.safeParse({ ...testStorageNames, $search: 'a\0' }).success).toBe(false);
  });

  it('sees nothing of another team, and no storage or facet that is not there', async () => {
    expect(namesOf(await readJsonReply(ask('secret warehouse')))).not.toContain('Secret warehouse');
    const answers = await Promise.all([
      readFailure(ask('x', { storageId: 'nowhere' })),
      readFailure(ask('x', { $facet: 'nowhere' })),
      readFailure(ask('x', {}, 'nobody')),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.code).toBe('CONTENT_NOTFOUND');
  });
});
