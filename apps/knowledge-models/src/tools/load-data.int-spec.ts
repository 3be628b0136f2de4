/** Rows for tools, as the tool gateway gets them, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LoadDataResult } from '@tessera/contracts/knowledge-models';
import fc from 'fast-check';
import { openToolClient, type ToolClient } from '../testing/tool-client.js';
import { companyModel, companyTables, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import {
  readJsonAnswer,
  type Json,
  openFixture,
  readFailure,
  type Fixture,
  type TestCaller,
} from '../testing/fixture.js';

let fixture: Fixture;
let queryClient: ToolClient;
let sent = 0;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish('meridian', companyModel);
  await fixture.load('meridian', ...companyTables);
  await fixture.publish('northgate', { ...companyModel, id: 'sales' });
  queryClient = openToolClient(fixture, {}, { observe: () => sent++ });
});
afterAll(() => fixture.end());

const model = 'p2p.base-km';
const as = (who: TestCaller = {}) => ({ team: 'meridian', ...who });
type Arguments = Readonly<Record<string, unknown>>;
/** Has exactly the members of its schema, since nobody checks it on its way to the caller. */
const load = async (asked: Arguments, who?: TestCaller): Promise<Json> => {
  const answer = await readJsonAnswer(queryClient.load(as(who), model, asked));
  expect(LoadDataResult.parse(answer)).toEqual(answer);
  return answer;
};
const rowsOf = async (asked: Arguments, who?: TestCaller): Promise<Json> =>
  (await load(asked, who)).data_frame_content.data;
const key = { columns: ['PO_ITEM.ORDER_NO', 'PO_ITEM.ITEM_NO'] };
const keysWhere = async (applied_filters: Arguments, who?: TestCaller): Promise<readonly string[]> =>
  (await rowsOf({ ...key, applied_filters }, who)).map((row: Json) => Object.values(row).join(''));
const faultsOf = async (asked: Arguments, who?: TestCaller): Promise<readonly (readonly unknown[])[]> => {
  const failure = await readFailure(queryClient.load(as(who), model, asked));
  expect(failure?.code).toBe('TOOL_ARGUMENTS_INVALID');
  return (failure?.faults ?? []).map(({ path, rule, suggestion }) => [path, rule, suggestion]);
};

describe('load-data', () => {
  it('returns rows and columns in the requested order', async () => {
    const columns = ['ORDER_VALUE', 'PO_ITEM.CITY', 'LARGE_RATE', 'PURCHASE_ORDER.COUNTRY'];
    expect(await load({ columns, order_by: 'ORDER_VALUE', ascending: false })).toEqual({
      page: 0,
      page_size: 50,
      total: 3,
      data_frame_content: {
        data: [
          { ORDER_VALUE: 220, 'PO_ITEM.CITY': 'Bonn', LARGE_RATE: 0.5, 'PURCHASE_ORDER.COUNTRY': 'DE' },
          { ORDER_VALUE: 0.5, 'PO_ITEM.CITY': 'Åre', LARGE_RATE: 0, 'PURCHASE_ORDER.COUNTRY': 'IT' },
          { ORDER_VALUE: null, 'PO_ITEM.CITY': 'Roma', LARGE_RATE: 0, 'PURCHASE_ORDER.COUNTRY': 'IT' },
        ],
        schema: [
          { id: 'ORDER_VALUE', type: 'FLOAT', displayName: 'Order value', unit: 'EUR', format: ',.0f' },
          { id: 'PO_ITEM.CITY', type: 'STRING', displayName: 'CITY' },
          { id: 'LARGE_RATE', type: 'FLOAT', displayName: 'large items' },
          { id: 'PURCHASE_ORDER.COUNTRY', type: 'STRING', displayName: 'COUNTRY' },
        ],
      },
    });
    const [row] = await rowsOf({ columns });
    expect(Object.keys(row)).toEqual(columns);
  });

  it('answers from the cache, also with results of /query', async () => {
    const fields = ['PO_ITEM.ORDER_NO', 'PO_ITEM.AMOUNT'];
    await readJsonAnswer(queryClient.query(as(), model, undefined, { fields, sort: '+PO_ITEM.AMOUNT', pageSize: 3 }));
    const before = sent;
    const ask = () => load({ columns: fields, order_by: 'PO_ITEM.AMOUNT', page_size: 3 });
    expect(await ask()).toEqual(await ask());
    expect(sent).toBe(before);
  });

  it.each<[string, Arguments, string]>([
    [
      'any of the texts, whatever the case',
      { string_filters: [{ column_id: 'PO_ITEM.CITY', values: ['bonn', 'ROMA'] }] },
      'A1 A2 B2',
    ],
    [
      'with case',
      { string_filters: [{ column_id: 'PO_ITEM.CITY', values: ['bonn', 'Roma'], case_sensitive: true }] },
      'B2',
    ],
    [
      'beginning',
      { string_filters: [{ column_id: 'PO_ITEM.CITY', values: ['b', 'å'], add_wildcard_after: true }] },
      'A1 A2 B1',
    ],
    ['ending', { string_filters: [{ column_id: 'PO_ITEM.CITY', values: ['RE'], add_wildcard_before: true }] }, 'B1'],
    [
      'within',
      {
        string_filters: [
          { column_id: 'PO_ITEM.CITY', values: ['o'], add_wildcard_before: true, add_wildcard_after: true },
        ],
      },
      'A1 A2 B2',
    ],
    ['no wildcards of the value', { string_filters: [{ column_id: 'PO_ITEM.CITY', values: ['B%', '_onn'] }] }, ''],
    [
      'none of the texts',
      { string_filters: [{ column_id: 'PO_ITEM.CITY', values: ['bonn'], negation: true }] },
      'B1 B2',
    ],
    ['numbers', { numeric_filters: [{ column_id: 'PO_ITEM.QTY', value: 4, comparator: '>=' }] }, 'A2 B2'],
    [
      'another number, or none',
      { numeric_filters: [{ column_id: 'PO_ITEM.QTY', value: 4, comparator: '!=' }] },
      'A1 B1 B2',
    ],
    [
      'a number with a fraction of integers',
      { numeric_filters: [{ column_id: 'PO_ITEM.QTY', value: 3.5, comparator: '<' }] },
      'A1',
    ],
    ['one number by standard', { numeric_filters: [{ column_id: 'PO_ITEM.AMOUNT', value: 120.5 }] }, 'A1'],
    [
      'days of dates',
      { date_filters: [{ column_id: 'PO_ITEM.DUE', start_date: '2026-01-31', end_date: '2026-02-28' }] },
      'A1 A2 B2',
    ],
    ['the last day whole', { date_filters: [{ column_id: 'PO_ITEM.PLANNED', end_date: '2026-01-31' }] }, 'A1 A2'],
    [
      'days of timestamps',
      { date_filters: [{ column_id: 'PO_ITEM.BOOKED', start_date: '2026-01-31', end_date: '2026-01-31' }] },
      'A1 B2',
    ],
    [
      'other days, or none',
      { date_filters: [{ column_id: 'PO_ITEM.DUE', start_date: '2026-02-01', negation: true }] },
      'A1 B1',
    ],
    ['no value', { null_filters: [{ column_id: 'PO_ITEM.BOOKED' }] }, 'A2 B1'],
    ['what is true', { boolean_filters: [{ column_id: 'PO_ITEM.URGENT', value: true }] }, 'A1 B2'],
    ['what is false', { boolean_filters: [{ column_id: 'PO_ITEM.URGENT', value: false }] }, 'A2'],
    ['some value', { null_filters: [{ column_id: 'PO_ITEM.BOOKED', is_null: false }] }, 'A1 B2'],
    ['what is one row away', { string_filters: [{ column_id: 'PURCHASE_ORDER.COUNTRY', values: ['it'] }] }, 'B1 B2'],
    [
      'all of them',
      {
        string_filters: [{ column_id: 'PO_ITEM.CITY', values: ['bonn'] }],
        numeric_filters: [{ column_id: 'PO_ITEM.QTY', value: 3 }],
      },
      'A1',
    ],
  ])('filters rows by %s', async (_what, applied_filters, expected) => {
    expect((await keysWhere(applied_filters)).join(' ')).toBe(expected);
  });

  it('filters by fields before the aggregation, by KPIs after it, and by filters of the model', async () => {
    const columns = ['PO_ITEM.CITY'];
    const by = (asked: Arguments) => rowsOf({ columns, ...asked });
    const numeric_filters = [{ column_id: 'ORDER_VALUE', value: 100, comparator: '>' }];
    expect(await by({ applied_filters: { numeric_filters } })).toEqual([{ 'PO_ITEM.CITY': 'Bonn' }]);
    expect(await by({ filters: ['HIGH'] })).toEqual([{ 'PO_ITEM.CITY': 'Bonn' }]);
    expect(await by({ filters: ['LARGE', 'GERMAN'] })).toEqual([{ 'PO_ITEM.CITY': 'Bonn' }]);
    const string_filters = [{ column_id: 'PURCHASE_ORDER.COUNTRY', values: ['IT'] }];
    expect(await by({ applied_filters: { numeric_filters, string_filters } })).toEqual([]);
  });

  it('computes periods of dates, aggregates of fields and numbers of rows', async () => {
    const [rows, month, mean, cities] = [
      'count(PO_ITEM)',
      'PO_ITEM.DUE:month',
      'avg(PO_ITEM.AMOUNT)',
      'count(distinct PO_ITEM.CITY)',
    ];
    const columns = [rows, month, mean, cities];
    const answer = await load({ columns, order_by: month });
    expect(answer.data_frame_content.data).toEqual([
      { [rows]: 1, [month]: null, [mean]: 0.5, [cities]: 1 },
      { [rows]: 1, [month]: '2026-01-01', [mean]: 120.5, [cities]: 1 },
      { [rows]: 2, [month]: '2026-02-01', [mean]: 99.5, [cities]: 2 },
    ]);
    expect(answer.data_frame_content.schema.map(({ id, type }: Json) => [id, type])).toEqual([
      [rows, 'INTEGER'],
      [month, 'DATE'],
      [mean, 'FLOAT'],
      [cities, 'INTEGER'],
    ]);
    const numeric_filters = [{ column_id: rows, value: 1, comparator: '>' }];
    expect(await rowsOf({ columns: ['PO_ITEM.CITY', rows], applied_filters: { numeric_filters } })).toEqual([
      { 'PO_ITEM.CITY': 'Bonn', [rows]: 2 },
    ]);
  });

  it('says what cannot be computed, and computes nothing of hidden fields', async () => {
    const columns = ['PO_ITEM.CITY:month', 'PO_ITEM.DUE:decade', 'sum(PO_ITEM.CITY)', 'sum(PO_ITEM)'];
    const unknown = ['count(NOTHING)', 'sum(PO_ITEM.NOTHING)', 'median(PO_ITEM.AMOUNT)', 'min(PO_ITEM.BANK_ACCOUNT)'];
    expect((await faultsOf({ columns: [...columns, ...unknown] })).map(([path, rule]) => [path, rule])).toEqual([
      ...columns.map((_, at) => [`columns.${at}`, 'type']),
      ...unknown.map((_, at) => [`columns.${columns.length + at}`, 'enum']),
    ]);
    const seen = await rowsOf({ columns: ['min(PO_ITEM.BANK_ACCOUNT)'] }, financeCaller);
    expect(seen).toEqual([{ 'min(PO_ITEM.BANK_ACCOUNT)': 'DE1' }]);
  });

  it('treats hostile values as plain text', async () => {
    for (const value of ["' or 1=1 --", '%', '_', '\\', '🦄', '"; drop table po_item; --', "''"])
      for (const add_wildcard_before of [false, true])
        expect(
          await keysWhere({ string_filters: [{ column_id: 'PO_ITEM.CITY', values: [value], add_wildcard_before }] }),
        ).toEqual([]);
  });

  it('pages in a stable order', async () => {
    const columns = ['PO_ITEM.CITY', 'PO_ITEM.ITEM_NO', 'PO_ITEM.ORDER_NO'];
    const page = (number: number) => load({ columns, order_by: 'PO_ITEM.CITY', page: number, page_size: 2 });
    const [first, second, third] = [await page(0), await page(1), await page(2)];
    expect([first.total, second.total, third.total, third.page, third.page_size]).toEqual([4, 4, 4, 2, 2]);
    const cities = [first, second].flatMap(({ data_frame_content: { data } }) =>
      data.map((row: Json) => Object.values(row).join(' ')),
    );
    expect(cities).toEqual(['Bonn 1 A', 'Bonn 2 A', 'Roma 2 B', 'Åre 1 B']);
    expect(third.data_frame_content.data).toEqual([]);
  });

  it.each([
    [1, 0, 50, 1, 1],
    [3, 0, 2, 2, 3],
    [3, 1, 2, 1, 3],
    [3, 2, 2, 0, 3],
    [4, 1, 2, 2, 4],
    [9, 0, 50, 4, 4],
    [9, 5, 50, 0, 4],
    [2, 1, 2, 0, 2],
  ])(
    'with limit %p, page %p and page size %p returns %p rows of %p in all',
    async (limit, page, page_size, rows, total) => {
      const answer = await load({ ...key, limit, page, page_size });
      expect([answer.data_frame_content.data.length, answer.total]).toEqual([rows, total]);
      const again = await load({ ...key, limit, page, page_size });
      expect(again).toEqual(answer);
      expect((await load(key)).total).toBe(4);
    },
  );

  it('applies policies: hidden columns are unknown, hidden rows are missing', async () => {
    const columns = ['PO_ITEM.BANK_ACCOUNT', 'PO_ITEM.ORDER_NO'];
    expect(await rowsOf({ columns }, financeCaller)).toHaveLength(5);
    expect(await rowsOf({ columns: ['PO_ITEM.ORDER_NO'] })).toHaveLength(4);
    const hidden = await readFailure(queryClient.load(as(), model, { columns }));
    const unknown = await readFailure(queryClient.load(as(), model, { columns: ['PO_ITEM.BXNK_ACCXUNT', columns[1]] }));
    expect(JSON.stringify(hidden)).toBe(JSON.stringify(unknown).replaceAll('BXNK_ACCXUNT', 'BANK_ACCOUNT'));
    expect(await faultsOf({ ...key, filters: ['BANKED'] })).toEqual([['filters.0', 'enum', undefined]]);
    const near = await readFailure(queryClient.load(as(), model, { columns: ['PO_ITEM.BANK_ACCOUN'] }));
    expect(JSON.stringify(near).replaceAll('BANK_ACCOUN', '')).not.toMatch(hiddenWordsPattern);
  });

  it('reports all wrong arguments at once, each with its path and the nearest name', async () => {
    const faults = await faultsOf({
      columns: ['PO_ITEM.CITY', 'PO_ITEM.AMOUN', 'PO_ITEM.CITY', 'CITY', 'ORDER_VALU', 'PO_ITEM.QTY'],
      order_by: 'PO_ITEM.QTY',
      filters: ['LARGE', 'GERMANY'],
      applied_filters: {
        string_filters: [
          { column_id: 'PO_ITEM.QTY', values: ['1'] },
          { column_id: 'PO_ITEM.CITTY', values: ['1'] },
        ],
        numeric_filters: [
          { column_id: 'PO_ITEM.SERIAL', value: 1 },
          { column_id: 'PO_ITEM.CITY', value: 1 },
        ],
        date_filters: [
          { column_id: 'PO_ITEM.DUE' },
          { column_id: 'PO_ITEM.DUE', start_date: '2026-02-02', end_date: '2026-02-01' },
        ],
        null_filters: [{ column_id: 'NOTHING.LIKE_IT' }],
      },
    });
    expect(faults.toSorted()).toEqual(
      [
        ['columns.1', 'enum', 'PO_ITEM.AMOUNT'],
        ['columns.2', 'uniqueItems', undefined],
        ['columns.3', 'enum', 'PO_ITEM.CITY'],
        ['columns.4', 'enum', 'ORDER_VALUE'],
        ['order_by', 'sortable', undefined],
        ['filters.1', 'enum', 'GERMAN'],
        ['applied_filters.string_filters.0.column_id', 'type', undefined],
        ['applied_filters.string_filters.1.column_id', 'enum', 'PO_ITEM.CITY'],
        ['applied_filters.numeric_filters.0.column_id', 'filterable', undefined],
        ['applied_filters.numeric_filters.1.column_id', 'type', undefined],
        ['applied_filters.date_filters.0', 'required', undefined],
        ['applied_filters.date_filters.1.end_date', 'minimum', undefined],
        ['applied_filters.null_filters.0.column_id', 'enum', undefined],
      ].toSorted(),
    );
    expect(await faultsOf({ ...key, order_by: 'PO_ITEM.ORDER' })).toEqual([['order_by', 'enum', 'PO_ITEM.ORDER_NO']]);
    expect((await readFailure(queryClient.load(as(), model, { ...key, order_by: 'ORDER_VALUE' })))?.faults).toEqual([
      { in: 'body', path: 'order_by', rule: 'enum', message: '"ORDER_VALUE" is not one of the columns of this call' },
    ]);
    const failure = await readFailure(queryClient.load(as(), model, { columns: ['PO_ITEM.CITTY'] }));
    expect(failure?.faults).toEqual([
      {
        in: 'body',
        path: 'columns.0',
        rule: 'enum',
        message: 'there is no column "PO_ITEM.CITTY"; did you mean "PO_ITEM.CITY"?',
        suggestion: 'PO_ITEM.CITY',
      },
    ]);
  });

  it('rejects unconnected records, unknown models, and models of other teams', async () => {
    const codeOf = async (team: string, km: string, columns: readonly string[]) =>
      (await readFailure(queryClient.load({ team }, km, { columns })))?.code;
    expect(await codeOf('meridian', model, ['PO_ITEM.CITY', 'CURRENCY.CODE'])).toBe('KM_JOIN_NOTFOUND');
    expect(await codeOf('meridian', 'sales', ['PO_ITEM.CITY'])).toBe('KM_MODEL_NOTFOUND');
    expect(await codeOf('northgate', model, ['PO_ITEM.CITY'])).toBe('KM_MODEL_NOTFOUND');
    expect(await codeOf('nobody', model, ['PO_ITEM.CITY'])).toBe('KM_MODEL_NOTFOUND');
  });
});

const columnChoices = [
  'PO_ITEM.ORDER_NO',
  'PO_ITEM.CITY',
  'PO_ITEM.QTY',
  'PURCHASE_ORDER.COUNTRY',
  'PO_ITEM.SIZE',
  'ORDER_VALUE',
  'LARGE_RATE',
];
const isKpi = (id: string): boolean => !id.includes('.');
const narrowings: readonly { readonly applied: Arguments; readonly text: string }[] = [
  { applied: {}, text: '' },
  {
    applied: { numeric_filters: [{ column_id: 'PO_ITEM.QTY', value: 3, comparator: '!=' }] },
    text: 'PO_ITEM.QTY ne 3',
  },
  {
    applied: { string_filters: [{ column_id: 'PO_ITEM.CITY', values: ['BONN'], negation: true }] },
    text: "not (tolower(PO_ITEM.CITY) eq 'bonn')",
  },
  {
    applied: { date_filters: [{ column_id: 'PO_ITEM.DUE', start_date: '2026-02-01' }] },
    text: 'PO_ITEM.DUE ge 2026-02-01',
  },
  { applied: { null_filters: [{ column_id: 'PO_ITEM.AMOUNT' }] }, text: 'PO_ITEM.AMOUNT eq null' },
];
const questions = fc.record({
  columns: fc.uniqueArray(fc.constantFrom(...columnChoices), { minLength: 1 }),
  narrowing: fc.constantFrom(...narrowings),
  isFinance: fc.boolean(),
  ascending: fc.boolean(),
  page: fc.nat(2),
  page_size: fc.integer({ min: 1, max: 4 }),
});

it('load-data returns what /query returns for random queries', async () => {
  await fc.assert(
    fc.asyncProperty(questions, async ({ columns, narrowing, isFinance, ascending, page, page_size }) => {
      const who = isFinance ? financeCaller : {};
      const order_by = columns.find((id) => id !== 'PO_ITEM.QTY');
      const paging = { page, page_size, ascending, ...(order_by !== undefined && { order_by }) };
      const answer = await load({ columns, applied_filters: narrowing.applied, ...paging }, who);
      const asked = await readJsonAnswer(
        queryClient.query(as(who), model, undefined, {
          fields: columns.filter((id) => !isKpi(id)),
          kpis: columns.filter(isKpi),
          ...(narrowing.text !== '' && { filterExpr: [narrowing.text] }),
          ...(order_by !== undefined && { sort: `${ascending ? '+' : '-'}${order_by}` }),
          page,
          pageSize: page_size,
        }),
      );
      expect(answer.data_frame_content.data).toEqual(asked.content);
      expect(answer.total).toBe(asked.total);
      for (const row of answer.data_frame_content.data) expect(Object.keys(row)).toEqual(columns);
    }),
    { numRuns: 60 },
  );
});
