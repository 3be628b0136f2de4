import { describe, expect, it } from '@jest/globals';
import type { Say } from '../../language/catalogue.js';
import { fillMessage } from '../../language/fill-message.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { changeWords } from './change-words.js';
import { formatsOf } from '../../language/formats.js';
import { conditionWords, scopeWords } from './condition-words.js';
import { emptyQuestion } from './question.js';
import { purchases } from './testing/purchases.js';

type English = typeof figuresMessages.en;
const sayIn =
  (language: 'en' | 'de'): Say<English> =>
  (name, ...[values]) =>
    fillMessage(language, figuresMessages[language][name], values);
const words = (expression: string, language: 'en' | 'de' = 'en') =>
  conditionWords(expression, purchases, sayIn(language), language);

describe('a condition in words', () => {
  it.each([
    ["ORDER.PLANT eq '2010'", 'plant is 2010'],
    ["ORDER.PLANT in ('2010', '3010')", 'plant is one of 2010, 3010'],
    ['ITEM.AMOUNT ge 1 and ITEM.AMOUNT le 2', 'amount is between 1 – 2'],
    ['ORDER.ORDERED gt 2026-03-01', 'ordered is greater than Mar 1, 2026'],
    ['ITEM.MAVERICK eq true', 'maverick is yes'],
    ['ORDER.PLANT eq null', 'plant has no value'],
    ["ORDER.PLANT eq ''", 'plant is ""'],
    ['RATE ge 0.05', 'rate is at least 0.05'],
    ['NOWHERE.X eq 1', 'NOWHERE.X is 1'],
  ])('%s: %s', (expression, expected) => expect(words(expression)).toBe(expected));

  it('are those of the language', () => {
    expect(words('ITEM.MAVERICK eq false', 'de')).toBe('maverick ist nein');
    expect(words('ITEM.AMOUNT ge 1000.5', 'de')).toBe('amount ist mindestens 1000,5');
  });

  it('are none where only the expression says it', () => {
    expect(words('A eq 1 or B eq 2')).toBeUndefined();
  });
});

describe('what a figure is of', () => {
  const scope = (change: object) => scopeWords({ ...emptyQuestion, ...change }, purchases, sayIn('en'), 'en');

  it('is said even when it is everything', () => expect(scope({})).toBe('all rows'));

  it('names filters, conditions, period and search', () => {
    const period = { field: 'ORDER.ORDERED', from: '2026-01-01', to: '' };
    const conditions = ["ORDER.PLANT eq '2010'", 'A eq 1 or B eq 2'];
    expect(scope({ filters: ['LARGE'], conditions, period, search: 'blue' })).toBe(
      'large items; plant is 2010; A eq 1 or B eq 2; ordered Jan 1, 2026 – …; search for “\u2068blue\u2069”',
    );
  });

  it('says nothing of a period without bounds', () => {
    expect(scope({ period: { field: 'ORDER.ORDERED', from: '', to: '' } })).toBe('all rows');
  });
});

it('a change has its sign', () => {
  const formats = formatsOf('en');
  expect(changeWords(0.0123, true, sayIn('en'), formats)).toBe('\u2068+1.23\u2069 points');
  expect(changeWords(-0.5, false, sayIn('en'), formats)).toBe('-50%');
  expect(changeWords(0, false, sayIn('en'), formats)).toBe('0%');
});
