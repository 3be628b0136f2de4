/** Group D at the edge: where each operation takes each member of its request from, and what it says to those who may not. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fillPath, pathParameterNames } from '@tessera/contracts';
import { explainOwnQuery, readEvidence } from '@tessera/contracts/knowledge-models';
import { knowledgeOperations, openTestStack, type TestStack } from '../testing/test-stack.js';
import { buildRequestWithMembers, type RequestParameterSamples } from '../testing/write-request.js';

/** Evidence is read by the gateway itself, which adds documents; apps/gateway/src/evidence. */
const operations = knowledgeOperations
  .filter(({ name }) => name !== readEvidence.name)
  .map((operation) => [operation.name, operation] as const);

let stack: TestStack;
beforeAll(async () => {
  stack = await openTestStack();
});
afterAll(() => stack?.stop());

const written: RequestParameterSamples = {
  page: { text: '3', value: 3 },
  pageSize: { text: '7', value: 7 },
  fields: { text: 'A,B.C', value: ['A', 'B.C'] },
  excludeFields: { text: 'D, E', value: ['D', 'E'] },
  kpis: { text: 'K,L', value: ['K', 'L'] },
  filters: { text: 'F,G', value: ['F', 'G'] },
  filterExpr: { text: "A in ('x','y') and B eq '+'", value: ["A in ('x','y') and B eq '+'"] },
  options: { text: 'distinct', value: ['distinct'] },
  searchPrecision: { text: '60', value: 60 },
  sampleSize: { text: '0', value: 0 },
  curated: { text: 'true', value: true },
  $format: { text: 'json', value: 'json' },
  $top: { text: '3', value: 3 },
  $skip: { text: '0', value: 0 },
  $count: { text: 'true', value: true },
  filterid: { text: 'F,G', value: ['F', 'G'] },
  aliases: { name: '@p', text: "'x'", value: { '@p': "'x'" } },
  key: { text: "('a%2Fb')", value: "('a/b')" },
};
const pagination = { pageNumber: 2, pageSize: 5 };
const search = { term: 'ü', precision: 0 };
const filters = { kmFilterNames: ['F'], filterExpr: ["A eq 'x'"] };
const projection = { fields: 'A,B', filters, pagination, sort: '+A,-B', options: ['distinct'], search };

/** A body of the model may name KPIs, too. */
const bodyOf = (name: string) => {
  if (name === explainOwnQuery.name) return { record: 'R', query: { projection: { ...projection, kpis: ['K'] } } };
  return { projection: name.includes('models') ? { ...projection, kpis: ['K'] } : projection };
};

describe('every operation of knowledge models', () => {
  it.each(operations)(
    '%s: reads each request member from path, query, header or body and passes it on',
    async (_, operation) => {
      const { path, options, expected } = buildRequestWithMembers(operation, written, bodyOf(operation.name));
      const { status, body } = await stack.request(path, options);
      // The ETag of a document is compared by the gateway, which asks by that of what it keeps.
      const { ifNoneMatch: _ifNoneMatch, ...passedOn } = expected;
      expect({ status, request: body?.['request'] }).toEqual({ status: 200, request: passedOn });
    },
  );

  it.each(operations)('%s: can be called without its optional members', async (_, { name, request, http }) => {
    const textOf = (member: string): string => (member === 'key' ? "('k')" : `a-${member}`);
    const path = fillPath(http, textOf);
    const question = { projection: {} };
    const least =
      http.body === undefined ? {} : { [http.body]: http.body === 'explain' ? { query: question } : question };
    const answer = await stack.request(path, {
      method: http.method.toUpperCase(),
      ...(http.body && { body: least[http.body] }),
    });
    const names = pathParameterNames(http).map((member) => [member, textOf(member)]);
    // `fetch` itself always says that any document will do.
    const accept = 'accept' in request.shape ? { accept: '*/*' } : {};
    expect([name, answer.body?.['request']]).toEqual([
      name,
      { ...request.parse({ ...Object.fromEntries(names), ...least }), ...accept },
    ]);
  });

  it.each(operations)('%s: answers 401 without a credential and 403 without its scope', async (_, operation) => {
    const { path, options } = buildRequestWithMembers(operation, written, bodyOf(operation.name));
    const nobody = await stack.request(path, { ...options, key: undefined });
    expect(nobody).toMatchObject({
      status: 401,
      body: { status: 401, errorCode: 'ACCESS_UNAUTHORIZED', error: 'Unauthorized' },
    });
    expect(nobody.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    const other = await stack.request(path, { ...options, key: stack.keys.meridianAdmin });
    expect(other).toMatchObject({ status: 403, body: { errorCode: 'ADMIN_ACCESS_ERROR' } });
    expect(other.body?.['detail']).toContain('knowledge-models:read');
  });
});

const models = '/intelligence/api/knowledge-models';
const refusals: readonly (readonly [string, string, string])[] = [
  ['pageSize=0', 'GENERAL_PARAMETER_ILLEGAL', 'query pageSize: expected at least 1.'],
  ['pageSize=-3', 'GENERAL_PARAMETER_ILLEGAL', 'query pageSize: expected at least 1.'],
  ['pageSize=5001', 'GENERAL_PARAMETER_ILLEGAL', 'query pageSize: expected at most 5000.'],
  ['pageSize=many', 'GENERAL_PARAMETER_MISSMATCH', 'query pageSize: expected a number.'],
  ['page=', 'GENERAL_PARAMETER_MISSMATCH', 'query page: expected a number.'],
  ['page=x&searchPrecision=y', 'GENERAL_PARAMETER_MISSMATCH', 'query searchPrecision: expected a number.'],
  ['page=x&pageSize=0', 'GENERAL_PARAMETER_ILLEGAL', 'query page: expected a number.'],
  ['page=1&page=2', 'GENERAL_PARAMETER_ILLEGAL', 'query page: is given more than once; expected a number.'],
  ['page=-1', 'GENERAL_PARAMETER_ILLEGAL', 'query page: expected at least 0.'],
  ['page=1.5', 'GENERAL_PARAMETER_MISSMATCH', 'query page: expected a whole number.'],
  ['searchPrecision=0', 'GENERAL_PARAMETER_ILLEGAL', 'query searchPrecision: expected at least 1.'],
  ['options=distnct', 'GENERAL_PARAMETER_ILLEGAL', 'did you mean "distinct"?'],
  ['pagesize=5', 'GENERAL_PARAMETER_ILLEGAL', 'query pagesize: is not known; did you mean "pageSize"?'],
  [`fields=${'A,'.repeat(201)}`, 'GENERAL_PARAMETER_ILLEGAL', 'query fields: expected at most 200 entries.'],
  [
    `fields=${'ABCDEFGHIJKLMNO,'.repeat(128)}P`,
    'GENERAL_PARAMETER_ILLEGAL',
    'query fields: expected at most 2048 characters; a body takes more.',
  ],
  ['filter=A', 'GENERAL_PARAMETER_ILLEGAL', 'query filter: is not known; did you mean "filterExpr"?'],
  ['$filter=A', 'GENERAL_PARAMETER_ILLEGAL', 'query $filter: is not known; did you mean "filterExpr"?'],
  ['top=5', 'GENERAL_PARAMETER_ILLEGAL', 'query top: is not known; did you mean "pageSize"?'],
  ['Limit=5', 'GENERAL_PARAMETER_ILLEGAL', 'query Limit: is not known; did you mean "pageSize"?'],
  ['offset=5', 'GENERAL_PARAMETER_ILLEGAL', 'query offset: is not known; did you mean "page"?'],
  ['$skip=5', 'GENERAL_PARAMETER_ILLEGAL', 'query $skip: is not known; did you mean "page"?'],
  ['$select=A', 'GENERAL_PARAMETER_ILLEGAL', 'query $select: is not known; did you mean "fields"?'],
  ['order_by=A', 'GENERAL_PARAMETER_ILLEGAL', 'query order_by: is not known; did you mean "sort"?'],
  ['$expand=A', 'GENERAL_PARAMETER_ILLEGAL', 'query $expand: is not known here.'],
];

describe('a query', () => {
  it.each(refusals)('is refused with what was expected: %s', async (query, errorCode, detail) => {
    const { status, body } = await stack.request(`${models}/m/records/r/data?${query}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { status: 400, errorCode, type: 'about:blank' } });
    expect(body?.['detail']).toContain(detail);
  });

  it('with an invalid member in a body is refused with the path of the member', async () => {
    const asked = (body: unknown) => stack.request(`${models}/m/data`, { method: 'POST', body });
    const misspelt = await asked({ projection: { filters: { kmFilterName: ['F'] } } });
    expect(misspelt).toMatchObject({ status: 400, body: { errorCode: 'GENERAL_CONSTRAINT_VIOLATION' } });
    expect(misspelt.body?.['detail']).toContain(
      'body projection.filters.kmFilterName: is not known; did you mean "kmFilterNames"?',
    );
    const wrong = await asked({ projection: { pagination: { pageSize: '5' } } });
    expect(wrong.body?.['detail']).toContain('body projection.pagination.pageSize: expected');
    expect((await asked({ projection: { remark: 1 } })).body?.['detail']).toContain(
      'body projection.remark: is not known',
    );
    expect((await asked({})).body?.['detail']).toContain('body projection: is missing');
  });

  it('is refused with fields of more than 2,048 characters, which only a body may have', async () => {
    const most = 'ABCDEFGHIJKLMNO,'.repeat(128).slice(0, -1);
    expect((await stack.request(`${models}/m/records/r/data?fields=${most}`)).status).toBe(200);
    const body = { projection: { fields: `${most},P,Q,R` } };
    expect((await stack.request(`${models}/m/records/r/data`, { method: 'POST', body })).status).toBe(200);
  });

  it.each(['timezone', 'having', 'groupBy', 'order', 'distinct', 'take', 'dateRange', 'currency', 'locale', 'limit'])(
    'is refused when it has %s, which would change the answer elsewhere',
    async (name) => {
      const asked = await stack.request(`${models}/m/query?kpis=A&${name}=1`);
      const posted = await stack.request(`${models}/m/query`, { method: 'POST', body: { projection: { [name]: 1 } } });
      for (const [{ status, body }, place, path] of [
        [asked, 'query', name],
        [posted, 'body', `projection.${name}`],
      ] as const)
        expect([status, body]).toMatchObject([
          400,
          { detail: expect.stringContaining(`${place} ${path}: is not known`), faults: [{ in: place, path }] },
        ]);
    },
  );

  it('may have fields and KPIs of a body as a text and as a list', async () => {
    for (const ids of ['A,B', ['A', 'B']]) {
      const body = { projection: { fields: ids, kpis: ids } };
      const answer = await stack.request(`${models}/m/query`, { method: 'POST', body });
      expect(answer.body?.['request']).toMatchObject({ query: body });
    }
    const wrong = await stack.request(`${models}/m/query`, { method: 'POST', body: { projection: { kpis: [7] } } });
    expect(wrong.body?.['detail']).toContain('body projection.kpis.0: expected a text.');
  });

  it('may hold null for every optional member of a body, which is then absent', async () => {
    const ask = async (projection: object) => {
      const answer = await stack.request(`${models}/m/data`, { method: 'POST', body: { projection } });
      return answer.status === 200 ? answer.body?.['request'] : answer.body?.['detail'];
    };
    const absent = await ask({ fields: 'A' });
    const nulls = { filters: null, pagination: null, sort: null, options: null, search: null, kpis: null };
    expect(await ask({ fields: 'A', ...nulls })).toEqual(absent);
    expect(await ask({ fields: 'A', filters: { kmFilterNames: null, filterExpr: null }, utm_x: null })).toEqual(
      await ask({ fields: 'A', filters: {} }),
    );
    expect(await ask({ pagination: { pageNumber: null, pageSize: null }, search: { term: 'x', field: null } })).toEqual(
      await ask({ pagination: {}, search: { term: 'x' } }),
    );
    expect(await ask({ search: { term: null } })).toContain(
      'body projection.search.term: is missing; expected a text.',
    );
    expect(await ask({ filterz: null })).toContain('body projection.filterz: is not known; did you mean "filters"?');
    expect(await ask({ options: [null] })).toContain('body projection.options.0: expected');
    const none = await stack.request(`${models}/m/data`, { method: 'POST', body: { projection: null } });
    expect(none.body?.['detail']).toContain('body projection: is missing; expected an object.');
  });

  it('keeps the plus sign before a field', async () => {
    const { body } = await stack.request(`${models}/m/records/r/data?sort=+A,-B`);
    expect(body?.['request']).toMatchObject({ sort: ' A,-B' });
  });

  it('passes ids on unchanged', async () => {
    const { body } = await stack.request(`${models}/${encodeURIComponent('a b/ü..')}/records/r%2F..%2F%25/query`);
    expect(body?.['request']).toMatchObject({ km_id: 'a b/ü..', record_id: 'r/../%' });
  });
});
