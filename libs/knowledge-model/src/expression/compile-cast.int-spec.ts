import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ValueType, valueTypes } from '@tessera/contracts/knowledge-models';
import { printPostgres } from '@tessera/sql';
import { openSampleDatabase, type SampleDatabase } from '../testing/sample-database.js';
import { resolveSampleColumn, typeCheckSampleFormula } from '../testing/sample-model.js';
import { compileFormula } from './compile-formula.js';
import { canCast } from './types.js';

const columns: Readonly<Record<ValueType, string>> = {
  string: 'NAME',
  integer: 'QTY',
  float: 'AMOUNT',
  boolean: 'OPEN',
  date: 'DAY',
  time: 'CLOCK',
  datetime: 'AT',
  timestamp: 'MOMENT',
};

/** From -> to -> the values of rows 1 to 4. */
const casts: Readonly<Record<ValueType, Readonly<Partial<Record<ValueType, string>>>>> = {
  string: {
    integer: 'null null null null',
    float: 'null null 7.5 null',
    boolean: 'null null null null',
    date: 'null null null null',
    time: 'null null null null',
    datetime: 'null null null null',
    timestamp: 'null null null null',
  },
  integer: { string: '"4" "0" "7" null', float: '4 0 7 null' },
  float: { string: '"100.50" "-2.5" "0" "99.99"', integer: '101 -3 0 100' },
  boolean: { string: '"true" "false" "true" null', integer: '1 0 1 null' },
  date: {
    string: '"2026-01-31" "2024-02-29" null "2026-03-01"',
    datetime: '"2026-01-31T00:00:00" "2024-02-29T00:00:00" null "2026-03-01T00:00:00"',
    timestamp: '"2026-01-31T05:45:00+05:45" "2024-02-29T05:45:00+05:45" null "2026-03-01T05:45:00+05:45"',
  },
  time: { string: '"08:30:00" "00:00:00" null "23:59:59"' },
  datetime: {
    string: '"2026-01-31T23:30:00" "2024-02-29T00:00:00" null "2026-03-01T12:00:00"',
    date: '"2026-01-31" "2024-02-29" null "2026-03-01"',
    time: '"23:30:00" "00:00:00" null "12:00:00"',
    timestamp: '"2026-02-01T05:15:00+05:45" "2024-02-29T05:45:00+05:45" null "2026-03-01T17:45:00+05:45"',
  },
  timestamp: {
    string: '"2026-01-31T23:30:00Z" "2024-02-29T00:00:00Z" null "2026-03-01T12:00:00Z"',
    date: '"2026-01-31" "2024-02-29" null "2026-03-01"',
    time: '"23:30:00" "00:00:00" null "12:00:00"',
    datetime: '"2026-01-31T23:30:00" "2024-02-29T00:00:00" null "2026-03-01T12:00:00"',
  },
};

describe('a cast', () => {
  let trial: SampleDatabase;
  beforeAll(async () => {
    trial = await openSampleDatabase();
  });
  afterAll(() => trial?.end());

  const valuesOf = (formula: string): Promise<string> => {
    const { text, values } = printPostgres(
      compileFormula(typeCheckSampleFormula(formula, 'ITEM'), resolveSampleColumn),
    );
    return trial.valuesOfRows(text, values);
  };
  /** The same for all rows. */
  const valueOf = async (formula: string): Promise<unknown> =>
    JSON.parse((await valuesOf(formula)).split(' ')[0] ?? '');

  it.each(valueTypes.flatMap((from) => valueTypes.map((to) => [from, to] as const)))(
    'from %s to %s returns the expected values, or is rejected',
    async (from, to) => {
      const expected = casts[from][to];
      expect(canCast(from, to)).toBe(expected !== undefined || from === to);
      if (expected !== undefined) expect(await valuesOf(`cast(${columns[from]} as ${to})`)).toBe(expected);
    },
  );

  it.each([
    ['integer', '42', 42],
    ['integer', ' -7 ', -7],
    ['integer', '9223372036854775808', null],
    ['integer', '1.5', null],
    ['integer', '', null],
    ['float', '1e3', 1000],
    ['float', 'NaN', null],
    ['float', '-Infinity', null],
    ['boolean', 'yes', true],
    ['boolean', 'maybe', null],
    ['date', '2026-05-07', '2026-05-07'],
    ['date', '07.05.2026', null],
    ['date', '2026-02-30', null],
    ['date', 'yesterday', null],
    ['time', '08:30', '08:30:00'],
    ['time', 'allballs', null],
    ['datetime', '2026-05-07T08:30:00.25', '2026-05-07T08:30:00.25'],
    ['datetime', 'now', null],
    ['timestamp', '2026-05-07T08:30:00Z', '2026-05-07T14:15:00+05:45'],
    ['timestamp', '2026-05-07T08:30:00', null],
    ['timestamp', 'epoch', null],
  ] as const)('to %s converts the text %j to %j', async (type, text, expected) => {
    expect(await valueOf(`cast('${text}' as ${type})`)).toBe(expected);
    expect(await valueOf(`cast('${text}' || substring(ORDER_NO, 1, 0) as ${type})`)).toBe(expected);
  });
});
