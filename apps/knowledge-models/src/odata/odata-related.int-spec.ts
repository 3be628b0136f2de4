/** Related entries by keys of several properties and by a hidden one, hidden rows: in every representation, on every page. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAllPages, openODataClient, type ODataClient } from '../testing/odata-client.js';
import { openQueryClient } from '../testing/query-client.js';
import { depotKeeperCaller } from '../testing/parcels.js';
import { shipmentCount, shipmentsModel, createShipmentTables } from '../testing/shipments.js';
import { readJsonAnswer, readBodyText, openFixture, readFailure, type Json, type Fixture } from '../testing/fixture.js';

const team = 'meridian';
const anybody = { team };
const keepers = { team, ...depotKeeperCaller };
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
const page = (options: Options, asker: typeof anybody = anybody) => odata.page(asker, model, 'SHIPMENT', options);
const textOf = async (options: Options): Promise<string> => {
  const reply = await page(options);
  if (!reply.ok) throw new Error(reply.failure.detail);
  return readBodyText(reply.value);
};

const rowsOf = (pages: readonly Json[]): readonly Json[] => pages.flatMap(({ value }) => value);
const lineOf = ({ NO, LINE }: Json) => [NO, LINE?.ORDER_NO, LINE?.LINE_NO];

describe('an entry with expanded entries', () => {
  it('shows each as an object with its selected properties, or as null', async () => {
    const options = { $select: 'NO', $expand: 'LINE($select=LINE_NO,AMOUNT),CARRIER', $top: 5 };
    const line = (order: string, no: number, amount: string) =>
      `{"@odata.id":"${root}LINE_entries(ORDER_NO='${order}',LINE_NO=${no})","LINE_NO":${no},"AMOUNT":${amount}}`;
    expect(await textOf(options)).toBe(
      `{"@odata.context":"${root}$metadata#SHIPMENT_entries(NO,LINE(LINE_NO,AMOUNT),CARRIER())","value":[` +
        `{"NO":0,"LINE":null,"CARRIER":null},{"NO":1,"LINE":${line('A', 2, 'null')},"CARRIER":{"ID":"S","NAME":"Ships"}},` +
        `{"NO":2,"LINE":${line('A', 1, '10')},"CARRIER":{"ID":"R","NAME":null}},{"NO":3,"LINE":null,"CARRIER":null},` +
        `{"NO":4,"LINE":null,"CARRIER":{"ID":"S","NAME":"Ships"}}]}`,
    );
  });

  it('is the same when it is read by its key', async () => {
    const $expand = 'LINE($select=AMOUNT),CARRIER($select=NAME,ID)';
    const entry = (key: string) => odata.entry(anybody, model, 'SHIPMENT', key, { $expand });
    expect(await readJsonAnswer(entry('(2)'))).toEqual({
      '@odata.context': `${root}$metadata#SHIPMENT_entries(LINE(AMOUNT),CARRIER(NAME,ID))/$entity`,
      ...{ NO: 2, LINE_ORDER: 'A', LINE_NO: 1, CARRIER_ID: 2 },
      LINE: { '@odata.id': `${root}LINE_entries(ORDER_NO='A',LINE_NO=1)`, AMOUNT: 10 },
      CARRIER: { NAME: null, ID: 'R' },
    });
    expect(await readJsonAnswer(entry('(9)'))).toMatchObject({ NO: 9, LINE: null, CARRIER: null });
    expect((await readFailure(entry('(99)')))?.code).toBe('GENERAL_NOTFOUND');
  });

  it('has the same metadata level in expanded entries', async () => {
    const asked = { $select: 'NO', $expand: '*', $filter: 'NO eq 1' };
    const of = async (metadata: string) =>
      (await readJsonAnswer(page({ ...asked, $format: `application/json;odata.metadata=${metadata}` }))).value[0];
    expect(await of('none')).toEqual({
      NO: 1,
      LINE: { ORDER_NO: 'A', LINE_NO: 2, AMOUNT: null, COMPANY: '1000' },
      CARRIER: { ID: 'S', NAME: 'Ships' },
    });
    const address = `${root}LINE_entries(ORDER_NO='A',LINE_NO=2)`;
    expect(await of('full')).toMatchObject({
      '@odata.type': '#ODataKnowledgeModel.SHIPMENT',
      'LINE@odata.navigationLink': `${root}SHIPMENT_entries(1)/LINE`,
      LINE: {
        ...{ '@odata.type': '#ODataKnowledgeModel.LINE', '@odata.id': address, '@odata.readLink': address },
        ...{ 'LINE_NO@odata.type': 'Int64', 'SHIPMENT@odata.navigationLink': `${address}/SHIPMENT` },
      },
      CARRIER: { '@odata.type': '#ODataKnowledgeModel.CARRIER', ID: 'S', NAME: 'Ships' },
    });
  });

  it('has inline links with Atom', async () => {
    const ask = (no: number) => textOf({ $expand: 'LINE', $filter: `NO eq ${no}`, $format: 'atom' });
    expect(await ask(1)).toMatch(
      /<link [^>]*title="LINE" href="[^"]*LINE_NO=2\)"><m:inline><entry><id>[^<]*LINE_NO=2\)/,
    );
    expect(await ask(0)).toMatch(/<link [^>]*title="LINE" href="[^"]*\(0\)\/LINE"><m:inline><\/m:inline><\/link>/);
  });
});

describe('policies of related entries', () => {
  it('hide rows from expanded entries', async () => {
    const asked = { $select: 'NO', $expand: 'LINE', $filter: "LINE_ORDER eq 'B'" };
    const [all, visible] = [
      rowsOf([await readJsonAnswer(page(asked, keepers))]),
      rowsOf([await readJsonAnswer(page(asked))]),
    ];
    expect(all.map(lineOf)).toEqual(all.map(({ NO }) => [NO, 'B', 1 + (NO % 2)]));
    expect(visible.map(lineOf)).toEqual(
      all.map(({ NO }) => (NO % 2 === 1 ? [NO, undefined, undefined] : [NO, 'B', 1])),
    );
    expect(all).toHaveLength(12);
    expect(JSON.stringify(visible)).not.toContain('SILENT');
  });

  it('hide properties of expanded entries, also those that relate them', async () => {
    const one = { $filter: 'NO eq 1', $select: 'NO', $expand: 'CARRIER' };
    expect((await readJsonAnswer(page(one))).value).toEqual([{ NO: 1, CARRIER: { ID: 'S', NAME: 'Ships' } }]);
    expect((await readJsonAnswer(page(one, keepers))).value).toEqual([
      { NO: 1, CARRIER: { ID: 'S', CODE: 1, NAME: 'Ships', RATE: 1.5 } },
    ]);
    const hidden = await readFailure(page({ $expand: 'CARRIER($select=RATE)' }));
    const unknown = await readFailure(page({ $expand: 'CARRIER($select=RITE)' }));
    expect(hidden?.code).toBe('KM_FIELD_NOTFOUND');
    expect(JSON.stringify(hidden).replaceAll('RATE', 'RITE')).toBe(JSON.stringify(unknown));
  });
});

describe('all pages with related entries', () => {
  const $expand = 'LINE,CARRIER';

  it.each([undefined, 'LINE_ORDER desc', 'LINE_ORDER', 'CARRIER_ID,LINE_ORDER desc'])(
    'have each entry once, in the same order as without expansion: %s',
    async ($orderby) => {
      const options = { ...($orderby !== undefined && { $orderby }), $count: true, prefer: 'maxpagesize=7' };
      const alone = await readAllPages(page, options);
      const pages = await readAllPages(page, { ...options, $expand });
      expect(rowsOf(pages).map(({ LINE: _line, CARRIER: _carrier, ...own }) => own)).toEqual(rowsOf(alone));
      expect(pages.map(({ value }) => value.length)).toEqual([7, 7, 7, 7, 7, 7, 7, 7, 4]);
      expect(pages.map((each) => each['@odata.count'])).toEqual(pages.map(() => shipmentCount));
      for (const { NO, LINE_ORDER, LINE_NO, LINE, CARRIER } of rowsOf(pages)) {
        const isThere = LINE_ORDER === 'A' || (LINE_ORDER === 'B' && LINE_NO === 1);
        expect(LINE).toEqual(isThere ? expect.objectContaining({ ORDER_NO: LINE_ORDER, LINE_NO }) : null);
        expect(CARRIER).toEqual([null, { ID: 'S', NAME: 'Ships' }, { ID: 'R', NAME: null }][NO % 3]);
      }
    },
  );

  it('work with filters over the same relationship', async () => {
    const $filter = 'LINE/AMOUNT ne null and LINE/AMOUNT lt 30';
    const pages = await readAllPages(page, { $filter, $expand, $count: true, prefer: 'maxpagesize=5' });
    expect(rowsOf(pages).map(lineOf)).toEqual([2, 6, 12, 16, 22, 26, 32, 36, 42, 46, 52, 56].map((no) => [no, 'A', 1]));
    expect(pages.map((each) => each['@odata.count'])).toEqual([12, 12, 12]);
  });
});

describe('an answer with related entries', () => {
  it('is not cached for another expansion or caller, nor after a load of the related table', async () => {
    const asked = { $select: 'NO', $filter: 'NO eq 2' };
    const entryOf = async (options: Options, asker?: typeof anybody) =>
      (await readJsonAnswer(page({ ...asked, ...options }, asker))).value[0];
    for (const _again of [1, 2]) {
      expect(await entryOf({})).toEqual({ NO: 2 });
      expect(await entryOf({ $expand: 'LINE($select=ORDER_NO,LINE_NO)' })).toEqual({
        NO: 2,
        LINE: { ORDER_NO: 'A', LINE_NO: 1 },
      });
      expect(await entryOf({ $expand: 'CARRIER' })).toEqual({ NO: 2, CARRIER: { ID: 'R', NAME: null } });
      const seen = await entryOf({ $expand: 'CARRIER' }, keepers);
      expect(seen).toEqual({ NO: 2, CARRIER: { ID: 'R', CODE: 2, NAME: null, RATE: null } });
    }
    expect(await entryOf({ $expand: 'LINE' })).toMatchObject({ LINE: { AMOUNT: 10 } });
    const line = createShipmentTables(11).filter(({ name }) => name === 'line');
    await fixture.load(team, ...line);
    expect(await entryOf({ $expand: 'LINE' })).toMatchObject({ LINE: { AMOUNT: 11 } });
  });

  it('is rejected for unsupported options, with their positions', async () => {
    expect(await readFailure(page({ $expand: 'LINE/SHIPMENT' }))).toMatchObject({
      code: 'ODATA_OPTION_UNSUPPORTED',
      detail: expect.stringContaining('as in LINE($expand=NAME)'),
      faults: [{ path: '$expand', position: 0 }],
    });
    expect(await readFailure(page({ $expand: 'LINE,CARIER' }))).toMatchObject({
      code: 'KM_FIELD_NOTFOUND',
      faults: [{ path: '$expand', position: 5, suggestion: 'CARRIER' }],
    });
  });
});
