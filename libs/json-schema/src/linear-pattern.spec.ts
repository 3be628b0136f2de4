import { describe, expect, it } from '@jest/globals';
import { compilePattern, maxMatchedCharacters, withMatchStepLimit } from './linear-pattern.js';

const compiled = (source: string) => {
  const made = compilePattern(source);
  if (!made.ok) throw new Error(`${source} ${made.why}`);
  return made.pattern;
};

const expressions = [
  ...['', 'a', '^a$', '^$', 'a|b', '^(a|bc)$', '^(?:a|b)*c$', 'a*b', '^a+$', '^a?b$', '(a|)b', '|a', '^(|a)+$'],
  ...['^a{2}$', '^a{1,3}$', '^a{2,}$', '^a{0}$', '^(ab){2}$', '^[a-c]+$', '^[^a-c]$', '^[\\]a]$', '^\\d{3}-\\d+$', '.'],
  ...[
    '^.$',
    '^\\w+@\\w+\\.[a-z]{2,}$',
    '\\bab\\b',
    '\\Bb',
    '^\\p{L}+$',
    '^\\P{L}$',
    '^\\u0061$',
    '^\\u{1F600}$',
    '^\\x61$',
  ],
  ...[
    '^[a-z]+(-[a-z]+)*$',
    '^(?<year>\\d{4})$',
    '^a*?b+?c??$',
    '^\\.$',
    '^\\/$',
    '^\\n$',
    '^\\s$',
    '^\\ud83d\\ude00$',
    '(a*)*b',
  ],
  ...[
    '^(a|a)*$',
    '^((a+)+)+$',
    '[\\d.]+',
    '^\\^\\$$',
    '\\t|\\cA',
    '^[\\p{Lu}\\d]{2,4}$',
    '^(a(b(c)?)?)?$',
    '()*',
    '(^a|b$)',
  ],
];
const texts = [
  ...[
    '',
    'a',
    'b',
    'c',
    'ab',
    'bc',
    'abc',
    'aab',
    'aaa',
    'aaaa',
    'ba',
    'abab',
    'a b',
    'x-ab-y',
    ']',
    'd',
    '.',
    '/',
    '^$',
  ],
  ...[
    '123-4',
    '123',
    '2026',
    'me@example.com',
    'me@example',
    'ä',
    'Ä1',
    '😀',
    '\n',
    '\t',
    ' ',
    'a-b-c',
    'a-',
    '-',
    'AB12',
    '\u0001',
  ],
];

describe('a pattern in linear time', () => {
  it.each(expressions)('%j matches the same texts as the RegExp of the platform', (source) => {
    const pattern = compiled(source);
    const expected = new RegExp(source, 'u');
    for (const text of texts) expect([text, pattern.test(text)]).toEqual([text, expected.test(text)]);
  });

  it.each(['^(a+)+$', '^(a|a)*$', '^(a*)*$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$', 'a*a*a*a*a*a*b'])(
    '%j is fast on a text for which backtracking is exponential',
    (source) => {
      expect(compiled(source).test(`${'a'.repeat(5_000)}${'x'.repeat(5_000)}!`)).toBe(false);
    },
  );

  it.each([
    ['(a)\\1', /refers back/],
    ['(?<n>a)\\k<n>', /refers back/],
    ['(?=a)', /looks around/],
    ['(?!a)b', /looks around/],
    ['(?<=a)b', /looks around/],
    ['(?<!a)b', /looks around/],
    ['(?i:a)', /looks around|no regular expression/],
    ['(', /no regular expression/],
    ['a{1,2', /no regular expression/],
    ['a{501}', /too large/],
    ['(?:a{100}){100}', /too large/],
    ['(?:(?:a{9999}){9999}){9999}', /too large/],
    ['a{0,99999999}', /too large/],
    ['('.repeat(60) + ')'.repeat(60), /nested too deeply/],
    ['a'.repeat(1_001), /more than 1000 characters/],
  ])('%j is rejected as unsupported', (source, why) => {
    const made = compilePattern(source);
    expect(made.ok ? '' : made.why).toMatch(why);
  });

  it('matches no text that is too long', () => {
    expect(compiled('^a*$').test('a'.repeat(maxMatchedCharacters))).toBe(true);
    expect(compiled('^a*$').test('a'.repeat(maxMatchedCharacters + 1))).toBe(false);
  });

  it('matches a megabyte of texts within the step limit of one validation, also with a large alphabet', () => {
    const letters = Array.from({ length: 3_000 }, (_, index) => String.fromCodePoint(0x4e_00 + index)).join('');
    for (const [source, text] of [
      ['^x*[0-9]+$', `${'x'.repeat(199)}7`],
      ['^\\p{L}{1,50}.*$', letters],
    ] as const) {
      const pattern = compiled(source);
      const texts = Array.from({ length: 1_048_576 / text.length }, () => text);
      expect(withMatchStepLimit(() => texts.every((each) => pattern.test(each)))).toBe(true);
    }
  });

  it.each([
    ['^\\u{1F600}+$', '😀😀', true],
    ['^\\u{1F600}+$', '😀x', false],
    ['^.$', '\u{10FFFF}', true],
    ['^..$', '\u{10FFFF}', false],
    ['^.$', '\uD83D', true],
    ['^[^a]$', '\uDE00', true],
    ['^a\\b', 'a', true],
    ['a\\b!', 'a!', true],
    ['a\\B!', 'a!', false],
    ['^$', '', true],
    ['^$', 'a', false],
    ['$', 'a', true],
    ['b$', 'ab', true],
    ['b$', 'ba', false],
  ])('%j matches %j: %s, also when the result comes from the cache', (source, text, expected) => {
    const pattern = compiled(source);
    for (let time = 0; time < 3; time++) expect(pattern.test(text)).toBe(expected);
    expect(new RegExp(source, 'u').test(text)).toBe(expected);
  });

  it('does not share its cache with another expression', () => {
    const [first, second] = [compiled('^a+$'), compiled('^b+$')];
    for (let time = 0; time < 3; time++)
      expect([first.test('aaa'), second.test('aaa'), first.test('bbb'), second.test('bbb')]).toEqual([
        true,
        false,
        false,
        true,
      ]);
  });

  it('keeps matching after its cache is full', () => {
    const pattern = compiled('(?:a|b)*a(?:a|b){60}c$');
    let seed = 1;
    const letter = (): string => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 2 === 0 ? 'a' : 'b';
    };
    for (let round = 0; round < 5; round++) {
      const text = Array.from({ length: 2_000 }, letter).join('');
      expect(pattern.test(`${text}a${'b'.repeat(60)}c`)).toBe(true);
      expect(pattern.test(`${text}b${'b'.repeat(60)}d`)).toBe(false);
    }
  });

  it('matches nothing once the step limit of a validation is reached', () => {
    const pattern = compiled('^(?:a?){100}$');
    const text = 'a'.repeat(90);
    const count = (stepsMax: number) =>
      withMatchStepLimit(() => Array.from({ length: 100 }, () => pattern.test(text)).filter(Boolean).length, stepsMax);
    expect(count(10_000_000)).toBe(100);
    expect(count(5_000)).toBeLessThan(100);
    expect(count(5_000)).toBeGreaterThan(0);
    expect(pattern.test(text)).toBe(true);
  });
});
