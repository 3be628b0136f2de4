/** Summaries as callers get them, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { summariseRecord } from '@tessera/contracts/knowledge-models';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { companyModel, companyTables, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import {
  readJsonAnswer,
  openFixture,
  readFailure,
  type Json,
  type Fixture,
  type TestCaller,
} from '../testing/fixture.js';

let fixture: Fixture;
let queryClient: QueryClient;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish('meridian', companyModel);
  await fixture.load('meridian', ...companyTables);
  queryClient = openQueryClient(fixture);
});
afterAll(() => fixture?.end());

type Parameters = Readonly<Record<string, unknown>>;

const ask = (parameters: Parameters = {}, who: TestCaller = {}, record = 'PO_ITEM') =>
  queryClient.summary({ team: 'meridian', ...who }, 'p2p.base-km', record, parameters);
const told = (parameters: Parameters, who?: TestCaller): Promise<Json> => readJsonAnswer(ask(parameters, who));

describe('the summary of a record', () => {
  it('has the statistics of each type, over the rows that the caller sees', async () => {
    const body = await told({ sampleSize: 0 });
    expect(summariseRecord.reply.schema.parse(body)).toEqual(body);
    expect([body.shape, body.content.data]).toEqual([[4, 14], []]);
    expect(body.summary).toEqual({
      ORDER_NO: { count: 4, unique: 2, top: 'A', freq: '2' },
      ITEM_NO: {
        ...{ count: 4, mean: 1.5, std: expect.closeTo(0.57735, 5), min: 1, max: 2 },
        ...{ '25_percentile': 1, '50_percentile': 1.5, '75_percentile': 2 },
      },
      AMOUNT: {
        ...{ count: 3, mean: 73.5, std: expect.closeTo(64.08588, 5), min: 0.5, max: 120.5 },
        ...{ '25_percentile': 50, '50_percentile': 99.5, '75_percentile': 110 },
      },
      QTY: {
        ...{ count: 3, mean: expect.closeTo(4.66667, 5), std: expect.closeTo(2.08167, 5), min: 3, max: 7 },
        ...{ '25_percentile': 3.5, '50_percentile': 4, '75_percentile': 5.5 },
      },
      CITY: { count: 4, unique: 3, top: 'Bonn', freq: '2' },
      URGENT: { count: 3 },
      DUE: { count: 3, unique: 2, top: '2026-02-28', freq: '2' },
      CUTOFF: { count: 3, unique: 2, top: '08:30:00', freq: '2' },
      PLANNED: { count: 3, unique: 2, top: '2026-01-31T08:30:00', freq: '2' },
      BOOKED: { count: 2, unique: 1, top: '2026-01-31T07:30:00Z', freq: '2' },
      SERIAL: {
        ...{ count: 4, mean: 1001.5, std: expect.closeTo(1.29099, 5), min: 1000, max: 1003 },
        ...{ '25_percentile': 1000.75, '50_percentile': 1001.5, '75_percentile': 1002.25 },
      },
      COMPANY_CODE: { count: 4, unique: 1, top: '1000', freq: '4' },
      SIZE: {},
      OPEN: {},
    });
    expect(Object.keys(body.summary.AMOUNT).slice(0, 5)).toEqual(['count', 'mean', 'std', 'min', 'max']);
    expect(Object.keys(body.summary.CITY)).toEqual(['count', 'unique', 'top', 'freq']);
  });

  it('has a sample of the rows with headers, in the order of the identifier', async () => {
    const { content, shape } = await told({ fields: ['CITY', 'AMOUNT', 'OPEN'], sampleSize: 2 });
    expect(shape).toEqual([4, 3]);
    expect(content.data).toEqual([
      { CITY: 'Bonn', AMOUNT: 120.5, OPEN: false },
      { CITY: 'Bonn', AMOUNT: 99.5, OPEN: true },
    ]);
    expect(content.headers[1]).toEqual({
      id: 'AMOUNT',
      name: 'Net amount',
      type: 'float',
      format: ',.2f',
      unit: 'EUR',
      aggregation: false,
      filterable: true,
      sortable: true,
    });
    expect((await told({})).content.data).toHaveLength(4);
  });

  it('covers the named fields except excluded ones, and the rows that match all filters', async () => {
    const body = await told({
      fields: ['CITY', 'AMOUNT', 'QTY'],
      excludeFields: ['QTY'],
      filters: ['GERMAN'],
      filterExpr: ['AMOUNT gt 10', "CITY ne 'Roma'"],
    });
    expect(body.shape).toEqual([2, 2]);
    expect(body.summary.CITY).toEqual({ count: 2, unique: 1, top: 'Bonn', freq: '2' });
    expect(body.summary.AMOUNT).toMatchObject({ count: 2, mean: 110, min: 99.5 });
    expect(Object.keys(body.summary)).toEqual(['CITY', 'AMOUNT']);
  });

  it('is empty for a table without rows', async () => {
    const body = await told({ fields: ['CITY', 'AMOUNT', 'URGENT', 'SIZE'], filterExpr: ["CITY eq 'Nowhere'"] });
    expect(body).toMatchObject({ shape: [0, 4], content: { data: [] } });
    expect(body.summary).toEqual({
      CITY: { count: 0, unique: 0, top: null, freq: '0' },
      AMOUNT: {
        ...{ count: 0, mean: null, std: null, min: null, max: null },
        ...{ '25_percentile': null, '50_percentile': null, '75_percentile': null },
      },
      URGENT: { count: 0 },
      SIZE: {},
    });
    expect(summariseRecord.reply.schema.parse(body)).toEqual(body);
  });

  it('applies policies to values, counts and texts', async () => {
    const seen = await told({});
    expect(JSON.stringify(seen)).not.toMatch(hiddenWordsPattern);
    expect(seen.summary.AMOUNT.max).toBe(120.5);
    const all = await told({}, financeCaller);
    expect([all.shape, all.summary.AMOUNT.max]).toEqual([[5, 17], 1000]);
    expect(all.summary.BANK_ACCOUNT).toEqual({ count: 4, unique: 3, top: 'DE1', freq: '2' });
    expect(all.summary.COMPANY_CODE).toMatchObject({ unique: 2 });
    for (const parameters of [
      { fields: ['BANK_ACCOUNT'] },
      { excludeFields: ['BANK_ACCOUNT'] },
      { fields: ['BANK_ACCUNT'] },
      { filterExpr: ["BANK_ACCOUNT eq 'DE1'"] },
      { filterExpr: ["ACCOUNT_COUNTRY eq 'DE'"] },
      { filters: ['BANKED'] },
      { filters: ['FOREIGN'] },
    ]) {
      const failure = await readFailure(ask(parameters));
      const unknown = await readFailure(
        ask(JSON.parse(JSON.stringify(parameters).replaceAll(/BANK_ACC\w+|ACCOUNT_\w+|BANKED|FOREIGN/g, 'QWRTZ'))),
      );
      const words = JSON.stringify(failure).replaceAll(/BANK_ACC\w+|ACCOUNT_\w+|BANKED|FOREIGN/g, 'QWRTZ');
      expect(JSON.parse(words)).toEqual(unknown);
    }
  });

  it.each<[Parameters, string, unknown]>([
    [{ fields: ['CITI'] }, 'KM_FIELD_NOTFOUND', 'There is no field CITI in PO_ITEM. Did you mean CITY?'],
    [{ excludeFields: ['amount'] }, 'KM_FIELD_NOTFOUND', 'There is no field amount in PO_ITEM. Did you mean AMOUNT?'],
    [{ filters: ['LARG'] }, 'KM_FILTER_NOTFOUND', 'There is no filter LARG. Did you mean LARGE?'],
    [{ filters: ['EURO'] }, 'KM_JOIN_NOTFOUND', expect.stringContaining('CURRENCY')],
    [{ filters: ['HIGH'] }, 'GENERAL_PARAMETER_MISSMATCH', expect.stringContaining('ORDER_VALUE')],
    [{ filterExpr: ["AMOUNT eq 'x'"] }, 'KM_FILTER_TYPE', expect.stringContaining('character')],
    [{ filterExpr: ['AMOUNT gt'] }, 'KM_FILTER_SYNTAX', expect.stringContaining('character')],
    [{ filterExpr: ["CITY eq '\u0000'"] }, 'GENERAL_PARAMETER_ILLEGAL', expect.stringContaining('filterExpr')],
    [
      { fields: ['CITY'], excludeFields: ['CITY'] },
      'GENERAL_PARAMETER_MISSMATCH',
      'Every field is left out; name one at least that excludeFields does not name.',
    ],
  ])('rejects %j with %s', async (parameters, code, detail) => {
    expect(await readFailure(ask(parameters))).toMatchObject({ code, detail });
  });

  it('is not found for an unknown model or record', async () => {
    expect(await readFailure(ask({}, {}, 'PO_ITEMS'))).toMatchObject({
      code: 'KM_RECORD_NOTFOUND',
      detail: 'There is no record PO_ITEMS in p2p.base-km. Did you mean PO_ITEM?',
    });
    expect(await readFailure(queryClient.summary({ team: 'northgate' }, 'p2p.base-km', 'PO_ITEM'))).toMatchObject({
      code: 'KM_MODEL_NOTFOUND',
    });
  });

  it('is computed once for the same data, and again after a load', async () => {
    const countries = () =>
      queryClient.summary({ team: 'meridian' }, 'p2p.base-km', 'PURCHASE_ORDER', { fields: ['COUNTRY'] });
    const first = await readJsonAnswer(countries());
    const misses = queryClient.execution.cache.misses;
    expect(await readJsonAnswer(countries())).toEqual(first);
    expect(queryClient.execution.cache.misses).toBe(misses);
    const [, orders] = companyTables;
    if (!orders) throw new Error('There is no table of orders.');
    await fixture.load('meridian', { ...orders, rows: [{ order_no: 'Z', country: 'AT' }] });
    const { shape, summary } = await readJsonAnswer(countries());
    expect([shape, summary.COUNTRY.top]).toEqual([[1, 1], 'AT']);
    await fixture.load('meridian', orders);
  });

  it('supports a large sample', async () => {
    await fixture.load('northgate', {
      schema: 'p2p',
      name: 'currency',
      columns: 'code text primary key',
      rows: `select 'C' || g from generate_series(1, 30000) g`,
    });
    await fixture.publish('northgate', {
      kind: 'KnowledgeModel',
      id: 'small',
      source: { schema: 'p2p' },
      records: companyModel.records?.slice(2) ?? [],
    });
    const { content, shape, summary } = await readJsonAnswer(
      queryClient.summary({ team: 'northgate' }, 'small', 'CURRENCY', { sampleSize: 5_000 }),
    );
    expect([content.data.length, shape, summary.CODE]).toEqual([
      5_000,
      [30_000, 1],
      { count: 30_000, unique: 30_000, top: 'C1', freq: '1' },
    ]);
  });
});
