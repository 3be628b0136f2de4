/** Extreme values of every type in every format, as they come from PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { openODataClient, type ODataClient } from '../testing/odata-client.js';
import { openQueryClient } from '../testing/query-client.js';
import { readJsonAnswer, readBodyText, openFixture, type Json, type Fixture } from '../testing/fixture.js';

const team = 'meridian';
const asker = { team };
const types = ['string', 'integer', 'float', 'boolean', 'date', 'time', 'datetime', 'timestamp'] as const;

const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'values',
  source: { schema: 's' },
  records: [
    {
      id: 'VALUE',
      table: 'value',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        ...types.map((type) => ({ id: type, column: `of_${type}`, type })),
        { id: 'exact', column: 'of_exact', type: 'float', exact: true },
        { id: 'a-b', column: 'of_string' },
      ],
    },
    {
      id: 'KEYED',
      table: 'keyed',
      identifier: ['TEXT', 'MOMENT', 'SUM'],
      attributes: [
        { id: 'TEXT', column: 'text' },
        { id: 'MOMENT', column: 'moment', type: 'datetime' },
        { id: 'SUM', column: 'sum', type: 'float' },
      ],
    },
  ],
};

const thirtyDigits = '123456789012345678901234567890';

const rows = [
  {
    id: 1,
    of_string: '\u{1f4a3} "\\\u0001\u2028</script>&amp;\r\n\t ]]>',
    of_integer: '9223372036854775807',
    of_float: 1.7976931348623157e308,
    of_boolean: true,
    of_date: '12000-01-31',
    of_time: '23:59:59.999999',
    of_datetime: '12000-12-31 23:59:59.999999',
    of_timestamp: '9999-12-31 23:59:59Z',
    of_exact: `${thirtyDigits}.10`,
  },
  {
    id: 2,
    of_string: ' ',
    of_integer: '-9007199254740993',
    of_float: '-Infinity',
    of_boolean: false,
    of_date: '0001-01-01',
    of_time: '00:00:00',
    of_datetime: '0001-01-01 00:00:00 BC',
    of_timestamp: '0045-03-15 12:00:00Z BC',
    of_exact: '-0.00000000000000000001',
  },
  { id: 3, of_string: '', of_float: 'NaN', of_date: 'infinity', of_datetime: '-infinity', of_exact: 'NaN' },
];

const keys = [
  { text: "O'Neil & / %?#", moment: '2026-01-31 08:30:00.5', sum: 1.5 },
  { text: '\u{1f4a3}é(,)=', moment: '0001-12-31 23:59:59.000001', sum: `${thirtyDigits}` },
];

let fixture: Fixture;
let odata: ODataClient;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, model);
  await fixture.load(
    team,
    {
      schema: 's',
      name: 'value',
      columns: `id bigint primary key, of_string text, of_integer bigint, of_float double precision, of_boolean boolean,
        of_date date, of_time time, of_datetime timestamp, of_timestamp timestamptz, of_exact numeric`,
      rows,
    },
    {
      schema: 's',
      name: 'keyed',
      columns: 'text text, moment timestamp, sum numeric, primary key (text, moment, sum)',
      rows: keys,
    },
  );
  odata = openODataClient(fixture, openQueryClient(fixture));
});
afterAll(() => fixture.end());

const textOf = async (record: string, options: Readonly<Record<string, unknown>>): Promise<string> => {
  const result = await odata.page(asker, 'values', record, options);
  if (!result.ok) throw new Error(result.failure.detail);
  return readBodyText(result.value);
};

const [first, second] = [
  {
    ID: 1,
    string: rows[0]?.of_string,
    integer: 2 ** 63,
    float: Number.MAX_VALUE,
    boolean: true,
    date: '12000-01-31',
    time: '23:59:59.999999',
    datetime: '12000-12-31T23:59:59.999999Z',
    timestamp: '9999-12-31T23:59:59Z',
    exact: `${thirtyDigits}.10`,
    a_x002D_b: rows[0]?.of_string,
  },
  {
    ID: 2,
    string: ' ',
    integer: -9007199254740992,
    float: '-INF',
    boolean: false,
    date: '0001-01-01',
    time: '00:00:00',
    datetime: '0000-01-01T00:00:00Z',
    timestamp: '-0044-03-15T12:00:00Z',
    exact: '-0.00000000000000000001',
    a_x002D_b: ' ',
  },
] as const;

describe('values of every type', () => {
  it('are written in JSON as their types require, up to the extreme values', async () => {
    const text = await textOf('VALUE', {});
    const { value } = JSON.parse(text);
    expect(value[0]).toEqual(first);
    expect(value[1]).toEqual(second);
    expect(value[2]).toMatchObject({
      string: '',
      integer: null,
      float: 'NaN',
      date: null,
      datetime: null,
      exact: null,
    });
    for (const digits of ['"integer":9223372036854775807,', '"integer":-9007199254740993,'])
      expect(text).toContain(digits);
  });

  it('are strings with IEEE754Compatible=true where a double loses digits', async () => {
    const $format = 'application/json;IEEE754Compatible=true;odata.metadata=full';
    const { value, ...around } = JSON.parse(await textOf('VALUE', { $format, $count: true }));
    expect(around['@odata.count']).toBe('3');
    expect(value[0]).toMatchObject({
      ID: '1',
      integer: '9223372036854775807',
      'integer@odata.type': 'Int64',
      float: Number.MAX_VALUE,
      exact: `${thirtyDigits}.10`,
      'exact@odata.type': 'Decimal',
    });
    expect(value[0]).not.toHaveProperty('float@odata.type');
    // A string does not tell that it is a number.
    expect(value[1]).toMatchObject({ float: '-INF', 'float@odata.type': 'Double' });
  });

  it('are written in Atom as far as XML can hold them', async () => {
    const text = await textOf('VALUE', { $format: 'atom' });
    for (const part of [
      '<d:string>\u{1f4a3} "\\\ufffd\u2028&lt;/script&gt;&amp;amp;&#13;&#10;&#9; ]]&gt;</d:string>',
      '<d:integer m:type="Int64">9223372036854775807</d:integer>',
      '<d:date m:type="Date">12000-01-31</d:date>',
      `<d:exact m:type="Decimal">${thirtyDigits}.10</d:exact>`,
      '<d:string> </d:string>',
      '<d:float m:type="Double">-INF</d:float>',
      '<d:timestamp m:type="DateTimeOffset">-0044-03-15T12:00:00Z</d:timestamp>',
      '<d:string></d:string>',
      '<d:boolean m:null="true"/>',
    ])
      expect(text).toContain(part);
  });
});

describe('keys', () => {
  it('are encoded in addresses so that each address returns its entry', async () => {
    const $format = 'application/json;odata.metadata=full';
    const { value } = JSON.parse(await textOf('KEYED', { $format }));
    expect(value.map(({ TEXT }: Json) => TEXT).sort()).toEqual(keys.map(({ text }) => text).sort());
    for (const entry of value) {
      const { pathname } = new URL(entry['@odata.id']);
      const key = decodeURIComponent(pathname.slice(pathname.indexOf('(')));
      const { '@odata.context': _, ...found } = await readJsonAnswer(
        odata.entry(asker, 'values', 'KEYED', key, { $format }),
      );
      expect(found).toEqual(entry);
    }
  });
});
