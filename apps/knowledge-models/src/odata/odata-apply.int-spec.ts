/** `$apply`: groups of entries, aggregates and KPIs, as `/query` answers them, with what policies hide; bad input and where it is. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyModel, companyTables, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import { readBodyText, type Fixture, readJsonAnswer, openFixture, readFailure } from '../testing/fixture.js';
import { readAllPages, type ODataClient, openODataClient } from '../testing/odata-client.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { depotKeeperCaller } from '../testing/parcels.js';
import { shipmentsModel, createShipmentTables } from '../testing/shipments.js';

const team = 'meridian';
const anybody = { team };
const ofFinance = { team, ...financeCaller };
const keepers = { team, ...depotKeeperCaller };
const root = 'https://tessera.example:8443/intelligence/api/odata/p2p.base-km.svc/';

let fixture: Fixture;
let client: QueryClient;
let odata: ODataClient;
let sentQueries = 0;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, companyModel);
  await fixture.load(team, ...companyTables);
  await fixture.publish(team, shipmentsModel);
  await fixture.load(team, ...createShipmentTables());
  client = openQueryClient(fixture, {}, { observe: () => void sentQueries++ });
  odata = openODataClient(fixture, client);
});
afterAll(() => fixture.end());

type Options = Readonly<Record<string, unknown>>;
const page = (options: Options, asker: typeof anybody = anybody) =>
  odata.page(asker, companyModel.id, 'PO_ITEM', options);
const apply = async ($apply: string, options: Options = {}, asker = anybody) =>
  (await readJsonAnswer(page({ $apply, ...options }, asker))).value;
const shipments = async ($apply: string, options: Options = {}, asker: typeof anybody = anybody) =>
  (await readJsonAnswer(odata.page(asker, shipmentsModel.id, 'SHIPMENT', { $apply, ...options }))).value;

describe('$apply', () => {
  it('returns groups with aggregates and KPIs, with type annotations that JSON cannot express', async () => {
    const $apply = 'groupby((CITY,PURCHASE_ORDER/COUNTRY),aggregate(QTY with sum as PIECES,$count as N,ORDER_VALUE))';
    const reply = await page({ $apply, $count: true });
    if (!reply.ok) throw new Error(reply.failure.detail);
    const group = (city: string, country: string, pieces: string, n: number, value: string) =>
      `{"CITY":"${city}","PURCHASE_ORDER":{"COUNTRY":"${country}"},"PIECES@odata.type":"Int64","PIECES":${pieces},` +
      `"N@odata.type":"Int64","N":${n},"ORDER_VALUE":${value}}`;
    expect(reply.value.contentType).toBe('application/json;odata.metadata=minimal;charset=utf-8');
    expect(await readBodyText(reply.value)).toBe(
      `{"@odata.context":"${root}$metadata#PO_ITEM_entries(CITY,PURCHASE_ORDER(COUNTRY),PIECES,N,ORDER_VALUE)",` +
        `"@odata.count":3,"value":[${group('Bonn', 'DE', '7', 2, '220')},${group('Roma', 'IT', '7', 1, 'null')},` +
        `${group('Åre', 'IT', 'null', 1, '0.5')}]}`,
    );
  });

  it.each<readonly [apply: string, expected: unknown]>([
    ['aggregate(ORDER_VALUE as TOTAL)', [{ TOTAL: 220.5 }]],
    ['aggregate(AMOUNT with average as MEAN,CITY with countdistinct as CITIES)', [{ MEAN: 73.5, CITIES: 3 }]],
    ['aggregate(DUE with min as FIRST,CITY with max as LAST)', [{ FIRST: '2026-01-31', LAST: 'Åre' }]],
    ['aggregate($count as N)', [{ N: 4 }]],
    ["filter(CITY eq 'Nowhere')/aggregate($count as N,AMOUNT with sum as TOTAL)", [{ N: 0, TOTAL: null }]],
    ['groupby((OPEN))', [{ OPEN: false }, { OPEN: true }]],
    ['filter(AMOUNT gt 1)/groupby((ORDER_NO),aggregate($count as N))', [{ ORDER_NO: 'A', N: 2 }]],
    ["filter(AMOUNT gt 1)/filter(CITY eq 'Bonn')/groupby((ITEM_NO))", [{ ITEM_NO: 1 }, { ITEM_NO: 2 }]],
    [
      'groupby((ORDER_NO),aggregate($count as N,AMOUNT with sum as S))/filter(S gt 1)',
      [{ ORDER_NO: 'A', N: 2, S: 220 }],
    ],
    ["filter(PURCHASE_ORDER/COUNTRY eq 'IT')/groupby((ORDER_NO))", [{ ORDER_NO: 'B' }]],
    [
      " filter( contains(CITY,'on') ) / groupby( ( URGENT , ITEM_NO ) , aggregate( $count  as  N ) ) ",
      [
        { URGENT: false, ITEM_NO: 2, N: 1 },
        { URGENT: true, ITEM_NO: 1, N: 1 },
      ],
    ],
    [
      'identity/groupby((PURCHASE_ORDER/COUNTRY))',
      [{ PURCHASE_ORDER: { COUNTRY: 'DE' } }, { PURCHASE_ORDER: { COUNTRY: 'IT' } }],
    ],
  ])('%s', async ($apply, expected) =>
    expect(await apply($apply, { $format: 'application/json;metadata=none' })).toEqual(expected),
  );

  it('is followed by $filter, $orderby, $skip and $top on the groups', async () => {
    const $apply = 'groupby((CITY,PURCHASE_ORDER/COUNTRY),aggregate($count as N,ORDER_VALUE))';
    const cities = async (options: Options) => (await apply($apply, options)).map(({ CITY }: { CITY: string }) => CITY);
    expect(await cities({ $orderby: 'N desc,CITY desc' })).toEqual(['Bonn', 'Åre', 'Roma']);
    expect(await cities({ $orderby: 'PURCHASE_ORDER/COUNTRY desc,CITY' })).toEqual(['Roma', 'Åre', 'Bonn']);
    expect(await cities({ $filter: 'N eq 1 and ORDER_VALUE ne null' })).toEqual(['Åre']);
    expect(await cities({ $filter: "CITY eq 'Roma' or N gt 1" })).toEqual(['Bonn', 'Roma']);
    expect(await cities({ $filter: "PURCHASE_ORDER/COUNTRY eq 'IT'" })).toEqual(['Roma', 'Åre']);
    expect(await cities({ $skip: 1, $top: 1 })).toEqual(['Roma']);
    expect(await cities({ $top: 0 })).toEqual([]);
    expect(await cities({ filterid: ['LARGE'] })).toEqual(['Bonn']);
  });

  it('returns every group exactly once over all pages', async () => {
    const options = { $apply: 'groupby((ORDER_NO,ITEM_NO),aggregate(ORDER_VALUE))', $count: true };
    const pages = await readAllPages(page, { ...options, $orderby: 'ORDER_VALUE desc', prefer: 'maxpagesize=1' });
    expect(pages.map(({ value }) => value.map(({ ORDER_VALUE }: { ORDER_VALUE: number }) => ORDER_VALUE))).toEqual([
      [120.5],
      [99.5],
      [0.5],
      [null],
    ]);
    expect(pages.map((each) => each['@odata.count'])).toEqual([4, 4, 4, 4]);
    expect(pages[0].value[0]).toMatchObject({ '@odata.id': null });
    const limited = await readAllPages(page, { ...options, $top: 3, $skip: 1, prefer: 'maxpagesize=2' });
    expect(limited.map(({ value }) => value.length)).toEqual([2, 1]);
    const link: string = limited[0]['@odata.nextLink'];
    const $skiptoken = new URL(link).searchParams.get('$skiptoken');
    const other = await readFailure(page({ $apply: 'groupby((ORDER_NO))', $skiptoken }));
    expect(other).toMatchObject({ code: 'GENERAL_PARAMETER_ILLEGAL', faults: [{ path: '$skiptoken' }] });
  });

  it('filters entries without groups', async () => {
    const pages = await readAllPages(page, {
      $apply: 'filter(AMOUNT gt 0)',
      $filter: 'ITEM_NO eq 1',
      $select: 'ORDER_NO',
      prefer: 'maxpagesize=1',
    });
    expect(pages.flatMap(({ value }) => value)).toMatchObject([{ ORDER_NO: 'A' }, { ORDER_NO: 'B' }]);
  });

  it('counts groups and filtered entries', async () => {
    const count = async (options: Options) => {
      const reply = await odata.count(anybody, companyModel.id, 'PO_ITEM', options);
      return reply.ok ? readBodyText(reply.value) : reply.failure.detail;
    };
    expect(await count({ $apply: 'groupby((CITY))' })).toBe('3');
    expect(await count({ $apply: 'groupby((CITY),aggregate($count as N))', $filter: 'N gt 1' })).toBe('1');
    expect(await count({ $apply: 'filter(AMOUNT gt 1)' })).toBe('2');
    expect(await count({ $apply: 'aggregate($count as N)' })).toBe('1');
  });

  it('sends a repeated query to the database only once', async () => {
    const before = sentQueries;
    const $apply = 'groupby((CITY),aggregate(LARGE_RATE))';
    await apply($apply);
    await apply($apply);
    expect(sentQueries - before).toBe(1);
  });

  it('is rejected for formats other than JSON', async () => {
    expect(await readFailure(page({ $apply: 'groupby((CITY))', accept: 'application/atom+xml' }))).toMatchObject({
      code: 'ODATA_FORMAT_UNSUPPORTED',
      detail: expect.stringContaining('application/json'),
    });
  });
});

describe('policies of groups', () => {
  it('hide rows from groups', async () => {
    const $apply = 'groupby((PURCHASE_ORDER/ORDER_NO),aggregate(AMOUNT with max as MOST,$count as N,ORDER_VALUE))';
    const [visible, all] = [await apply($apply), await apply($apply, {}, ofFinance)];
    expect(all).toHaveLength(3);
    expect(visible).toEqual(all.slice(0, 2));
  });

  it.each([
    ...[
      'AMOUNT with sum as A',
      'AMOUNT with max as A',
      'AMOUNT with average as A',
      'DUE with max as A',
      'QTY with min as A',
    ],
    ...['ORDER_NO with countdistinct as A', '$count as A', 'ORDER_VALUE as A', 'LARGE_RATE'],
  ])('hide rows from %s', async (one) =>
    expect(await apply(`aggregate(${one})`)).not.toEqual(await apply(`aggregate(${one})`, {}, ofFinance)),
  );

  it('hide related rows from groups', async () => {
    const $apply = 'groupby((LINE_ORDER,LINE/AMOUNT),aggregate($count as N))';
    const of = async (asker: typeof anybody) => shipments($apply, { $filter: "LINE_ORDER eq 'B'" }, asker);
    expect(await of(keepers)).toMatchObject([
      { LINE: { AMOUNT: 30.5 }, N: 6 },
      { LINE: { AMOUNT: 40 }, N: 6 },
    ]);
    expect(await of(anybody)).toMatchObject([
      { LINE: { AMOUNT: null }, N: 6 },
      { LINE: { AMOUNT: 30.5 }, N: 6 },
    ]);
  });

  it.each([
    ['groupby((BANK_ACCOUNT))', 'groupby((BINK_ACCOUNT))'],
    ['aggregate(BANK_ACCOUNT with max as M)', 'aggregate(BINK_ACCOUNT with max as M)'],
    ["filter(BANK_ACCOUNT eq 'x')/aggregate($count as N)", "filter(BINK_ACCOUNT eq 'x')/aggregate($count as N)"],
    ['aggregate(ACCOUNTS_AGAIN)', 'aggregate(ICCOUNTS_AGAIN)'],
    ['groupby((UNBANKED))', 'groupby((INBANKED))'],
  ])('make a hidden column indistinguishable from an unknown one: %s', async (hidden, unknown) => {
    expect((await page({ $apply: hidden }, ofFinance)).ok).toBe(true);
    const [one, other] = [await readFailure(page({ $apply: hidden })), await readFailure(page({ $apply: unknown }))];
    const [was, is] = [/B[AI]NK_ACCOUNT|[AI]CCOUNTS_AGAIN|[UI]NBANKED/g, '*'];
    expect(JSON.stringify(one).replaceAll(was, is)).toBe(JSON.stringify(other).replaceAll(was, is));
    expect(one?.faults?.[0]).not.toHaveProperty('suggestion');
  });

  it('make a hidden column of a related entry indistinguishable from an unknown one', async () => {
    expect(await shipments('groupby((CARRIER/RATE))', {}, keepers)).toHaveLength(2);
    const ask = ($apply: string) => readFailure(odata.page(anybody, shipmentsModel.id, 'SHIPMENT', { $apply }));
    const [hidden, unknown] = [await ask('groupby((CARRIER/RATE))'), await ask('groupby((CARRIER/RITE))')];
    expect(JSON.stringify(hidden).replaceAll('RATE', 'RITE')).toBe(JSON.stringify(unknown));
  });

  it('keep hidden columns out of the metadata', async () => {
    const metadata = async (asker: typeof anybody) => {
      const reply = await odata.metadata(asker, companyModel.id);
      return reply.ok ? readBodyText(reply.value) : '';
    };
    expect(await metadata(ofFinance)).toContain('"Aggregation.CustomAggregate" Qualifier="ACCOUNTS"');
    expect(await metadata(anybody)).toContain('"Aggregation.CustomAggregate" Qualifier="ORDER_VALUE"');
    expect(await metadata(anybody)).not.toMatch(hiddenWordsPattern);
  });
});
