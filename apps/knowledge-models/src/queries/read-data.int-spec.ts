import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { companyModel, companyTables, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import { readJsonAnswer, readBodyText, openFixture, readFailure, type Fixture } from '../testing/fixture.js';

const team = 'meridian';
const model = 'p2p.base-km';
const anybody = { team };
const financial = { team, ...financeCaller };

let fixture: Fixture;
let queryClient: QueryClient;

beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, companyModel);
  await fixture.load(team, ...companyTables);
  queryClient = openQueryClient(fixture);
});
afterAll(() => fixture.end());

describe('data of a record', () => {
  it('comes with headers, members in the order of the specification', async () => {
    const fields = ['ORDER_NO', 'ITEM_NO', 'AMOUNT', 'OPEN'];
    const result = await queryClient.data(anybody, model, 'PO_ITEM', { fields, sort: '-AMOUNT,ORDER_NO', pageSize: 2 });
    if (!result.ok) throw new Error(result.failure.detail);
    expect(await readBodyText(result.value)).toBe(
      '{"page":0,"pageSize":2,"total":4,"sort":["-AMOUNT","+ORDER_NO"],"content":{"headers":[' +
        '{"id":"ORDER_NO","name":"Order","type":"string","aggregation":false,"filterable":true,"sortable":true},' +
        '{"id":"ITEM_NO","name":"item","type":"integer","aggregation":false,"filterable":true,"sortable":true},' +
        '{"id":"AMOUNT","name":"Net amount","type":"float","format":",.2f","unit":"EUR","aggregation":false,"filterable":true,"sortable":true},' +
        '{"id":"OPEN","name":"Still open","type":"boolean","aggregation":false,"filterable":true,"sortable":true}],' +
        '"data":[{"ORDER_NO":"A","ITEM_NO":1,"AMOUNT":120.5,"OPEN":false},' +
        '{"ORDER_NO":"A","ITEM_NO":2,"AMOUNT":99.5,"OPEN":true}]}}',
    );
    expect(result.value.contentType).toBe('application/json; charset=utf-8');
  });

  it('is rejected without named fields, also in a body', async () => {
    const missing = (place: string, path: string) => ({
      code: 'GENERAL_PARAMETER_MISSING',
      faults: [{ in: place, path, rule: 'missing' }],
    });
    const inBody = missing('body', 'projection.fields');
    expect(await readFailure(queryClient.data(anybody, model, 'PO_ITEM'))).toMatchObject(missing('query', 'fields'));
    expect(await readFailure(queryClient.postData(anybody, model, 'PO_ITEM', {}))).toMatchObject(inBody);
    expect(await readFailure(queryClient.postData(anybody, model, 'PO_ITEM', { fields: ' , ' }))).toMatchObject(inBody);
  });

  it('reports faults by their paths in the body', async () => {
    const ofRecord = { fields: 'ORDER_NUMBER', search: { term: 'x', field: 'CITI' } };
    const ofModel = { kpis: ['ORDERVALUE'], filters: { filterExpr: ["PO_ITEM.CITY eq 'Rome'", 'PO_ITEM.CITI eq 1'] } };
    const placesOf = async (answer: ReturnType<QueryClient['query']>) =>
      (await readFailure(answer))?.faults?.map((fault) => `${fault.in} ${fault.path}`);
    const [fieldFault, searchFault] = ['body projection.fields', 'body projection.search.field'];
    expect(await placesOf(queryClient.postData(anybody, model, 'PO_ITEM', ofRecord))).toEqual([fieldFault]);
    expect(await placesOf(queryClient.postQuery(anybody, model, 'PO_ITEM', { ...ofRecord, fields: 'CITY' }))).toEqual([
      searchFault,
    ]);
    expect(await placesOf(queryClient.postQuery(anybody, model, undefined, ofModel))).toEqual(['body projection.kpis']);
    expect(
      await placesOf(queryClient.postData(anybody, model, undefined, { ...ofModel, kpis: ['ORDER_VALUE'] })),
    ).toEqual(['body projection.filters.filterExpr.1']);
  });
});

describe('a query of a record', () => {
  it('returns all fields that the caller can see when none are named', async () => {
    const visible = await readJsonAnswer(queryClient.query(anybody, model, 'PO_ITEM'));
    expect(visible).toMatchObject({ page: 0, pageSize: 50, total: 4, sort: [] });
    expect(JSON.stringify(visible)).not.toMatch(hiddenWordsPattern);
    const all = await readJsonAnswer(queryClient.query(financial, model, 'PO_ITEM'));
    expect(all.total).toBe(5);
    expect(all.content[4]).toEqual({
      ORDER_NO: 'C',
      ITEM_NO: 1,
      AMOUNT: 1000,
      QTY: 1,
      CITY: null,
      URGENT: true,
      DUE: '2026-03-01',
      CUTOFF: '00:00:00',
      PLANNED: null,
      BOOKED: '2026-05-01T00:00:00.25Z',
      SERIAL: '1004',
      BANK_ACCOUNT: 'DE2',
      COMPANY_CODE: 'SILENT',
      SIZE: 'large',
      ACCOUNT_COUNTRY: 'DE',
      OPEN: false,
      UNBANKED: false,
    });
  });

  it('ignores an empty filter or search', async () => {
    const fields = ['ORDER_NO', 'CITY'];
    const plain = await readJsonAnswer(queryClient.query(anybody, model, 'PO_ITEM', { fields }));
    const empty = { filterExpr: ['', ' '], searchTerm: '', searchField: 'CITY' };
    expect(await readJsonAnswer(queryClient.query(anybody, model, 'PO_ITEM', { fields, ...empty }))).toEqual(plain);
    const inBody = { filters: { filterExpr: [''] }, search: { term: '' } };
    expect(
      await readJsonAnswer(queryClient.postQuery(anybody, model, 'PO_ITEM', { fields: fields.join(), ...inBody })),
    ).toEqual(plain);
    const summary = (more: object) =>
      readJsonAnswer(queryClient.summary(anybody, model, 'PO_ITEM', { fields, ...more }));
    expect(await summary({ filterExpr: [''] })).toEqual(await summary({}));
  });

  it('compares a date field with the day of a datetime, and a datetime field with the whole day of a date', async () => {
    const ordersBy = async (filterExpr: string) =>
      (
        await readJsonAnswer(
          queryClient.query(financial, model, 'PO_ITEM', { fields: ['ORDER_NO'], filterExpr: [filterExpr] }),
        )
      ).content.map(({ ORDER_NO }: { ORDER_NO: string }) => ORDER_NO);
    expect(await ordersBy('DUE eq 2026-03-01T18:45:00')).toEqual(await ordersBy('DUE eq 2026-03-01'));
    expect(await ordersBy('DUE eq 2026-03-01T18:45:00')).toContain('C');
    expect(await ordersBy('BOOKED eq 2026-05-01')).toContain('C');
  });

  it('returns the same by GET parameters and by a POST body', async () => {
    const byParameters = queryClient.query(anybody, model, 'PO_ITEM', {
      fields: ['ORDER_NO', 'CITY'],
      filters: ['LARGE'],
      filterExpr: ["CITY eq 'Bonn'", "ORDER_NO ne 'Z'"],
      sort: '-CITY',
      options: ['distinct'],
      page: 0,
      pageSize: 10,
      searchTerm: 'bon',
      searchField: 'CITY, ORDER_NO',
      searchPrecision: 100,
    });
    const byBody = queryClient.postQuery(anybody, model, 'PO_ITEM', {
      fields: 'ORDER_NO, CITY',
      filters: { kmFilterNames: ['LARGE'], filterExpr: ["CITY eq 'Bonn'", "ORDER_NO ne 'Z'"] },
      sort: '-CITY',
      options: ['distinct'],
      pagination: { pageNumber: 0, pageSize: 10 },
      search: { term: 'bon', field: 'CITY, ORDER_NO', precision: 100 },
    });
    const expected = {
      page: 0,
      pageSize: 10,
      total: 1,
      sort: ['-CITY'],
      content: [{ ORDER_NO: 'A', CITY: 'Bonn' }],
    };
    expect([await readJsonAnswer(byParameters), await readJsonAnswer(byBody)]).toEqual([expected, expected]);
  });
});

describe('a query of a model', () => {
  it('aggregates KPIs over fields of another record, with headers when they are requested', async () => {
    const asked = { fields: ['PURCHASE_ORDER.COUNTRY'], kpis: ['ORDER_VALUE'], sort: '-ORDER_VALUE' };
    const rows = [
      { 'PURCHASE_ORDER.COUNTRY': 'DE', ORDER_VALUE: 220 },
      { 'PURCHASE_ORDER.COUNTRY': 'IT', ORDER_VALUE: 0.5 },
    ];
    const byQuery = await readJsonAnswer(queryClient.query(anybody, model, undefined, asked));
    expect(byQuery).toEqual({ page: 0, pageSize: 50, total: 2, sort: ['-ORDER_VALUE'], content: rows });
    const projection = { fields: 'PURCHASE_ORDER.COUNTRY', kpis: ['ORDER_VALUE'], sort: '-ORDER_VALUE' };
    expect(await readJsonAnswer(queryClient.postQuery(anybody, model, undefined, projection))).toEqual(byQuery);
    const spelt = { ...projection, fields: ['PURCHASE_ORDER.COUNTRY'], kpis: ' ORDER_VALUE ' };
    expect(await readJsonAnswer(queryClient.postQuery(anybody, model, undefined, spelt))).toEqual(byQuery);
    const byData = await readJsonAnswer(queryClient.data(anybody, model, undefined, asked));
    expect(byData.content.data).toEqual(rows);
    expect(byData.content.headers[1]).toMatchObject({ id: 'ORDER_VALUE', unit: 'EUR', aggregation: true });
    expect(await readJsonAnswer(queryClient.postData(anybody, model, undefined, projection))).toEqual(byData);
  });

  it('returns one row when no fields are requested', async () => {
    const answer = await readJsonAnswer(
      queryClient.query(anybody, model, undefined, { kpis: ['ORDER_VALUE', 'LARGE_RATE'] }),
    );
    expect(answer).toMatchObject({ total: 1, content: [{ ORDER_VALUE: 220.5, LARGE_RATE: 0.25 }] });
  });
});

describe('the total', () => {
  const queries = (): number => queryClient.execution.cache.misses;
  const ask = (parameters: Readonly<Record<string, unknown>>) =>
    readJsonAnswer(queryClient.query(financial, model, 'PO_ITEM', { fields: ['ORDER_NO'], ...parameters }));

  it('counts all matching rows on every page, also after the last', async () => {
    for (const [page, rows] of [
      [0, 2],
      [1, 2],
      [2, 1],
      [3, 0],
      [2_000_000_000, 0],
    ] as const) {
      const answer = await ask({ page, pageSize: 2 });
      expect([answer.total, answer.content.length]).toEqual([5, rows]);
    }
  });

  it('is neither counted nor returned with the option nototal', async () => {
    const asked = { fields: ['ORDER_NO'], filterExpr: ['AMOUNT lt 7000'], pageSize: 2, sort: 'ORDER_NO' };
    let sent = 0;
    const counting = openQueryClient(fixture, {}, { observe: () => void sent++ });
    const counted = await readJsonAnswer(counting.query(anybody, model, 'PO_ITEM', asked));
    const queriesWithTotal = sent;
    sent = 0;
    const again = openQueryClient(fixture, {}, { observe: () => void sent++ });
    const options = ['nototal'];
    const { total: _total, ...alone } = counted;
    expect(await readJsonAnswer(again.query(anybody, model, 'PO_ITEM', { ...asked, options }))).toEqual(alone);
    expect([queriesWithTotal, sent]).toEqual([2, 1]);
    const projection = { fields: 'ORDER_NO', options, sort: 'ORDER_NO', pagination: { pageNumber: 0, pageSize: 2 } };
    expect(await readJsonAnswer(again.postData(anybody, model, 'PO_ITEM', projection))).not.toHaveProperty('total');
    expect(await readJsonAnswer(again.data(anybody, model, 'PO_ITEM', { ...asked, options }))).not.toHaveProperty(
      'total',
    );
  });

  it('is counted once for all pages and sorts', async () => {
    const filterExpr = ["ORDER_NO ne 'Y'"];
    await ask({ pageSize: 1, filterExpr });
    const before = queries();
    await ask({ pageSize: 1, filterExpr, page: 1 });
    await ask({ pageSize: 1, filterExpr, sort: '-ORDER_NO' });
    // Each asked for its rows and for nothing else.
    expect(queries()).toBe(before + 2);
  });

  it('is derived from a partly filled page and reused for other pages, without a count query', async () => {
    const filterExpr = ["ORDER_NO ne 'X'"];
    expect((await ask({ pageSize: 3, page: 1, filterExpr })).total).toBe(5);
    const before = queries();
    expect((await ask({ pageSize: 1, page: 0, filterExpr })).total).toBe(5);
    expect(queries()).toBe(before + 1);
  });
});

describe('a query that cannot be answered', () => {
  it('is rejected with the nearest right name before anything runs', async () => {
    expect(await readFailure(queryClient.query(anybody, 'p2p.bse-km', 'PO_ITEM'))).toMatchObject({
      code: 'KM_MODEL_NOTFOUND',
      detail: expect.stringContaining('p2p.base-km'),
    });
    expect(await readFailure(queryClient.query(anybody, model, 'PO_ITM'))).toMatchObject({
      code: 'KM_RECORD_NOTFOUND',
    });
    expect(await readFailure(queryClient.query(anybody, model, 'PO_ITEM', { fields: ['AMONT'] }))).toMatchObject({
      code: 'KM_FIELD_NOTFOUND',
      detail: expect.stringContaining('AMOUNT'),
    });
    expect(await readFailure(queryClient.query(anybody, model, undefined))).toMatchObject({
      code: 'GENERAL_PARAMETER_MISSING',
    });
  });

  it('is not found for another team', async () => {
    const failure = await readFailure(queryClient.query({ team: 'northgate' }, model, 'PO_ITEM'));
    expect(failure).toEqual(await readFailure(queryClient.query({ team: 'nobody' }, model, 'PO_ITEM')));
  });

  it('is unavailable while tables are not loaded, and still reports its faults', async () => {
    await fixture.publish('early', companyModel);
    expect(await readFailure(queryClient.query({ team: 'early' }, model, 'PO_ITEM'))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      detail: expect.stringContaining('not been loaded'),
    });
    expect(await readFailure(queryClient.query({ team: 'early' }, model, 'PO_ITM'))).toMatchObject({
      code: 'KM_RECORD_NOTFOUND',
    });
    const [items] = companyTables;
    if (items) await fixture.load('early', items);
    expect((await readJsonAnswer(queryClient.query({ team: 'early' }, model, 'PO_ITEM'))).total).toBe(4);
    const joined = { fields: ['PURCHASE_ORDER.COUNTRY', 'PO_ITEM.AMOUNT'] };
    expect(await readFailure(queryClient.query({ team: 'early' }, model, undefined, joined))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  it('is unavailable when a table lacks a column of the model, and shows no SQL', async () => {
    await fixture.publish('unfit', companyModel);
    await fixture.load('unfit', { schema: 'p2p', name: 'po_item', columns: 'order_no text', rows: [] });
    const failure = await readFailure(queryClient.query({ team: 'unfit' }, model, 'PO_ITEM'));
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('do not have') });
    expect(JSON.stringify(failure)).not.toMatch(/select|column|relation/i);
  });
});

describe('hostile text', () => {
  const hostile = [`' or '1'='1`, `'; drop table "meridian.p2p".po_item; --`, '\\', '%_', '$1', '"', '\u{1f4a3}é'];

  it.each(hostile)('%s stays plain text in every parameter', async (text) => {
    const quoted = `'${text.replaceAll("'", "''")}'`;
    const conditions = [
      `CITY eq ${quoted}`,
      `CITY in (${quoted})`,
      `contains(CITY, ${quoted})`,
      `startswith(CITY, ${quoted})`,
    ];
    for (const filterExpr of conditions)
      expect(
        (await readJsonAnswer(queryClient.query(anybody, model, 'PO_ITEM', { filterExpr: [filterExpr] }))).total,
      ).toBe(0);
    for (const searchPrecision of [100, 80])
      expect(
        (await readJsonAnswer(queryClient.query(anybody, model, 'PO_ITEM', { searchTerm: text, searchPrecision })))
          .total,
      ).toBe(0);
    const names = [{ fields: [text] }, { sort: text }, { searchTerm: 'x', searchField: text }, { filters: [text] }];
    for (const parameters of names)
      expect((await readFailure(queryClient.query(anybody, model, 'PO_ITEM', parameters)))?.code).toMatch(
        /^(KM|SORT)_/,
      );
    expect((await readFailure(queryClient.query(anybody, model, undefined, { kpis: [text] })))?.code).toBe(
      'KM_KPI_NOTFOUND',
    );
    expect((await readFailure(queryClient.query(anybody, text, text)))?.code).toBe('KM_MODEL_NOTFOUND');
    expect((await readJsonAnswer(queryClient.query(anybody, model, 'PO_ITEM'))).total).toBe(4);
  });

  it('is rejected when no database can store it', async () => {
    for (const text of ['\0', 'a\0b', '\ud800']) {
      for (const parameters of [{ filterExpr: [`CITY eq '${text}'`] }, { searchTerm: text }])
        expect(await readFailure(queryClient.query(anybody, model, 'PO_ITEM', parameters))).toMatchObject({
          code: 'GENERAL_PARAMETER_ILLEGAL',
        });
      expect((await readFailure(queryClient.query(anybody, model, 'PO_ITEM', { fields: [text] })))?.code).toBe(
        'KM_FIELD_NOTFOUND',
      );
    }
  });
});

describe('a KPI by a field', () => {
  it('is planned anew for its parameters at each execution on a connection', async () => {
    const executions = 8;
    for (let least = 0; least < executions; least += 1) {
      const filters = { filterExpr: [`PO_ITEM.AMOUNT gt ${least + 0.5}`] };
      const projection = { fields: 'PO_ITEM.CITY', kpis: ['ORDER_VALUE'], filters };
      await readJsonAnswer(queryClient.postQuery(anybody, model, undefined, projection));
    }
    const { rows } = await fixture.pools.queries.query(
      `select max(generic_plans)::int as generic, max(custom_plans)::int as custom
       from pg_prepared_statements where statement like '%sum(%'`,
    );
    // A text is prepared when it comes for the second time. Others of the connection were executed less often.
    expect(rows).toEqual([{ generic: 0, custom: executions - 1 }]);
  });
});
