import { runUnsliced } from '@tessera/fair-queue';
import { describe, expect, it } from '@jest/globals';
import { parseJsonBody } from './read-body.js';

const parse = (text: string) => runUnsliced(parseJsonBody(Buffer.from(text)));
const detail = (text: string | Uint8Array): string => {
  const parsed = runUnsliced(parseJsonBody(typeof text === 'string' ? Buffer.from(text) : text));
  return parsed.ok ? 'ok' : parsed.failure.detail;
};

describe('a JSON body', () => {
  it('is parsed to its value', () => {
    expect(parse(' {"a":[1,"[{",null,true,-1.5e3]} ')).toEqual({
      ok: true,
      value: { a: [1, '[{', null, true, -1500] },
    });
    expect(parse('')).toEqual({ ok: true, value: undefined });
  });

  it.each([
    ['abc', 1, 1, 'a value'],
    ['{', 1, 2, 'a member or }'],
    ['{"a"}', 1, 5, 'a colon'],
    ['{"a":1,}', 1, 8, 'a member name in double quotes'],
    ["{'a':1}", 1, 2, 'a member name in double quotes'],
    ['{"a":1 "b":2}', 1, 8, 'a comma or }'],
    ['[1,\n 2', 2, 3, 'a comma or ]'],
    ['[1,]', 1, 4, 'a value'],
    ['01', 1, 2, 'the end of the body'],
    ['{} {}', 1, 4, 'the end of the body'],
    ['"a\nb"', 1, 3, 'the rest of the string and "'],
    ['"\\x"', 1, 2, 'an escape such as \\n or \\u0041'],
    ['"abc', 1, 5, 'the rest of the string and "'],
    ['[tru]', 1, 2, 'a value'],
  ])('that is malformed is refused with the position and what was expected: %j', (text, line, column, expected) => {
    expect(detail(text)).toBe(`The body is not JSON: at line ${line}, column ${column} ${expected} was expected.`);
  });

  it('that ends after a megabyte of escapes is parsed in many short steps', () => {
    let steps = 0;
    const work = parseJsonBody(Buffer.from(`"${'\\\\'.repeat(500_000)}`));
    while (!work.next().done) steps++;
    // A step for each 4 KB to read it, and one for each 1,000 escapes to find where it breaks.
    expect(steps).toBeGreaterThan(700);
  });

  it('that is not UTF-8 is refused', () => {
    expect(detail(new Uint8Array([0x22, 0xff, 0x22]))).toBe('The body is not UTF-8.');
  });

  it('counts nesting outside of strings only', () => {
    expect(detail(`"${'['.repeat(200)}"`)).toBe('ok');
    expect(detail(`["\\"${'['.repeat(200)}"]`)).toBe('ok');
    expect(detail('['.repeat(100_000))).toBe('The body is nested deeper than 64 levels.');
  });

  it('cannot change prototypes', () => {
    expect(detail('{"a":{"__proto__":{"admin":true}}}')).toContain('__proto__');
    expect(detail('{"\\u005f_proto__":1}')).toContain('__proto__');
    expect(detail('[{"__\\u0070roto__":1}]')).toContain('__proto__');
    expect(detail('{"text":"about __proto__"}')).toBe('ok');
  });
});
