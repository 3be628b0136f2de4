/** Random groups of `$apply` against `/query` with KPIs that are defined as the aggregates are, for callers who see more or less. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { companyModel, companyTables, financeCaller } from '../testing/company.js';
import { type Fixture, type TestTable, readJsonAnswer, openFixture, type Json } from '../testing/fixture.js';
import { readAllPages, type ODataClient, openODataClient } from '../testing/odata-client.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';

const runs = 150;
const team = 'meridian';
const callers = [{ team }, { team, ...financeCaller }];

/** What is aggregated -> the formula of the KPI that says the same. */
const aggregates: Readonly<Record<string, string>> = {
  '$count as A0': 'count(PO_ITEM.*)',
  'AMOUNT with sum as A1': 'sum(PO_ITEM.AMOUNT)',
  'QTY with sum as A2': 'sum(PO_ITEM.QTY)',
  'AMOUNT with average as A3': 'avg(PO_ITEM.AMOUNT)',
  'DUE with max as A4': 'max(PO_ITEM.DUE)',
  'CITY with min as A5': 'min(PO_ITEM.CITY)',
  'CITY with countdistinct as A6': 'count(distinct PO_ITEM.CITY)',
  'SIZE with countdistinct as A7': 'count(distinct PO_ITEM.SIZE)',
  'QTY with average as A8': 'avg(PO_ITEM.QTY)',
};
const kpiOf = (place: number): string => `K${place}`;
/** Over other rows than those of the set as well: their groups meet. */
const otherKpis = { ORDERS: 'count(PURCHASE_ORDER.*)', SHARE: 'sum(PO_ITEM.AMOUNT) / count(PURCHASE_ORDER.*)' };

const model = {
  ...companyModel,
  kpis: [
    ...(companyModel.kpis ?? []),
    ...Object.values(aggregates).map((expression, place) => ({ id: kpiOf(place), expression })),
    ...Object.entries(otherKpis).map(([id, expression]) => ({ id, expression })),
  ],
};

let fixture: Fixture;
let query: QueryClient;
let odata: ODataClient;

/** More of the same rows, so that groups have several. */
const manyItems = companyTables.map((table): TestTable => {
  const { name, rows } = table;
  if (name !== 'po_item' || typeof rows === 'string') return table;
  const withMore = (more: number) =>
    rows.map((row) => ({
      ...row,
      item_no: Number(row['item_no']) + more,
      qty: more % 20 === 0 ? row['qty'] : more,
    }));
  return { ...table, rows: [0, 10, 20, 30].flatMap(withMore) };
});

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, model);
  await fixture.load(team, ...manyItems);
  query = openQueryClient(fixture);
  odata = openODataClient(fixture, query);
});
afterAll(() => fixture.end());

const keys = ['CITY', 'ORDER_NO', 'SIZE', 'URGENT', 'DUE', 'OPEN', 'PURCHASE_ORDER/COUNTRY', 'PURCHASE_ORDER/ORDER_NO'];
const measures = [...Object.keys(aggregates), 'ORDER_VALUE', 'LARGE_RATE', ...Object.keys(otherKpis)];
/** As `$filter` has it -> as `filterExpr` has it. */
const rowFilters: Readonly<Record<string, string>> = {
  'AMOUNT gt 50': 'PO_ITEM.AMOUNT gt 50',
  "CITY ne 'Bonn'": "PO_ITEM.CITY ne 'Bonn'",
  "PURCHASE_ORDER/COUNTRY eq 'DE'": "PURCHASE_ORDER.COUNTRY eq 'DE'",
  "SIZE eq 'small' or URGENT eq true": "PO_ITEM.SIZE eq 'small' or PO_ITEM.URGENT eq true",
};

const question = fc.record({
  keys: fc.subarray(keys, { maxLength: 3 }),
  measures: fc.subarray(measures, { minLength: 1, maxLength: 4 }),
  rowFilters: fc.subarray(Object.keys(rowFilters), { maxLength: 2 }),
  groupFilter: fc.option(fc.record({ measure: fc.nat(3), than: fc.integer({ min: -1, max: 300 }) })),
  order: fc.option(fc.record({ measure: fc.nat(3), descending: fc.boolean() })),
  asBehind: fc.boolean(),
  pageSize: fc.integer({ min: 1, max: 9 }),
  caller: fc.constantFrom(...callers),
});
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

const nameOf = (measure: string): string => measure.split(' as ')[1] ?? measure;
const kpiNamed = (measure: string): string => {
  const place = Object.keys(aggregates).indexOf(measure);
  return place < 0 ? measure : kpiOf(place);
};
const isNumber = (measure: string): boolean => !/A4|A5/.test(measure);

/** The measure that a filter names; of numbers alone. */
const filtered = ({ measures: asked, groupFilter }: Question): readonly [measure: string, than: number] | undefined => {
  const numbers = asked.filter(isNumber);
  const measure = numbers[(groupFilter?.measure ?? 0) % Math.max(1, numbers.length)];
  return groupFilter && measure !== undefined ? [measure, groupFilter.than] : undefined;
};
const ordered = ({ measures: asked, order }: Question): string | undefined =>
  order ? asked[order.measure % asked.length] : undefined;

const askOData = async (asked: Question): Promise<readonly Json[]> => {
  const { caller, pageSize } = asked;
  const aggregate = `aggregate(${asked.measures.join(',')})`;
  const [measure, than] = filtered(asked) ?? [];
  const condition = measure === undefined ? undefined : `${nameOf(measure)} gt ${than}`;
  const steps = [
    ...asked.rowFilters.map((filter) => `filter(${filter})`),
    asked.keys.length > 0 ? `groupby((${asked.keys.join()}),${aggregate})` : aggregate,
    ...(condition !== undefined && !asked.asBehind ? [`filter(${condition})`] : []),
  ];
  const sorted = ordered(asked);
  const options = {
    $apply: steps.join('/'),
    $count: true,
    ...(condition !== undefined && asked.asBehind && { $filter: condition }),
    ...(sorted !== undefined && { $orderby: `${nameOf(sorted)} ${asked.order?.descending ? 'desc' : 'asc'}` }),
    prefer: `maxpagesize=${pageSize}`,
  };
  const pages = await readAllPages((more) => odata.page(caller, model.id, 'PO_ITEM', more), options);
  const rows = pages.flatMap(({ value }) => value);
  expect(pages.map((each) => each['@odata.count'])).toEqual(pages.map(() => rows.length));
  return rows.map((row) => [
    ...asked.keys.map((key) => key.split('/').reduce((value, name) => value[name], row)),
    ...asked.measures.map((each) => row[nameOf(each)]),
  ]);
};

const askQuery = async (asked: Question): Promise<readonly Json[]> => {
  const fields = asked.keys.map((key) => (key.includes('/') ? key.replace('/', '.') : `PO_ITEM.${key}`));
  const kpis = asked.measures.map(kpiNamed);
  const [measure, than] = filtered(asked) ?? [];
  const filterExpr = [
    ...asked.rowFilters.map((filter) => rowFilters[filter]),
    ...(measure === undefined ? [] : [`${kpiNamed(measure)} gt ${than}`]),
  ];
  const sorted = ordered(asked);
  const { content } = await readJsonAnswer(
    query.query(asked.caller, model.id, undefined, {
      ...(fields.length > 0 && { fields }),
      ...{ kpis, filterExpr, pageSize: 500 },
      ...(sorted !== undefined && { sort: `${asked.order?.descending ? '-' : '+'}${kpiNamed(sorted)}` }),
    }),
  );
  return content.map((row: Json) => [...fields, ...kpis].map((id) => row[id]));
};

it(`$apply returns what /query returns, for ${runs} random queries`, async () => {
  await fc.assert(
    fc.asyncProperty(question, async (asked) => {
      expect(await askOData(asked)).toEqual(await askQuery(asked));
    }),
    { numRuns: runs },
  );
});
