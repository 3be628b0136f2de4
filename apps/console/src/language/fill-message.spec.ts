import { describe, expect, it } from '@jest/globals';
import { fillMessage, isolate } from './fill-message.js';
import { chooseLanguage } from './languages.js';

const sessions = { one: '{count} session', other: '{count} sessions' };

describe('a message', () => {
  it('isolates texts, so that right-to-left names leave the sentence as it is', () => {
    expect(fillMessage('en', 'Signed in as {name}.', { name: 'نور' })).toBe('Signed in as \u2068نور\u2069.');
  });

  it('takes marks of direction out of values, which would end the isolation', () => {
    expect(isolate('a\u2069\u202eb')).toBe('\u2068ab\u2069');
  });

  it('never reads places out of values', () => {
    expect(fillMessage('en', '{one} {two}', { one: '{two}', two: 'x' })).toBe('\u2068{two}\u2069 \u2068x\u2069');
  });

  it('writes numbers as the language does', () => {
    expect(fillMessage('en', '{left} left', { left: 1234.5 })).toBe('1,234.5 left');
    expect(fillMessage('de', '{left} übrig', { left: 1234.5 })).toBe('1.234,5 übrig');
  });

  it('chooses the plural form by the count', () => {
    expect([0, 1, 2].map((count) => fillMessage('en', sessions, { count }))).toEqual([
      ...['0 sessions', '1 session', '2 sessions'],
    ]);
  });

  it('shows a place without a value as it is', () => {
    expect(fillMessage('en', 'Hello {name}')).toBe('Hello {name}');
  });
});

describe('the language', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['fr-CA', 'es-MX'], 'es'],
    [['EN-GB'], 'en'],
    [['fr'], 'en'],
    [[], 'en'],
  ])('of who prefers %j is %s', (preferred, chosen) => {
    expect(chooseLanguage(preferred)).toBe(chosen);
  });
});
