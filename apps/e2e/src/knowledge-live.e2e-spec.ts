/**
 * Knowledge models while definitions and rows change and while people make mistakes: two gateways, two knowledge-models
 * services, the demo company.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { recordAnswers } from './compatibility/record-answers.js';
import {
  createQueryClient,
  modelQueryRequest,
  saleDataRequest,
  saleQueryRequest,
  type QueryClient,
  type QueryRequest,
} from './group-d.js';
import { memberOf, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import {
  applyModel,
  loadRows,
  createTestKey,
  createTestModel,
  testModelId,
  salesModel,
  salesRows,
} from './test-model.js';

let product: RunningProduct;
let query: QueryClient;
/** Each request comes by the other gateway, which asks whichever replica is free. */
let anyReplica: QueryClient;
beforeAll(async () => {
  product = await getSharedProduct();
  await createTestModel(product);
  const key = await createTestKey(product, { furtherScopes: ['sales:all', 'finance:read'] });
  const asks = product.gateways.map((gateway) => createQueryClient(gateway, key));
  let turn = 0;
  anyReplica = (question) => (asks[turn++ % asks.length] ?? query)(question);
  query = asks[0] ?? anyReplica;
});

const contentOf = async (question: QueryRequest): Promise<unknown> => {
  const { status, document, text } = await anyReplica(question);
  if (status !== 200) throw new Error(text);
  return memberOf(document, 'content');
};

const record = (query: QueryRequest['query']): QueryRequest => saleQueryRequest({ fields: 'SALE_NO', ...query });
const deep = `${'not ('.repeat(40)}SALE_NO eq 1${')'.repeat(40)}`;
const long = `SALE_NO in (${'1,'.repeat(2_000)}1)`;

/** Request -> status, errorCode and texts of the detail. */
const refusals: readonly (readonly [string, QueryRequest, number, string, ...string[]])[] = [
  ['an unknown model', { path: '/trial.sale-km/records' }, 404, 'KM_MODEL_NOTFOUND', 'trial.sales-km'],
  ['an unknown record', { path: `/${testModelId}/records/SALES` }, 404, 'KM_RECORD_NOTFOUND', 'SALE'],
  ['an unknown record of data', { path: `/${testModelId}/records/SAL/query` }, 404, 'KM_RECORD_NOTFOUND', 'SALE'],
  ['an unknown field', record({ fields: 'SALE_NR' }), 400, 'KM_FIELD_NOTFOUND', 'SALE_NO'],
  ['a field without its record', modelQueryRequest({ fields: 'AMOUNT' }), 400, 'KM_FIELD_NOTFOUND', 'SALE.AMOUNT'],
  [
    'an unknown field in a filter',
    record({ filterExpr: 'AMOUNTS gt 1' }),
    400,
    'KM_FIELD_NOTFOUND',
    'AMOUNT?',
    'character 1:',
  ],
  ['an unknown KPI', modelQueryRequest({ kpis: 'REVENU' }), 400, 'KM_KPI_NOTFOUND', 'REVENUE'],
  ['an unknown filter', record({ filters: 'LARG' }), 400, 'KM_FILTER_NOTFOUND', 'LARGE'],
  [
    'a literal of another type',
    record({ filterExpr: "AMOUNT gt 'much'" }),
    400,
    'KM_FILTER_TYPE',
    'character 11',
    'number',
  ],
  ['a filter that does not parse', record({ filterExpr: "COMPANY eq '1000" }), 400, 'KM_FILTER_SYNTAX', 'character 12'],
  ['a filter that nests too deep', record({ filterExpr: deep }), 400, 'KM_FILTER_SYNTAX', '32'],
  ['a filter that is too long for a URL', record({ filterExpr: long }), 400, 'GENERAL_PARAMETER_ILLEGAL', '4000'],
  ['a sort by what is not asked for', record({ sort: 'AMOUNT' }), 400, 'SORT_UNKNOWN_FIELD', 'AMOUNT'],
  ['a sort both ways', record({ sort: 'SALE_NO,-SALE_NO' }), 400, 'SORT_HAS_OPPOSITE', 'SALE_NO'],
  ['an empty sort', record({ sort: '' }), 400, 'SORT_IS_EMPTY'],
  ['a sort of nothing but a sign', record({ sort: '-' }), 400, 'SORT_IS_EMPTY'],
  ['a page of no entries', record({ pageSize: '0' }), 400, 'GENERAL_PARAMETER_ILLEGAL', 'pageSize'],
  ['a page of fewer than none', record({ pageSize: '-1' }), 400, 'GENERAL_PARAMETER_ILLEGAL', 'pageSize'],
  ['a page of words', record({ pageSize: 'ten' }), 400, 'GENERAL_PARAMETER_MISSMATCH', 'pageSize'],
  [
    'records without a way between them',
    modelQueryRequest({ fields: 'COLOUR.NAME', kpis: 'REVENUE' }),
    400,
    'KM_JOIN_NOTFOUND',
    'COLOUR',
    'SALE',
  ],
  ['a KPI in a filter of a record', record({ filterExpr: 'REVENUE gt 1' }), 400, 'KM_', 'REVENUE'],
  ['data of no fields', saleDataRequest({}), 400, 'GENERAL_PARAMETER_MISSING', 'fields'],
  ['a model asked for nothing', modelQueryRequest({}), 400, 'GENERAL_PARAMETER_MISSING'],
];

describe('an invalid query', () => {
  it.each(refusals)('is rejected with the fault and its correction: %s', async (...row) => {
    const [, question, status, code, ...told] = row;
    const answer = await query(question);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect({ status: answer.status, code: textOf(answer.document, 'errorCode') }).toEqual({
      status,
      code: expect.stringMatching(`^${code}`),
    });
    for (const word of told) expect(textOf(answer.document, 'detail')).toContain(word);
  });

  it('treats SQL in values as text', async () => {
    const hostile = [
      `'; drop table sale; --`,
      `" or 1=1 --`,
      '$1',
      '{{7*7}}',
      '\\',
      '%_',
      '1); select pg_sleep(9); --',
    ];
    for (const text of hostile) {
      const quoted = `'${text.replaceAll("'", "''")}'`;
      expect(await contentOf(record({ filterExpr: `COMPANY eq ${quoted}` }))).toEqual([]);
      expect(await contentOf(record({ searchTerm: text, searchPrecision: '100', searchField: 'COMPANY' }))).toEqual([]);
      for (const name of ['fields', 'sort', 'filters', 'searchField', 'filterExpr', 'options', 'page']) {
        const answer = await query(record({ searchTerm: 'x', [name]: text }));
        expect([name, text, answer.status]).toEqual([name, text, 400]);
        expect(answer.text.replaceAll(text, '')).not.toMatch(/select |relation|syntax error at|pg_|"sale"/);
      }
    }
    expect(await contentOf(record({}))).toHaveLength(5);
  });
});

describe('a change while the product runs', () => {
  it("of data shows in every replica's next answer, in rows, totals and KPIs", async () => {
    for (let count = 5; count < 9; count++) {
      const more = Array.from({ length: count - 5 }, (_, index) => `${100 + index},1,1000,1,2026-04-01`);
      await loadRows(product, 'sale', [...salesRows, ...more]);
      for (let turn = 0; turn < 4; turn++) {
        expect(await contentOf(modelQueryRequest({ kpis: 'SALES,REVENUE' }))).toEqual([
          { SALES: count, REVENUE: 495 + count },
        ]);
        const { document } = await anyReplica(record({ pageSize: '3' }));
        expect(memberOf(document, 'total')).toBe(count);
      }
    }
    await loadRows(product, 'sale', salesRows);
  });

  it("of a model shows in every replica's next answer", async () => {
    for (const title of ['Turnover', 'Income', 'Revenue']) {
      const kpis = salesModel.kpis.map((kpi) => (kpi.id === 'REVENUE' ? { ...kpi, name: title } : kpi));
      expect(await applyModel(product, { ...salesModel, kpis })).toMatchObject({ status: 200 });
      for (let turn = 0; turn < 6; turn++) {
        const { document } = await anyReplica({ path: `/${testModelId}/kpis` });
        expect(memberOf(document, 'content', 0, 'name')).toBe(title);
      }
    }
  });

  it('that would break a published model changes nothing', async () => {
    const child = {
      kind: 'KnowledgeModel',
      id: 'trial.child-km',
      extends: testModelId,
      kpis: [{ id: 'HALF', expression: 'REVENUE / 2' }],
    };
    expect(await applyModel(product, child)).toMatchObject({ status: 200 });
    const kpis = salesModel.kpis.filter(({ id }) => id !== 'REVENUE');
    const refused = await applyModel(product, { ...salesModel, kpis });
    expect(refused).toMatchObject({ status: 409 });
    expect(textOf(refused.document, 'detail')).toContain('trial.child-km');
    expect(await contentOf({ path: '/trial.child-km/query', query: { kpis: 'HALF' } })).toEqual([{ HALF: 250 }]);
  });
});

describe('the demo company', () => {
  const figures = async (query: NonNullable<QueryRequest['query']>): Promise<unknown> => {
    const demo = createQueryClient(product.gateways[1] ?? '', product.environment['DEMO_KEY'] ?? '');
    const { status, document, text } = await demo({ path: '/p2p.base-km/query', query });
    if (status !== 200) throw new Error(text);
    return memberOf(document, 'content');
  };

  it('has the figures its data was generated with', async () => {
    const kpis =
      'OPEN_PO_VALUE,MAVERICK_RATE,THREE_WAY_MATCH_RATE,ON_TIME_PAYMENT_RATE,LOST_DISCOUNT,DUPLICATE_INVOICE_VALUE,CYCLE_TIME_DAYS';
    expect(await figures({ kpis })).toEqual([
      {
        OPEN_PO_VALUE: 152524.59,
        MAVERICK_RATE: expect.closeTo(39 / 930, 12),
        THREE_WAY_MATCH_RATE: expect.closeTo(784 / 870, 12),
        ON_TIME_PAYMENT_RATE: expect.closeTo(732 / 822, 12),
        LOST_DISCOUNT: 7498.63,
        DUPLICATE_INVOICE_VALUE: 17459.3,
        CYCLE_TIME_DAYS: expect.closeTo(11264 / 201, 12),
      },
    ]);
  });

  it('has its figures by plant, each KPI over its own rows', async () => {
    const kpis = 'OPEN_PO_VALUE,MAVERICK_RATE,LOST_DISCOUNT,DUPLICATE_INVOICE_VALUE,CYCLE_TIME_DAYS';
    const content = await figures({
      fields: 'PURCHASE_ORDER.PLANT',
      kpis,
      filterExpr: "PURCHASE_ORDER.PLANT in ('1010','2010')",
    });
    expect(content).toEqual([
      {
        'PURCHASE_ORDER.PLANT': '1010',
        OPEN_PO_VALUE: 52593.32,
        MAVERICK_RATE: expect.closeTo(5 / 323, 12),
        LOST_DISCOUNT: 2245.05,
        DUPLICATE_INVOICE_VALUE: 4913.13,
        CYCLE_TIME_DAYS: expect.closeTo(4372 / 79, 12),
      },
      {
        'PURCHASE_ORDER.PLANT': '2010',
        OPEN_PO_VALUE: 20341.61,
        MAVERICK_RATE: expect.closeTo(17 / 131, 12),
        LOST_DISCOUNT: 978.36,
        DUPLICATE_INVOICE_VALUE: 752.87,
        CYCLE_TIME_DAYS: expect.closeTo(1467 / 27, 12),
      },
    ]);
  });

  it('is separate from the other company, whose model has the same id', async () => {
    const northgate = createQueryClient(product.gateways[0] ?? '', product.environment['NORTHGATE_KEY'] ?? '');
    const { document } = await northgate({
      path: '/p2p.base-km/query',
      query: { kpis: 'LOST_DISCOUNT,MAVERICK_RATE' },
    });
    expect(memberOf(document, 'content')).toEqual([
      { LOST_DISCOUNT: 6741.86, MAVERICK_RATE: expect.closeTo(63 / 700, 12) },
    ]);
    expect((await northgate({ path: `/${testModelId}/query`, query: { kpis: 'SALES' } })).status).toBe(404);
  });
});

recordAnswers();
