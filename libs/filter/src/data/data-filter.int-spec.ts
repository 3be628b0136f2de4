import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import { compileSampleFilter, openSampleTable, type SampleRow, type SampleTable } from './testing/sample-table.js';

const rows: readonly SampleRow[] = [
  {
    ...{
      id: 1,
      NAME: 'Rome',
      CODE: 'a',
      COUNT: '9007199254740993',
      SIZE: 1,
      RATE: '0.1',
      AMOUNT: '0.1',
      WEIGHT: '0.3',
    },
    ...{ BLOCKED: true, PAID: true, DUE: '2015-05-07', BOOKED: '2015-05-07', OPENS: '12:30:00', CLOSES: '18:00:00' },
    ...{ SEEN: '2015-05-07T00:00:00', MADE: '2015-05-07T08:30:15.123456' },
    ...{ SENT: '2015-05-06T22:00:00', READ: '2015-05-07T08:30:15.123456' },
  },
  {
    ...{ id: 2, NAME: null, CODE: '', COUNT: null, SIZE: -1, RATE: null, AMOUNT: null, WEIGHT: '-2.5' },
    ...{ BLOCKED: null, PAID: false, DUE: null, BOOKED: '2015-05-08', OPENS: null, CLOSES: '18:00:59.5' },
    ...{ SEEN: null, MADE: '2015-05-08T00:00:00', SENT: null, READ: '2015-05-08T00:00:00' },
  },
  {
    ...{ id: 3, NAME: 'röme 💥 100%_\\', CODE: 'B', COUNT: '9007199254740992', SIZE: 2147483647 },
    ...{ RATE: '1e300', AMOUNT: '12345678901234567890.123456789', WEIGHT: '0.30000000000000004' },
    ...{ BLOCKED: false, PAID: true, DUE: '2015-05-08', BOOKED: '9999-12-31', OPENS: '23:59:59.999999' },
    ...{ CLOSES: '18:01:00', SEEN: '2015-05-07T23:59:59.999999', MADE: '2015-05-07T08:31:00' },
    ...{ SENT: '2015-05-07T23:59:59.999999', READ: '9999-12-31T23:59:59.999999' },
  },
  {
    ...{ id: 4, NAME: '', CODE: 'x'.repeat(100_000), COUNT: '-1', SIZE: 0, RATE: '-2.5', AMOUNT: '-2.50', WEIGHT: '0' },
    ...{ BLOCKED: true, PAID: false, DUE: '0001-01-01', BOOKED: '2016-02-29', OPENS: '00:00:00', CLOSES: '00:00:00' },
    ...{ SEEN: '0001-01-01T00:00:00', MADE: '9999-12-31T00:00:00' },
    ...{ SENT: '0001-01-01T00:00:00', READ: '0001-01-01T00:00:00' },
  },
];

/** Filter -> the ids of the rows that match. */
const matches: readonly (readonly [string, readonly number[]])[] = [
  ["NAME eq 'Rome'", [1]],
  ["NAME ne 'Rome'", [2, 3, 4]],
  ['NAME not eq Rome', [2, 3, 4]],
  ["not (NAME eq 'Rome')", [2, 3, 4]],
  ["not not (NAME eq 'Rome')", [1]],
  ['NAME eq null', [2]],
  ['NAME is not null', [1, 3, 4]],
  ['CODE eq null', []],
  ['CODE ne null', [1, 2, 3, 4]],
  ["CODE ne 'a'", [2, 3, 4]],
  ["NAME gt 'A'", [1, 3]],
  ["not (NAME gt 'A')", [2, 4]],
  ['NAME gt null', []],
  ["NAME in ('Rome', '')", [1, 4]],
  ["NAME not in ('Rome', '')", [2, 3]],
  ["CODE in ('a', 'B')", [1, 3]],
  ["not (CODE in ('a', 'B'))", [2, 4]],
  ["contains(NAME, '100%_')", [3]],
  ["contains(NAME, '%')", [3]],
  ["startswith(NAME, '_o')", []],
  ["endswith(NAME, '\\')", [3]],
  ["contains(NAME, '')", [1, 3, 4]],
  ["not contains(NAME, 'o')", [2, 3, 4]],
  ["not contains(CODE, 'x')", [1, 2, 3]],
  ["contains(toupper(NAME), 'RÖME')", [3]],
  ["tolower(NAME) eq 'rome'", [1]],
  ['length(NAME) eq 13', [3]],
  ['length(CODE) ge 100000', [4]],
  ['not (length(NAME) gt 3)', [2, 4]],
  ['length(NAME) is null', [2]],
  ['COUNT eq 9007199254740993', [1]],
  ["COUNT gt '9007199254740992'", [1]],
  ['COUNT lt 1e40', [1, 3, 4]],
  ['COUNT ge -0.5 and COUNT in (9007199254740992, 1.5, 1e30)', [3]],
  ['SIZE eq 2147483648', []],
  ['SIZE eq 1.0', [1]],
  ['SIZE in (0, 1e0)', [1, 4]],
  ['not (SIZE gt 0)', [2, 4]],
  ['RATE eq 0.1', [1]],
  ['RATE in (0.1, -2.5)', [1, 4]],
  ['AMOUNT eq 12345678901234567890.123456789', [3]],
  ['AMOUNT eq 12345678901234567890.123456788', []],
  ['AMOUNT le -2.5', [4]],
  ['WEIGHT eq 0.3', [1]],
  ['not (WEIGHT ge 0.3)', [2, 4]],
  ['BLOCKED eq true', [1, 4]],
  ['BLOCKED ne true', [2, 3]],
  ["BLOCKED in ('FALSE')", [3]],
  ['PAID ne true', [2, 4]],
  ['DUE eq 2015-05-07', [1]],
  ["DUE gt '2015-05-07'", [3]],
  ['DUE in (2015-05-08, 0001-01-01)', [3, 4]],
  ['DUE eq 2015-05-07T23:59:59', [1]],
  ['DUE gt 2015-05-07T00:00:00Z', [3]],
  ['DUE lt 9999-12-31T23:30-02:00', [1, 3, 4]],
  ['year(DUE) eq 2015 and month(DUE) eq 5 and day(DUE) in (7, 8)', [1, 3]],
  ['day(BOOKED) eq 29 or year(BOOKED) gt 9998.5', [3, 4]],
  ['OPENS eq 12:30', [1]],
  ['OPENS eq 23:59:59', [3]],
  ['OPENS gt 12:30:00', [3]],
  ['CLOSES in (18:00, 00:00:00.000000)', [1, 2, 4]],
  ['not (CLOSES le 18:00)', [3]],
  ['SEEN eq 2015-05-07', [1, 3]],
  ['SEEN ne 2015-05-07', [2, 4]],
  ['SEEN gt 2015-05-06', [1, 3]],
  ['SEEN gt 2015-05-07', []],
  ['SEEN le 2015-05-07', [1, 3, 4]],
  ['SEEN lt 2015-05-07', [4]],
  ['MADE eq 2015-05-07T08:30', [1]],
  ['MADE gt 2015-05-07T08:30', [2, 3, 4]],
  ['MADE eq 2015-05-07T08:30:15', [1]],
  ['MADE eq 2015-05-07T08:30:15.123', [1]],
  ['MADE eq 2015-05-07T08:30:15.124', []],
  ['MADE eq 2015-05-07T08:30:15.1234560000', [1]],
  ['MADE eq 2015-05-07T08:30:15.1234561', []],
  ['MADE ne 2015-05-07T08:30:15.1234561', [1, 2, 3, 4]],
  ['MADE gt 2015-05-07T08:30:15.1234559', [1, 2, 3, 4]],
  ['MADE ge 2015-05-07T08:30:15.123455999999', [1, 2, 3, 4]],
  ['MADE gt 2015-05-07T08:30:15.1234561', [2, 3, 4]],
  ['MADE ge 2015-05-07T08:30:15.123456000001Z', [2, 3, 4]],
  ['MADE le 2015-05-07T08:30:15.1234561', [1]],
  ['MADE lt 2015-05-07T10:30:15.1234561+02:00', [1]],
  ['MADE lt 2015-05-07T08:30:15.1234559', []],
  ['MADE in (2015-05-07T08:30:15.1234561, 2015-05-08T00:00:00.0000000)', [2]],
  ['READ gt 9999-12-31T23:59:59.9999989', [3]],
  ['READ gt 9999-12-31T23:59:59.9999999', []],
  ['OPENS gt 23:59:59.9999989', [3]],
  ['OPENS le 23:59:59.9999999', [1, 3, 4]],
  ['OPENS eq 12:30:00.0000001', []],
  ['DUE eq 2015-05-07T23:59:59.9999999', [1]],
  ['MADE ge 2015-05-07T10:30:15.123456+02:00', [1, 2, 3, 4]],
  ['MADE le 9999-12-31', [1, 2, 3, 4]],
  ['MADE in (2015-05-07, 2015-05-08T00:00:00Z)', [1, 2, 3]],
  ['not (SEEN in (2015-05-07))', [2, 4]],
  ['SENT eq 2015-05-07', [3]],
  ['SENT eq 2015-05-07T00:00+02:00', [1]],
  ['READ eq 2015-05-07T08:30:15Z or READ eq 9999-12-31', [1, 3]],
  ['READ in (0001-01-01, 2015-05-07T20:30:15+12:00)', [1, 4]],
  ['day(SENT) eq 6', [1]],
  ["NAME eq 'x' or (SIZE ge 0 and not (BLOCKED eq false or DUE lt 2015-01-01))", [1]],
];

describe('a data filter in PostgreSQL', () => {
  let database: TestDatabase;
  let table: SampleTable;
  beforeAll(async () => {
    database = await createTestDatabase();
    table = await openSampleTable(database.adminUrl);
    await table.fill(rows);
  });
  afterAll(async () => {
    await table?.end();
    await database?.drop();
  });

  it.each(matches)('finds the expected rows for %s', async (text, ids) => {
    const compiled = compileSampleFilter(text);
    if (!compiled.ok) throw new Error(compiled.faults.map(({ message }) => message).join('\n'));
    expect(await table.idsWhere(compiled.sql.text, compiled.sql.values)).toEqual(ids);
  });

  it('compiles to the SQL of the golden file, which the cases above execute', () => {
    const texts = matches.map(([text]) => {
      const compiled = compileSampleFilter(text);
      return `-- ${text}\n${compiled.ok ? `${compiled.sql.text}\n-- ${JSON.stringify(compiled.sql.values)}` : 'refused'}\n`;
    });
    const golden = join(import.meta.dirname, 'data-filter.golden.sql');
    if (!existsSync(golden)) writeFileSync(golden, texts.join('\n'));
    expect(texts.join('\n')).toBe(readFileSync(golden, 'utf8'));
  });

  it('treats hostile texts as values', async () => {
    const hostile = [
      "'; drop table trial; --",
      "' or '1'='1",
      '$1',
      '\\',
      '\\\\%',
      '%',
      '_',
      '"',
      '{a,b}',
      '${x}',
      '💥',
      'NULL',
      "E'\\x'",
      '\u0001',
      '\u202e',
      '((((((((',
      'x'.repeat(1_900),
    ];
    const row = rows[1];
    if (!row) throw new Error('There is no row.');
    await table.fill(hostile.map((text, id) => ({ ...row, id, NAME: text })));
    for (const [id, text] of hostile.entries()) {
      const quoted = `'${text.replaceAll("'", "''")}'`;
      const others = hostile.flatMap((other, otherId) => (other.includes(text) ? otherId : []));
      for (const [filter, ids] of [
        [`NAME eq ${quoted}`, [id]],
        [`NAME in (${quoted}, 'no')`, [id]],
        [`contains(NAME, ${quoted})`, others],
        [`startswith(NAME, ${quoted}) and endswith(NAME, ${quoted}) and length(NAME) eq ${[...text].length}`, [id]],
      ] as const) {
        const compiled = compileSampleFilter(filter);
        if (!compiled.ok) throw new Error(compiled.faults.map(({ message }) => message).join('\n'));
        expect(compiled.sql.text).not.toContain(text.length > 2 ? text : '\0');
        expect([filter, await table.idsWhere(compiled.sql.text, compiled.sql.values)]).toEqual([filter, ids]);
      }
    }
    await table.fill(rows);
  });

  it('reads the attributes of the caller as values', async () => {
    const ids = async (text: string, values: Readonly<Record<string, readonly string[]>>) => {
      const compiled = compileSampleFilter(text, { callerValues: (attribute) => values[attribute] });
      if (!compiled.ok) throw new Error(compiled.faults.map(({ message }) => message).join('\n'));
      return table.idsWhere(compiled.sql.text, compiled.sql.values);
    };
    expect(await ids('CODE in caller.codes', { codes: ['a', 'B'] })).toEqual([1, 3]);
    expect(await ids('CODE ne caller.codes', { codes: ['a', 'B'] })).toEqual([2, 4]);
    expect(await ids("CODE in ('a', caller.codes)", { codes: ['B'] })).toEqual([1, 3]);
    expect(await ids('SIZE le caller.limit', { limit: ['0'] })).toEqual([2, 4]);
    expect(await ids('startswith(NAME, caller.area)', { area: ['Ro'] })).toEqual([1]);
    expect(await ids('CODE in caller.codes', { codes: [] })).toEqual([]);
    expect(await ids('not (CODE in caller.codes)', { codes: [] })).toEqual([1, 2, 3, 4]);
  });

  it('matches nothing when an attribute of the caller is missing or does not fit', async () => {
    for (const [text, codes] of [
      ['not (CODE in caller.codes)', undefined],
      ["CODE ne caller.codes or CODE eq 'a'", undefined],
      ['SIZE ne caller.codes', ['many']],
      ['SIZE le caller.codes', ['1', '2']],
      ['SIZE ne caller.codes', ['1', 'x']],
    ] as const) {
      const compiled = compileSampleFilter(text, { callerValues: () => codes });
      expect(compiled).toEqual({ ok: true, sql: { text: 'false', values: [] } });
    }
  });

  it.each([
    ['NAME', "'a'"],
    ['CODE', "'a'"],
    ['COUNT', '1'],
    ['SIZE', '1'],
    ['RATE', '1.5'],
    ['AMOUNT', '1.5'],
    ['PAID', 'true'],
    ['BOOKED', '2015-05-07'],
    ['CLOSES', '12:30'],
    ['SEEN', '2015-05-07'],
    ['MADE', '2015-05-07T08:30'],
    ['SENT', '2015-05-07'],
    ['READ', '2015-05-07T08:30Z'],
  ])('can use the index on %s for comparisons with %s', async (field, literal) => {
    const isSpan = /[-:]/.test(literal) && field !== 'BOOKED';
    const asked = [
      `${field} eq ${literal}`,
      ...(field === 'PAID' ? [] : [`${field} gt ${literal}`, `${field} le ${literal}`]),
      ...(isSpan ? [] : [`${field} in (${literal}, ${literal})`]),
    ];
    for (const text of asked) {
      const compiled = compileSampleFilter(text);
      if (!compiled.ok) throw new Error(text);
      expect(await table.explain(compiled.sql.text, compiled.sql.values)).toContain('Index Cond');
    }
  });
});
