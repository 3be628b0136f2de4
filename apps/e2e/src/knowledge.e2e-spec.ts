/** Group D over the gateway of the launched product, with a model of few rows. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpOperation } from '@tessera/contracts';
import { recordAnswers } from './compatibility/record-answers.js';
import {
  createQueryClient,
  knowledgeModelOperations,
  modelDataRequest,
  modelQueryRequest,
  validRequestFor,
  saleDataRequest,
  saleQueryRequest,
  type QueryClient,
  type QueryRequest,
} from './group-d.js';
import { memberOf, parseJson, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import { createTestKey, createTestModel, testModelId } from './test-model.js';

let product: RunningProduct;
/** Full access; one company and no bank accounts; no scopes or attributes; another team. */
let all: QueryClient, restricted: QueryClient, unprivileged: QueryClient, other: QueryClient;
beforeAll(async () => {
  product = await getSharedProduct();
  await createTestModel(product);
  const [gateway = ''] = product.gateways;
  all = createQueryClient(gateway, await createTestKey(product, { furtherScopes: ['sales:all', 'finance:read'] }));
  restricted = createQueryClient(gateway, await createTestKey(product, { attributes: { companies: ['1000'] } }));
  unprivileged = createQueryClient(gateway, await createTestKey(product));
  other = createQueryClient(gateway, product.environment['NORTHGATE_KEY'] ?? '');
});

/** Those that render their answers; evidence has a spec of its own. */
const named = knowledgeModelOperations
  .filter(({ reply }) => 'kind' in reply)
  .map((operation): [string, HttpOperation] => [operation.name, operation]);
/** A batch is answered part by part, each as it is alone. */
const ofModel = named.filter(([, { http, owner }]) => http.path.includes('{km_id}') && owner !== 'gateway');

/** A media type without its parameters. */
const essenceOf = (type: string | null): string | undefined => type?.split(';')[0];

/** Rows as lists of values. */
const rowsOf = async (ask: QueryClient, question: QueryRequest): Promise<unknown> => {
  const { status, document, text } = await ask(question);
  if (status !== 200) throw new Error(text);
  const content = memberOf(document, 'content', 'data') ?? memberOf(document, 'content');
  return Array.isArray(content) ? content.map((row: object): unknown[] => Object.values(row)) : content;
};

describe('every operation of knowledge models', () => {
  it.each(named)('%s: answers 200 with what its contract describes', async (_, operation) => {
    const { status, text, headers } = await all(validRequestFor(operation));
    expect({ status, text }).toMatchObject({ status: 200 });
    const { reply } = operation;
    if (!('kind' in reply)) throw new Error(`${operation.name} answers no rendered document.`);
    expect(reply.mediaTypes.map(essenceOf)).toContain(essenceOf(headers.get('content-type')));
    const isPlain = essenceOf(headers.get('content-type')) === 'text/plain';
    const readings = [parseJson(text), ...(isPlain ? [text] : [])];
    expect(readings.map((document) => reply.schema.safeParse(document).error)).toContain(undefined);
  });

  it.each(ofModel)('%s: answers the same 404 for models of other teams and unknown ones', async (_, operation) => {
    const answers = [
      await all(validRequestFor(operation, 'nobody.km')),
      await other(validRequestFor(operation, 'nobody.km')),
      await other(validRequestFor(operation)),
    ];
    for (const { status, document } of answers)
      expect({ status, code: textOf(document, 'errorCode') }).toEqual({ status: 404, code: 'KM_MODEL_NOTFOUND' });
    const [, nobody, theirs] = answers.map(({ text }) => text.replaceAll(/nobody\.km|trial\.sales-km/g, '<id>'));
    expect(theirs).toBe(nobody);
  });
});

describe('a document of a model', () => {
  const documents = knowledgeModelOperations.filter(({ request }) => 'ifNoneMatch' in request.shape);

  it.each(documents.map((operation) => [operation.name, operation] as const))(
    '%s: has an ETag, compressed or not, and answers 304 to a request with that ETag',
    async (_, operation) => {
      const ask = (headers: QueryRequest['headers'] = {}) => all({ ...validRequestFor(operation), headers });
      const first = await ask({ 'accept-encoding': 'identity' });
      const etag = first.headers.get('etag') ?? '';
      expect([first.status, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{43}"$/)]);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      expect(first.headers.has('tessera-fresh-for')).toBe(false);
      const compressed = await ask({ 'accept-encoding': 'gzip' });
      expect([compressed.text, compressed.headers.get('etag')]).toEqual([first.text, etag]);
      const again = await ask({ 'if-none-match': `"other", ${etag}` });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect((await ask({ 'if-none-match': '"other"' })).text).toBe(first.text);
    },
  );
});

describe('a query of a record', () => {
  it('returns all fields, or the named ones in their order', async () => {
    expect(await rowsOf(all, saleQueryRequest({ pageSize: '1' }))).toEqual([
      [1, 1, '1000', 250.5, '2026-01-31', 'large', false],
    ]);
    const { document } = await all(saleDataRequest({ fields: 'SIZE,AMOUNT', pageSize: '1' }));
    expect(document).toEqual({
      page: 0,
      pageSize: 1,
      total: 5,
      sort: [],
      content: {
        headers: [
          { id: 'SIZE', name: 'SIZE', type: 'string', aggregation: false, filterable: true, sortable: true },
          {
            id: 'AMOUNT',
            name: 'AMOUNT',
            type: 'float',
            format: ',.2f',
            unit: 'EUR',
            aggregation: false,
            filterable: true,
            sortable: true,
          },
        ],
        data: [{ SIZE: 'large', AMOUNT: 250.5 }],
      },
    });
  });

  it('is sorted, paged and counted', async () => {
    const question = { fields: 'SALE_NO,SOLD_ON', sort: '-SOLD_ON,+SALE_NO', pageSize: '2' };
    expect(await rowsOf(all, saleQueryRequest({ ...question, page: '1' }))).toEqual([
      [2, '2026-02-28'],
      [3, '2026-02-28'],
    ]);
    const { document } = await all(saleQueryRequest({ ...question, page: '9' }));
    expect(document).toMatchObject({ page: 9, total: 5, sort: ['-SOLD_ON', '+SALE_NO'], content: [] });
  });

  it("is filtered by the model's filters and by expressions, repeated or separated by commas", async () => {
    const fields = 'SALE_NO';
    expect(await rowsOf(all, saleQueryRequest({ fields, filters: 'LARGE' }))).toEqual([[1], [3]]);
    expect(await rowsOf(all, saleQueryRequest({ fields, filters: 'LARGE,RICH' }))).toEqual([[1]]);
    const commas = "COMPANY in ('1000','3000'),AMOUNT lt 100";
    expect(await rowsOf(all, saleQueryRequest({ fields, filterExpr: commas }))).toEqual([[2]]);
    expect(await rowsOf(all, saleQueryRequest({ fields, filterExpr: commas.split(/,(?=A)/) }))).toEqual([[2]]);
    expect(await rowsOf(all, saleQueryRequest({ fields, filterExpr: "CUSTOMER.COUNTRY ne 'DE'" }))).toEqual([[3], [4]]);
  });

  it('returns each distinct combination once', async () => {
    const question = saleQueryRequest({ fields: 'SOLD_ON', options: 'distinct', sort: '-SOLD_ON' });
    expect(await rowsOf(all, question)).toEqual([['2026-03-02'], ['2026-03-01'], ['2026-02-28'], ['2026-01-31']]);
    expect((await all(question)).document).toMatchObject({ total: 4 });
  });

  it('searches exactly and fuzzily, in all or in the named text fields', async () => {
    const found = (query: QueryRequest['query']) =>
      rowsOf(all, { path: `/${testModelId}/records/CUSTOMER/query`, query: { fields: 'NAME', ...query } });
    expect(await found({ searchTerm: 'GREAT', searchPrecision: '100' })).toEqual([['Cleo, the great']]);
    expect(await found({ searchTerm: 'graet', searchPrecision: '100' })).toEqual([]);
    expect(await found({ searchTerm: 'graet', searchPrecision: '25' })).toEqual([['Cleo, the great']]);
    expect(await found({ searchTerm: 'IT22', searchPrecision: '100', searchField: 'NAME' })).toEqual([]);
    expect(await found({ searchTerm: 'IT22', searchPrecision: '100' })).toEqual([['Bob']]);
  });

  it('returns the same result when it is sent as a body', async () => {
    const projection = {
      fields: 'SALE_NO,AMOUNT',
      filters: { kmFilterNames: ['LARGE'], filterExpr: ["COMPANY eq '2000'"] },
      pagination: { pageNumber: 0, pageSize: 7 },
      sort: '-AMOUNT',
    };
    const { text } = await all({ path: `/${testModelId}/records/SALE/query`, body: { projection } });
    const filtered = { filters: 'LARGE', filterExpr: "COMPANY eq '2000'" };
    const request = await all(
      saleQueryRequest({ fields: 'SALE_NO,AMOUNT', ...filtered, pageSize: '7', sort: '-AMOUNT' }),
    );
    expect(text).toBe(request.text);
    expect(text).toBe('{"page":0,"pageSize":7,"total":1,"sort":["-AMOUNT"],"content":[{"SALE_NO":3,"AMOUNT":100}]}');
  });
});

describe('a query of a model', () => {
  it('joins the records of its fields', async () => {
    const fields = 'SALE.SALE_NO,CUSTOMER.NAME';
    expect(await rowsOf(all, modelQueryRequest({ fields, sort: '-SALE.SALE_NO', pageSize: '2' }))).toEqual([
      [5, 'Ann'],
      [4, 'Bob'],
    ]);
  });

  it('computes KPIs over groups, each over its own rows', async () => {
    const kpis = 'REVENUE,SALES,CUSTOMERS';
    expect(await rowsOf(all, modelQueryRequest({ kpis }))).toEqual([[500, 5, 3]]);
    expect(await rowsOf(all, modelDataRequest({ fields: 'CUSTOMER.COUNTRY', kpis, sort: '-REVENUE' }))).toEqual([
      ['DE', 400, 3, 1],
      ['IT', 100, 2, 1],
      [null, null, 0, 1],
    ]);
    const { document } = await all(modelDataRequest({ kpis: 'REVENUE' }));
    expect(memberOf(document, 'content', 'headers')).toEqual([
      {
        id: 'REVENUE',
        name: 'Revenue',
        type: 'float',
        format: ',.0f',
        unit: 'EUR',
        aggregation: true,
        filterable: true,
        sortable: true,
      },
    ]);
  });

  it('filters by KPIs after the aggregation', async () => {
    const question = { fields: 'CUSTOMER.NAME', kpis: 'SALES', filterExpr: 'REVENUE gt 100' };
    expect(await rowsOf(all, modelQueryRequest(question))).toEqual([['Ann', 3]]);
    expect((await all(modelQueryRequest(question))).document).toMatchObject({ total: 1 });
  });
});

describe('policies of a model', () => {
  it('apply to rows and to what is computed from them', async () => {
    for (const [ask, numbers, revenue] of [
      [all, [[1], [2], [3], [4], [5]], 500],
      [restricted, [[1], [2]], 350],
      [unprivileged, [], null],
    ] as const) {
      expect(await rowsOf(ask, saleQueryRequest({ fields: 'SALE_NO' }))).toEqual(numbers);
      expect(await rowsOf(ask, modelQueryRequest({ kpis: 'REVENUE' }))).toEqual([[revenue]]);
      const { document } = await ask({ path: `/${testModelId}/records/SALE/summary` });
      expect(memberOf(document, 'shape', 0)).toBe(numbers.length);
      expect(memberOf(document, 'summary', 'AMOUNT', 'count')).toBe(numbers.length);
    }
  });

  it('hide fields and everything that reads them', async () => {
    const record = { path: `/${testModelId}/records/CUSTOMER` };
    for (const path of [
      '',
      '/records/CUSTOMER',
      '/records/CUSTOMER/query',
      '/records/CUSTOMER/summary',
      '/kpis',
      '/filters',
      '/spec',
    ])
      expect((await restricted({ path: `/${testModelId}${path}` })).text).not.toMatch(/BANK|RICH|DE11/);
    expect((await all(record)).text).toContain('BANK_ACCOUNT');
    const request: readonly (readonly [string, NonNullable<QueryRequest['query']>])[] = [
      ['BANK_ACCOUNT', { fields: 'BANK_ACCOUNT' }],
      ['BANK', { fields: 'BANK' }],
      ['BANK', { filterExpr: "BANK eq 'DE'" }],
      ['RICH', { filters: 'RICH' }],
      ['BANK', { searchTerm: 'x', searchField: 'BANK' }],
    ];
    for (const [name, query] of request) {
      const { status, text } = await restricted({ path: `${record.path}/query`, query });
      expect([query, status]).toEqual([query, 400]);
      // Only the requested name appears, and no other hidden name.
      const others = text.split(/\W+/).filter((word) => word !== name);
      expect(others.join(' ')).not.toMatch(/BANK|RICH/);
    }
    expect(
      await rowsOf(restricted, { path: `${record.path}/query`, query: { searchTerm: 'DE11', searchPrecision: '100' } }),
    ).toEqual([]);
  });
});

recordAnswers();
