import { expect, it } from '@jest/globals';
import type { Say } from '../../language/catalogue.js';
import { fillMessage } from '../../language/fill-message.js';
import { formatsOf } from '../../language/formats.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { readLoadArguments } from './load-arguments.js';
import { scopeOf } from './question-scope.js';

const say: Say<typeof askMessages.en> = (name, ...[values]) => fillMessage('en', askMessages.en[name], values);
const names = new Map([
  ['PURCHASE_ORDER.PLANT', 'Plant'],
  ['LAST_12_MONTHS', 'Last twelve months'],
]);
const scopeWith = (given: object, groups: Parameters<typeof scopeOf>[1] = []): string => {
  const question = readLoadArguments({ columns: ['RATE'], ...given });
  if (question === undefined) throw new Error('no question');
  return scopeOf(question, groups, { say, names, formats: formatsOf('en') }).replaceAll(/[\u2066-\u2069]/g, '');
};
const filter = (kind: string, more: object, column_id = 'PURCHASE_ORDER.PLANT') => ({
  applied_filters: { [kind]: [{ column_id, ...more }] },
});

it('a figure of everything says so', () => {
  expect(scopeWith({})).toBe('Everything that you may see');
});

it('a figure says its group, its values and its filters, by their names', () => {
  const given = { ...filter('string_filters', { values: ['2010', '3010'] }), filters: ['LAST_12_MONTHS', 'OTHER'] };
  expect(scopeWith(given, [{ name: 'Order month', value: '2026-03' }])).toBe(
    'Order month: 2026-03; Plant: 2010, 3010; Last twelve months; OTHER',
  );
});

it.each([
  [filter('string_filters', { values: ['2010'], negation: true }), 'Plant: not 2010'],
  [filter('string_filters', { values: ['a'], add_wildcard_before: true, add_wildcard_after: true }), 'Plant: …a…'],
  [filter('numeric_filters', { value: 0.05, comparator: '>=' }, 'RATE'), 'RATE ≥ 0.05'],
  [filter('date_filters', { start_date: '2026-03-01' }, 'A.DATE'), 'DATE from Mar 1, 2026'],
  [filter('date_filters', { end_date: '2026-03-31' }, 'A.DATE'), 'DATE to Mar 31, 2026'],
  [
    filter('date_filters', { start_date: '2026-03-01', end_date: '2026-03-31' }, 'A.DATE'),
    'DATE from Mar 1, 2026 to Mar 31, 2026',
  ],
  [
    filter('date_filters', { end_date: '2026-03-31', negation: true }, 'A.DATE'),
    'DATE outside of these days:  – Mar 31, 2026',
  ],
  [filter('null_filters', {}), 'Plant: without a value'],
  [filter('null_filters', { is_null: false }), 'Plant: with a value'],
])('%j is %s', (given, text) => {
  expect(scopeWith(given)).toBe(text);
});
