/** Rows as CSV, by pages and all at once, compared with what JSON answers. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ByteReply } from '@tessera/contracts';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { companyModel, companyTables, financeCaller, hiddenWordsPattern } from '../testing/company.js';
import { readBodyText, type Fixture, readJsonAnswer, openFixture, readFailure } from '../testing/fixture.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { isCsvRequested } from './csv-format.js';

const team = 'meridian';
const model = 'p2p.base-km';
const anybody = { team };
const financial = { team, ...financeCaller };
const csv = { $format: 'csv' };

const oddModel: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'odd-km',
  source: { schema: 'p2p' },
  records: [
    {
      id: 'ODD',
      table: 'odd',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no', type: 'integer' },
        { id: 'TEXT', column: 'text' },
        { id: 'AMOUNT', column: 'amount', type: 'float' },
        { id: 'EXACT', column: 'amount', type: 'float', exact: true },
        { id: 'DOUBLE', column: 'double', type: 'float' },
        { id: 'FLAG', column: 'flag', type: 'boolean' },
        { id: 'DAY', column: 'day', type: 'date' },
        { id: 'CLOCK', column: 'clock', type: 'time' },
        { id: 'AT', column: 'at', type: 'datetime' },
        { id: 'MOMENT', column: 'moment', type: 'timestamp' },
      ],
      augmentedAttributes: [{ id: 'KIND', expression: "case when AMOUNT > 1 then 'it''s $1, more' else TEXT end" }],
    },
    {
      id: 'MANY',
      table: 'many',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no', type: 'integer' },
        { id: 'TEXT', column: 'text' },
      ],
    },
  ],
};
const oddTable = {
  schema: 'p2p',
  name: 'odd',
  columns: `no bigint, text text, amount numeric, double double precision, flag boolean, day date, clock time,
    at timestamp, moment timestamptz`,
  rows: String.raw`values
    (3, 'plain', 12.50, 0.1, true, '2026-01-31'::date, '08:30:00'::time, '2026-01-31 08:30:00'::timestamp, '2026-01-31 08:30:00+00'::timestamptz),
    (1, 'a,b', 100, 1e300, false, '0001-01-01', '00:00:00.5', '9999-12-31 23:59:59.999999', '2026-05-01 00:00:00.25+02'),
    (2, 'say "x"', -0.000, 'NaN', null, '12345-01-02', '24:00:00', '12345-01-02 03:04:05', '12345-01-02 03:04:05+00'),
    (5, E'two\r\nlines', 'NaN', 'Infinity', null, '0044-03-15 BC', null, '0044-03-15 12:00:00.5 BC', '0044-03-15 12:00:00+00 BC'),
    (4, '', 12345678901234567890.1200, '-Infinity', null, 'infinity', null, '-infinity', 'infinity'),
    (6, null, null, null, null, null, null, null, null),
    (7, '=1+1', 0, 0, null, null, null, null, null),
    (8, '\.', 1e-20, 5e-324, null, null, null, null, null),
    (9, ' spaced ', 1, 1, null, null, null, null, null)`,
};
const many = {
  schema: 'p2p',
  name: 'many',
  columns: 'no bigint primary key, text text',
  rows: `select g, 'text ' || g from generate_series(1, 30000) g`,
};

let fixture: Fixture;
let queryClient: QueryClient;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, companyModel, oddModel);
  await fixture.load(team, ...companyTables, oddTable, many);
  queryClient = openQueryClient(fixture);
});
afterAll(() => fixture?.end());

const textOf = async (answer: Promise<Result<ByteReply>>): Promise<string> => {
  const result = await answer;
  if (!result.ok) throw new Error(result.failure.detail);
  expect(result.value.contentType).toBe('text/csv; charset=utf-8');
  return readBodyText(result.value);
};

/** As RFC 4180 has it; a field without quotes and without text is null. */
const parseCsv = (text: string): readonly (readonly (string | null)[])[] =>
  text === ''
    ? []
    : [...text.matchAll(/((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\r\n]*))*)\r\n/g)].map(
        ([, line = '']) =>
          [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(([, inQuotes, plain]) =>
            inQuotes === undefined ? (plain === '' ? null : String(plain)) : inQuotes.replaceAll('""', '"'),
          ),
      );

const cellsOf = ({ content }: { content: readonly Readonly<Record<string, string | number | boolean | null>>[] }) =>
  content.map((row) => Object.values(row).map((value) => (value === null ? null : String(value))));

describe('rows as CSV', () => {
  it('have a header line of field ids, and values spelled as in JSON', async () => {
    const fields = ['ORDER_NO', 'ITEM_NO', 'AMOUNT', 'CITY', 'BOOKED', 'OPEN'];
    expect(
      await textOf(queryClient.data(anybody, model, 'PO_ITEM', { fields, sort: 'ORDER_NO,ITEM_NO', ...csv })),
    ).toBe(
      [
        'ORDER_NO,ITEM_NO,AMOUNT,CITY,BOOKED,OPEN',
        'A,1,120.5,Bonn,2026-01-31T07:30:00Z,false',
        'A,2,99.5,Bonn,,true',
        'B,1,0.5,Åre,,true',
        'B,2,,Roma,2026-01-31T07:30:00Z,false',
        '',
      ].join('\r\n'),
    );
  });

  it.each([
    ['of a page', { page: 0, pageSize: 50 }],
    ['all at once', {}],
  ])('are the same as in JSON for any value, %s', async (_, paging) => {
    const page = await readJsonAnswer(queryClient.query(anybody, 'odd-km', 'ODD', { sort: 'NO' }));
    const text = await textOf(queryClient.query(anybody, 'odd-km', 'ODD', { sort: 'NO', ...csv, ...paging }));
    const [head, ...lines] = parseCsv(text);
    expect(head).toEqual(Object.keys(page.content[0]));
    // JSON has no digits of its own for numbers beyond those of a double.
    const digits = (cells: readonly (string | null)[]) =>
      cells.map((cell, place) => (cell !== null && (place === 2 || place === 4) ? String(Number(cell)) : cell));
    expect(lines.map(digits)).toEqual(cellsOf(page));
    expect(lines.map(([, , amount]) => amount)).toContain('12345678901234567890.12');
    expect(text).toContain('\r\n7,=1+1,0,');
    expect(text).toContain(`4,"",`);
    // A second time from where it is kept.
    expect(await textOf(queryClient.query(anybody, 'odd-km', 'ODD', { sort: 'NO', ...csv, ...paging }))).toBe(text);
  });

  it('are all rows when the request names no page, otherwise one page', async () => {
    const ask = async (parameters: object) =>
      parseCsv(await textOf(queryClient.query(anybody, 'odd-km', 'MANY', { ...csv, ...parameters }))).slice(1);
    const all = await ask({});
    expect(all).toEqual(Array.from({ length: 30_000 }, (_, at) => [String(at + 1), `text ${at + 1}`]));
    expect(await ask({ pageSize: 3 })).toEqual(all.slice(0, 3));
    expect(await ask({ page: 2, pageSize: 5_000 })).toEqual(all.slice(10_000, 15_000));
    expect(await ask({ page: 700 })).toEqual([]);
    expect(await ask({ filterExpr: ["TEXT eq 'text 7' or NO in (9, 30000)"], sort: '-NO' })).toEqual([
      ['30000', 'text 30000'],
      ['9', 'text 9'],
      ['7', 'text 7'],
    ]);
    const byBody = await textOf(
      queryClient.postQuery(
        anybody,
        'odd-km',
        'MANY',
        { filters: { filterExpr: ['NO lt 3'] } },
        { accept: 'text/csv' },
      ),
    );
    expect(byBody).toBe('NO,TEXT\r\n1,text 1\r\n2,text 2\r\n');
  });

  it('keep the line of a null value in a single column', async () => {
    const ask = (paging: object) =>
      textOf(queryClient.query(anybody, 'odd-km', 'ODD', { fields: ['FLAG'], sort: '-FLAG', ...csv, ...paging }));
    const expected = `FLAG\r\ntrue\r\nfalse\r\n${'""\r\n'.repeat(7)}`;
    expect(await ask({})).toBe(expected);
    expect(await ask({ pageSize: 50 })).toBe(expected);
  });

  it('also return groups with KPIs, distinct rows and search results', async () => {
    const asked = { fields: ['PURCHASE_ORDER.COUNTRY'], kpis: ['ORDER_VALUE', 'LARGE_RATE'] };
    const groups = await readJsonAnswer(queryClient.query(anybody, model, undefined, asked));
    const [head, ...lines] = parseCsv(await textOf(queryClient.query(anybody, model, undefined, { ...asked, ...csv })));
    expect(head).toEqual(['PURCHASE_ORDER.COUNTRY', 'ORDER_VALUE', 'LARGE_RATE']);
    expect(lines).toEqual(cellsOf(groups));
    const distinct = { fields: ['CITY'], options: ['distinct'], ...csv };
    expect(await textOf(queryClient.query(anybody, model, 'PO_ITEM', distinct))).toBe(
      'CITY\r\nBonn\r\nRoma\r\nÅre\r\n',
    );
    const search = { fields: ['ORDER_NO', 'CITY'], searchTerm: 'bon', searchPrecision: 100, ...csv };
    expect(await textOf(queryClient.query(anybody, model, 'PO_ITEM', search))).toBe(
      'ORDER_NO,CITY\r\nA,Bonn\r\nA,Bonn\r\n',
    );
  });

  it.each([{}, { page: 0 }])('leave out hidden rows and fields: %j', async (paging) => {
    const seen = await textOf(queryClient.query(anybody, model, 'PO_ITEM', { ...csv, ...paging }));
    expect(seen).not.toMatch(hiddenWordsPattern);
    expect(parseCsv(seen)).toHaveLength(5);
    const all = await textOf(queryClient.query(financial, model, 'PO_ITEM', { ...csv, ...paging }));
    expect(parseCsv(all)).toHaveLength(6);
    expect(all).toContain('BANK_ACCOUNT');
    expect(all).toContain('SILENT');
    const named = queryClient.query(anybody, model, 'PO_ITEM', { fields: ['BANK_ACCOUNT'], ...csv, ...paging });
    expect(await readFailure(named)).toMatchObject({ code: 'KM_FIELD_NOTFOUND' });
    const filtered = { filterExpr: ["BANK_ACCOUNT eq 'DE1'"], ...csv, ...paging };
    expect(await readFailure(queryClient.query(anybody, model, 'PO_ITEM', filtered))).toMatchObject({
      code: 'KM_FIELD_NOTFOUND',
    });
    expect(
      await readFailure(queryClient.query({ team: 'northgate' }, model, 'PO_ITEM', { ...csv, ...paging })),
    ).toMatchObject({
      code: 'KM_MODEL_NOTFOUND',
    });
  });

  it('are an attachment named after their record or model', async () => {
    const nameOf = async (answer: Promise<Result<ByteReply>>) => {
      const result = await answer;
      if (!result.ok) return result.failure.detail;
      await readBodyText(result.value);
      return result.value.headers?.['content-disposition'];
    };
    expect(await nameOf(queryClient.query(anybody, model, 'PO_ITEM', csv))).toBe('attachment; filename="PO_ITEM.csv"');
    const kpis = { kpis: ['ORDER_VALUE'], ...csv };
    expect(await nameOf(queryClient.query(anybody, model, undefined, kpis))).toBe(
      'attachment; filename="p2p.base-km.csv"',
    );
  });
});

describe('the format of rows', () => {
  it.each([
    [{ accept: 'text/csv' }, true],
    [{ accept: 'text/csv, */*;q=0.1' }, true],
    [{ accept: 'text/csv;header=present, application/json;q=0.9' }, true],
    [{ accept: 'application/json, text/csv;q=0.9' }, false],
    [{ accept: 'text/csv;q=0' }, false],
    [{ accept: '*/*' }, false],
    [{ accept: 'text/html, */*' }, false],
    [{ accept: 'text/*' }, true],
    [{}, false],
    [{ $format: 'csv', accept: 'application/json' }, true],
    [{ $format: 'json', accept: 'text/csv' }, false],
  ] as const)('requested by %j is CSV: %s', (request, expected) => {
    expect(isCsvRequested(request)).toBe(expected);
  });
});
