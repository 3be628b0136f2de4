import { describe, expect, it } from '@jest/globals';
import type { ValueType } from '@tessera/contracts/knowledge-models';
import { encoderFor } from './encode-value.js';

const encode = (type: ValueType, text: string, exact = false): string => encoderFor(type, exact)(text);

describe('encodeValue', () => {
  it.each<[ValueType, string, string]>([
    ['integer', '0', '0'],
    ['integer', '-12', '-12'],
    ['integer', '9223372036854775807', '9223372036854775807'],
    ['integer', '5.00', '5'],
    ['float', '0.1', '0.1'],
    ['float', '-0', '-0'],
    ['float', '100.5000000000000000', '100.5'],
    ['float', '100.0000', '100'],
    ['float', '1000', '1000'],
    ['float', '0.000', '0'],
    ['float', '-0.50', '-0.5'],
    ['float', '1e+300', '1e+300'],
    ['float', '1.50e-07', '1.50e-07'],
    ['float', '5e-324', '5e-324'],
    ['float', '123456789012345678901234567890.10', '123456789012345678901234567890.1'],
    ['float', 'NaN', 'null'],
    ['float', 'Infinity', 'null'],
    ['float', '-Infinity', 'null'],
    ['boolean', 't', 'true'],
    ['boolean', 'f', 'false'],
    ['date', '2026-01-31', '"2026-01-31"'],
    ['date', '12026-01-31', '"+012026-01-31"'],
    ['date', '0044-03-15 BC', '"-000043-03-15"'],
    ['date', '0001-12-31 BC', '"0000-12-31"'],
    ['date', 'infinity', 'null'],
    ['date', '-infinity', 'null'],
    ['time', '08:30:00', '"08:30:00"'],
    ['time', '24:00:00', '"24:00:00"'],
    ['time', '08:30:00.123456', '"08:30:00.123456"'],
    ['datetime', '2026-01-31 08:30:00', '"2026-01-31T08:30:00"'],
    ['datetime', '2026-01-31 08:30:00.5', '"2026-01-31T08:30:00.5"'],
    ['datetime', '294276-12-31 23:59:59.999999', '"+294276-12-31T23:59:59.999999"'],
    ['datetime', '4713-01-01 00:00:00 BC', '"-004712-01-01T00:00:00"'],
    ['timestamp', '2026-01-31 08:30:00+00', '"2026-01-31T08:30:00Z"'],
    ['timestamp', '2026-01-31 08:30:00.25+00', '"2026-01-31T08:30:00.25Z"'],
    ['timestamp', '0044-03-15 12:00:00+00 BC', '"-000043-03-15T12:00:00Z"'],
    ['timestamp', 'infinity', 'null'],
    ['string', '', '""'],
    ['string', 'a"b\\c\n\u0001ü', JSON.stringify('a"b\\c\n\u0001ü')],
  ])('writes the %s %s as %s', (type, text, json) => {
    expect(encode(type, text)).toBe(json);
    expect(() => JSON.parse(json)).not.toThrow();
  });

  it('writes an exact number as a string with all its digits', () => {
    expect(encode('integer', '9223372036854775807', true)).toBe('"9223372036854775807"');
    expect(encode('float', '1.10', true)).toBe('"1.10"');
    expect(encode('float', 'NaN', true)).toBe('null');
    expect(encode('string', 'x', true)).toBe('"x"');
  });

  it('returns valid JSON even for a text that does not fit the type', () => {
    for (const type of ['integer', 'float', 'boolean', 'date', 'time', 'datetime', 'timestamp'] as const)
      for (const text of ['', '},{"a":1', '"', '1,2', '0x10', '1 BC', '12:00"', '2026-01-31 08:30:00+05:30', 'truth'])
        expect(JSON.parse(encode(type, text))).toBe(text);
  });
});
