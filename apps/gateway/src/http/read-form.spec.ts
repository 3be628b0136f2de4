import { expect, it } from '@jest/globals';
import { FailureException } from './catch-failures.js';
import { findRepeatedName, parseForm } from './read-form.js';

const fields = (count: number): string => Array.from({ length: count }, (_, at) => `f${at}=${at}`).join('&');

it('a form has at most 64 fields, of one name or of many', () => {
  expect([...parseForm(fields(64))]).toHaveLength(64);
  expect([...parseForm('')]).toEqual([]);
  for (const text of [fields(65), 'a=1&'.repeat(65), '&'.repeat(64), fields(4_400)])
    expect(() => parseForm(text)).toThrow(FailureException);
});

it('the first name that stands again is found, apart from those that may', () => {
  expect(findRepeatedName(parseForm('a=1&b=2&c=3'))).toBeUndefined();
  expect(findRepeatedName(parseForm('a=1&b=2&b=3&a=4'))).toBe('b');
  expect(findRepeatedName(parseForm('a=1&a=2&b=3&b=4'), ['a'])).toBe('b');
  expect(findRepeatedName(parseForm('a=1&a=2'), ['a'])).toBeUndefined();
});
