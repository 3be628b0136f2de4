/** KPIs of a table that is large enough for the columnar engine with the settings that are there: loaded, asked and explained by HTTP. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tessera/testing';
import { createQueryClient, type QueryClient } from './group-d.js';
import { itemsOf, memberOf, textOf } from './json.js';
import { getSharedProduct, type RunningProduct } from './product.js';
import { applyModel, createTestKey, loadRows } from './test-model.js';
import { callProduct, testTeam } from './test-storage.js';

const schema = 'columns';
const modelId = 'trial.columns-km';
const rowCount = 210_000;

const definitions = [
  {
    kind: 'Table',
    schema,
    id: 'sale',
    primaryKey: ['sale_no'],
    columns: [
      { id: 'sale_no', type: 'integer' },
      { id: 'company', type: 'string' },
      { id: 'amount', type: 'float', nullable: true },
      { id: 'sold_on', type: 'date' },
    ],
  },
  {
    kind: 'KnowledgeModel',
    id: modelId,
    source: { schema },
    records: [
      {
        id: 'SALE',
        table: 'sale',
        identifier: ['SALE_NO'],
        attributes: [
          { id: 'SALE_NO', column: 'sale_no', type: 'integer' },
          { id: 'COMPANY', column: 'company' },
          { id: 'AMOUNT', column: 'amount', type: 'float', nullable: true },
          { id: 'SOLD_ON', column: 'sold_on', type: 'date' },
        ],
      },
    ],
    kpis: [
      { id: 'REVENUE', expression: 'sum(SALE.AMOUNT)', exact: true },
      { id: 'PER_SALE', expression: 'sum(SALE.AMOUNT) / count(SALE.*)', exact: true },
      { id: 'SALES', expression: 'count(SALE.*)' },
    ],
    policies: [{ record: 'SALE', rows: 'COMPANY in caller.companies', unless: { scope: 'sales:all' } }],
  },
];

const companyOf = (sale: number): string => String(1000 + (sale % 3));
/** In thousandths; none of every seventh sale. */
const amountOf = (sale: number): number | undefined => (sale % 7 === 0 ? undefined : (sale % 1000) * 125);
const sales = Array.from({ length: rowCount }, (_, sale) => sale);
const lineOf = (sale: number): string => {
  const amount = amountOf(sale);
  const text = amount === undefined ? '' : (amount / 1000).toFixed(3);
  return `${sale},${companyOf(sale)},${text},2026-${String(1 + (sale % 12)).padStart(2, '0')}-15`;
};

/** By company, in the order of the answer. */
const expectedGroups = ['1000', '1001', '1002'].map((company) => {
  const own = sales.filter((sale) => companyOf(sale) === company);
  const revenue = own.reduce((sum, sale) => sum + (amountOf(sale) ?? 0), 0);
  return { company, revenue: (revenue / 1000).toFixed(3), sales: own.length };
});

let product: RunningProduct;
let clients: readonly QueryClient[];
let ofOneCompany: QueryClient;
beforeAll(async () => {
  product = await getSharedProduct();
  const applied = await applyModel(product, ...definitions);
  if (applied.status !== 200) throw new Error(JSON.stringify(applied.document));
  await loadRows(product, 'sale', sales.map(lineOf), { schema });
  const key = await createTestKey(product, { furtherScopes: ['sales:all'] });
  clients = product.gateways.map((gateway) => createQueryClient(gateway, key));
  const limited = await createTestKey(product, { attributes: { companies: ['1001'] } });
  ofOneCompany = createQueryClient(product.gateways[0] ?? '', limited);
});

const projection = { fields: 'SALE.COMPANY', kpis: ['REVENUE', 'PER_SALE', 'SALES'], sort: 'SALE.COMPANY' };

const explainedEngine = async (): Promise<string> => {
  const path = `/admin/teams/${testTeam}/knowledge-models/${modelId}/explain`;
  const caller = { scopes: ['sales:all'] };
  const { document } = await callProduct(product, 'ADMIN_KEY', 'POST', path, { query: { projection }, caller });
  return textOf(document, 'engine', 'name');
};

/** A page of another size is another answer to keep, so that each is computed. */
const ask = async (client: QueryClient, pageSize: number): Promise<readonly unknown[]> => {
  const body = { projection: { ...projection, pagination: { pageNumber: 0, pageSize } } };
  const { status, document, text } = await client({ path: `/${modelId}/query`, body });
  if (status !== 200) throw new Error(text);
  return itemsOf(document, 'content');
};

describe('KPIs of a table of 210,000 rows', () => {
  it('are the same before and after the columnar engine computes them', async () => {
    const [first] = clients;
    if (!first) throw new Error('There is a gateway.');
    const before = await ask(first, 100);
    expect(before.map((row) => memberOf(row, 'SALE.COMPANY'))).toEqual(expectedGroups.map(({ company }) => company));
    expect(before.map((row) => memberOf(row, 'REVENUE'))).toEqual(expectedGroups.map(({ revenue }) => revenue));
    expect(before.map((row) => memberOf(row, 'SALES'))).toEqual(expectedGroups.map(({ sales: count }) => count));
    // Either replica may answer: several in a row, so that both have the file.
    let pageSize = 101;
    let inRow = 0;
    await waitUntil(async () => {
      inRow = (await explainedEngine()) === 'duckdb' ? inRow + 1 : 0;
      return inRow >= 8;
    });
    for (const client of clients)
      for (let times = 0; times < 4; times += 1) expect(await ask(client, pageSize++)).toEqual(before);
  });

  it('are of the rows that the policies let a caller see', async () => {
    const [own] = await ask(ofOneCompany, 50);
    const [, expected] = expectedGroups;
    expect([memberOf(own, 'SALE.COMPANY'), memberOf(own, 'REVENUE')]).toEqual(['1001', expected?.revenue]);
    expect(await ask(ofOneCompany, 51)).toHaveLength(1);
  });
});
