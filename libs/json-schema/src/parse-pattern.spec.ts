import { describe, expect, it } from '@jest/globals';
import { compilePattern } from './linear-pattern.js';
import { parsePattern } from './parse-pattern.js';

/** Numbers that nobody thought of, the same in every run. */
const numbersOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};
type Numbers = ReturnType<typeof numbersOf>;

const atoms = [
  ...['a', 'b', '.', '\\d', '\\w', '\\W', '\\s', '[ab]', '[^a]', '[a-b1]', '\\p{L}', '\\u0061', '\\x62', '\\.', 'é'],
  ...['[\\d-]', '[\\]]', '\\t', '\\u{1F600}', '\\b', '\\B', '^', '$'],
];
/** What stands at the edge of a word or a text may not be repeated. */
const assertions = new Set(['\\b', '\\B', '^', '$']);
const signs = ['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}', '{0}'];

const expressionOf = (numbers: Numbers, depth: number): string => {
  const items = Array.from({ length: numbers(4) }, () => {
    const form = depth === 0 ? 3 : numbers(6);
    const inner = (opening: string) => `${opening}${expressionOf(numbers, depth - 1)})${signs[numbers(signs.length)]}`;
    if (form === 0) return inner('(');
    if (form === 1) return inner('(?:');
    if (form === 2) return `(?:${expressionOf(numbers, depth - 1)}|${expressionOf(numbers, depth - 1)})`;
    const atom = atoms[numbers(atoms.length)] ?? 'a';
    return assertions.has(atom) ? atom : `${atom}${signs[numbers(signs.length)]}`;
  });
  return items.join('');
};

const characters = ['a', 'b', '1', '.', ' ', '-', 'é', '\u{1F600}', '\n', ']', '\t', '_'];
const textOf = (numbers: Numbers): string =>
  Array.from({ length: numbers(7) }, () => characters[numbers(characters.length)]).join('');

describe('a regular expression', () => {
  it('matches the same texts as the RegExp of the platform, for random expressions', () => {
    const numbers = numbersOf(4711);
    let [matched, refused] = [0, 0];
    for (let turn = 0; turn < 1_500; turn++) {
      const source = expressionOf(numbers, 2);
      const compiled = compilePattern(source);
      if (!compiled.ok) throw new Error(`${source} ${compiled.why}`);
      const expected = new RegExp(source, 'u');
      for (let count = 0; count < 8; count++) {
        const text = textOf(numbers);
        const isMatch = compiled.pattern.test(text);
        if (isMatch !== expected.test(text)) throw new Error(JSON.stringify({ source, text, isMatch }));
        if (isMatch) matched++;
        else refused++;
      }
    }
    expect(matched).toBeGreaterThan(1_000);
    expect(refused).toBeGreaterThan(1_000);
  });

  it.each([
    ['(a)\\1', 'refers back to a group'],
    ['(?<x>a)\\k<x>', 'refers back to a group'],
    ['(?=a)b', 'looks around itself, or changes its flags'],
    ['(?!a)b', 'looks around itself, or changes its flags'],
    ['(?<=a)b', 'looks around itself, or changes its flags'],
    ['(?<!a)b', 'looks around itself, or changes its flags'],
    ['(?i:a)', 'looks around itself, or changes its flags'],
    [`${'('.repeat(60)}a${')'.repeat(60)}`, 'is nested too deeply'],
  ])('%s is rejected because it %s', (source, why) => {
    expect(parsePattern(source)).toEqual({ ok: false, why });
  });

  it('has a size that counts the steps of all its repetitions', () => {
    const sizeOf = (source: string) => {
      const parsed = parsePattern(source);
      return parsed.ok ? parsed.size : parsed.why;
    };
    expect(['', 'a', 'ab', 'a|b', 'a*', 'a{3}', '(ab){2}'].map(sizeOf)).toEqual([0, 1, 2, 3, 2, 3, 4]);
    expect(sizeOf('a{1001}')).toBe(Infinity);
    expect(sizeOf('(?:a{1000}){1000}')).toBe(1_000_000);
    expect(sizeOf('(?:(?:a{999}){999}){1001}')).toBe(Infinity);
  });
});
