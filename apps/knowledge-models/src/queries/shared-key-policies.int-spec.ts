/** Policies along a relationship whose key several rows share: a row counts once, compared with SQL written by hand. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { quoteIdentifier } from '@tessera/sql';
import pg from 'pg';
import { type Fixture, openFixture, readBodyText, readJsonAnswer } from '../testing/fixture.js';
import { type ODataClient, openODataClient } from '../testing/odata-client.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { wholesaleModel, wholesaleTables } from '../testing/wholesale.js';

const caller = { team: 'meridian' };
const hasCustomer = "CUSTOMER.NAME ne 'Customer 3'";

/** An order leads to the customers of the country that it goes to, of which there are four each. */
const model: KnowledgeModelDefinition = {
  ...wholesaleModel,
  relationships: [
    { from: 'ORDER', to: 'CUSTOMER', on: { SHIP_COUNTRY: 'COUNTRY' }, cardinality: 'many-to-one' },
    ...(wholesaleModel.relationships ?? []).filter(({ to }) => to !== 'CUSTOMER'),
  ],
  policies: [
    { record: 'ORDER', rows: hasCustomer },
    { record: 'LINE', rows: hasCustomer },
  ],
};

let fixture: Fixture;
let client: QueryClient;
let odata: ODataClient;
let admin: pg.Client;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(caller.team, model);
  await fixture.load(caller.team, ...wholesaleTables);
  client = openQueryClient(fixture);
  odata = openODataClient(fixture, client);
  admin = new pg.Client({ connectionString: fixture.database.adminUrl });
  await admin.connect();
  const placed = await admin.query<{ name: string }>(
    'select physical_name as name from knowledge_models.team_schema where tenant = $1',
    [caller.team],
  );
  await admin.query(`set search_path = ${quoteIdentifier(placed.rows[0]?.name ?? '')}`);
  await admin.query(`
    create temporary view seen_order as select * from "order" o
      where exists (select from customer c where c.country = o.ship_country and c.name <> 'Customer 3');
    create temporary view seen_line as select l.*, o.ship_country from line l join seen_order o on o.id = l.order_id`);
});
afterAll(async () => {
  await admin?.end();
  await fixture?.end();
});

const expectedRows = async (sql: string): Promise<readonly (readonly unknown[])[]> => {
  const text = `select to_jsonb(found) as found from (${sql}) found`;
  const { rows } = await admin.query<{ found: Record<string, unknown> }>(text);
  return rows.map(({ found }) => Object.values(found));
};

describe('rows that a policy lets through by one of several rows count once', () => {
  it.each<[title: string, kpis: readonly string[], fields: readonly string[], sql: string]>([
    ['orders', ['ORDERS', 'FREIGHT'], [], 'select count(*) a, sum(freight) b from seen_order'],
    ['lines', ['LINES', 'REVENUE'], [], 'select count(*) a, sum(amount) b from seen_line'],
    [
      'lines by a field of orders',
      ['LINES'],
      ['ORDER.SHIP_COUNTRY'],
      'select ship_country a, count(*) b from seen_line group by 1 order by 1',
    ],
    [
      'orders by what they have several of, once for each',
      ['ORDERS'],
      ['CUSTOMER.NAME'],
      `select c.name a, count(*) b from seen_order o left join customer c on c.country = o.ship_country
      group by 1 order by 1`,
    ],
  ])('in KPIs of %s', async (_title, kpis, fields, sql) => {
    const { content } = await readJsonAnswer(client.query(caller, model.id, undefined, { kpis, fields }));
    expect(content.map(Object.values)).toEqual(await expectedRows(sql));
  });

  it('in aggregates, counts and pages of entries', async () => {
    const [[orders, freight] = []] = await expectedRows('select count(*) a, sum(freight) b from seen_order');
    const $apply = 'aggregate($count as N,FREIGHT with sum as F)';
    expect((await readJsonAnswer(odata.page(caller, model.id, 'ORDER', { $apply }))).value).toMatchObject([
      { N: orders, F: freight },
    ]);
    const count = await odata.count(caller, model.id, 'ORDER');
    expect(count.ok && (await readBodyText(count.value))).toBe(String(orders));
    const page = await readJsonAnswer(client.query(caller, model.id, 'ORDER', { fields: ['ID'], pageSize: 500 }));
    expect([page.total, page.content.length]).toEqual([orders, orders]);
  });
});
