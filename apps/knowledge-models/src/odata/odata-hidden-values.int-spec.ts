/** Conditions and orders that callers compute never fail on rows that a policy hides: the failure would tell of their values. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { openFixture, type Fixture, type Json } from '../testing/fixture.js';
import { openODataClient, readAllPages, type ODataClient } from '../testing/odata-client.js';
import { openQueryClient } from '../testing/query-client.js';

const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'rates',
  source: { schema: 'rates' },
  records: [
    {
      id: 'ORDER',
      table: 'order',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'COUNTRY', column: 'country' },
        { id: 'FACTOR', column: 'factor', type: 'float' },
      ],
      augmentedAttributes: [{ id: 'SQUARE', expression: 'FACTOR * FACTOR' }],
    },
    {
      id: 'LINE',
      table: 'line',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'ORDER_ID', column: 'order_id', type: 'integer' },
        { id: 'RATE', column: 'rate', type: 'float' },
        { id: 'BIG', column: 'big', type: 'integer' },
      ],
    },
  ],
  relationships: [{ from: 'LINE', to: 'ORDER', on: { ORDER_ID: 'ID' }, cardinality: 'many-to-one' }],
  kpis: [{ id: 'LINES', expression: 'count(LINE.*)' }],
  policies: [
    { record: 'ORDER', rows: 'COUNTRY in caller.countries' },
    { record: 'LINE', rows: 'ORDER.COUNTRY in caller.countries' },
  ],
};

/** The hidden rows, of orders 3 and their lines, have the largest values that there are: squares and opposites of it overflow. */
const tables = [
  {
    ...{ schema: 'rates', name: 'order', columns: 'id bigint primary key, country text, factor double precision' },
    rows: `values (1, 'DE', 2::float8), (2, 'FR', 3), (3, 'US', 1e300)`,
    then: ['analyze $table'],
  },
  {
    ...{ schema: 'rates', name: 'line' },
    columns: 'id bigint primary key, order_id bigint, rate double precision, big bigint',
    rows: `select g, 1 + g % 3, case g % 3 when 2 then 1e300 else g end,
      case g % 3 when 2 then -9223372036854775808 else g end from generate_series(1, 30) g`,
    then: ['analyze $table'],
  },
];

/** So many attributes make the comparison with them dearer than any computation, which PostgreSQL then does first. */
const countries = ['DE', 'FR', ...Array.from({ length: 400 }, (_, at) => `country ${at}`)];
const asker = { team: 'meridian', attributes: { countries } };

let fixture: Fixture;
let odata: ODataClient;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish('meridian', model);
  await fixture.load('meridian', ...tables);
  odata = openODataClient(fixture, openQueryClient(fixture));
});
afterAll(() => fixture?.end());

const rowsOf = async (record: string, options: Readonly<Record<string, unknown>>): Promise<readonly Json[]> => {
  const pages = await readAllPages((page) => odata.page(asker, 'rates', record, page), options);
  return pages.flatMap(({ value }) => value);
};
const idsOf = async (record: string, options: Readonly<Record<string, unknown>>) =>
  (await rowsOf(record, options)).map(({ ID }) => ID);

const visibleLines = Array.from({ length: 30 }, (_, at) => at + 1).filter((id) => id % 3 !== 2);

describe('a hidden value fails no', () => {
  it.each([
    ['ORDER', 'FACTOR mul FACTOR gt 1', [1, 2]],
    ['ORDER', 'SQUARE gt 1', [1, 2]],
    ['ORDER', 'not (FACTOR mul FACTOR gt 5)', [1]],
    ['ORDER', 'FACTOR mul FACTOR mul FACTOR gt 8 or COUNTRY eq null', [2]],
    ['ORDER', 'LINE/any(l:l/RATE mul l/RATE gt 800)', [1]],
    ['ORDER', 'LINE/all(l:l/RATE mul l/RATE mul FACTOR lt 2000)', [1]],
    ['ORDER', 'LINE/RATE mul LINE/RATE gt 800', [1]],
    ['LINE', 'RATE mul RATE gt 0', visibleLines],
    ['LINE', '-BIG lt 0', visibleLines],
    ['LINE', 'ORDER/FACTOR mul ORDER/FACTOR gt 5', visibleLines.filter((id) => id % 3 === 1)],
    ['LINE', 'RATE mul ORDER/FACTOR gt 55 and ID gt 3', [28, 30, 19, 22, 25].toSorted((one, other) => one - other)],
  ])('condition of %s: %s', async (record, $filter, ids) => {
    expect(await idsOf(record, { $filter })).toEqual(ids);
  });

  it('order, on each page', async () => {
    const options = { $orderby: 'RATE mul RATE desc', prefer: 'odata.maxpagesize=4' };
    expect(await idsOf('LINE', options)).toEqual(visibleLines.toReversed());
  });

  it('group', async () => {
    const $apply = 'filter(RATE mul RATE gt 0 and ORDER/SQUARE gt 0)/groupby((ORDER/COUNTRY),aggregate(LINES))';
    expect((await rowsOf('LINE', { $apply })).map(({ LINES }) => LINES)).toEqual([10, 10]);
  });
});
