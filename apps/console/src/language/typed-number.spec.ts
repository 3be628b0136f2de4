import { describe, expect, it } from '@jest/globals';
import { readNumber, typeNumber } from './typed-number.js';

describe('a number that is typed', () => {
  it.each([
    ['en', '1000', '1000'],
    ['en', '1,000', '1000'],
    ['en', '1.000', '1.000'],
    ['en', ' -1410.5 ', '-1410.5'],
    ['en', '1410,5', '1410.5'],
    ['en', '12,345,678.25', '12345678.25'],
    ['de', '1.000', '1000'],
    ['de', '1,000', '1.000'],
    ['de', '1410,5', '1410.5'],
    ['de', '1410.5', '1410.5'],
    ['de', '+1.234.567,', '1234567'],
    ['es', '1.000', '1000'],
    ['es', '0,125', '0.125'],
    ['en', '1e3', '1e3'],
    ['en', '12345678901234567890', '12345678901234567890'],
  ] as const)('in %s, %j, is read', (language, text, number) => expect(readNumber(text, language)).toBe(number));

  it.each(['', 'abc', '1,00,0', '1.2.3', '1 000', '--1', '.', 'Infinity'])('%j is none', (text) => {
    expect(readNumber(text, 'en')).toBeUndefined();
    expect(readNumber(text, 'de')).toBeUndefined();
  });

  it('is shown as the language writes it, and read back', () => {
    expect(typeNumber('1234567.125', 'en')).toBe('1234567.125');
    expect(typeNumber('-1234567.125', 'de')).toBe('-1234567,125');
    expect(readNumber(typeNumber('0.0001', 'es'), 'es')).toBe('0.0001');
    expect(typeNumber('half', 'de')).toBe('half');
  });
});
