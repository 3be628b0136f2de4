/** What drives KPIs, compared with SQL of its own on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KnowledgeModelDefinition, GetInsightsResult } from '@tessera/contracts/knowledge-models';
import pg from 'pg';
import { openToolClient, type ToolClient } from '../testing/tool-client.js';
import {
  readJsonAnswer,
  openFixture,
  readFailure,
  type Fixture,
  type TestCaller,
  type TestTable,
} from '../testing/fixture.js';

const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'orders',
  source: { schema: 'o' },
  records: [
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'AMOUNT', column: 'amount', type: 'float' },
        { id: 'LATE', column: 'late', type: 'boolean' },
        { id: 'REGION', column: 'region', name: 'Region' },
        { id: 'SUPPLIER', column: 'supplier' },
        { id: 'SECRET', column: 'secret' },
      ],
    },
    {
      id: 'SUPPLIER',
      table: 'supplier',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'COUNTRY', column: 'country' },
      ],
    },
    { id: 'ISLAND', table: 'island', identifier: ['ID'], attributes: [{ id: 'ID', column: 'id' }] },
  ],
  relationships: [{ from: 'ITEM', to: 'SUPPLIER', on: { SUPPLIER: 'ID' }, cardinality: 'many-to-one' }],
  kpis: [
    { id: 'VALUE', name: 'Value', unit: 'EUR', expression: 'sum(ITEM.AMOUNT)' },
    { id: 'LATE_RATE', expression: 'avg(case when ITEM.LATE then 1.0 else 0.0 end)' },
    { id: 'PER_SUPPLIER', expression: 'VALUE / count(distinct ITEM.SUPPLIER)' },
    { id: 'NAME', expression: 'max(ITEM.REGION)' },
  ],
  filters: [
    { id: 'NORTH', expression: "ITEM.REGION eq 'north'" },
    { id: 'HIGH', expression: 'VALUE gt 100' },
  ],
  policies: [
    { record: 'ITEM', rows: "REGION ne 'silent' or REGION eq null", hide: ['SECRET'], unless: { scope: 'all:read' } },
  ],
};

/** Items of supplier S7 are late; nothing else is out of the ordinary. */
const itemRows = `select g, case when g % 11 = 0 then null else (g * 37 % 101)::numeric end, g % 10 = 0 or g % 8 = 7,
  (array['north', 'south', null, 'silent'])[g % 4 + 1], 'S' || g % 8, 'secret ' || g from generate_series(1, 800) g`;
const tables: readonly TestTable[] = [
  {
    schema: 'o',
    name: 'item',
    columns: 'id bigint primary key, amount numeric, late boolean, region text, supplier text, secret text',
    rows: itemRows,
  },
  {
    schema: 'o',
    name: 'supplier',
    columns: 'id text primary key, country text',
    rows: `select 'S' || g, (array['DE', 'FR'])[g % 2 + 1] from generate_series(0, 7) g`,
  },
  { schema: 'o', name: 'island', columns: 'id text primary key', rows: [] },
];

let fixture: Fixture;
let queryClient: ToolClient;
let admin: pg.Client;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish('meridian', model);
  await fixture.load('meridian', ...tables);
  queryClient = openToolClient(fixture);
  admin = new pg.Client({ connectionString: fixture.database.adminUrl });
  await admin.connect();
  await admin.query(`create view item (id, amount, late, region, supplier, secret) as ${itemRows}`);
});
afterAll(async () => {
  await admin.end();
  await fixture.end();
});

const everything: TestCaller = { scopes: ['all:read'] };
type Arguments = Readonly<Record<string, unknown>>;
const ask = (asked: Arguments, who: TestCaller = everything) =>
  queryClient.insights({ team: 'meridian', ...who }, 'orders', asked);
const insights = async (asked: Arguments, who?: TestCaller) =>
  GetInsightsResult.parse(await readJsonAnswer(ask(asked, who)));
const faultsOf = async (asked: Arguments, who?: TestCaller) => {
  const failure = await readFailure(ask(asked, who));
  return [failure?.code, ...(failure?.faults ?? []).map(({ path, rule }) => `${path} ${rule}`)];
};

const formulas = {
  VALUE: 'sum(amount)',
  LATE_RATE: 'avg(case when late then 1.0 else 0.0 end)',
  PER_SUPPLIER: 'sum(amount) / count(distinct supplier)',
} as const;

/** By value, from the rows themselves. */
const expectedOf = async (kpi: keyof typeof formulas, by: string, where: string) => {
  const figures = `(${formulas[kpi]})::float8, count(*)::int`;
  const read = async (text: string) => (await admin.query({ text, rowMode: 'array' })).rows;
  const [overall] = await read(`select ${figures} from item where ${where}`);
  const groups = await read(`select ${by}, ${figures} from item where ${where} group by 1`);
  const [all, rows] = [Number(overall?.[0]), Number(overall?.[1])];
  const entries = groups.map(([value, own, count]) => {
    const share = Number(count) / rows;
    const contribution = kpi === 'VALUE' ? Number(own ?? 0) : (Number(own) - all) * share;
    return { value, kpi_value: own, share_of_rows: share, contribution };
  });
  return { overall: all, entries };
};

describe('get-insights', () => {
  it.each<[keyof typeof formulas, string, string, TestCaller, Arguments, string]>([
    ['VALUE', 'ITEM.REGION', 'region', everything, {}, 'true'],
    ['VALUE', 'ITEM.SUPPLIER', 'supplier', {}, {}, "region is distinct from 'silent'"],
    ['LATE_RATE', 'ITEM.REGION', 'region', everything, {}, 'true'],
    ['LATE_RATE', 'ITEM.SUPPLIER', 'supplier', everything, { filters: ['NORTH'] }, "region = 'north'"],
    ['PER_SUPPLIER', 'ITEM.REGION', 'region', {}, {}, "region is distinct from 'silent'"],
    [
      ...(['PER_SUPPLIER', 'ITEM.LATE', 'late', everything] as const),
      { applied_filters: { string_filters: [{ column_id: 'ITEM.SUPPLIER', values: ['s1', 's7'] }] } },
      "supplier in ('S1', 'S7')",
    ],
  ])('computes %s by %s as SQL does, the largest contribution first', async (kpi, field, by, who, narrowing, where) => {
    const told = await insights({ kpi, field_ids: [field], ...narrowing }, who);
    const { overall, entries } = await expectedOf(kpi, by, where);
    expect(told.overall_value).toBeCloseTo(overall, 8);
    expect(told.contribution_is).toBe(kpi === 'VALUE' ? 'part of the sum' : 'weighted difference');
    expect(told.insights).toHaveLength(entries.length);
    for (const expected of entries) {
      const insight = told.insights.find(({ value }) => value === expected.value);
      expect(insight?.field_id).toBe(field);
      expect(insight?.kpi_value).toBeCloseTo(expected.kpi_value, 8);
      expect(insight?.share_of_rows).toBeCloseTo(expected.share_of_rows, 10);
      expect(insight?.contribution).toBeCloseTo(expected.contribution, 8);
    }
    const sizes = told.insights.map(({ contribution }) => Math.abs(contribution ?? 0));
    expect(sizes).toEqual(sizes.toSorted((left, right) => right - left));
  });

  it('puts the most unusual value of all fields first', async () => {
    const told = await insights({
      kpi: 'LATE_RATE',
      field_ids: ['ITEM.REGION', 'SUPPLIER.COUNTRY', 'ITEM.SUPPLIER'],
      limit: 3,
    });
    expect(told.insights).toHaveLength(3);
    const [first] = told.insights;
    expect([first?.field_id, first?.value, first?.kpi_value]).toEqual(['ITEM.SUPPLIER', 'S7', 1]);
    expect(told.kpi).toEqual({ id: 'LATE_RATE', display_name: 'LATE_RATE' });
  });

  it('groups the rows without a value as one value', async () => {
    const told = await insights({ kpi: 'VALUE', field_ids: ['ITEM.REGION'] }, {});
    expect(told.insights.map(({ value }) => value).toSorted()).toEqual(['north', 'south', null].toSorted());
    expect(told.insights.map((insight) => insight.field_display_name)).toEqual(['Region', 'Region', 'Region']);
    expect(told.kpi).toEqual({ id: 'VALUE', display_name: 'Value', unit: 'EUR' });
  });

  it('is empty when no row matches', async () => {
    const string_filters = [{ column_id: 'ITEM.REGION', values: ['nowhere'] }];
    const told = await insights({ kpi: 'VALUE', field_ids: ['ITEM.REGION'], applied_filters: { string_filters } });
    expect([told.overall_value, told.insights]).toEqual([null, []]);
  });

  it('rejects all faults at once, and treats hidden names as unknown', async () => {
    const field_ids = ['ITEM.REGON', 'ITEM.SUPPLIER', 'ITEM.SUPPLIER', 'VALUE'];
    const numeric_filters = [{ column_id: 'VALUE', value: 1 }];
    expect(await faultsOf({ kpi: 'VALU', field_ids, filters: ['HIGH'], applied_filters: { numeric_filters } })).toEqual(
      [
        'TOOL_ARGUMENTS_INVALID',
        ...['kpi enum', 'field_ids.0 enum', 'field_ids.2 uniqueItems', 'field_ids.3 enum', 'filters.0 level'],
        'applied_filters.numeric_filters.0.column_id level',
      ],
    );
    expect(await faultsOf({ kpi: 'NAME', field_ids: ['ITEM.LATE'] })).toEqual(['TOOL_ARGUMENTS_INVALID', 'kpi type']);
    const hidden = await readFailure(ask({ kpi: 'VALUE', field_ids: ['ITEM.SECRET'] }, {}));
    const unknown = await readFailure(ask({ kpi: 'VALUE', field_ids: ['ITEM.SXCRXT'] }, {}));
    expect(JSON.stringify(hidden)).toBe(JSON.stringify(unknown).replaceAll('SXCRXT', 'SECRET'));
    expect(await faultsOf({ kpi: 'VALUE', field_ids: ['ISLAND.ID'] })).toEqual(['KM_JOIN_NOTFOUND']);
  });
});
