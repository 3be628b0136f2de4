import { describe, expect, it } from '@jest/globals';
import { isObject, numberOf, parseJson } from './json-values.js';

describe('of what came from elsewhere', () => {
  it.each([{}, { a: 1 }])('%j is an object', (value) => {
    expect(isObject(value)).toBe(true);
  });

  it.each([null, undefined, [], 'text', 1, true])('%j is no object', (value) => {
    expect(isObject(value)).toBe(false);
  });

  it.each([
    [2, 2],
    [-0.5, -0.5],
    ['1.5', 1.5],
    ['-12345678901234567890.12', -12_345_678_901_234_567_000],
    ['1e3', 1_000],
  ])('%j is the number %j', (value, number) => {
    expect(numberOf(value)).toBe(number);
  });

  it.each(['', ' ', 'x', '0x10', 'NaN', '1e999', null, undefined, true, Number.NaN, Number.POSITIVE_INFINITY])(
    '%j is no number',
    (value) => {
      expect(numberOf(value)).toBeUndefined();
    },
  );

  it('a text is read as JSON, and told from one that is none', () => {
    expect(parseJson('{"a": [null]}')).toEqual({ value: { a: [null] } });
    expect(parseJson('null')).toEqual({ value: null });
    expect(parseJson('{"a"')).toBeUndefined();
  });
});
