import { describe, expect, it } from '@jest/globals';
import type { DataExpression } from '@tessera/filter';
import { printDataFilter } from '@tessera/filter/testing';
import fc from 'fast-check';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { buildCountQuery, buildEntriesQuery } from './entries-query.js';

const model = createSampleModel({
  ITEM: { fields: { ID: 'string', NO: 'integer', NOTE: 'string' }, key: ['ID'], ways: { PARTS: 'PART*' } },
  PART: { fields: { NO: 'integer' }, key: ['NO'] },
});
const item = findSampleType(model, 'ITEM');
const seal = { key: new Uint8Array(32), binding: '' };
const ask = ($search: string) => buildEntriesQuery(item, model, { $search }, seal);

/** What the model searches for, and behind a bar the conditions beside it, each of a text in one property only. */
const searched = ($search: string): string => {
  const result = ask($search);
  if (!result.ok) throw new Error(result.failure.detail);
  const { search, parsedFilters = [] } = result.value.query;
  const conditions = parsedFilters.map(({ expression }) => printDataFilter(expression));
  return `${search?.term ?? ''} | ${conditions.join('; ')}`.trim();
};

/** The condition of a text. */
const has = (text: string): string => `(ID in ('${text}') or NOTE in ('${text}'))`;

const refusal = ($search: string): string => {
  const result = ask($search);
  if (result.ok) return 'read';
  const { code, faults = [] } = result.failure;
  return [code, ...faults.map(({ message, position }) => `[${position}] ${message}`)].join(' ');
};

describe('$search', () => {
  it.each([
    ['blue', 'blue |'],
    ['  blue ', 'blue |'],
    ['"dark blue"', 'dark blue |'],
    ["'dark blue'", 'dark blue |'],
    [String.raw`"say \"x\""`, 'say "x" |'],
    [String.raw`"a\\b"`, String.raw`a\b |`],
    ["'it''s'", "it's |"],
    ["O'Neil", "O'Neil |"],
    ['C-100/7', 'C-100/7 |'],
    ['and or not', 'and | or; not'],
    ['blue green', 'blue | green'],
    ['blue AND green', 'blue | green'],
    ['(blue)', 'blue |'],
    ['blue OR green', '| blue or green'],
    ['blue OR green AND red', '| blue or (green and red)'],
    ['blue (green OR red)', 'blue | (green or red)'],
    ['NOT blue', '| not blue'],
    ['NOT blue green', 'green | not blue'],
    ['NOT (blue green)', '| not (blue and green)'],
    ['NOT NOT blue', '| not not blue'],
  ])('%j searches for %s', (text, expected) => {
    const [term = '', conditions = ''] = searched(text).split('|');
    const [wanted = '', others = ''] = expected.split('|');
    const plain = conditions.replaceAll(/\(?ID in \('([^']*)'\) or NOTE in \('[^']*'\)\)?/g, '$1');
    expect(`${term.trim()} | ${plain.replaceAll(/[()]/g, '').trim()}`).toBe(
      `${wanted.trim()} | ${others.replaceAll(/[()]/g, '').trim()}`,
    );
  });

  it('finds a letter with a mark as one code point and as two', () => {
    expect(searched('NOT th\u00e9')).toContain("ID in ('th\u00e9', 'the\u0301') or NOTE in ('th\u00e9', 'the\u0301')");
    expect(searched('NOT the\u0301')).toContain("ID in ('th\u00e9', 'the\u0301')");
    expect(searched('caf\u00e9 the')).toBe("caf\u00e9 | ID in ('the') or NOTE in ('the')");
  });

  it('searches the properties of type string, like the search of a model', () => {
    expect(ask('blue')).toMatchObject({
      value: { query: { search: { term: 'blue', fields: ['ID', 'NOTE'], precision: 100 }, parsedFilters: [] } },
    });
    expect(searched('NOT blue')).toContain(has('blue').slice(1, -1));
    expect(buildCountQuery(item, model, { $search: 'blue', $filter: 'NO gt 1' })).toMatchObject({
      value: { search: { term: 'blue' }, parsedFilters: [{ parameter: '$filter' }] },
    });
  });

  it.each([
    [
      '',
      'GENERAL_PARAMETER_ILLEGAL [0] $search, character 1: Expected a word, a phrase in quotes, NOT or a parenthesis, but the search ends here.',
    ],
    ['blue OR', 'GENERAL_PARAMETER_ILLEGAL [7] $search, character 8: Expected a word'],
    [
      'OR blue',
      'GENERAL_PARAMETER_ILLEGAL [0] $search, character 1: Expected a word, a phrase in quotes, NOT or a parenthesis, but there is "OR".',
    ],
    ['blue AND OR green', 'GENERAL_PARAMETER_ILLEGAL [9]'],
    ['NOT', 'GENERAL_PARAMETER_ILLEGAL [3]'],
    ['(blue', 'GENERAL_PARAMETER_ILLEGAL [5] $search, character 6: Expected ")", but the search ends here.'],
    [
      'blue)',
      'GENERAL_PARAMETER_ILLEGAL [4] $search, character 5: Expected a word, a phrase, AND, OR or the end, but there is ")".',
    ],
    [
      '"blue',
      'GENERAL_PARAMETER_ILLEGAL [0] $search, character 1: Expected a word, a phrase in quotes, NOT or a parenthesis, but the phrase that begins here has no end.',
    ],
    ['""', 'GENERAL_PARAMETER_ILLEGAL [0]'],
    [
      String.raw`"a\b"`,
      String.raw`GENERAL_PARAMETER_ILLEGAL [0] $search, character 1: Expected a word, a phrase in quotes, NOT or a parenthesis, but the phrase that begins here has no end; a backslash in it is written \\.`,
    ],
    ['('.repeat(30), 'GENERAL_PARAMETER_ILLEGAL [20] $search, character 21: Parentheses and NOT go at most 20 deep.'],
    [
      'a '.repeat(25),
      'GENERAL_PARAMETER_ILLEGAL [48] $search, character 49: A search has at most 24 words and phrases.',
    ],
    [
      'a'.repeat(1_001),
      'GENERAL_PARAMETER_ILLEGAL [1000] $search, character 1001: The search has 1001 characters; at most 1000 are accepted.',
    ],
  ])('%.30j is refused', (text, told) => expect(refusal(text)).toContain(told));

  it('is refused for a type without a property of type string', () => {
    const result = buildEntriesQuery(findSampleType(model, 'PART'), model, { $search: 'x' }, seal);
    expect(result).toMatchObject({
      failure: { code: 'ODATA_OPTION_UNSUPPORTED', detail: expect.stringContaining('PART has no property of type') },
    });
  });
});

type Searched =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Searched[] }
  | { readonly kind: 'not'; readonly operand: Searched };

const texts = ['blue', 'dark blue', 'x"y', 'NOT', 'or', 'a-b', '100%'];

/** Of every shape, three deep at most. */
const searchArbitrary = fc.letrec<{ readonly search: Searched }>((tie) => ({
  search: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ kind: fc.constant('text' as const), text: fc.constantFrom(...texts) }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('search') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      operands: fc.array(tie('search'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).search;

const written = (search: Searched, isLoose: boolean): string => {
  switch (search.kind) {
    case 'text':
      return /^[\w%-]+$/.test(search.text) && search.text !== 'NOT'
        ? search.text
        : `"${search.text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    case 'not':
      return `NOT ${enclosed(search.operand, isLoose)}`;
    case 'and':
      return search.operands.map((operand) => enclosed(operand, isLoose)).join(isLoose ? '  ' : ' AND ');
    case 'or':
      return search.operands.map((operand) => enclosed(operand, isLoose)).join(' OR ');
  }
};
const enclosed = (search: Searched, isLoose: boolean): string =>
  search.kind === 'text' ? written(search, isLoose) : `(${written(search, isLoose)})`;

const holds = (search: Searched, note: string): boolean => {
  switch (search.kind) {
    case 'text':
      return note.toLowerCase().includes(search.text.toLowerCase());
    case 'not':
      return !holds(search.operand, note);
    case 'and':
      return search.operands.every((operand) => holds(operand, note));
    case 'or':
      return search.operands.some((operand) => holds(operand, note));
  }
};

const conditionHolds = (condition: DataExpression, note: string): boolean => {
  switch (condition.kind) {
    case 'and':
      return condition.operands.every((operand) => conditionHolds(operand, note));
    case 'or':
      return condition.operands.some((operand) => conditionHolds(operand, note));
    case 'not':
      return !conditionHolds(condition.operand, note);
    case 'in':
      return condition.literals.some(({ text }) => note.toLowerCase().includes(text.toLowerCase()));
    default:
      throw new Error(`A search has no condition ${condition.kind}.`);
  }
};

it('any search expression matches the same texts as a direct evaluation', () => {
  const notes = ['', 'Blue', 'dark blue', 'not a-b', '100% x"y', 'DARK BLUE or a-b', ...texts];
  fc.assert(
    fc.property(searchArbitrary, fc.boolean(), (search, isLoose) => {
      const result = ask(written(search, isLoose));
      if (!result.ok) throw new Error(result.failure.detail);
      const { search: asked, parsedFilters = [] } = result.value.query;
      for (const note of notes) {
        const isFound =
          (asked === undefined || holds({ kind: 'text', text: asked.term }, note)) &&
          parsedFilters.every(({ expression }) => conditionHolds(expression, note));
        expect([written(search, isLoose), note, isFound]).toEqual([
          written(search, isLoose),
          note,
          holds(search, note),
        ]);
      }
    }),
    { numRuns: 300 },
  );
});
