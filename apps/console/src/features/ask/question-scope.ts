/** What a figure is of, in words: the values, days and filters that a question named. */
import type { Say } from '../../language/catalogue.js';
import type { Formats } from '../../language/formats.js';
import type { askMessages } from '../../messages/ask/catalogue.js';
import type { AnswerGroup } from './answer-data.js';
import type { Condition, LoadArguments } from './load-arguments.js';

type Words = {
  readonly say: Say<typeof askMessages.en>;
  readonly formats: Pick<Formats, 'number' | 'day'>;
  /** What ids are called, where the model told. */
  readonly names: ReadonlyMap<string, string>;
};

export const scopeOf = (
  { conditions, filters }: Pick<LoadArguments, 'conditions' | 'filters'>,
  groups: readonly AnswerGroup[],
  words: Words,
): string => {
  const parts = [
    ...groups.map(({ name, value }) => words.say('scopeIs', { name, value })),
    ...conditions.map((condition) => conditionText(condition, words)),
    ...filters.map((id) => words.names.get(id) ?? id),
  ];
  return parts.length === 0 ? words.say('everything') : parts.join('; ');
};

/** `PURCHASE_ORDER.PLANT` without a name is PLANT. */
const nameOf = (id: string, names: ReadonlyMap<string, string>): string =>
  names.get(id) ?? id.slice(id.lastIndexOf('.') + 1);

const conditionText = (condition: Condition, { say, formats, names }: Words): string => {
  const name = nameOf(condition.column, names);
  switch (condition.kind) {
    case 'texts': {
      const { values, anyBefore, anyAfter, isNegated } = condition;
      const value = values.map((each) => `${anyBefore ? '…' : ''}${each}${anyAfter ? '…' : ''}`).join(', ');
      return say(isNegated ? 'scopeNot' : 'scopeIs', { name, value });
    }
    case 'number':
      return `${name} ${signs[condition.comparator]} ${formats.number(condition.value)}`;
    case 'days':
      return daysText(condition, name, { say, formats });
    case 'null':
      return say(condition.isNull ? 'scopeNull' : 'scopeNotNull', { name });
  }
};

const signs = { '=': '=', '!=': '≠', '>': '>', '>=': '≥', '<': '<', '<=': '≤' } as const;

const daysText = (
  { from, to, isNegated }: Extract<Condition, { kind: 'days' }>,
  name: string,
  { say, formats }: Pick<Words, 'say' | 'formats'>,
): string => {
  const [first, last] = [from, to].map((day) => (day === undefined ? '' : formats.day(day)));
  if (isNegated) return say('scopeOutside', { name, days: `${first ?? ''} – ${last ?? ''}` });
  if (from !== undefined && to !== undefined) return say('scopeBetween', { name, from: first ?? '', to: last ?? '' });
  return from === undefined ? say('scopeTo', { name, to: last ?? '' }) : say('scopeFrom', { name, from: first ?? '' });
};
