import { runUnsliced } from '@tessera/fair-queue';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { stringifyJsonSliced, parseJsonSliced } from './parse-json-sliced.js';

const parsed = (text: string): unknown => runUnsliced(parseJsonSliced(text));
const textOf = (value: unknown): string => runUnsliced(stringifyJsonSliced(value));

const outcome = (read: () => unknown): string => {
  try {
    return JSON.stringify(read());
  } catch (error) {
    return error instanceof SyntaxError ? 'refused' : String(error);
  }
};

/** Long texts in every part of a value, so that groups end anywhere. */
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>('x'.repeat(1_500), '"\\[{,:}]"'.repeat(150), 1, -0.5, null, true, '', [], {}),
    fc.array(tie('any'), { maxLength: 8 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', '"', ' , ', '1', '', 'y'.repeat(900)), tie('any'), {
      maxKeys: 6,
    }),
  ),
})).any;

describe('sliced JSON parsing and writing', () => {
  it('parses the same texts as JSON.parse', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (made, space) => {
        const text = JSON.stringify(made, undefined, space);
        expect(JSON.stringify(parsed(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('refuses the same texts as JSON.parse', () => {
    fc.assert(
      fc.property(value, fc.nat(), fc.constantFrom('', ',', ']', '}', '[', '{', '"', ':', '1'), (made, place, sign) => {
        const text = JSON.stringify(made);
        const at = place % (text.length + 1);
        const broken = text.slice(0, at) + sign + text.slice(at + (place % 3));
        expect(outcome(() => parsed(broken))).toBe(outcome(() => JSON.parse(broken)));
      }),
      { numRuns: 3_000 },
    );
  });

  it('refuses invalid text before a long value as JSON.parse does', () => {
    const long = fc.constantFrom(`{"x":"${'y'.repeat(5_000)}","z":1}`, `[${'1,'.repeat(5_000)}1]`, `{"x":1}`);
    const before = fc.constantFrom(...['1', '-', '-1', '0', '1.', '1e', '1e+', 'null', '""', '\\', ' ', 'x', '+', '"']);
    const around = fc.constantFrom(
      ...([
        ['{"b":', '}'],
        ['{"a":1,"b":', '}'],
        ['[', ']'],
        ['[1,', ']'],
        ['', ''],
      ] as const),
    );
    fc.assert(
      fc.property(long, before, around, fc.nat(2), (entry, sign, [open, close], padding) => {
        const text = `${open}${sign}${' '.repeat(padding * 3_000)}${entry}${close}`;
        expect(outcome(() => parsed(text))).toBe(outcome(() => JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [`{"b":1{"x":[${'1,'.repeat(5_000)}1]}}`],
    [`{"b":-1[${'1,'.repeat(5_000)}1]}`],
    [`{"b":-[${'1,'.repeat(5_000)}1]}`],
    [`{"b":1.[${'1,'.repeat(5_000)}1]}`],
    [`{"b":1e[${'1,'.repeat(5_000)}1]}`],
    [`[${'1,'.repeat(5_000)}]`],
    [`[${'1,'.repeat(3_000)},1]`],
    [`{${'"a":1,'.repeat(2_000)}}`],
    [`[${'1,'.repeat(5_000)}1}`],
    [`[[${'1,'.repeat(5_000)}1] 1]`],
    [`[${'1,'.repeat(5_000)}1] 1`],
    [`1 [${'1,'.repeat(5_000)}1]`],
    [`{"a" [${'1,'.repeat(5_000)}1]}`],
    [`{"a":1 "b":[${'1,'.repeat(5_000)}1]}`],
    [`[1 [${'1,'.repeat(5_000)}1]]`],
    [`[[${'1,'.repeat(5_000)}1][${'1,'.repeat(5_000)}1]]`],
    [`[${'1,'.repeat(5_000)}1`],
    [`],[${'1,'.repeat(5_000)}1]`],
  ])('refuses a long text that is malformed at the boundary of two slices', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => parsed(text)).toThrow(SyntaxError);
  });

  it('keeps the last of duplicate members', () => {
    const text = `{"a":1,${'"b":2,'.repeat(2_000)}"a":[${'3,'.repeat(5_000)}3],"b":4}`;
    expect(JSON.stringify(parsed(text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('keeps the first 10,000 members of an object and reports that it cut the rest', () => {
    const text = `{"a":{${Array.from({ length: 30_000 }, (_, index) => `"k${index}":1`).join(',')}},"b":2}`;
    let cuts = 0;
    const cut = runUnsliced(parseJsonSliced(text, () => cuts++)) as { a: object; b: number };
    expect([Object.keys(cut.a).length, cut.b, cuts]).toEqual([10_000, 2, 20_000]);
    expect(() => parsed(text)).toThrow('more than 10000 members');
  });

  it('writes the same text as JSON.stringify', () => {
    fc.assert(
      fc.property(value, (made) => {
        expect(textOf([made, undefined, made])).toBe(JSON.stringify([made, undefined, made]));
      }),
      { numRuns: 200 },
    );
    const long = { a: Array.from({ length: 2_000 }, (_, index) => ({ index, no: undefined })), none: undefined };
    expect(textOf(long)).toBe(JSON.stringify(long));
  });

  it.each([
    ['small objects', `[${Array.from({ length: 90_000 }, (_, index) => `{"k${index}":1}`).join(',')}]`],
    ['members', `{${Array.from({ length: 9_000 }, (_, index) => `"${'k'.repeat(100)}${index}":1`).join(',')}}`],
    ['numbers', `[${'1,'.repeat(500_000)}1]`],
    ['escapes', `"${'\\\\'.repeat(500_000)}"`],
  ])('takes many short steps for a megabyte of %s', (_, text) => {
    let steps = 0;
    const work = parseJsonSliced(text);
    while (!work.next().done) steps++;
    expect(steps).toBeGreaterThan(100);
  });
});
