/** Dates by their period in queries, as JSON and as CSV, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyModel, companyTables, financeCaller } from '../testing/company.js';
import { readBodyText, type Fixture, readJsonAnswer, openFixture, readFailure } from '../testing/fixture.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';

const team = 'meridian';
const model = 'p2p.base-km';
const everything = { team, ...financeCaller };

let fixture: Fixture;
let client: QueryClient;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, companyModel);
  await fixture.load(team, ...companyTables);
  client = openQueryClient(fixture);
});
afterAll(() => fixture?.end());

describe('KPIs by the months of a date', () => {
  const fields = ['PO_ITEM.DUE:month'];
  const kpis = ['ORDER_VALUE'];
  const rows = [
    { 'PO_ITEM.DUE:month': '2026-03-01', ORDER_VALUE: 1000 },
    { 'PO_ITEM.DUE:month': '2026-02-01', ORDER_VALUE: 99.5 },
    { 'PO_ITEM.DUE:month': '2026-01-01', ORDER_VALUE: 120.5 },
    { 'PO_ITEM.DUE:month': null, ORDER_VALUE: 0.5 },
  ];

  it('come in rows under the id that was asked for, sorted by it', async () => {
    const sort = '-PO_ITEM.DUE:month';
    const answer = await readJsonAnswer(client.query(everything, model, undefined, { fields, kpis, sort }));
    expect(answer).toMatchObject({ total: 4, sort: [sort], content: rows });
    const projection = { fields: fields.join(), kpis, sort };
    expect(await readJsonAnswer(client.postQuery(everything, model, undefined, projection))).toEqual(answer);
  });

  it('have a header that says the period', async () => {
    const { content } = await readJsonAnswer(client.data(everything, model, undefined, { fields, kpis }));
    expect(content.headers[0]).toEqual({
      id: 'PO_ITEM.DUE:month',
      name: 'DUE',
      type: 'date',
      grain: 'month',
      aggregation: false,
      filterable: false,
      sortable: true,
    });
  });

  it('come as CSV', async () => {
    const parameters = { fields, kpis, sort: '-PO_ITEM.DUE:month', $format: 'csv' };
    const answer = await client.query(everything, model, undefined, parameters);
    expect(answer.ok && (await readBodyText(answer.value))).toBe(
      'PO_ITEM.DUE:month,ORDER_VALUE\r\n2026-03-01,1000\r\n2026-02-01,99.5\r\n2026-01-01,120.5\r\n,0.5\r\n',
    );
  });
});

describe('a timestamp by its period', () => {
  it('counts in UTC, and what the caller may not see counts nowhere', async () => {
    const parameters = {
      fields: ['PO_ITEM.BOOKED:year', 'PO_ITEM.PLANNED:week'],
      kpis: ['LARGE_RATE'],
      options: ['nototal'],
    };
    const { content } = await readJsonAnswer(client.query({ team }, model, undefined, parameters));
    expect(content.map((row: object) => Object.values(row).slice(0, 2))).toEqual([
      [null, null],
      [null, '2026-01-26'],
      ['2026-01-01', '2026-01-26'],
    ]);
  });
});

describe('a wrong period', () => {
  it('is told at its field', async () => {
    const parameters = { fields: ['PO_ITEM.DUE:monht'], kpis: ['ORDER_VALUE'] };
    expect(await readFailure(client.query(everything, model, undefined, parameters))).toMatchObject({
      code: 'KM_FIELD_NOTFOUND',
      faults: [{ in: 'query', path: 'fields', rule: 'grain', suggestion: 'PO_ITEM.DUE:month' }],
    });
  });
});
