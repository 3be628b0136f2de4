/** What stands behind the key of an entry: properties, related entries, their count and references; policies on each of them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAllPages, openODataClient, type ODataClient } from '../testing/odata-client.js';
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

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, shipmentsModel);
  await fixture.load(team, ...createShipmentTables());
  odata = openODataClient(fixture, openQueryClient(fixture));
});
afterAll(() => fixture.end());

type Options = Readonly<Record<string, unknown>>;

/** `SHIPMENT(1)/LINE/$count` as the gateway takes it apart. */
const follow = (path: string, options: Options = {}, asker: typeof anybody = anybody) => {
  const [start = '', ...steps] = path.split('/');
  const [, record = '', key = ''] = /^(\w+)(\(.*\))$/.exec(start) ?? [];
  return odata.follow(asker, model, [record, key, ...steps], options);
};
const answer = (path: string, options?: Options, asker?: typeof anybody) =>
  readJsonAnswer(follow(path, options, asker));
const reply = async (path: string, options?: Options, asker?: typeof anybody) => {
  const result = await follow(path, options, asker);
  if (!result.ok) throw new Error(result.failure.detail);
  return { ...result.value, text: await readBodyText(result.value) };
};
const text = async (path: string, options?: Options) => (await reply(path, options)).text;
const numbers = ({ value }: Json) => value.map(({ NO }: Json) => NO);

describe('a navigation property to one entry', () => {
  it('returns the same as a request of the entry by its key', async () => {
    const alone = await readJsonAnswer(odata.entry(anybody, model, 'LINE', "(ORDER_NO='A',LINE_NO=2)"));
    expect(await answer('SHIPMENT(1)/LINE')).toEqual(alone);
    expect(alone['@odata.context']).toBe(`${root}$metadata#LINE_entries/$entity`);
    expect(await answer('SHIPMENT(1)/LINE', { $select: 'COMPANY' })).toMatchObject({
      '@odata.id': `${root}LINE_entries(ORDER_NO='A',LINE_NO=2)`,
      COMPANY: '1000',
    });
  });

  it('can be followed by a property or another navigation property', async () => {
    expect(await answer('SHIPMENT(2)/LINE/AMOUNT')).toEqual({
      '@odata.context': `${root}$metadata#LINE_entries(ORDER_NO='A',LINE_NO=1)/AMOUNT`,
      value: 10,
    });
    expect(numbers(await answer('SHIPMENT(2)/LINE/SHIPMENT', { $top: 2, $orderby: 'NO desc' }))).toEqual([56, 52]);
    expect(await answer('SHIPMENT(2)/LINE/$ref')).toEqual({
      '@odata.context': `${root}$metadata#$ref`,
      '@odata.id': `${root}LINE_entries(ORDER_NO='A',LINE_NO=1)`,
    });
  });

  it('is answered with 204 when no entry is related', async () => {
    for (const path of ['SHIPMENT(0)/LINE', 'SHIPMENT(4)/LINE', 'SHIPMENT(0)/LINE/$ref', 'SHIPMENT(0)/CARRIER'])
      expect(await reply(path)).toMatchObject({ status: 204, text: '' });
    expect(await readFailure(follow('SHIPMENT(0)/LINE/AMOUNT'))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
    expect(await readFailure(follow('SHIPMENT(99)/LINE'))).toMatchObject({
      code: 'GENERAL_NOTFOUND',
      detail: 'There is no entry with this key in SHIPMENT_entries.',
    });
  });
});

describe('a navigation property to several entries', () => {
  const path = "LINE(ORDER_NO='A',LINE_NO=1)/SHIPMENT";

  it('returns a page of entries, with all query options', async () => {
    const first = await answer(path, { $select: 'NO', $count: true, $filter: 'NO gt 2', $orderby: 'NO desc', $top: 3 });
    expect(first).toEqual({
      '@odata.context': `${root}$metadata#SHIPMENT_entries(NO)`,
      '@odata.count': 11,
      value: [{ NO: 56 }, { NO: 52 }, { NO: 46 }],
    });
    const expanded = await answer(path, { $top: 1, $select: 'NO', $expand: 'LINE($select=AMOUNT)' });
    expect(expanded.value).toMatchObject([{ NO: 2, LINE: { AMOUNT: 10 } }]);
  });

  it('has next links that return each entry once', async () => {
    const options = { $select: 'NO', prefer: 'maxpagesize=5', $orderby: 'CARRIER_ID desc' };
    const pages = await readAllPages((more) => follow(path, more), options);
    expect(pages.map(({ value }) => value.length)).toEqual([5, 5, 2]);
    const link = new URL(pages[0]['@odata.nextLink']);
    expect(`${link.origin}${decodeURIComponent(link.pathname)}`).toBe(
      `${root}LINE_entries(ORDER_NO='A',LINE_NO=1)/SHIPMENT`,
    );
    expect(pages.flatMap(numbers).toSorted((a, b) => a - b)).toEqual([2, 6, 12, 16, 22, 26, 32, 36, 42, 46, 52, 56]);
    const token = link.searchParams.get('$skiptoken');
    const elsewhere = follow("LINE(ORDER_NO='A',LINE_NO=2)/SHIPMENT", {
      $skiptoken: token,
      $orderby: 'CARRIER_ID desc',
    });
    expect(await readFailure(elsewhere)).toMatchObject({ faults: [{ path: '$skiptoken', rule: 'token' }] });
  });

  it('supports $count and $ref', async () => {
    expect(await text(`${path}/$count`)).toBe('12');
    expect(await text(`${path}/$count`, { $filter: 'NO gt 50' })).toBe('2');
    expect(await answer(`${path}/$ref`, { $top: 2 })).toEqual({
      '@odata.context': `${root}$metadata#Collection($ref)`,
      value: [{ '@odata.id': `${root}SHIPMENT_entries(2)` }, { '@odata.id': `${root}SHIPMENT_entries(6)` }],
    });
  });

  it('accepts the key of a related entry, and of no other', async () => {
    expect(await answer(`${path}(6)`)).toMatchObject({ NO: 6, LINE_ORDER: 'A' });
    expect(await answer(`${path}(6)/CARRIER_ID`)).toMatchObject({ value: 0 });
    expect(await answer(`${path}(2)/CARRIER`)).toMatchObject({ ID: 'R' });
    expect(await readFailure(follow(`${path}(7)`))).toMatchObject({ code: 'GENERAL_NOTFOUND' });
  });

  it('is empty when no entry is related', async () => {
    expect(numbers(await answer("CARRIER('S')/SHIPMENT", { $filter: 'NO lt 0', $count: true }))).toEqual([]);
    const none = await answer("CARRIER('R')/SHIPMENT", { $filter: "LINE_ORDER eq 'Z'", $count: true });
    expect(none).toMatchObject({ '@odata.count': 0, value: [] });
  });
});

describe('a property', () => {
  it.each([
    ["CARRIER('S')/NAME", `{"@odata.context":"${root}$metadata#CARRIER_entries('S')/NAME","value":"Ships"}`],
    ["CARRIER('S')/NAME/$value", 'Ships'],
    ['SHIPMENT(2)/NO/$value', '2'],
  ])('at %s has the body %s', async (path, body) => expect(await text(path)).toBe(body));

  it('has the type of its value, as plain text and in XML', async () => {
    expect(await reply('SHIPMENT(2)/NO/$value')).toMatchObject({ contentType: 'text/plain;charset=utf-8' });
    const $format = 'application/json;odata.metadata=full';
    expect(await answer('SHIPMENT(2)/NO', { $format })).toMatchObject({ '@odata.type': '#Int64', value: 2 });
    expect(await text('SHIPMENT(2)/NO', { $format: 'xml' })).toContain('m:type="Int64">2</m:value>');
  });

  it('is answered with 204 when its value is null', async () => {
    for (const path of ["CARRIER('R')/NAME", "CARRIER('R')/NAME/$value"])
      expect(await reply(path)).toMatchObject({ status: 204, text: '' });
  });
});

describe('a path behind a key', () => {
  it.each<readonly [path: string, code: string, message: string]>([
    [
      'SHIPMENT(1)/LIN',
      'GENERAL_NOTFOUND_PATH',
      'no property and no navigation property LIN in SHIPMENT. Did you mean LINE?',
    ],
    ['SHIPMENT(1)/LINE/AMOUT', 'GENERAL_NOTFOUND_PATH', 'AMOUT in LINE. Did you mean AMOUNT?'],
    ['SHIPMENT(1)/LINE(3)', 'GENERAL_NOTFOUND_PATH', 'LINE leads to one entry, which has no key here'],
    ['SHIPMENT(1)/LINE/$count', 'GENERAL_NOTFOUND_PATH', 'expected $ref behind LINE'],
    ['SHIPMENT(1)/$value', 'GENERAL_NOTFOUND_PATH', 'expected $ref behind the key'],
    ['SHIPMENT(1)/NO/NO', 'GENERAL_NOTFOUND_PATH', 'NO is a property; only $value stands behind it'],
    [
      "CARRIER('S')/SHIPMENT/NO",
      'GENERAL_NOTFOUND_PATH',
      'a key, as in SHIPMENT(KEY), $count or $ref stands behind it',
    ],
    ["CARRIER('S')/SHIPMENT/$cuont", 'GENERAL_NOTFOUND_PATH', 'Did you mean $count?'],
    ["CARRIER('S')/$ref/NAME", 'GENERAL_NOTFOUND_PATH', 'nothing stands behind $ref'],
    ["CARRIER('S')/SHIPMENT(x)", 'KM_FILTER_TYPE', 'x'],
    ['SHIPMENT(x)/LINE', 'KM_FILTER_TYPE', 'x'],
  ])('%s is %s: %s', async (path, code, message) => {
    const failure = await readFailure(follow(path));
    expect(failure?.code).toBe(code);
    expect(failure?.detail).toContain(message);
  });

  it.each<readonly [path: string, option: string, value: unknown]>([
    ['SHIPMENT(1)/LINE', '$top', 1],
    ['SHIPMENT(1)/LINE', '$filter', 'AMOUNT gt 1'],
    ['SHIPMENT(1)/NO', '$select', 'NO'],
    ["CARRIER('S')/SHIPMENT/$ref", '$expand', 'LINE'],
  ])('%s takes no %s', async (path, option, value) =>
    expect(await readFailure(follow(path, { [option]: value }))).toMatchObject({
      code: 'ODATA_OPTION_UNSUPPORTED',
      faults: [{ in: 'query', path: option }],
    }),
  );
});

describe('policies on paths behind a key', () => {
  it('hide rows from both ends of a relationship', async () => {
    const hidden = "LINE(ORDER_NO='B',LINE_NO=2)";
    expect(await answer('SHIPMENT(3)/LINE', {}, keeper)).toMatchObject({ COMPANY: 'SILENT' });
    expect(await answer(`${hidden}/SHIPMENT`, { $count: true }, keeper)).toMatchObject({ '@odata.count': 6 });
    expect(await reply('SHIPMENT(3)/LINE')).toMatchObject({ status: 204 });
    expect(await reply('SHIPMENT(3)/LINE/$ref')).toMatchObject({ status: 204 });
    const missing = await readFailure(follow("LINE(ORDER_NO='B',LINE_NO=9)/SHIPMENT"));
    for (const path of [
      '/SHIPMENT',
      '/SHIPMENT/$count',
      '/SHIPMENT/$ref',
      '/COMPANY',
      '/COMPANY/$value',
      '/SHIPMENT(3)',
    ])
      expect(await readFailure(follow(hidden + path))).toEqual(missing);
  });

  it('hide properties, also those by which navigation still works', async () => {
    expect(await answer("CARRIER('S')/RATE", {}, keeper)).toMatchObject({ value: 1.5 });
    const [hidden, unknown] = [
      await readFailure(follow("CARRIER('S')/RATE")),
      await readFailure(follow("CARRIER('S')/RITE")),
    ];
    expect(JSON.stringify(hidden).replaceAll('RATE', 'RITE')).toBe(JSON.stringify(unknown));
    expect(await text("CARRIER('S')/SHIPMENT/$count")).toBe('20');
    expect(await answer('SHIPMENT(1)/CARRIER')).toEqual({
      '@odata.context': `${root}$metadata#CARRIER_entries/$entity`,
      ...{ ID: 'S', NAME: 'Ships' },
    });
    expect(await readFailure(follow("CARRIER('S')/SHIPMENT", { $filter: 'CARRIER/RATE gt 1' }))).toMatchObject({
      code: 'KM_FIELD_NOTFOUND',
    });
  });

  it('see the rows of a new load of a table on the path', async () => {
    expect(await answer('SHIPMENT(2)/LINE/AMOUNT')).toMatchObject({ value: 10 });
    await fixture.load(team, ...createShipmentTables(11).filter(({ name }) => name === 'line'));
    expect(await answer('SHIPMENT(2)/LINE/AMOUNT')).toMatchObject({ value: 11 });
  });
});
