import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ByteReply } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { openODataClient, type ODataClient } from '../testing/odata-client.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { companyModel, companyTables, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import { readJsonAnswer, readBodyText, openFixture, readFailure, type Fixture } from '../testing/fixture.js';

const team = 'meridian';
const model = 'p2p.base-km';
const anybody = { team };
const financial = { team, ...financeCaller };
const root = 'https://tessera.example:8443/intelligence/api/odata/p2p.base-km.svc/';
const full = 'application/json;odata.metadata=full';

let fixture: Fixture;
let queryClient: QueryClient;
let odata: ODataClient;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, companyModel);
  await fixture.load(team, ...companyTables);
  queryClient = openQueryClient(fixture);
  odata = openODataClient(fixture, queryClient);
});
afterAll(() => fixture.end());

const replyOf = async (answer: Promise<Result<ByteReply>>): Promise<ByteReply> => {
  const result = await answer;
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`);
  return result.value;
};

describe('a page of entries', () => {
  it('is a JSON object with context, count and values', async () => {
    const reply = await replyOf(
      odata.page(anybody, model, 'PO_ITEM', {
        $select: 'ORDER_NO,ITEM_NO,AMOUNT,PLANNED',
        $orderby: 'AMOUNT desc,ORDER_NO',
        $top: 2,
        $count: true,
        prefer: 'odata.maxpagesize=100',
      }),
    );
    expect(await readBodyText(reply)).toBe(
      `{"@odata.context":"${root}$metadata#PO_ITEM_entries(ORDER_NO,ITEM_NO,AMOUNT,PLANNED)","@odata.count":4,"value":[` +
        '{"ORDER_NO":"A","ITEM_NO":1,"AMOUNT":120.5,"PLANNED":"2026-01-31T08:30:00Z"},' +
        '{"ORDER_NO":"A","ITEM_NO":2,"AMOUNT":99.5,"PLANNED":"2026-01-31T08:30:00Z"}]}',
    );
    expect(reply).toMatchObject({
      contentType: 'application/json;odata.metadata=minimal;charset=utf-8',
      headers: { 'odata-version': '4.01', 'preference-applied': 'odata.maxpagesize=100' },
    });
  });

  it('has the type and address of each entry with full metadata', async () => {
    const options = { $format: full, $select: 'AMOUNT,BOOKED,SERIAL,OPEN', $top: 1 };
    const { value } = await readJsonAnswer(odata.page(anybody, model, 'PO_ITEM', options));
    const address = `${root}PO_ITEM_entries(ORDER_NO='A',ITEM_NO=1)`;
    expect(Object.entries(value[0])).toEqual([
      ['@odata.type', '#ODataKnowledgeModel.PO_ITEM'],
      ['@odata.id', address],
      ['@odata.readLink', address],
      ['AMOUNT', 120.5],
      ['BOOKED@odata.type', 'DateTimeOffset'],
      ['BOOKED', '2026-01-31T07:30:00Z'],
      ['SERIAL@odata.type', 'Int64'],
      ['SERIAL', '1000'],
      ['OPEN', false],
      ['PURCHASE_ORDER@odata.navigationLink', `${root}PO_ITEM_entries(ORDER_NO='A',ITEM_NO=1)/PURCHASE_ORDER`],
    ]);
    const older = await readJsonAnswer(odata.page(anybody, model, 'PO_ITEM', { ...options, odataMaxVersion: '4.0' }));
    expect(older.value[0]).toMatchObject({ 'SERIAL@odata.type': '#Int64' });
  });

  it('has only count and values without metadata', async () => {
    const $format = 'application/json;odata.metadata=none';
    const options = { $format, $select: 'CITY', $orderby: 'CITY desc', $top: 1, $count: true };
    const answer = await readJsonAnswer(odata.page(anybody, model, 'PO_ITEM', options));
    expect(answer).toEqual({ '@odata.count': 4, value: [{ CITY: 'Åre' }] });
  });

  it('has entity ids even if $select leaves out the key properties', async () => {
    const { value } = await readJsonAnswer(odata.page(anybody, model, 'PO_ITEM', { $select: 'CITY', $top: 1 }));
    expect(value).toEqual([{ '@odata.id': `${root}PO_ITEM_entries(ORDER_NO='A',ITEM_NO=1)`, CITY: 'Bonn' }]);
  });

  it('has the same total as /query, counted once for both', async () => {
    const own = openQueryClient(fixture);
    await readJsonAnswer(
      own.query(anybody, model, 'PO_ITEM', { fields: ['CITY'], pageSize: 1, filterExpr: ['QTY gt 2'] }),
    );
    const before = own.execution.cache.misses;
    const options = { $filter: 'QTY gt 2', $count: true, $top: 1 };
    const answer = await readJsonAnswer(openODataClient(fixture, own).page(anybody, model, 'PO_ITEM', options));
    expect([answer['@odata.count'], own.execution.cache.misses]).toEqual([3, before + 1]);
    await readJsonAnswer(openODataClient(fixture, own).page(anybody, model, 'PO_ITEM', { ...options, $count: false }));
    expect(own.execution.cache.misses).toBe(before + 1);
  });

  it('is empty when no row matches, and returns only the count for $top=0', async () => {
    const none = await readJsonAnswer(
      odata.page(anybody, model, 'PO_ITEM', { $filter: "CITY eq 'Oslo'", $count: true }),
    );
    expect([none.value, none['@odata.count'], none['@odata.nextLink']]).toEqual([[], 0, undefined]);
    const { '@odata.context': _, ...counted } = await readJsonAnswer(
      odata.page(anybody, model, 'PO_ITEM', { $top: 0, $count: true }),
    );
    expect(counted).toEqual({ '@odata.count': 4, value: [] });
  });

  it('hides the same rows and fields as every other route', async () => {
    const { value } = await readJsonAnswer(odata.page(anybody, model, 'PO_ITEM', { $format: full }));
    expect(value).toHaveLength(4);
    expect(JSON.stringify(value)).not.toMatch(hiddenWordsPattern);
    const seen = await readJsonAnswer(odata.page(financial, model, 'PO_ITEM', { $count: true }));
    expect([seen.value.length, seen['@odata.count'], seen.value[4].BANK_ACCOUNT]).toEqual([5, 5, 'DE2']);
    const hidden = await readFailure(odata.page(anybody, model, 'PO_ITEM', { $filter: "BANK_ACCOUNT eq 'DE1'" }));
    const unknown = await readFailure(odata.page(anybody, model, 'PO_ITEM', { $filter: "BONK_ACCOUNT eq 'DE1'" }));
    expect(hidden?.code).toBe('KM_FIELD_NOTFOUND');
    expect(JSON.stringify(hidden).replaceAll('BANK', 'BONK')).toBe(JSON.stringify(unknown));
  });
});

describe('an entry', () => {
  it('is found by its key, with its context', async () => {
    const reply = await replyOf(odata.entry(anybody, model, 'PURCHASE_ORDER', "('A')"));
    expect(await readBodyText(reply)).toBe(
      `{"@odata.context":"${root}$metadata#PURCHASE_ORDER_entries/$entity","ORDER_NO":"A","COUNTRY":"DE"}`,
    );
    const key = "(ITEM_NO=2,ORDER_NO='A')";
    const selected = await readJsonAnswer(odata.entry(anybody, model, 'PO_ITEM', key, { $select: 'QTY' }));
    expect(selected).toEqual({
      '@odata.context': `${root}$metadata#PO_ITEM_entries(QTY)/$entity`,
      '@odata.id': `${root}PO_ITEM_entries(ORDER_NO='A',ITEM_NO=2)`,
      QTY: 4,
    });
  });

  it('links to related entries', async () => {
    const order = await readJsonAnswer(odata.entry(anybody, model, 'PURCHASE_ORDER', "('A')", { $format: full }));
    expect(order['PO_ITEM@odata.navigationLink']).toBe(`${root}PURCHASE_ORDER_entries('A')/PO_ITEM`);
    const items = await readJsonAnswer(odata.follow(anybody, model, ['PURCHASE_ORDER', "('A')", 'PO_ITEM']));
    expect(items.value.map(({ ITEM_NO }: { readonly ITEM_NO: number }) => ITEM_NO)).toEqual([1, 2]);
  });

  it('hidden by a policy gets the same bytes as a missing one', async () => {
    const hidden = await readFailure(odata.entry(anybody, model, 'PO_ITEM', "(ORDER_NO='C',ITEM_NO=1)"));
    expect(hidden).toEqual(await readFailure(odata.entry(anybody, model, 'PO_ITEM', "(ORDER_NO='Q',ITEM_NO=1)")));
    expect(hidden?.code).toBe('GENERAL_NOTFOUND');
    expect((await readFailure(odata.entry(financial, model, 'PO_ITEM', "(ORDER_NO='C',ITEM_NO=1)")))?.code).toBe(
      undefined,
    );
  });
});

describe('a count', () => {
  it('is returned as plain text digits', async () => {
    const reply = await replyOf(odata.count(anybody, model, 'PO_ITEM', { $filter: "PURCHASE_ORDER/COUNTRY eq 'DE'" }));
    expect(await readBodyText(reply)).toBe('2');
    expect(reply).toMatchObject({ contentType: 'text/plain;charset=utf-8', headers: { 'odata-version': '4.01' } });
    expect(await readBodyText(await replyOf(odata.count(financial, model, 'PO_ITEM', { filterid: ['LARGE'] })))).toBe(
      '2',
    );
  });
});

describe('the service and metadata documents', () => {
  it('are JSON or XML, limited to what the caller can see', async () => {
    const { value } = await readJsonAnswer(odata.service(anybody, model));
    expect(value.map(({ url }: { readonly url: string }) => url)).toContain('PO_ITEM_entries');
    for (const options of [{}, { $format: 'json' }]) {
      const open = await readBodyText(await replyOf(odata.metadata(anybody, model, options)));
      expect(open).not.toMatch(hiddenWordsPattern);
      expect(await readBodyText(await replyOf(odata.metadata(anybody, model, options)))).toBe(open);
      expect(await readBodyText(await replyOf(odata.metadata(financial, model, options)))).toContain('BANK_ACCOUNT');
    }
    const asXml = await replyOf(odata.service(anybody, model, { accept: 'application/atomsvc+xml' }));
    expect(asXml.contentType).toBe('application/atomsvc+xml;charset=utf-8');
  });

  it('are rejected for other formats, models and records', async () => {
    expect((await readFailure(odata.page(anybody, model, 'PO_ITEM', { $format: 'csv' })))?.code).toBe(
      'ODATA_FORMAT_UNSUPPORTED',
    );
    expect((await readFailure(odata.metadata(anybody, 'p2p.other-km')))?.code).toBe('KM_MODEL_NOTFOUND');
    expect(await readFailure(odata.page(anybody, model, 'PO_ITM'))).toMatchObject({
      code: 'KM_RECORD_NOTFOUND',
      detail: expect.stringContaining('PO_ITEM'),
    });
    expect((await readFailure(odata.page({ team: 'northgate' }, model, 'PO_ITEM')))?.code).toBe('KM_MODEL_NOTFOUND');
  });

  it('report faults by the names of the OData options', async () => {
    const placesOf = async (answer: Promise<Result<ByteReply>>) =>
      (await readFailure(answer))?.faults?.map((fault) => `${fault.in} ${fault.path}`);
    const asked = { $select: 'CITI', $orderby: 'QTY', $filter: 'AMOUNT eq' };
    expect(await placesOf(odata.page(anybody, model, 'PO_ITEM', asked))).toEqual([
      'query $select',
      'query $orderby',
      'query $filter',
    ]);
    for (const filterid of [['LARG'], ['HIGH']])
      expect(await placesOf(odata.count(anybody, model, 'PO_ITEM', { filterid }))).toEqual(['query filterid']);
    expect(await placesOf(odata.page(anybody, model, 'PO_ITEM', { $filter: "AMOUNT eq 'x'" }))).toEqual([
      'query $filter',
    ]);
    expect(await placesOf(odata.entry(anybody, model, 'PURCHASE_ORDER', '(1)'))).toEqual(['path key']);
  });

  it('are unavailable while the tables are not loaded', async () => {
    await fixture.publish('early', companyModel);
    for (const answer of [
      odata.page({ team: 'early' }, model, 'PO_ITEM'),
      odata.count({ team: 'early' }, model, 'PO_ITEM'),
    ])
      expect((await readFailure(answer))?.code).toBe('SERVICE_UNAVAILABLE');
  });
});
