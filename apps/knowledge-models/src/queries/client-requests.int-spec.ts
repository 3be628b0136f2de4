/** Requests as clients send them, each with its right answer. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateModelSpec, type KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { CallerModels } from '../catalog/caller-models.js';
import { GenerateSpecHandler } from '../spec/generate-spec.handler.js';
import {
  callerContextOf,
  openFixture,
  readBodyText,
  readFailure,
  readJsonAnswer,
  type Fixture,
  type Json,
} from '../testing/fixture.js';
import { openODataClient, type ODataClient } from '../testing/odata-client.js';
import { openToolClient, type ToolClient } from '../testing/tool-client.js';

const team = 'meridian';
const asker = { team };
const restricted = { team, attributes: { since: ['2026-03-01T10:00:00.1234567Z'], shops: ['1'] } };

const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'visits',
  source: { schema: 'visits' },
  records: [
    {
      id: 'VISIT',
      table: 'visit',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'SHOP_ID', column: 'shop_id', type: 'integer' },
        { id: 'AT', column: 'at', type: 'timestamp' },
        { id: 'DAY', column: 'day', type: 'date' },
        { id: 'AMOUNT', column: 'amount', type: 'integer' },
        { id: 'NOTE', column: 'note' },
      ],
      augmentedAttributes: [{ id: 'ISO_WEEK', expression: 'extract(isoyear from DAY) * 100 + extract(week from DAY)' }],
    },
    {
      id: 'SHOP',
      table: 'shop',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'NAME', column: 'name' },
      ],
    },
  ],
  relationships: [{ from: 'VISIT', to: 'SHOP', on: { SHOP_ID: 'ID' }, cardinality: 'many-to-one' }],
  kpis: [{ id: 'VISITS', expression: 'count(VISIT.*)' }],
  policies: [
    { record: 'VISIT', rows: 'AT gt caller.since', unless: { scope: 'visits:all' } },
    { record: 'SHOP', rows: 'ID in caller.shops', unless: { scope: 'visits:all' } },
  ],
};

const together = 'caf\u00e9 r\u00e9sum\u00e9';
const apart = together.normalize('NFD');
const mixed = 'caf\u00e9 re\u0301sum\u00e9';
const tables = [
  {
    ...{ schema: 'visits', name: 'visit' },
    columns:
      'id bigint primary key, shop_id bigint, at timestamptz, day date, amount bigint, note text collate pg_c_utf8',
    rows: [
      {
        id: 1,
        shop_id: 1,
        at: '2026-03-01T10:00:00.123456Z',
        day: '2024-12-30',
        amount: '9007199254740993',
        note: together,
      },
      {
        id: 2,
        shop_id: 1,
        at: '2026-03-01T10:00:00.123457Z',
        day: '2024-12-31',
        amount: '9007199254740995',
        note: apart,
      },
      { id: 3, shop_id: 2, at: '2026-03-01T10:00:01Z', day: '2025-01-06', amount: '9007199254740996', note: mixed },
      { id: 4, shop_id: null, at: '2026-03-02T00:00:00Z', day: '2027-01-01', amount: '-5', note: 'cafe resume' },
    ],
  },
  {
    ...{ schema: 'visits', name: 'shop', columns: 'id bigint primary key, name text' },
    rows: [
      { id: 1, name: 'North' },
      { id: 2, name: 'South' },
      { id: 3, name: 'Empty' },
    ],
  },
];

let fixture: Fixture;
let tools: ToolClient;
let odata: ODataClient;
const all = { ...asker, scopes: ['visits:all'] };
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, model);
  await fixture.load(team, ...tables);
  tools = openToolClient(fixture);
  odata = openODataClient(fixture, tools);
});
afterAll(() => fixture?.end());

type Options = Readonly<Record<string, unknown>>;
const idsOf = (rows: readonly Json[]): readonly number[] => rows.map(({ ID }) => ID);
const asked = async (options: Options, caller: typeof asker = all) =>
  (await readJsonAnswer(tools.query(caller, 'visits', 'VISIT', { fields: ['ID'], ...options }))).content;
const entries = async (record: string, options: Options, caller: typeof asker = all) =>
  (await readJsonAnswer(odata.page(caller, 'visits', record, options))).value;

/** The text behind the sample, since JSON would round. */
const summaryOf = async (options: Options): Promise<string> => {
  const result = await tools.summary(all, 'visits', 'VISIT', { fields: ['AMOUNT'], ...options });
  if (!result.ok) throw new Error(result.failure.detail);
  return readBodyText(result.value);
};

describe('a moment with seven digits of a second', () => {
  it.each([
    ['AT eq 2026-03-01T10:00:00.1234560Z', [1]],
    ['AT eq 2026-03-01T10:00:00.1234565Z', []],
    ['AT ne 2026-03-01T10:00:00.1234565Z', [1, 2, 3, 4]],
    ['AT gt 2026-03-01T10:00:00.1234559Z', [1, 2, 3, 4]],
    ['AT gt 2026-03-01T10:00:00.1234565Z', [2, 3, 4]],
    ['AT ge 2026-03-01T11:00:00.1234565+01:00', [2, 3, 4]],
    ['AT lt 2026-03-01T10:00:00.1234565Z', [1]],
    ['AT le 2026-03-01T10:00:00.1234569Z', [1]],
    ['AT in (2026-03-01T10:00:00.1234560Z, 2026-03-01T10:00:00.9999999Z, 2026-03-02)', [1, 4]],
  ])('is compared as it is, in filterExpr and $filter: %s', async (text, ids) => {
    expect(idsOf(await asked({ filterExpr: [text] }))).toEqual(ids);
    expect(idsOf(await entries('VISIT', { $filter: text }))).toEqual(ids);
  });

  it('is compared so in a policy', async () => {
    expect(idsOf(await asked({}, restricted))).toEqual([2, 3, 4]);
  });

  it.each([
    ['AT gt 2026-03-01T10:00:00.1234567890123Z', 'a second has at most 12 digits behind the point, and here are 13.'],
    ['AT gt 2026-13-01T10:00:00Z', 'there is no month 13.'],
    ['AT gt 2026-03-01T10:00:00+15:00', 'there is no zone +15:00'],
    ['AT gt 2026-02-30T10:00:00Z', 'month 02 of 2026 has no day 30.'],
  ])('is told what does not fit: %s', async (text, told) => {
    const ofQuery = tools.query(all, 'visits', 'VISIT', { fields: ['ID'], filterExpr: [text] });
    const ofOData = odata.page(all, 'visits', 'VISIT', { $filter: text });
    for (const answer of [ofQuery, ofOData]) {
      const failure = await readFailure(answer);
      expect([failure?.code, failure?.detail]).toEqual(['KM_FILTER_TYPE', expect.stringContaining(told)]);
    }
  });
});

describe('related entries in conditions and orders', () => {
  it.each([
    ['VISIT/$count gt 1', [1]],
    ['VISIT/$count eq 0', [3]],
    ['VISIT/any(v:v/SHOP/ID eq 2) or VISIT/$count eq 2', [1, 2]],
  ])('are counted: %s', async ($filter, ids) => expect(idsOf(await entries('SHOP', { $filter }))).toEqual(ids));

  it('order entries by their number', async () => {
    expect(idsOf(await entries('SHOP', { $orderby: 'VISIT/$count desc,ID' }))).toEqual([1, 2, 3]);
    expect(idsOf(await entries('SHOP', { $orderby: 'VISIT/$count,ID desc' }))).toEqual([3, 2, 1]);
  });

  it('are counted and compared with null as the caller sees them', async () => {
    expect(idsOf(await entries('VISIT', { $filter: 'SHOP eq null' }))).toEqual([4]);
    expect(idsOf(await entries('VISIT', { $filter: 'SHOP ne null' }))).toEqual([1, 2, 3]);
    expect(idsOf(await entries('VISIT', { $filter: 'SHOP eq null' }, restricted))).toEqual([3, 4]);
    expect(idsOf(await entries('SHOP', { $filter: 'VISIT/$count eq 1' }, restricted))).toEqual([1]);
  });
});

describe('figures', () => {
  it('of a summary have all their digits', async () => {
    const summary = await summaryOf({});
    expect(summary).toContain('"25_percentile":6755399441055743.5,');
    expect(summary).toContain('"50_percentile":9007199254740994,');
    expect(summary).toContain('"75_percentile":9007199254740995.25}');
    expect(await summaryOf({ filterExpr: ['ID eq 1'] })).toContain('"50_percentile":9007199254740993,');
  });

  it('of weeks have the year that the week belongs to', async () => {
    const rows = await asked({ fields: ['ID', 'ISO_WEEK'] });
    expect(rows.map(({ ISO_WEEK }: Json) => ISO_WEEK)).toEqual([202_501, 202_501, 202_502, 202_653]);
    const weeks = { fields: ['VISIT.DAY:week'], kpis: ['VISITS'] };
    expect((await readJsonAnswer(tools.query(all, 'visits', undefined, weeks))).content).toEqual([
      { 'VISIT.DAY:week': '2024-12-30', VISITS: 2 },
      { 'VISIT.DAY:week': '2025-01-06', VISITS: 1 },
      { 'VISIT.DAY:week': '2026-12-28', VISITS: 1 },
    ]);
  });

  it('by the period of a date are in the document of the model', async () => {
    const handler = new GenerateSpecHandler(new CallerModels(fixture.catalogs));
    const context = { ...callerContextOf(team, all), publicUrl: 'https://tessera.example' };
    const { components } = await readJsonAnswer(
      handler.generate(generateModelSpec.request.parse({ km_id: 'visits' }), context),
    );
    for (const grain of ['day', 'week', 'month', 'quarter', 'year']) {
      expect(components.schemas.VisitField.enum).toContain(`DAY:${grain}`);
      expect(components.schemas.VisitSort.enum).toContain(`-AT:${grain}`);
      expect(components.schemas.ModelRow.properties[`VISIT.AT:${grain}`]).toMatchObject({
        type: 'string',
        format: 'date',
      });
    }
  });
});

describe('a search', () => {
  const terms = [
    ['together', 'r\u00e9sum\u00e9'],
    ['apart', 'r\u00e9sum\u00e9'.normalize('NFD')],
    ['in capitals', 'R\u00c9SUM\u00c9'],
  ] as const;

  it.each(terms)('finds letters with marks in any form: %s', async (_form, term) => {
    expect(idsOf(await asked({ searchTerm: term, searchPrecision: 100 }))).toEqual([1, 2, 3]);
    expect(idsOf(await entries('VISIT', { $search: term }))).toEqual([1, 2, 3]);
    expect(idsOf(await entries('VISIT', { $search: `NOT ${term}` }))).toEqual([4]);
    expect(idsOf(await asked({ searchTerm: term, searchPrecision: 90 }))).toEqual(expect.arrayContaining([1, 2, 3]));
  });

  it.each(terms)('of values does so too: %s', async (_form, term) => {
    const { search_result } = await readJsonAnswer(tools.search(all, 'visits', { search_terms: [term] }));
    const hits = JSON.parse(search_result)[term].map(({ display_name }: Json) => display_name);
    expect(hits).toEqual(expect.arrayContaining([together, apart, mixed]));
  });
});
