/** Group A as a client of the launched product: shapes, links, bad input, isolation, limits. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { recordAnswers } from './compatibility/record-answers.js';
import { followLinks } from './follow-links.js';
import { memberOf, memberNamesOf, parseJson, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';

let product: RunningProduct;
const meridian = '/meridian/p2p/_api/rest';
const northgate = '/northgate/p2p/_api/rest';

beforeAll(async () => {
  product = await getSharedProduct();
});

const key = (name: string): string => product.environment[name] ?? '';
const at = (path: string, gateway = 0): string => `${product.gateways[gateway]}${path}`;
const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers: { AppKey: key('DEMO_KEY'), ...headers } });
const jsonOf = async (response: Response): Promise<unknown> => parseJson(await response.text());
const read = async (path: string, headers: Record<string, string> = {}): Promise<unknown> =>
  jsonOf(await get(path.startsWith('http') ? path : at(path), headers));

describe('the lists and reports of a storage', () => {
  it('return count and values for facets, views and reports', async () => {
    const report = await read(`${meridian}/facets/processes/reporting`);
    const element = `/facets/processes/reporting/${textOf(report, 'values', 0, 'id')}`;
    for (const path of ['/facets', '/facets/processes/views', '/facets/processes/reporting', element]) {
      const response = await get(at(meridian + path));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const document = await jsonOf(response);
      expect(memberNamesOf(document)).toEqual(['count', 'values']);
      expect(memberOf(document, 'count')).toBe(memberOf(document, 'values', 'length'));
      expect(Number(memberOf(document, 'count'))).toBeGreaterThan(0);
    }
  });

  it("use the specification's names of facets and views", async () => {
    const facets = await read(`${meridian}/facets`);
    expect(memberNamesOf(memberOf(facets, 'values', 0))).toEqual(['name', 'displayName', 'views']);
    const views = await read(`${meridian}/facets/processes/views`);
    expect(memberNamesOf(memberOf(views, 'values', 0))).toEqual(['name', 'displayName', 'elements', 'isHierarchical']);
    const newer = await read(`${meridian}/facets`, { 'api-version': '4.0' });
    expect(memberNamesOf(memberOf(newer, 'values', 0))).toEqual(['name', 'displayNames', 'views']);
  });

  it.each(['1.0', '4.0'])('are read to the end by their links in version %s', async (version) => {
    const seen: unknown[] = [];
    let pages = 0;
    let total: string | null = null;
    let next: string | undefined = at(`${meridian}/facets/processes/views/detail/elements?$pageSize=7&$select=name`);
    while (next !== undefined) {
      const response = await get(next, { 'api-version': version });
      const document = await jsonOf(response);
      const list = memberOf(document, version === '1.0' ? 'values' : 'elements');
      if (!Array.isArray(list)) throw new Error('no list');
      seen.push(...list.map((element) => textOf(element, 'id')));
      total = response.headers.get('x-total-count');
      next = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
      if (version === '4.0') expect(memberOf(document, 'nextUri')).toBe(next);
      pages += 1;
    }
    expect(pages).toBeGreaterThan(1);
    expect([seen.length, new Set(seen).size]).toEqual([Number(total), Number(total)]);
  });

  it('contain only working links', async () => {
    const followed = await followLinks([at(`${meridian}/facets`)], get);
    expect(followed.filter(({ status }) => status !== 200)).toEqual([]);
    for (const part of [
      'info',
      'attributes/name',
      'related/releaseHistory',
      'children',
      'content',
      'versions',
      'transitions',
    ])
      expect({ part, isAsked: followed.some(({ address }) => address.endsWith(`/${part}`)) }).toEqual({
        part,
        isAsked: true,
      });
    expect(followed.filter(({ address }) => !new URL(address).pathname.startsWith(meridian))).toEqual([]);
    expect(followed.length).toBeGreaterThan(1_000);
    expect(followed.length).toBeLessThan(6_000);
  });

  it('answer 304 for a known ETag, and return the past state with asOf', async () => {
    const path = at(`${meridian}/facets/processes/reporting`);
    const now = await get(path);
    const etag = now.headers.get('etag') ?? '';
    expect(now.headers.get('cache-control')).toBe('private, no-cache');
    expect((await get(path, { 'If-None-Match': etag })).status).toBe(304);
    const asOf = new Date(now.headers.get('date') ?? '').toISOString();
    expect(await (await get(`${path}?asOf=${asOf}`)).text()).toBe(await now.text());
    expect((await get(`${path}?asOf=9999-12-31T00:00:00`)).status).toBe(400);
  });

  it('return the same element by its id as in the report of its facet', async () => {
    const report = await read(`${meridian}/facets/processes/reporting`);
    const one = await read(textOf(report, 'values', 0, 'expandUri'));
    expect(memberOf(one, 'count')).toBe(1);
    expect(memberOf(one, 'values', 0, 'id')).toBe(memberOf(report, 'values', 0, 'id'));
    expect(memberOf(one, 'values', 0, 'children')).toEqual(memberOf(report, 'values', 0, 'children'));
  });
});

describe('the gateway', () => {
  const operationResult = (response: Response, document: unknown): void => {
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(memberNamesOf(document)).toEqual(['message', 'output', 'type', 'data', 'errorCode', 'faults']);
    expect(response.headers.get('x-request-id')).toBeTruthy();
  };

  it.each<[string, Record<string, string>]>([
    ['no credential', {}],
    ['a wrong key', { AppKey: 'tsk_none_none_none' }],
    ['a bearer token that is none', { Authorization: 'Bearer x.y.z' }],
  ])('answers 401 to %s', async (_, headers) => {
    const response = await fetch(at(`${meridian}/facets`), { headers });
    expect(response.status).toBe(401);
    const document = await jsonOf(response);
    operationResult(response, document);
    expect(document).toMatchObject({ type: 'Unauthorized' });
  });

  it('answers 403 to a credential without the scope', async () => {
    const response = await get(at('/admin/status'), { AppKey: key('READONLY_KEY') });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it("answers the same 404 for another team's data and for unknown data", async () => {
    const paths = [
      `${northgate}/facets`,
      '/nobody/nothing/_api/rest/facets',
      `${meridian}/facets/nothing/views`,
      `${meridian}/facets/processes/reporting/00000000-0000-4000-8000-000000000000`,
      `${meridian}/facets/processes/views/detail/elements/no-such-element`,
    ];
    const bodies = await Promise.all(
      paths.map(async (path) => {
        const response = await get(at(path));
        expect(response.status).toBe(404);
        const text = await response.text();
        operationResult(response, parseJson(text));
        return text.replaceAll(path, '<path>');
      }),
    );
    expect(new Set(bodies).size).toBe(1);
  });

  it.each([
    ['an unknown resource', '/facets/processes/reporting?$resources=colour', /colour/],
    ['an unknown version', '/facets?api-version=9.9', /9\.9|1\.0/],
    [
      'a filter that does not parse',
      "/facets/processes/reporting?$filter=type%20-eq%20'x",
      /character 10: Expected a value/,
    ],
  ])('answers 400 to %s, naming it', async (_, path, named) => {
    const response = await get(at(meridian + path));
    expect(response.status).toBe(400);
    const document = await jsonOf(response);
    operationResult(response, document);
    expect(document).toMatchObject({ type: 'Error' });
    expect(textOf(document, 'message')).toMatch(named);
  });

  it('answers 413 to a body of more than one mebibyte', async () => {
    const response = await fetch(at('/admin/keys'), {
      method: 'POST',
      headers: { AppKey: key('ADMIN_KEY'), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x'.repeat(1_100_000) }),
    });
    expect(response.status).toBe(413);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it('answers 404 with a problem document to an unknown path', async () => {
    for (const path of ['/nowhere', `${meridian}/nowhere`]) {
      const response = await get(at(path));
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(await jsonOf(response)).toMatchObject({ status: 404, instance: path });
    }
  });
});

describe('two teams', () => {
  it("cannot reach each other's data by path, header or id", async () => {
    const theirs = await read(`${northgate}/facets/processes/reporting`, { AppKey: key('NORTHGATE_KEY') });
    const foreign = textOf(theirs, 'values', 0, 'id');
    expect(foreign).toMatch(/^[0-9a-f-]{36}$/);
    const tries: readonly [string, Record<string, string>][] = [
      [`${northgate}/facets/processes/reporting`, {}],
      [`${northgate}/facets/processes/reporting/${foreign}`, {}],
      [`${meridian}/facets/processes/reporting/${foreign}`, {}],
      [`${meridian}/facets/processes/views/detail/elements/${foreign}`, {}],
      [`${northgate}/facets`, { 'x-tenant': 'northgate', 'tessera-caller': 'northgate', team: 'northgate' }],
      [`/NORTHGATE/P2P/_api/rest/facets`, {}],
    ];
    for (const [path, headers] of tries) {
      const response = await get(at(path), headers);
      expect({ path, status: response.status }).toEqual({ path, status: 404 });
    }
    expect((await get(at(`${northgate}/facets?team=northgate`), {})).status).toBe(400);
  });
});

describe('the hourly limit', () => {
  it('lets exactly five of twenty parallel requests through two gateways and sets Retry-After', async () => {
    const leftOfHourMs = 3_600_000 - (Date.now() % 3_600_000);
    if (leftOfHourMs < 60_000) await new Promise((resolve) => setTimeout(resolve, leftOfHourMs + 100));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        get(at('/tinyco/p2p/_api/rest/facets', index % 2), { AppKey: key('TINY_KEY') }),
      ),
    );
    const admitted = answers.filter((answer) => answer.status !== 429);
    expect(admitted).toHaveLength(5);
    for (const answer of answers) {
      expect(answer.headers.get('x-ratelimit-limit')).toBe('5');
      expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d$/);
      expect(answer.headers.get('x-ratelimit-reset')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00(\.000)?Z$/);
    }
    const refused = answers.find((answer) => answer.status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused && (await jsonOf(refused))).toMatchObject({ type: 'Error' });
  });
});

describe('the OpenAPI document', () => {
  it('names every path of the content repository', async () => {
    const document = await jsonOf(await fetch(at('/openapi.json')));
    expect(memberNamesOf(memberOf(document, 'paths'))).toEqual(
      expect.arrayContaining([
        '/{collectionId}/{storageId}/_api/rest/facets',
        '/{collectionId}/{storageId}/_api/rest/facets/{facetId}/reporting/{elementId}',
      ]),
    );
    expect((await fetch(at('/docs'))).status).toBe(200);
  });
});

recordAnswers();
