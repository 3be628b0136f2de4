import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listElements } from '@tessera/contracts/content-repo';
import { ListElementsHandler } from './list-elements.handler.js';
import {
  readBodyText,
  createReaderContext,
  type Json,
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
} from '../testing/open-service.js';

type Query = Partial<typeof listElements.request._input>;

describe('the elements of a view', () => {
  let service: TestService;
  let handler: ListElementsHandler;
  beforeAll(async () => {
    service = await openTestService();
    handler = service.get(ListElementsHandler);
  });
  afterAll(() => service?.end());

  const ask = (query: Query = {}, team = 'meridian') =>
    handler.list(
      listElements.request.parse({ ...testStorageNames, facetId: 'processes', viewId: 'reporting', ...query }),
      createReaderContext(team),
    );
  const page = async (query: Query = {}) => {
    const result = await ask(query);
    if (!result.ok) throw new Error(result.failure.detail);
    const body = JSON.parse(await readBodyText(result.value));
    const list: Json[] = body.elements ?? body.values;
    expect(body.count).toBe(list.length);
    return {
      body,
      names: list.map((element) => element.attributes?.name?.[1033]),
      total: result.value.headers?.['x-total-count'],
      key: result.value.headers?.['x-page-selection-key'],
      link: result.value.headers?.['link'],
    };
  };
  const flat = ['Buying', 'Order goods', 'Approve 100%_sure', 'Sign', 'Receive', 'Paying', 'Pay', 'Top step'];

  it('are the roots of a tree, with their direct children', async () => {
    const { body, names, total, key } = await page();
    expect(names).toEqual(['Buying', 'Paying', 'Top step']);
    expect(body.elements[0].children.map((child: Json) => child.attributes.name[1033])).toEqual([
      'Order goods',
      'Receive',
    ]);
    expect(body.elements[0].children[0]).not.toHaveProperty('children');
    expect([total, key]).toEqual(['3', undefined]);
  });

  it('are all elements of a flat view in tree order, with children only on request', async () => {
    const { body, names } = await page({ viewId: 'detail' });
    expect(names).toEqual(flat);
    expect(body.elements.some((element: Json) => element.children)).toBe(false);
    const asked = await page({ viewId: 'detail', $resources: ['children'] });
    expect(asked.body.elements[0].children).toHaveLength(2);
  });

  it('are limited to the types of a flat view, at any depth', async () => {
    expect((await page({ viewId: 'steps' })).names).toEqual(['Approve 100%_sure', 'Pay', 'Top step']);
  });

  it('are paginated by page number', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map(($page) => page({ viewId: 'detail', $page, $pageSize: 3 })));
    expect(pages.map(({ names }) => names)).toEqual([flat.slice(0, 3), flat.slice(3, 6), flat.slice(6), []]);
    expect(pages.map(({ total }) => total)).toEqual(['8', '8', '8', '8']);
    expect(pages.map(({ key }) => key !== undefined)).toEqual([true, true, false, false]);
  });

  it('link to the next page while there is one, in version 4.0 also in the body', async () => {
    const asked = { viewId: 'detail', $pageSize: 3, $select: ['name', 'cost'], $filter: "name -ne 'a & b'" };
    const first = await page(asked);
    expect(first.body.nextUri).toBe(
      'https://tessera.example:8443/Meridian/p2p/_api/rest/facets/processes/views/detail/elements?' +
        `$filter=name%20-ne%20'a%20%26%20b'&$select=name%2Ccost&$pageSize=3&$pageSelectionKey=${first.key}`,
    );
    expect(first.link).toBe(`<${first.body.nextUri}>; rel="next"`);
    const older = await page({ ...asked, apiVersion: '1.0' });
    expect([older.link, Object.keys(older.body)]).toEqual([first.link, ['count', 'values']]);
    const last = await page({ ...asked, $page: 3 });
    expect([last.link, Object.keys(last.body)]).toEqual([undefined, ['count', 'elements']]);
  });

  it('are paginated by page key until the last page', async () => {
    const names: unknown[] = [];
    let key: string | undefined;
    do {
      const next = await page({ viewId: 'detail', $pageSize: 3, ...(key !== undefined && { $pageSelectionKey: key }) });
      names.push(...next.names);
      expect(next.total).toBe('8');
      ({ key } = next);
    } while (key !== undefined);
    expect(names).toEqual(flat);
  });

  it('are paginated by page key with a filter too', async () => {
    const $filter = "NOT type -eq 'area'";
    const first = await page({ viewId: 'detail', $pageSize: 4, $filter });
    expect([first.total, first.names]).toEqual(['6', ['Order goods', 'Approve 100%_sure', 'Sign', 'Receive']]);
    const second = await page({ viewId: 'detail', $pageSize: 4, $filter, $pageSelectionKey: first.key ?? '' });
    expect([second.names, second.key]).toEqual([['Pay', 'Top step'], undefined]);
    const roots = await page({ $pageSize: 1, $filter: "type -eq 'step'", $page: 2 });
    expect([roots.names, roots.total, roots.key !== undefined]).toEqual([['Paying'], '3', true]);
  });

  it('are listed under the member name of the API version', async () => {
    expect(Object.keys((await page({ apiVersion: '1.0' })).body)).toEqual(['count', 'values']);
    expect(Object.keys((await page()).body)).toEqual(['count', 'elements']);
  });

  it('have only the selected attributes and relations', async () => {
    const { body } = await page({ viewId: 'detail', $select: ['cost'] });
    expect(body.elements.flatMap((element: Json) => Object.keys(element.attributes ?? {}))).toEqual([
      'cost',
      'cost',
      'cost',
    ]);
  });

  it('are rejected with an unknown page key', async () => {
    for (const $pageSelectionKey of ['x', '!!!!', 'AAAA', "'; --", 'AAAAAA==']) {
      const failure = await readFailure(ask({ $pageSelectionKey }));
      expect(failure).toMatchObject({ code: 'GENERAL_PARAMETER_ILLEGAL', faults: [{ path: '$pageSelectionKey' }] });
    }
  });

  it('return 404 for another team', async () => {
    expect(await readFailure(ask({}, 'northgate'))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    expect(await readFailure(ask({ viewId: 'nowhere' }))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });
});
