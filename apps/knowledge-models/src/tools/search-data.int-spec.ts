/** The search of tools over names and values, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KnowledgeModelDefinition, type SearchHit, SearchDataResult } from '@tessera/contracts/knowledge-models';
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
  id: 'p2p',
  source: { schema: 's' },
  records: [
    {
      id: 'SUPPLIER',
      name: 'Supplier',
      synonyms: ['Lieferant'],
      table: 'supplier',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'NAME', column: 'name' },
        { id: 'CITY', column: 'city', synonyms: ['Stadt', 'Ort'] },
        { id: 'CONTACT', column: 'contact' },
        { id: 'RATING', column: 'rating', type: 'integer' },
      ],
    },
    {
      id: 'ITEM',
      name: 'Order item',
      table: 'item',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no' },
        { id: 'TEXT', column: 'text' },
        { id: 'STATE', column: 'state' },
        { id: 'SUPPLIER', column: 'supplier' },
      ],
    },
  ],
  kpis: [{ id: 'ITEMS', name: 'Number of items', expression: 'count(ITEM.*)' }],
  filters: [{ id: 'OPEN_ITEMS', name: 'Open items', expression: "ITEM.STATE eq 'open'" }],
  policies: [
    { record: 'SUPPLIER', rows: "CITY ne 'Silent Hill'", hide: ['CONTACT'], unless: { scope: 'all:read' } },
    { record: 'ITEM', rows: "STATE ne 'silenced'", unless: { scope: 'all:read' } },
  ],
};

const itemCount = 3_000;
const tables: readonly TestTable[] = [
  {
    schema: 's',
    name: 'supplier',
    columns: 'id text primary key, name text, city text, contact text, rating bigint',
    rows: [
      { id: 'S1', name: 'Meyer & Söhne GmbH', city: 'Düsseldorf', contact: 'Ann Confidential', rating: 1 },
      { id: 'S2', name: 'Rotterdam Shipping', city: 'Rotterdam', contact: 'Bob Confidential', rating: 2 },
      { id: 'S3', name: 'Hidden Works', city: 'Silent Hill', contact: 'Cy Confidential', rating: 3 },
      { id: 'S4', name: null, city: null, contact: null, rating: null },
    ],
  },
  {
    schema: 's',
    name: 'item',
    columns: 'no text primary key, text text, state text, supplier text',
    rows: `select 'N' || g, case when g = 77 then 'silenced gasket' else 'hexagon bolt number ' || g end,
      case when g = 77 then 'silenced' when g % 2 = 0 then 'open' else 'closed' end, 'S' || g % 4
      from generate_series(1, ${itemCount}) g`,
  },
];

let fixture: Fixture;
let queryClient: ToolClient;
let sent = 0;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish('meridian', model);
  await fixture.load('meridian', ...tables);
  await fixture.publish('northgate', { ...model, id: 'other' });
  queryClient = openToolClient(fixture, {}, { observe: () => sent++ });
});
afterAll(() => fixture.end());

const everything: TestCaller = { scopes: ['all:read'] };
type Found = Readonly<Record<string, readonly SearchHit[]>>;
const search = async (
  search_terms: readonly string[],
  who: TestCaller = {},
  team = 'meridian',
  km = 'p2p',
): Promise<Found> => {
  const answer = await readJsonAnswer(queryClient.search({ team, ...who }, km, { search_terms }));
  expect(SearchDataResult.parse(answer)).toEqual(answer);
  return JSON.parse(answer.search_result);
};
const found = async (term: string, who?: TestCaller): Promise<readonly string[]> =>
  ((await search([term], who))[term] ?? []).map(({ id, display_name, entity_type }) =>
    entity_type === 'Value' ? `${id} = ${display_name}` : id,
  );

describe('search-data', () => {
  it('finds names and values for each term, with the ids that other tools need', async () => {
    const hits = await search(['Stadt', 'roterdam', 'number of itmes', 'open']);
    expect(Object.keys(hits)).toEqual(['Stadt', 'roterdam', 'number of itmes', 'open']);
    expect(hits['Stadt']?.[0]).toEqual({
      ...{ id: 'SUPPLIER.CITY', display_name: 'CITY', record_display_name: 'Supplier', column_type: 'STRING' },
      entity_type: 'Attribute',
    });
    expect(hits['roterdam']?.[0]).toEqual({
      ...{ id: 'SUPPLIER.CITY', display_name: 'Rotterdam', record_display_name: 'Supplier', column_type: 'STRING' },
      entity_type: 'Value',
    });
    expect(hits['number of itmes']?.[0]).toMatchObject({ id: 'ITEMS', entity_type: 'Kpi', column_type: 'INTEGER' });
    expect(hits['open']?.map(({ id }) => id)).toEqual(expect.arrayContaining(['OPEN_ITEMS', 'ITEM.STATE']));
  });

  it.each([
    ['duesseldorf', 'SUPPLIER.CITY = Düsseldorf'],
    ['Soehne Meier', 'SUPPLIER.NAME = Meyer & Söhne GmbH'],
    ['meyer soehne', 'SUPPLIER.NAME = Meyer & Söhne GmbH'],
    ['closd', 'ITEM.STATE = closed'],
    // Of fields with many values what the rows contain.
    ['number 2999', 'ITEM.TEXT = hexagon bolt number 2999'],
    ['N1234', 'ITEM.NO = N1234'],
  ])('for %p finds the value %p', async (term, value) => {
    expect(await found(term)).toContain(value);
  });

  it('finds nothing in hidden rows and fields', async () => {
    for (const [term, value] of [
      ['Silent Hill', 'SUPPLIER.CITY = Silent Hill'],
      ['Hidden Works', 'SUPPLIER.NAME = Hidden Works'],
      ['Confidential', 'SUPPLIER.CONTACT = Ann Confidential'],
      ['silenced gasket', 'ITEM.TEXT = silenced gasket'],
      ['contact', 'SUPPLIER.CONTACT'],
    ] as const) {
      expect(await found(term, everything)).toContain(value);
      expect(JSON.stringify(await found(term))).not.toMatch(/silen|hidden|confid|contact/i);
    }
  });

  it('sends no query when the same search is repeated', async () => {
    const terms = ['bolt', 'Lieferantenstadt'];
    const first = await search(terms);
    const before = sent;
    expect(await search(terms)).toEqual(first);
    expect(sent).toBe(before);
  });

  it('finds newly loaded values', async () => {
    await fixture.publish('loading', model);
    const [suppliers, items] = tables;
    if (!suppliers || !items) throw new Error('There are two tables.');
    await fixture.load('loading', suppliers, items);
    const cityOf = async () =>
      (await search(['Trondheim'], {}, 'loading'))['Trondheim']?.map(({ display_name }) => display_name);
    expect(await cityOf()).toEqual([]);
    await fixture.load('loading', { ...suppliers, rows: [{ id: 'S1', name: 'A', city: 'Trondheim' }] });
    expect(await cityOf()).toEqual(['Trondheim']);
  });

  it('finds names when tables are not loaded or the values cannot be read in time', async () => {
    const terms = ['Lieferant'];
    const names = (await search(terms, {}, 'northgate', 'other'))['Lieferant']?.map(({ id }) => id);
    expect(names).toEqual(['SUPPLIER.NAME', 'SUPPLIER.ID']);
    const late = AbortSignal.abort();
    const fresh = openToolClient(fixture);
    const answer = await readJsonAnswer(
      fresh.search({ team: 'meridian', signal: late }, 'p2p', { search_terms: ['Rotterdam', 'Stadt'] }),
    );
    const hits: Found = JSON.parse(answer.search_result);
    expect(hits['Rotterdam']).toEqual([]);
    expect(hits['Stadt']?.[0]?.id).toBe('SUPPLIER.CITY');
    expect(answer.complete).toBe(false);
  });

  it('says that it is complete when all was read in time, or was read before', async () => {
    const fresh = openToolClient(fixture);
    const ask = (signal?: AbortSignal) =>
      readJsonAnswer(
        fresh.search({ team: 'meridian', ...(signal && { signal }) }, 'p2p', { search_terms: ['Rotterdam'] }),
      );
    const inTime = await ask();
    expect(inTime.complete).toBe(true);
    expect(await ask(AbortSignal.abort())).toEqual(inTime);
  });

  it.each([
    "'; drop table item; --",
    '%',
    '_',
    '\\',
    '   ',
    '🦄',
    'x'.repeat(200),
    '"',
    '__proto__',
    'constructor',
    '(?:',
    '\u202e',
  ])('accepts the term %p as plain text', async (term) => {
    const hits = await search([term, 'closed']);
    expect(Object.keys(hits)).toEqual([term, 'closed']);
    expect(hits[term]).toEqual([]);
    expect(hits['closed']?.[0]?.display_name).toBe('closed');
  });

  it('finds no model of another team', async () => {
    expect((await readFailure(queryClient.search({ team: 'northgate' }, 'p2p', { search_terms: ['x'] })))?.code).toBe(
      'KM_MODEL_NOTFOUND',
    );
  });
});
