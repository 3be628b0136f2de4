import { describe, expect, it } from '@jest/globals';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { createValueTextConverter } from './value-text.js';

const fields = {
  string: 'string',
  integer: 'integer',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'timestamp',
} as const;
const type = findSampleType(createSampleModel({ R: { fields } }), 'R');
const keyed = findSampleType(createSampleModel({ R: { fields: { float: 'float' }, key: ['float'] } }), 'R');

const propertyOf = (name: keyof typeof fields, from = type) => {
  const property = from.propertyByName.get(name);
  if (!property) throw new Error(`There is no property ${name}.`);
  return property;
};

const read = (name: keyof typeof fields, text: string): string | undefined =>
  createValueTextConverter(propertyOf(name))(text);

describe('a PostgreSQL value as OData text', () => {
  it.each([
    ['string', ' NaN\u0000', ' NaN\u0000'],
    ['integer', '9223372036854775807', '9223372036854775807'],
    ['float', '12.5000000000000000', '12.5'],
    ['float', '120.0', '120'],
    ['float', '1200', '1200'],
    ['float', '1e+300', '1e+300'],
    ['float', 'NaN', 'NaN'],
    ['float', 'Infinity', 'INF'],
    ['float', '-Infinity', '-INF'],
    ['integer', 'NaN', undefined],
    ['boolean', 't', 'true'],
    ['boolean', 'f', 'false'],
    ['date', '2026-01-31', '2026-01-31'],
    ['date', '12000-01-31', '12000-01-31'],
    ['date', '0001-12-31 BC', '0000-12-31'],
    ['date', '0045-03-15 BC', '-0044-03-15'],
    ['date', '4713-01-01 BC', '-4712-01-01'],
    ['date', 'infinity', undefined],
    ['time', '08:30:00', '08:30:00'],
    ['time', '23:59:59.999999', '23:59:59.999999'],
    ['datetime', '2026-01-31 08:30:00.5', '2026-01-31T08:30:00.5Z'],
    ['datetime', '294276-12-31 23:59:59.999999', '294276-12-31T23:59:59.999999Z'],
    ['datetime', '-infinity', undefined],
    ['timestamp', '2026-01-31 08:30:00+00', '2026-01-31T08:30:00Z'],
    ['timestamp', '0045-03-15 12:00:00+00 BC', '-0044-03-15T12:00:00Z'],
  ] as const)('of type %s is written for %s', (name, text, expected) => {
    expect(read(name, text)).toBe(expected);
  });

  it('is unchanged when it does not fit its type', () => {
    for (const name of ['integer', 'boolean', 'date', 'datetime', 'timestamp'] as const)
      expect(read(name, 'odd')).toBe('odd');
  });

  it('keeps all digits of an exact number, and is null for NaN and infinity in decimals', () => {
    const exact = createValueTextConverter({ ...propertyOf('integer'), edmType: 'Edm.Decimal', exact: true });
    expect([exact('1.500'), exact('NaN')]).toEqual(['1.500', undefined]);
    const key = createValueTextConverter(propertyOf('float', keyed));
    expect([key('1.500'), key('Infinity')]).toEqual(['1.5', undefined]);
  });
});
