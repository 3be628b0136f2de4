import { describe, expect, it } from '@jest/globals';
import type { ValueType } from '@tessera/contracts/knowledge-models';
import { quoteShortened, valueTestFor } from './check-value-text.js';

const isValue = (type: ValueType, text: string): boolean => {
  const test = valueTestFor(type);
  // In the middle of a text, so that nothing around it counts.
  return test === undefined || test(`9${text}9`, 1, 1 + text.length);
};

const cases: readonly (readonly [ValueType, readonly string[], readonly string[]])[] = [
  [
    'integer',
    ['0', '-1', '+7', '007', ' 42 ', '9223372036854775807', '-9223372036854775808', '+9223372036854775807'],
    [
      '',
      ' ',
      '-',
      '1.0',
      '1e3',
      '0x1F',
      '1_000',
      '1,000',
      '9223372036854775808',
      '-9223372036854775809',
      '4 2',
      'NaN',
      '٣',
    ],
  ],
  [
    'float',
    ['0', '-1.5', '.5', '5.', '1e5', '1.25E-7', '+3', '12345678901234567890.123456789', '1e308', ` ${'9'.repeat(300)}`],
    [
      '',
      '.',
      '-',
      'e5',
      '1e',
      '1e309',
      '-1e400',
      '1e-9999',
      '1_000.5',
      '1,5',
      '0x1F',
      'NaN',
      'Infinity',
      '-inf',
      '1.2.3',
      '9'.repeat(310),
    ],
  ],
  ['boolean', ['true', 'FALSE', 't', 'f', 'Yes', 'no', '1', '0', ' on '], ['', 'wahr', '2', 'tru', 'truetrue', '-1']],
  [
    'date',
    ['2026-06-30', '0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', ' 2026-06-30'],
    [
      '',
      'today',
      'now',
      'infinity',
      'epoch',
      '2026-02-29',
      '1900-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-06-00',
      '2026-6-30',
      '30.06.2026',
      '06/30/2026',
      '20260630',
      '2026-06-30T00:00:00',
      '0000-01-01',
      '12026-06-30',
      '2026-06-30 BC',
    ],
  ],
  [
    'time',
    ['08:15:00', '00:00', '23:59:59.999999', '08:15:00.5'],
    [
      '',
      'now',
      'allballs',
      '24:00:00',
      '08:60',
      '08:15:60',
      '8:15',
      '08:15:00Z',
      '08:15:00.',
      '08:15:00.1234567',
      '0815',
      '08:15 PM',
    ],
  ],
  [
    'datetime',
    ['2026-06-30T08:15:00', '2026-06-30 08:15', '2026-06-30T08:15:00.123456'],
    [
      '',
      '2026-06-30',
      '2026-06-30T08:15:00Z',
      '2026-06-30T08:15:00+02:00',
      '2026-06-31T08:15:00',
      '2026-06-30t08:15',
      'tomorrow',
      '2026-06-30T',
      '-infinity',
    ],
  ],
  [
    'timestamp',
    ['2026-06-30T08:15:00Z', '2026-06-30 08:15:00.5+02', '2026-06-30T08:15-0330', '2026-06-30T08:15:00+05:30'],
    [
      '',
      '2026-06-30T08:15:00',
      '2026-06-30T08:15:00 Europe/Berlin',
      '2026-06-30T08:15:00+2',
      '2026-06-30T08:15:00+16',
      '2026-06-30T08:15:00+02:',
      '2026-06-30Z',
      'now',
      '2026-06-30T08:15:00ZZ',
    ],
  ],
];

describe('a text', () => {
  it.each(cases)('is accepted or rejected as a value of type %s', (type, values, others) => {
    expect(values.filter((text) => !isValue(type, text))).toEqual([]);
    expect(others.filter((text) => isValue(type, text))).toEqual([]);
  });

  it('is always accepted as a string', () => {
    expect(valueTestFor('string')).toBeUndefined();
  });

  it('is shortened to 100 characters in messages', () => {
    expect(quoteShortened('x')).toBe('"x"');
    expect(quoteShortened('x'.repeat(101))).toBe(`"${'x'.repeat(100)}…"`);
  });
});
