/** Expanded navigation properties to several entries and second steps: options, shares and their links, policies, statements. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAllPages, openODataClient, type ODataClient, parseLinkOptions } from '../testing/odata-client.js';
import { openQueryClient } from '../testing/query-client.js';
import { depotKeeperCaller } from '../testing/parcels.js';
import { shipmentsModel, createShipmentTables } from '../testing/shipments.js';
import { readBodyText, type Fixture, readJsonAnswer, type Json, openFixture, readFailure } from '../testing/fixture.js';

const team = 'meridian';
const anybody = { team };
const keeper = { team, ...depotKeeperCaller };
const model = 'shipments';
const root = 'https://tessera.example:8443/intelligence/api/odata/shipments.svc/';

let fixture: Fixture;
let odata: ODataClient;
/** To the database. */
let sentQueries = 0;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, shipmentsModel);
  await fixture.load(team, ...createShipmentTables());
  odata = openODataClient(fixture, openQueryClient(fixture, {}, { observe: () => void sentQueries++ }));
});
afterAll(() => fixture.end());

type Options = Readonly<Record<string, unknown>>;
const page = (record: string, options: Options, asker: typeof anybody = anybody) =>
  readJsonAnswer(odata.page(asker, model, record, options));
const valueOf = async (record: string, options: Options, asker?: typeof anybody) =>
  (await page(record, options, asker)).value;

describe('an expanded collection', () => {
  it('is nested in each entry, in the order of its identifier', async () => {
    const answer = await page('LINE', {
      $select: 'LINE_NO',
      $filter: "ORDER_NO eq 'A'",
      $expand: 'SHIPMENT($select=NO)',
    });
    const no = (rest: readonly number[]) =>
      Array.from({ length: 6 }, (_, at) => rest.map((one) => ({ NO: 10 * at + one }))).flat();
    expect(answer).toEqual({
      '@odata.context': `${root}$metadata#LINE_entries(LINE_NO,SHIPMENT(NO))`,
      value: [
        { '@odata.id': `${root}LINE_entries(ORDER_NO='A',LINE_NO=1)`, LINE_NO: 1, SHIPMENT: no([2, 6]) },
        { '@odata.id': `${root}LINE_entries(ORDER_NO='A',LINE_NO=2)`, LINE_NO: 2, SHIPMENT: no([1, 7]) },
      ],
    });
  });

  it('is filtered, ordered, paged and counted by its own options', async () => {
    const $expand =
      "SHIPMENT($select=NO;$filter=NO gt 10 and CARRIER/ID eq 'S';$orderby=NO desc;$top=2;$skip=1;$count=true)";
    const [entry] = await valueOf('LINE', { $select: 'ORDER_NO,LINE_NO', $expand, $top: 1 });
    expect(entry).toEqual({ ORDER_NO: 'A', LINE_NO: 1, 'SHIPMENT@odata.count': 4, SHIPMENT: [{ NO: 46 }, { NO: 22 }] });
    const aliased = await valueOf('LINE', {
      ...{
        $select: 'LINE_NO',
        $expand: 'SHIPMENT($select=NO;$filter=NO lt @most)',
        aliases: { '@most': '7' },
        $top: 1,
      },
    });
    expect(aliased).toMatchObject([{ SHIPMENT: [{ NO: 2 }, { NO: 6 }] }]);
  });

  it('has its count even when no entry is returned', async () => {
    const counted = async (options: string) =>
      (await valueOf('CARRIER', { $select: 'ID', $expand: `SHIPMENT($count=true;${options})` })).map((entry: Json) => [
        entry.ID,
        entry['SHIPMENT@odata.count'],
        entry.SHIPMENT.length,
      ]);
    expect(await counted('$top=0')).toEqual([
      ['R', 20, 0],
      ['S', 20, 0],
    ]);
    expect(await counted('$skip=19')).toEqual([
      ['R', 20, 1],
      ['S', 20, 1],
    ]);
    expect(await counted('$skip=99')).toEqual([
      ['R', 20, 0],
      ['S', 20, 0],
    ]);
    expect(await counted('$filter=NO lt 0')).toEqual([
      ['R', 0, 0],
      ['S', 0, 0],
    ]);
  });

  it('is read by one statement for all entries of a page, and from the cache for the next request', async () => {
    const options = { $expand: 'SHIPMENT($expand=LINE($select=AMOUNT))', $select: 'ID', $filter: "ID ne 'Q'" };
    sentQueries = 0;
    await page('CARRIER', options);
    expect(sentQueries).toBe(2);
    await page('CARRIER', options);
    expect(sentQueries).toBe(2);
  });

  it('is nested in an entry that is read by its key or by a navigation property', async () => {
    const $expand = 'SHIPMENT($select=NO;$top=2)';
    const one = await readJsonAnswer(odata.entry(anybody, model, 'CARRIER', "('S')", { $expand, $select: 'NAME' }));
    expect(one).toEqual({
      '@odata.context': `${root}$metadata#CARRIER_entries(NAME,SHIPMENT(NO))/$entity`,
      '@odata.id': `${root}CARRIER_entries('S')`,
      NAME: 'Ships',
      SHIPMENT: [{ NO: 1 }, { NO: 4 }],
    });
    const behind = await readJsonAnswer(
      odata.follow(anybody, model, ['SHIPMENT', '(2)', 'CARRIER'], { $expand, $select: 'ID' }),
    );
    expect(behind).toMatchObject({ ID: 'R', SHIPMENT: [{ NO: 2 }, { NO: 5 }] });
    expect(await readFailure(odata.entry(anybody, model, 'CARRIER', "('X')", { $expand }))).toMatchObject({
      code: 'GENERAL_NOTFOUND',
    });
    expect(await odata.follow(anybody, model, ['SHIPMENT', '(0)', 'CARRIER'], { $expand })).toMatchObject({
      value: { status: 204 },
    });
  });
});

describe('each expanded collection', () => {
  const filters = [
    undefined,
    'NO gt 20',
    'NO lt 0',
    "CARRIER/ID eq 'S' or NO eq 2",
    'LINE/AMOUNT ne null',
    'CARRIER_ID ne 1',
  ];
  const orders = [undefined, 'NO desc', 'CARRIER_ID desc', 'CARRIER/NAME,NO', 'NO mod 7 desc,CARRIER_ID'];
  const cuts = [{}, { $top: 3 }, { $top: 4, $skip: 2 }, { $skip: 9, $count: true }, { $top: 0, $count: true }];

  it.each(
    filters.flatMap(($filter, at) =>
      orders.map(($orderby, place) => [$filter, $orderby, cuts[(at + place) % 5] ?? {}] as const),
    ),
  )(
    'has the same entries as the navigation path of its entry: $filter=%s, $orderby=%s, %j',
    async ($filter, $orderby, cut) => {
      const options = {
        ...{ $select: 'NO', ...cut },
        ...($filter !== undefined && { $filter }),
        ...($orderby !== undefined && { $orderby }),
      };
      const inner = Object.entries(options).map(([name, value]) => `${name}=${value}`);
      for (const record of ['LINE', 'CARRIER']) {
        const entries = await valueOf(record, { $expand: `SHIPMENT(${inner.join(';')})` });
        for (const { ORDER_NO, LINE_NO, ID, SHIPMENT, 'SHIPMENT@odata.count': count } of entries) {
          const key = record === 'LINE' ? `(ORDER_NO='${ORDER_NO}',LINE_NO=${LINE_NO})` : `('${ID}')`;
          const alone = await readJsonAnswer(odata.follow(anybody, model, [record, key, 'SHIPMENT'], options));
          expect([SHIPMENT, count]).toEqual([alone.value, alone['@odata.count']]);
        }
      }
    },
  );
});

describe('a second level of $expand', () => {
  it('expands a collection into single entries, and a single entry into a collection', async () => {
    const $expand = 'SHIPMENT($select=NO;$top=3;$orderby=NO desc;$expand=LINE($select=AMOUNT))';
    expect(await valueOf('CARRIER', { $select: 'ID', $expand, $filter: "ID eq 'S'" })).toMatchObject([
      {
        ID: 'S',
        SHIPMENT: [
          { NO: 58, LINE: { AMOUNT: 30.5 } },
          { NO: 55, LINE: null },
          { NO: 52, LINE: { AMOUNT: 10 } },
        ],
      },
    ]);
    const [entry] = await valueOf('SHIPMENT', {
      ...{
        $filter: 'NO eq 2',
        $select: 'NO',
        $expand: 'CARRIER($select=ID;$expand=SHIPMENT($select=NO;$top=2;$count=true)),LINE',
      },
    });
    expect(entry).toMatchObject({
      NO: 2,
      LINE: { ORDER_NO: 'A' },
      CARRIER: { ID: 'R', 'SHIPMENT@odata.count': 20, SHIPMENT: [{ NO: 2 }, { NO: 5 }] },
    });
    const none = await valueOf('SHIPMENT', { $filter: 'NO eq 0', $select: 'NO', $expand: 'CARRIER($expand=SHIPMENT)' });
    expect(none).toEqual([{ NO: 0, CARRIER: null }]);
  });

  it('expands a collection into collections, but no third level', async () => {
    const $expand = 'SHIPMENT($select=NO;$top=1;$expand=LINE($select=LINE_NO;$expand=SHIPMENT))';
    expect(await readFailure(odata.page(anybody, model, 'CARRIER', { $expand }))).toMatchObject({
      code: 'ODATA_OPTION_UNSUPPORTED',
      detail: expect.stringContaining('2 steps deep'),
      faults: [{ path: '$expand', position: 56 }],
    });
    const lines = await valueOf('LINE', {
      $select: 'LINE_NO',
      $expand: 'SHIPMENT($top=1;$select=NO;$expand=CARRIER($select=ID))',
    });
    expect(lines.map(({ SHIPMENT }: Json) => SHIPMENT.map(({ NO, CARRIER }: Json) => [NO, CARRIER?.ID]))).toEqual([
      [[2, 'R']],
      [[1, 'S']],
      [[8, 'R']],
    ]);
  });

  it('expands all navigation properties with a star', async () => {
    const [line] = await valueOf('LINE', { $expand: '*', $top: 1 });
    expect(line.SHIPMENT).toHaveLength(12);
    const [shipment] = await valueOf('SHIPMENT', { $expand: '*', $filter: 'NO eq 2' });
    expect(shipment).toMatchObject({ LINE: { LINE_NO: 1 }, CARRIER: { ID: 'R' } });
  });
});

describe('the rest of an expanded collection', () => {
  it('is reached by the next link of the entry, in the same order', async () => {
    await fixture.publish(team, { ...shipmentsModel, id: 'wide', records: wideRecords });
    await fixture.load(team, ...manyShipments);
    const wide = (options: Options) => readJsonAnswer(odata.page(anybody, 'wide', 'CARRIER', options));
    const { value } = await wide({ $expand: 'SHIPMENT($orderby=LINE_ORDER desc)' });
    expect(value.map(({ SHIPMENT }: Json) => SHIPMENT.length)).toEqual([25, 25]);
    for (const { ID, SHIPMENT, 'SHIPMENT@odata.nextLink': link } of value) {
      const address = new URL(link);
      expect(decodeURIComponent(address.pathname)).toMatch(
        new RegExp(`wide\\.svc/CARRIER_entries\\('${ID}'\\)/SHIPMENT$`),
      );
      const more = await readJsonAnswer(
        odata.follow(anybody, 'wide', ['CARRIER', `('${ID}')`, 'SHIPMENT'], parseLinkOptions(link)),
      );
      const all = await readJsonAnswer(
        odata.follow(anybody, 'wide', ['CARRIER', `('${ID}')`, 'SHIPMENT'], { $orderby: 'LINE_ORDER desc' }),
      );
      const numbers = [...SHIPMENT, ...more.value].map(({ NO }: Json) => NO);
      expect(numbers).toEqual(all.value.map(({ NO }: Json) => NO));
    }
    const limited = await wide({ $expand: 'SHIPMENT($top=26)' });
    const { searchParams } = new URL(limited.value[0]['SHIPMENT@odata.nextLink']);
    expect(searchParams.get('$top')).toBe('1');
    const few = await wide({ $expand: 'SHIPMENT($top=25)' });
    expect(few.value[0]).not.toHaveProperty('SHIPMENT@odata.nextLink');
    const four = 'LINE($expand=SHIPMENT),CARRIER($expand=SHIPMENT)';
    const shared = await readJsonAnswer(odata.page(anybody, 'wide', 'SHIPMENT', { $expand: four, $filter: 'NO eq 1' }));
    expect(shared.value[0].CARRIER.SHIPMENT).toHaveLength(12);
    expect(shared.value[0].CARRIER['SHIPMENT@odata.nextLink']).toContain('CARRIER_entries');
    await fixture.load(team, ...createShipmentTables());
  });

  it('is expanded for the entries of the next pages as well', async () => {
    const ask = (options: Options) => odata.page(anybody, model, 'LINE', options);
    const options = { $select: 'LINE_NO', $expand: 'SHIPMENT($select=NO)', prefer: 'maxpagesize=2', $count: true };
    const pages = await readAllPages(ask, options);
    expect(pages.map(({ value }) => value.map(({ SHIPMENT }: Json) => SHIPMENT.length))).toEqual([[12, 12], [6]]);
    expect(pages.map((each) => each['@odata.count'])).toEqual([3, 3]);
  });
});

/** So many columns that an equal share of a level is 25 entries. */
const wideRecords = shipmentsModel.records?.map((record) =>
  record.id === 'SHIPMENT'
    ? {
        ...record,
        attributes: [
          ...(record.attributes ?? []),
          ...Array.from({ length: 990 }, (_, at) => ({ id: `NO_${at}`, column: 'no', type: 'integer' as const })),
        ],
      }
    : record,
);

const manyShipments = createShipmentTables()
  .filter(({ name }) => name === 'shipment')
  .map((table) => ({ ...table, rows: "select g, 'A' || g % 5, 1, g % 3 from generate_series(0, 299) g" }));

describe('policies on expanded collections', () => {
  it('hide rows of the entries, of the collection, and of the second level', async () => {
    const $expand = 'SHIPMENT($select=NO;$count=true;$filter=NO lt 20;$expand=LINE($select=COMPANY))';
    const linesOf = (value: readonly Json[]) =>
      value.flatMap(({ SHIPMENT }) => SHIPMENT.map(({ LINE }: Json) => LINE?.COMPANY));
    const all = await valueOf('CARRIER', { $expand }, keeper);
    const visible = await valueOf('CARRIER', { $expand });
    expect(linesOf(all)).toContain('SILENT');
    expect(JSON.stringify(visible)).not.toContain('SILENT');
    expect(linesOf(visible)).toHaveLength(linesOf(all).length);
    const lines = await valueOf('LINE', { $expand: 'SHIPMENT' });
    expect(lines.map(({ ORDER_NO, LINE_NO }: Json) => [ORDER_NO, LINE_NO])).toEqual([
      ['A', 1],
      ['A', 2],
      ['B', 1],
    ]);
    const hiding = {
      ...shipmentsModel,
      id: 'hiding',
      policies: [{ record: 'SHIPMENT', rows: 'NO gt 50', hide: ['CARRIER_ID'] }],
    };
    await fixture.publish(team, hiding);
    const hidden = await readJsonAnswer(
      odata.page(anybody, 'hiding', 'CARRIER', { $select: 'ID', $expand: 'SHIPMENT($count=true)' }),
    );
    expect(hidden.value).toEqual([
      { ID: 'R', 'SHIPMENT@odata.count': 3, SHIPMENT: [53, 56, 59].map((no) => expect.objectContaining({ NO: no })) },
      { ID: 'S', 'SHIPMENT@odata.count': 3, SHIPMENT: [52, 55, 58].map((no) => expect.objectContaining({ NO: no })) },
    ]);
    expect(JSON.stringify(hidden)).not.toContain('CARRIER_ID');
  });

  it('make a hidden property in its options indistinguishable from an unknown one', async () => {
    const ask = (name: string) =>
      readFailure(
        odata.page(anybody, model, 'SHIPMENT', { $expand: `CARRIER($expand=SHIPMENT($filter=CARRIER/${name} gt 1))` }),
      );
    const [hidden, unknown] = [await ask('RATE'), await ask('RITE')];
    expect(hidden).toMatchObject({ code: 'KM_FIELD_NOTFOUND', faults: [{ path: '$expand' }] });
    expect(JSON.stringify(hidden).replaceAll('RATE', 'RITE')).toBe(JSON.stringify(unknown));
  });
});

describe('the cache of expanded collections', () => {
  it('is invalidated by a load of the related table', async () => {
    const amounts = async () =>
      (
        await valueOf('SHIPMENT', {
          $filter: 'NO eq 2',
          $expand: 'CARRIER($expand=SHIPMENT($filter=NO eq 2))',
          $select: 'NO',
        })
      )[0].CARRIER.SHIPMENT;
    expect(await amounts()).toMatchObject([{ LINE_NO: 1 }]);
    const shipment = createShipmentTables()
      .filter(({ name }) => name === 'shipment')
      .map((table) => ({
        ...table,
        rows: typeof table.rows === 'string' ? table.rows : table.rows.map((row) => ({ ...row, line_no: 7 })),
      }));
    await fixture.load(team, ...shipment);
    expect(await amounts()).toMatchObject([{ LINE_NO: 7 }]);
  });
});

describe('an expanded collection in other formats or with faults', () => {
  it.each<readonly [expand: string, code: string, position: number, message: string]>([
    ['SHIPMENT($filter=NOO gt 1)', 'KM_FIELD_NOTFOUND', 17, 'Did you mean NO?'],
    ["SHIPMENT($select=NO;$filter=NO gt 'x')", 'KM_FILTER_TYPE', 34, 'character 35: NO is an integer'],
    ['SHIPMENT($filter=NO gt)', 'KM_FILTER_SYNTAX', 22, '$expand, character 23'],
    ['SHIPMENT($orderby=NO down)', 'GENERAL_PARAMETER_ILLEGAL', 21, 'Expected asc or desc'],
    ['SHIPMENT($top=-1)', 'GENERAL_PARAMETER_ILLEGAL', 14, '$top is a number'],
    ['SHIPMENT($count=yes)', 'GENERAL_PARAMETER_ILLEGAL', 16, '$count is true or false'],
    ['SHIPMENT($levels=2)', 'ODATA_OPTION_UNSUPPORTED', 9, '$levels is not supported here'],
    ['SHIPMENT($expand=LINE($top=1))', 'ODATA_OPTION_UNSUPPORTED', 22, 'top'],
    ['SHIPMENT($expand=CARIER)', 'KM_FIELD_NOTFOUND', 17, 'Did you mean CARRIER?'],
    ['SHIPMENT/$ref', 'ODATA_OPTION_UNSUPPORTED', 0, '/$ref is not supported here'],
  ])('%s is %s at %d', async ($expand, code, position, message) => {
    const failure = await readFailure(odata.page(anybody, model, 'LINE', { $expand }));
    expect(failure).toMatchObject({ code, faults: [{ path: '$expand', position }] });
    expect(failure?.detail).toContain(message);
  });

  it('is rejected in Atom, naming JSON as the format', async () => {
    const failure = await readFailure(odata.page(anybody, model, 'LINE', { $expand: 'SHIPMENT', $format: 'atom' }));
    expect(failure).toMatchObject({ code: 'ODATA_FORMAT_UNSUPPORTED', detail: expect.stringContaining('JSON alone') });
  });

  it('is rejected for a fault in its options before any row is read', async () => {
    sentQueries = 0;
    await readFailure(
      odata.page(anybody, model, 'LINE', { $expand: "SHIPMENT($filter=NO eq 'x')", $filter: "ORDER_NO ne 'q'" }),
    );
    expect(sentQueries).toBe(0);
  });

  it('has numbers and counts as strings with IEEE754Compatible=true', async () => {
    const $format = 'application/json;IEEE754Compatible=true;odata.metadata=none';
    const reply = await odata.page(anybody, model, 'CARRIER', {
      $select: 'ID',
      $expand: 'SHIPMENT($select=NO;$top=1;$count=true)',
      $format,
    });
    if (!reply.ok) throw new Error(reply.failure.detail);
    expect(JSON.parse(await readBodyText(reply.value)).value[0]).toEqual({
      ID: 'R',
      'SHIPMENT@odata.count': '20',
      SHIPMENT: [{ NO: '2' }],
    });
  });
});
