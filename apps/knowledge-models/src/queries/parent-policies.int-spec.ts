/** Policies along relationships on every way out, compared with SQL written by hand over the rows that each caller sees. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ByteReply } from '@tessera/contracts';
import { explainOwnQuery, explainQuery } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { quoteIdentifier } from '@tessera/sql';
import pg from 'pg';
import { Rollups } from '../rollups/rollups.js';
import { type ColumnarClient, openColumnarClient } from '../testing/columnar-client.js';
import { keep, openEvidenceClient, type EvidenceClient } from '../testing/evidence-client.js';
import { adminContextOf } from '../testing/definition-client.js';
import {
  callerContextOf,
  type Fixture,
  type Json,
  openFixture,
  readBodyText,
  readFailure,
  readJsonAnswer,
} from '../testing/fixture.js';
import { type ODataClient, openODataClient, readAllPages } from '../testing/odata-client.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { openToolClient, type ToolClient } from '../testing/tool-client.js';
import {
  visibleRowsSql,
  wholesaleCallers,
  wholesaleModel,
  wholesaleTables,
  type WholesaleCaller,
} from '../testing/wholesale.js';
import { ExplainQueryHandler } from './explain-query.handler.js';
import { GroupEngines } from './group-engines.js';

const team = 'meridian';
const model = wholesaleModel.id;

type Asker = { readonly team: string } & WholesaleCaller;
type Rows = readonly (readonly unknown[])[];
type Options = Readonly<Record<string, unknown>>;
type Question = readonly [title: string, ask: (asker: Asker) => Promise<Rows>, sql: string];

let fixture: Fixture;
let admin: pg.Client;
let engine: ColumnarClient;
let rollups: Rollups;
let plain: ToolClient;
let odata: ODataClient;
let evidence: EvidenceClient;
let engines: readonly QueryClient[] = [];
const computedBy = new Set<string>();

/** Nothing is kept, so that each question is computed. */
const withoutCache = { RESULT_CACHE_BYTES: '0' };
const onComputed = (by: string): void => void computedBy.add(by);

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, wholesaleModel);
  await fixture.load(team, ...wholesaleTables);
  plain = openToolClient(fixture, withoutCache);
  odata = openODataClient(fixture, plain);
  evidence = openEvidenceClient(fixture, plain);
  const { pools, catalogs } = fixture;
  engine = await openColumnarClient(fixture);
  await engine.files.ensure(team);
  const log = { info: () => undefined, warn: () => undefined };
  rollups = new Rollups({ pools, catalogs, log, onMade: () => undefined, keptMs: 0 });
  await rollups.ensure(team);
  const columnar = openQueryClient(fixture, withoutCache, {
    engines: (costs) =>
      new GroupEngines(engine.reader, engine.files, costs, { isOn: true, rowsMin: 1, hasFallback: true, onComputed }),
  });
  engines = [plain, columnar, openQueryClient(fixture, withoutCache, { rollups, onComputed })];
  admin = new pg.Client({ connectionString: fixture.database.adminUrl });
  await admin.connect();
  const placed = await admin.query<{ name: string }>(
    `select physical_name as name from knowledge_models.team_schema where tenant = $1`,
    [team],
  );
  for (const caller of wholesaleCallers) {
    const views = quoteIdentifier(caller.name);
    await admin.query(`create schema ${views}; set search_path = ${views}`);
    await admin.query(visibleRowsSql(quoteIdentifier(placed.rows[0]?.name ?? ''), caller));
  }
});
afterAll(async () => {
  await admin?.end();
  await rollups?.beforeApplicationShutdown();
  await engine?.end();
  await fixture?.end();
});

/** Numbers as numbers, days as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type) => (value: string) =>
    type === pg.types.builtins.INT8 || type === pg.types.builtins.NUMERIC ? Number(value) : value,
};

const expectedRows = async ({ name }: Asker, sql: string): Promise<Rows> => {
  await admin.query(`set search_path = ${quoteIdentifier(name)}`);
  const { rows } = await admin.query<unknown[]>({ text: sql, rowMode: 'array', types });
  return rows;
};

const valuesOf = (rows: readonly Json[]): Rows => rows.map((row) => Object.values(row));

/** By every engine. */
const kpis =
  (names: string, fields = '', more: Options = {}) =>
  async (asker: Asker): Promise<Rows> => {
    const asked = { kpis: names.split(','), ...(fields && { fields: fields.split(',') }), pageSize: 500, ...more };
    const answers: Rows[] = [];
    for (const client of engines)
      answers.push(valuesOf((await readJsonAnswer(client.query(asker, model, undefined, asked))).content));
    const [first = [], ...others] = answers;
    for (const other of others) expect(other).toEqual(first);
    return first;
  };

const rows =
  (record: string | undefined, fields: string, more: Options = {}) =>
  async (asker: Asker): Promise<Rows> => {
    const answer = await readJsonAnswer(
      plain.query(asker, model, record, { fields: fields.split(','), pageSize: 2_000, ...more }),
    );
    if (more['pageSize'] === undefined) expect(answer.total).toBe(answer.content.length);
    return valuesOf(answer.content);
  };

const csv =
  (record: string, fields: string, more: Options = {}) =>
  async (asker: Asker): Promise<Rows> => {
    const answer = await plain.data(asker, model, record, { fields: fields.split(','), $format: 'csv', ...more });
    if (!answer.ok) throw new Error(answer.failure.detail);
    const [, ...lines] = (await readBodyText(answer.value)).trimEnd().split('\r\n');
    return lines.map((line) => line.split(',')).sort();
  };

const entries =
  (record: string, $select: string, more: Options = {}) =>
  async (asker: Asker): Promise<Rows> => {
    const pages = await readAllPages((options) => odata.page(asker, model, record, options), {
      ...{ $select, prefer: 'odata.maxpagesize=40', ...more },
    });
    return pages.flatMap(({ value }) => value).map((entry) => $select.split(',').map((name) => entry[name]));
  };

const apply =
  (record: string, $apply: string) =>
  async (asker: Asker): Promise<Rows> => {
    const { value } = await readJsonAnswer(odata.page(asker, model, record, { $apply }));
    return value.map((group: Json) =>
      Object.entries(group).flatMap(([name, cell]: [string, Json]) =>
        name.includes('@') ? [] : cell !== null && typeof cell === 'object' ? Object.values(cell) : [cell],
      ),
    );
  };

const text = async (answer: Promise<Result<ByteReply>>): Promise<string> => {
  const found = await answer;
  return found.ok ? readBodyText(found.value) : found.failure.code;
};

const byId = 'order by order_id, no';
const joined = `line l left join "order" o on o.id = l.order_id left join customer c on c.id = o.customer_id
  left join product p on p.id = l.product_id left join category k on k.id = p.category_id
  left join supplier s on s.id = p.supplier_id`;

const figures: readonly Question[] = [
  [
    'revenue beside orders',
    kpis('REVENUE,ORDERS'),
    'select (select sum(amount) from line), (select count(*) from "order")',
  ],
  [
    'by the field of the policy',
    kpis('REVENUE,LINES', 'ORDER.SHIP_COUNTRY'),
    `select o.ship_country, sum(l.amount), count(*) from ${joined} group by 1 order by 1 nulls first`,
  ],
  [
    'by a field two steps away',
    kpis('REVENUE', 'CUSTOMER.NAME'),
    `select c.name, sum(l.amount) from ${joined} group by 1 order by 1 nulls first`,
  ],
  [
    'by another path',
    kpis('REVENUE,LINES', 'CATEGORY.NAME'),
    `select k.name, sum(l.amount), count(*) from ${joined} group by 1 order by 1 nulls first`,
  ],
  [
    'by a record that is hidden in part',
    kpis('REVENUE', 'SUPPLIER.COUNTRY'),
    `select s.country, sum(l.amount) from ${joined} group by 1 order by 1 nulls first`,
  ],
  [
    'of two records by a field of a third',
    kpis('REVENUE,PRODUCTS', 'CATEGORY.NAME'),
    `select name, (select sum(l.amount) from ${joined} where k.name is not distinct from names.name),
      (select count(*) from product p left join category k on k.id = p.category_id where k.name is not distinct from names.name)
    from (select k.name from ${joined} union select k.name from product p left join category k on k.id = p.category_id) names
    order by 1 nulls first`,
  ],
  [
    'under a filter on a parent',
    kpis('REVENUE', '', { filterExpr: ['PRODUCT.PRICE gt 30'] }),
    `select sum(l.amount) from ${joined} where p.price > 30`,
  ],
  [
    'under a filter on children',
    kpis('ORDERS', '', { filterExpr: ['LINE.QUANTITY gt 7'] }),
    'select count(*) from "order" o where exists (select from line l where l.order_id = o.id and l.quantity > 7)',
  ],
  [
    'of orders by their customers',
    kpis('ORDERS,FREIGHT', 'CUSTOMER.COUNTRY'),
    'select c.country, count(*), sum(o.freight) from "order" o left join customer c on c.id = o.customer_id group by 1 order by 1 nulls first',
  ],
  [
    'of orders by what their lines have several of',
    kpis('ORDERS', 'CATEGORY.NAME'),
    `select k.name, count(distinct o.id) from "order" o left join line l on l.order_id = o.id
    left join product p on p.id = l.product_id left join category k on k.id = p.category_id group by 1 order by 1 nulls first`,
  ],
  [
    'a ratio and a part',
    kpis('PER_ORDER,GERMAN'),
    `select (select sum(amount) from line) / (select count(*) from "order"), (select sum(l.amount) from ${joined} where o.ship_country = 'DE')`,
  ],
  [
    'under a condition on groups',
    kpis('REVENUE', 'ORDER.SHIP_COUNTRY', { filterExpr: ['REVENUE gt 1500'] }),
    `select o.ship_country, sum(l.amount) from ${joined} group by 1 having sum(l.amount) > 1500 order by 1 nulls first`,
  ],
  [
    'by month, largest first',
    kpis('REVENUE', 'ORDER.ORDERED_ON:month', { sort: '-REVENUE' }),
    `select date_trunc('month', o.ordered_on)::date, sum(l.amount) from ${joined} group by 1 order by 2 desc, 1 desc nulls last`,
  ],
  [
    'of what has no policy, and of what has',
    kpis('CUSTOMERS,SUPPLIERS,PRODUCTS'),
    'select (select count(*) from customer), (select count(*) from supplier), (select count(*) from product)',
  ],
];

const pages: readonly Question[] = [
  ['rows of a record', rows('LINE', 'ORDER_ID,NO,AMOUNT'), `select order_id, no, amount from line ${byId}`],
  [
    'a page in the order of an amount',
    rows('LINE', 'ORDER_ID,NO,AMOUNT', { sort: '-AMOUNT', page: 1, pageSize: 7 }),
    'select order_id, no, amount from line order by amount desc, order_id desc, no desc limit 7 offset 7',
  ],
  [
    'rows with fields of parents',
    rows(undefined, 'LINE.ORDER_ID,LINE.NO,ORDER.SHIP_COUNTRY,CUSTOMER.NAME,SUPPLIER.COUNTRY'),
    `select l.order_id, l.no, o.ship_country, c.name, s.country from ${joined} ${byId}`,
  ],
  [
    'rows under a filter on a parent',
    rows('PRODUCT', 'ID', { filterExpr: ["SUPPLIER.COUNTRY eq 'DE'"] }),
    `select p.id from product p join supplier s on s.id = p.supplier_id where s.country = 'DE' order by 1`,
  ],
  [
    'rows under a filter on children',
    rows('ORDER', 'ID', { filterExpr: ['LINE.AMOUNT gt 90'] }),
    'select id from "order" o where exists (select from line l where l.order_id = o.id and l.amount > 90) order by 1',
  ],
  [
    'rows under a filter for what is not there',
    rows('PRODUCT', 'ID', { filterExpr: ['SUPPLIER.COUNTRY eq null'] }),
    'select p.id from product p left join supplier s on s.id = p.supplier_id where s.country is null order by 1',
  ],
  [
    'different values',
    rows('LINE', 'PRODUCT_ID', { options: ['distinct'] }),
    'select distinct product_id from line order by 1',
  ],
  [
    'a search in a record',
    rows('LINE', 'ORDER_ID,NO', { searchTerm: 'green', searchField: 'NOTE', searchPrecision: 100 }),
    `select order_id, no from line where note ilike '%green%' ${byId}`,
  ],
  [
    'a search in several records',
    rows(undefined, 'LINE.ORDER_ID,LINE.NO', {
      searchTerm: 'hammer',
      searchField: 'PRODUCT.NAME,LINE.NOTE',
      searchPrecision: 100,
    }),
    `select l.order_id, l.no from ${joined} where p.name ilike '%hammer%' or l.note ilike '%hammer%' ${byId}`,
  ],
  ['all rows as CSV', csv('LINE', 'ORDER_ID,NO'), 'select order_id, no::text from line order by 1, 2'],
  [
    'some rows as CSV',
    csv('LINE', 'ORDER_ID,NO', { filterExpr: ['PRODUCT.PRICE gt 30'] }),
    `select l.order_id, l.no::text from ${joined} where p.price > 30 order by 1, 2`,
  ],
  ['entries by their keys, page by page', entries('LINE', 'ORDER_ID,NO'), `select order_id, no from line ${byId}`],
  [
    'entries downwards by the column that leads to the parent',
    entries('LINE', 'ORDER_ID,NO', { $orderby: 'ORDER_ID desc' }),
    'select order_id, no from line order by order_id desc, no desc',
  ],
  [
    'entries in the order of an amount',
    entries('LINE', 'ORDER_ID,NO', { $orderby: 'AMOUNT' }),
    'select order_id, no from line order by amount, order_id, no',
  ],
  [
    'entries under a filter on a navigation property',
    entries('LINE', 'ORDER_ID,NO', { $filter: "ORDER/SHIP_COUNTRY eq 'DE'" }),
    `select l.order_id, l.no from ${joined} where o.ship_country = 'DE' ${byId}`,
  ],
  [
    'entries that have one of many',
    entries('ORDER', 'ID', { $filter: 'LINE/any(l:l/AMOUNT gt 90 and l/QUANTITY lt 5)' }),
    'select id from "order" o where exists (select from line l where l.order_id = o.id and l.amount > 90 and l.quantity < 5) order by 1',
  ],
  [
    'entries of which all have something',
    entries('PRODUCT', 'ID', { $filter: 'LINE/all(l:l/AMOUNT gt 20)' }),
    'select id from product p where not exists (select from line l where l.product_id = p.id and not l.amount > 20) order by 1',
  ],
  [
    'entries that are found',
    entries('PRODUCT', 'ID', { $search: 'brush' }),
    `select id from product where name ilike '%brush%' order by 1`,
  ],
];

const others: readonly Question[] = [
  [
    'the number of entries',
    async (asker) => [[Number(await text(odata.count(asker, model, 'LINE')))]],
    'select count(*) from line',
  ],
  [
    'groups of entries',
    apply('LINE', 'groupby((ORDER/SHIP_COUNTRY),aggregate(AMOUNT with sum as S,$count as N))'),
    `select o.ship_country, sum(l.amount), count(*) from ${joined} group by 1 order by 1 nulls first`,
  ],
  ['an aggregate of entries', apply('ORDER', 'aggregate(FREIGHT with sum as F)'), 'select sum(freight) from "order"'],
  [
    'an expanded parent',
    async (asker) => {
      const pages = await readAllPages((options) => odata.page(asker, model, 'PRODUCT', options), {
        $select: 'ID',
        $expand: 'SUPPLIER',
      });
      return pages.flatMap(({ value }) => value).map(({ ID, SUPPLIER }: Json) => [ID, SUPPLIER?.COUNTRY ?? null]);
    },
    'select p.id, s.country from product p left join supplier s on s.id = p.supplier_id order by 1',
  ],
  [
    'expanded children',
    async (asker) => {
      const pages = await readAllPages((options) => odata.page(asker, model, 'ORDER', options), {
        ...{ $select: 'ID', $expand: 'LINE($select=NO;$filter=AMOUNT lt 50;$count=true)' },
      });
      return pages
        .flatMap(({ value }) => value)
        .map((order: Json) => [order.ID, order['LINE@odata.count'], order.LINE.map(({ NO }: Json) => NO).join()]);
    },
    `select id, (select count(*) from line l where l.order_id = o.id and amount < 50),
      (select coalesce(string_agg(no::text, ',' order by no), '') from line l where l.order_id = o.id and amount < 50) from "order" o order by 1`,
  ],
  [
    'a navigation from an entry',
    async (asker) => {
      const answer = await odata.follow(asker, model, ['ORDER', "('O25')", 'LINE'], { $select: 'NO' });
      return answer.ok
        ? valuesOf(JSON.parse(await readBodyText(answer.value)).value.map(({ NO }: Json) => ({ NO })))
        : [];
    },
    "select no from line where order_id = 'O25' order by 1",
  ],
  [
    'entries by their keys, hidden ones as if there were none',
    async (asker) => {
      const found = [];
      for (let order = 1; order <= 12; order++)
        if ((await odata.entry(asker, model, 'LINE', `(ORDER_ID='O${order}',NO=1)`)).ok) found.push([`O${order}`]);
      return found;
    },
    'select order_id from line where no = 1 and substr(order_id, 2)::int between 1 and 12 order by substr(order_id, 2)::int',
  ],
  [
    'rows of a tool',
    async (asker) => {
      const asked = { columns: ['LINE.PRODUCT_ID', 'REVENUE'], order_by: 'LINE.PRODUCT_ID', page_size: 100 };
      const answer = await readJsonAnswer(plain.load(asker, model, asked));
      return valuesOf(answer.data_frame_content.data);
    },
    'select product_id, sum(amount) from line group by 1 order by 1',
  ],
  [
    'values that a tool finds',
    async (asker) => {
      const term = 'Product 3 brush';
      const answer = await readJsonAnswer(plain.search(asker, model, { search_terms: [term] }));
      const hits: readonly Json[] = JSON.parse(answer.search_result)[term];
      return [[hits.filter(({ display_name }) => display_name === term).length]];
    },
    "select count(*) from product where name = 'Product 3 brush'",
  ],
  [
    'what drives a KPI',
    async (asker) => {
      const answer = await readJsonAnswer(
        plain.insights(asker, model, { kpi: 'REVENUE', field_ids: ['CUSTOMER.NAME'] }),
      );
      return [[answer.overall_value]];
    },
    'select sum(amount) from line',
  ],
  [
    'a summary',
    async (asker) => {
      const { summary } = await readJsonAnswer(plain.summary(asker, model, 'LINE', { sampleSize: 0 }));
      return [[summary.AMOUNT.count, summary.AMOUNT.max, summary.NOTE.unique]];
    },
    'select count(*), max(amount), count(distinct note) from line',
  ],
  [
    'evidence, which its reader can replay',
    async (asker) => {
      const { id } = await keep(plain.query(asker, model, undefined, { kpis: ['REVENUE'], prefer: 'evidence' }));
      expect(await evidence.replay(asker, id)).toMatchObject({ ok: true, value: { outcome: 'same' } });
      const read = await evidence.read(asker, id);
      const tables = read.ok ? read.value.statement.data.map(({ table }) => table) : [];
      return [[tables.toSorted().join()]];
    },
    // The tables that the policies look at are among those that the figure depends on.
    `select case when current_schema = 'everything' then 'line' else 'category,line,order,product' end`,
  ],
];

describe.each(wholesaleCallers)('who may see $name is answered as SQL by hand says', (caller) => {
  const asker: Asker = { team, ...caller };
  it.each([...figures, ...pages, ...others])('%s', async (_title, ask, sql) => {
    expect(await ask(asker)).toEqual(await expectedRows(asker, sql));
  });
});

it('is explained: to an administrator with the rows that are looked up, to a caller with the records whose policies hold', async () => {
  const { models, execution } = plain;
  const handler = new ExplainQueryHandler(fixture.catalogs, models, execution.engines, execution.costs);
  const asked = { query: { projection: { fields: 'NO' } }, record: 'LINE' };
  const attributes = { countries: ['secret-country'] };
  const own = await handler.explainOwn(
    explainOwnQuery.request.parse({ km_id: model, explain: asked }),
    callerContextOf(team, { attributes }),
  );
  expect(own).toMatchObject({ ok: true, value: { policies: ['rows of ORDER', 'rows of LINE', 'rows of PRODUCT'] } });
  expect(JSON.stringify(own)).not.toContain('SHIP_COUNTRY');
  const told = await handler.explain(
    explainQuery.request.parse({ team, modelId: model, explain: { ...asked, caller: { scopes: [], attributes } } }),
    adminContextOf(team),
  );
  expect(told).toMatchObject({
    ok: true,
    value: {
      plan: { root: { record: 'LINE', visibleIf: { where: ['ORDER.SHIP_COUNTRY eq ?', expect.any(String)] } } },
    },
  });
  expect(JSON.stringify(told)).not.toContain('secret-country');
});

it('is computed again after a load of a table that only policies read', async () => {
  const [owner, orders] = ['northgate', wholesaleTables.filter(({ name }) => name === 'order')];
  await fixture.publish(owner, wholesaleModel);
  await fixture.load(owner, ...wholesaleTables);
  const asker: Asker = { team: owner, name: 'two countries', attributes: { countries: ['DE', 'FR'] } };
  const cached = openQueryClient(fixture);
  const figures = async (): Promise<readonly number[]> => [
    (await readJsonAnswer(cached.query(asker, model, undefined, { kpis: ['REVENUE'] }))).content[0].REVENUE,
    (await readJsonAnswer(cached.query(asker, model, 'LINE', { fields: ['NO'] }))).total,
  ];
  const [revenue = 0, lines = 0] = await figures();
  const then = ["update $table set ship_country = 'ES' where ship_country = 'DE'"];
  await fixture.load(owner, ...orders.map((table) => ({ ...table, then })));
  const [lessRevenue = 0, fewerLines = 0] = await figures();
  expect([lessRevenue < revenue, fewerLines < lines]).toEqual([true, true]);
  await fixture.load(owner, ...orders);
  expect(await figures()).toEqual([revenue, lines]);
});

it('was computed by all engines', () => {
  expect([...computedBy].sort()).toEqual(expect.arrayContaining(['duckdb', 'rollup']));
});

it('shows nothing to a caller without the attribute, and a hidden parent to nobody', async () => {
  const nobody: Asker = { team, name: 'nobody' };
  expect(await kpis('REVENUE,ORDERS,PRODUCTS')(nobody)).toEqual([[null, 0, 20]]);
  expect(await rows('LINE', 'NO')(nobody)).toEqual([]);
  expect(await readFailure(odata.entry(nobody, model, 'LINE', "(ORDER_ID='O1',NO=1)"))).toMatchObject({
    code: 'GENERAL_NOTFOUND',
  });
});
