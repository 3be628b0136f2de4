/** Extreme values of every type, as they come from PostgreSQL in a session whatever the server is set to. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import pg from 'pg';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { readBodyText, openFixture, type Fixture } from '../testing/fixture.js';

const team = 'meridian';
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
        { id: 'exact', column: 'of_float', type: 'float', exact: true },
        { id: 'double', column: 'of_double', type: 'float' },
      ],
    },
  ],
};

const rows = [
  {
    id: 1,
    of_string: '\u{1f4a3} "\\\u0001\u2028</script>',
    of_integer: '9223372036854775807',
    of_float: '12345678901234567890.1234567890',
    of_boolean: true,
    of_date: '5874897-12-31',
    of_time: '24:00:00',
    of_datetime: '294276-12-31 23:59:59.999999',
    of_timestamp: '294276-12-31 23:59:59.999999Z',
    of_double: 1.7976931348623157e308,
  },
  {
    id: 2,
    of_string: '',
    of_integer: '-9223372036854775808',
    of_float: '-0.00000000000000000001',
    of_boolean: false,
    of_date: '4713-01-01 BC',
    of_time: '00:00:00',
    of_datetime: '4713-01-01 00:00:00 BC',
    of_timestamp: '4713-01-01 00:00:00Z BC',
    of_double: 5e-324,
  },
  { id: 3, of_double: 0.1, of_date: '2026-06-30', of_timestamp: '2026-06-30T12:00:00+05:45', of_time: '12:30' },
];

let fixture: Fixture;
let queryClient: QueryClient;
beforeAll(async () => {
  fixture = await openFixture();
  const admin = new pg.Client({ connectionString: fixture.database.adminUrl });
  await admin.connect();
  const name = new URL(fixture.database.adminUrl).pathname.slice(1);
  for (const setting of [`timezone = 'Asia/Kathmandu'`, `datestyle = 'SQL, DMY'`, `extra_float_digits = 0`])
    await admin.query(`alter database ${name} set ${setting}`);
  await admin.end();
  await fixture.publish(team, model);
  await fixture.load(team, {
    schema: 's',
    name: 'value',
    columns: `id bigint primary key, of_string text, of_integer bigint, of_float numeric, of_boolean boolean,
      of_date date, of_time time, of_datetime timestamp, of_timestamp timestamptz, of_double double precision`,
    rows,
  });
  queryClient = openQueryClient(fixture);
});
afterAll(() => fixture.end());

describe('values of every type', () => {
  it('are written as the types of the model require, up to the extreme values', async () => {
    const result = await queryClient.query({ team }, 'values', 'VALUE', {
      fields: [...types, 'exact', 'double'],
      sort: 'double',
    });
    if (!result.ok) throw new Error(result.failure.detail);
    const text = await readBodyText(result.value);
    const [least, middle, largest] = JSON.parse(text).content;
    expect(largest).toEqual({
      string: rows[0]?.of_string,
      integer: 2 ** 63,
      float: Number('12345678901234567890.123456789'),
      boolean: true,
      date: '+5874897-12-31',
      time: '24:00:00',
      datetime: '+294276-12-31T23:59:59.999999',
      timestamp: '+294276-12-31T23:59:59.999999Z',
      exact: '12345678901234567890.1234567890',
      double: Number.MAX_VALUE,
    });
    expect(least).toMatchObject({
      string: '',
      date: '-004712-01-01',
      datetime: '-004712-01-01T00:00:00',
      timestamp: '-004712-01-01T00:00:00Z',
      exact: '-0.00000000000000000001',
      double: Number.MIN_VALUE,
    });
    expect(middle).toEqual({
      string: null,
      integer: null,
      float: null,
      boolean: null,
      date: '2026-06-30',
      time: '12:30:00',
      datetime: null,
      timestamp: '2026-06-30T06:15:00Z',
      exact: null,
      double: 0.1,
    });
    // Not one digit is lost on the way.
    expect(text).toContain('"integer":9223372036854775807,');
    expect(text).toContain('"float":12345678901234567890.123456789,');
    expect(text).toContain('"integer":-9223372036854775808,');
  });
});
