/** `$search` over real texts: what it finds, beside other options, on every page and path; hidden rows and properties are not searched. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAllPages, openODataClient, type ODataClient } from '../testing/odata-client.js';
import { openQueryClient } from '../testing/query-client.js';
import { depotKeeperCaller } from '../testing/parcels.js';
import { shipmentsModel, createShipmentTables } from '../testing/shipments.js';
import { readBodyText, type Fixture, readJsonAnswer, type Json, openFixture, readFailure } from '../testing/fixture.js';

const team = 'meridian';
const anybody = { team };
const keeper = { team, ...depotKeeperCaller };
const model = 'notes';

/** Notes on lines; what is in the margin only keepers see. */
const definition = {
  ...shipmentsModel,
  id: model,
  records: [
    ...(shipmentsModel.records ?? []),
    {
      id: 'NOTE',
      table: 'note',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no', type: 'integer' as const },
        { id: 'LINE_ORDER', column: 'line_order' },
        { id: 'LINE_NO', column: 'line_no', type: 'integer' as const },
        { id: 'TITLE', column: 'title' },
        { id: 'TEXT', column: 'text' },
        { id: 'MARGIN', column: 'margin' },
        { id: 'SECRET', column: 'secret', filterable: false },
      ],
    },
  ],
  relationships: [
    ...(shipmentsModel.relationships ?? []),
    {
      from: 'NOTE',
      to: 'LINE',
      on: { LINE_ORDER: 'ORDER_NO', LINE_NO: 'LINE_NO' },
      cardinality: 'many-to-one' as const,
    },
  ],
  policies: [
    ...(shipmentsModel.policies ?? []),
    { record: 'NOTE', hide: ['MARGIN'], rows: 'NO lt 7', unless: { scope: 'depot:keep' } },
  ],
};

const texts: readonly (readonly [title: string | null, text: string | null, margin: string | null])[] = [
  ['Blue box', 'with a dark lid', null],
  ['Green box', 'blue inside', 'lost'],
  [null, 'dark blue', null],
  ['100% WOOL', 'a_b', null],
  ["O'Neil", 'said "hello"', null],
  ['Red', null, 'blue'],
  ['Blue, hidden', 'dark', null],
];
const noteTable = {
  schema: 'depot',
  name: 'note',
  columns: 'no bigint primary key, line_order text, line_no bigint, title text, text text, margin text, secret text',
  rows: texts.map(([title, text, margin], index) => ({
    ...{ no: index + 1, line_order: 'A', line_no: 1 + (index % 2), title, text, margin, secret: 'unsearched' },
  })),
};

let fixture: Fixture;
let odata: ODataClient;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, definition);
  await fixture.load(team, ...createShipmentTables(), noteTable);
  odata = openODataClient(fixture, openQueryClient(fixture));
});
afterAll(() => fixture.end());

const found = async (
  $search: string,
  asker: typeof anybody = anybody,
  more: object = {},
): Promise<readonly number[]> => {
  const { value } = await readJsonAnswer(odata.page(asker, model, 'NOTE', { $search, $select: 'NO', ...more }));
  return value.map(({ NO }: Json) => NO);
};

describe('$search', () => {
  it.each<readonly [search: string, expected: readonly number[]]>([
    ['blue', [1, 2, 3]],
    ['BLUE', [1, 2, 3]],
    ['blue box', [1, 2]],
    ['blue AND dark', [1, 3]],
    ['"dark blue"', [3]],
    ['red OR wool', [4, 6]],
    ['NOT box', [3, 4, 5, 6]],
    ['blue NOT box', [3]],
    ['(red OR green) box', [2]],
    ['NOT (blue OR red)', [4, 5]],
    ['"100%"', [4]],
    ['a_b', [4]],
    ['axb', []],
    ["O'Neil", [5]],
    [String.raw`"\"hello\""`, [5]],
    ['unsearched', []],
    ['NOT unsearched', [1, 2, 3, 4, 5, 6]],
  ])('%s finds %j', async (search, expected) => expect(await found(search)).toEqual(expected));

  it('combines with $filter, $orderby, paging, $count and $apply', async () => {
    const more = { $filter: 'NO gt 1', $orderby: 'NO desc', $count: true };
    expect(await found('blue', anybody, more)).toEqual([3, 2]);
    const ask = (options: object) => odata.page(anybody, model, 'NOTE', { ...options });
    const pages = await readAllPages(ask, {
      $search: 'blue OR red',
      $count: true,
      prefer: 'maxpagesize=1',
      $select: 'NO',
    });
    expect(pages.flatMap(({ value }) => value.map(({ NO }: Json) => NO))).toEqual([1, 2, 3, 6]);
    expect(pages.map((page) => page['@odata.count'])).toEqual([4, 4, 4, 4]);
    const count = await odata.count(anybody, model, 'NOTE', { $search: 'blue NOT box' });
    expect(count.ok && (await readBodyText(count.value))).toBe('1');
    expect(await found('blue', anybody, { $apply: 'filter(NO gt 2)' })).toEqual([3]);
  });

  it('works on navigation paths and in $expand', async () => {
    const path = ['LINE', "(ORDER_NO='A',LINE_NO=1)", 'NOTE'];
    const behind = await readJsonAnswer(odata.follow(anybody, model, path, { $search: 'blue', $select: 'NO' }));
    expect(behind.value).toEqual([{ NO: 1 }, { NO: 3 }]);
    const count = await odata.follow(anybody, model, [...path, '$count'], { $search: 'NOT blue' });
    expect(count.ok && (await readBodyText(count.value))).toBe('1');
    const $expand = 'NOTE($select=NO;$search=blue NOT green;$count=true)';
    const { value } = await readJsonAnswer(odata.page(anybody, model, 'LINE', { $select: 'LINE_NO', $expand }));
    expect(value.map(({ NOTE }: Json) => NOTE)).toEqual([[{ NO: 1 }, { NO: 3 }], [], []]);
    const broken = await readFailure(odata.page(anybody, model, 'LINE', { $expand: 'NOTE($search=blue OR)' }));
    expect(broken).toMatchObject({ faults: [{ path: '$expand', position: 20 }] });
  });

  it('works as search() before groupby in $apply, where hidden rows and properties are not searched either', async () => {
    const $apply = 'search(blue OR "with (a dark")/groupby((LINE_NO),aggregate($count as N))';
    const counted = await readJsonAnswer(odata.page(anybody, model, 'NOTE', { $apply, $orderby: 'LINE_NO' }));
    expect(counted.value).toMatchObject([
      { LINE_NO: 1, N: 2 },
      { LINE_NO: 2, N: 1 },
    ]);
    const kept = await readJsonAnswer(odata.page(keeper, model, 'NOTE', { $apply, $orderby: 'LINE_NO' }));
    expect(kept.value).toMatchObject([
      { LINE_NO: 1, N: 3 },
      { LINE_NO: 2, N: 2 },
    ]);
    expect(await found('blue', anybody, { $apply: 'search(dark)' })).toEqual([1, 3]);
  });

  it('is refused for groups and for a single entry', async () => {
    const groups = await readFailure(odata.page(anybody, model, 'NOTE', { $search: 'x', $apply: 'groupby((TITLE))' }));
    expect(groups).toMatchObject({ code: 'ODATA_OPTION_UNSUPPORTED', faults: [{ path: '$search' }] });
    const one = await readFailure(odata.follow(anybody, model, ['NOTE', '(1)', 'LINE'], { $search: 'x' }));
    expect(one).toMatchObject({ code: 'ODATA_OPTION_UNSUPPORTED', faults: [{ path: '$search' }] });
  });
});

describe('policies', () => {
  it('exclude hidden rows and properties from the search', async () => {
    expect(await found('blue', keeper)).toEqual([1, 2, 3, 6, 7]);
    expect(await found('lost', keeper)).toEqual([2]);
    expect(await found('lost')).toEqual([]);
    expect(await found('NOT lost')).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await found('hidden OR lost')).toEqual([]);
  });
});
