import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { z } from 'zod';
import { hasMoreValuesThan, parseSliced, type SlicedParseResult } from './parse-sliced.js';

const parse = <S extends z.ZodType>(schema: S, value: unknown): SlicedParseResult<z.output<S>> => {
  const work = parseSliced(schema, value);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
};

const leaf = z.union([z.string().max(3), z.int(), z.array(z.boolean()).max(2)]);
const entry = z.strictObject({
  id: z.string().max(2),
  size: z.int().default(7),
  note: z.string().nullable().optional(),
  values: z.record(z.string().max(2), leaf).optional(),
});
const shape = z.strictObject({
  mode: z.enum(['a', 'b']).default('a'),
  entries: z.array(entry).min(1).max(900),
  open: z.object({ x: z.int().optional() }).optional(),
  kinds: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('one'), list: z.array(z.int()) }),
        z.strictObject({ kind: z.literal('two'), text: z.string() }),
      ]),
    )
    .refine((list) => list.length !== 400, 'expected another number')
    .optional(),
});

/** Values that nearly fit, many of each, so that the large ones are taken apart. */
const many = <T>(one: fc.Arbitrary<T>) =>
  fc
    .tuple(fc.array(one, { minLength: 1, maxLength: 3 }), fc.constantFrom(1, 120))
    .map(([list, times]) => Array.from({ length: times }, () => list).flat());
const someLeaf = fc.oneof(
  fc.constantFrom<unknown>('abc', 'abcd', 1, 1.5, null, true),
  fc.array(fc.constantFrom<unknown>(true, 1), { maxLength: 3 }),
);
const someEntry = fc.record(
  {
    id: fc.constantFrom<unknown>('a', 'b', 'abc', 1),
    size: fc.constantFrom<unknown>(1, 'x'),
    note: fc.constantFrom<unknown>(null, 'x', 1),
    values: fc.dictionary(fc.constantFrom('a', 'bc', 'def', '__proto__'), someLeaf, { maxKeys: 3 }),
    wrong: fc.constant(1),
  },
  { requiredKeys: ['id'] },
);
const rightEntry = fc.record(
  {
    id: fc.constantFrom('a', 'b'),
    size: fc.integer(),
    note: fc.constantFrom(null, 'x'),
    values: fc.dictionary(fc.constantFrom('a', 'bc'), fc.constantFrom<unknown>('abc', 1, [true]), { maxKeys: 3 }),
  },
  { requiredKeys: ['id'] },
);
const someKind = fc.oneof(
  fc.record({ kind: fc.constant('one'), list: fc.array(fc.constantFrom<unknown>(1, 2, 3)) }),
  fc.record({ kind: fc.constantFrom<unknown>('two', 'three', 3), text: fc.constantFrom<unknown>('x', 1) }),
);
const someValue = fc.record(
  {
    mode: fc.constantFrom('a', 'b', 'c'),
    entries: fc.oneof(many(rightEntry), many(rightEntry), many(someEntry)),
    open: fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.integer()),
    kinds: fc.oneof(fc.constant([]), many(someKind)),
  },
  { requiredKeys: ['entries'] },
);

describe('parsing in steps', () => {
  it('accepts what zod accepts, with the same result', () => {
    let accepted = 0;
    fc.assert(
      fc.property(someValue, (value) => {
        const [expected, sliced] = [shape.safeParse(value), parse(shape, value)];
        expect(sliced.success).toBe(expected.success);
        if (!sliced.success || !expected.success) return;
        accepted++;
        expect(JSON.stringify(sliced.data)).toBe(JSON.stringify(expected.data));
      }),
      { numRuns: 200, seed: 16 },
    );
    expect(accepted).toBeGreaterThan(5);
    const value = { entries: Array.from({ length: 800 }, () => ({ id: 'a' })) };
    expect(parse(shape, value)).toEqual({ success: true, data: shape.parse(value) });
  });

  it('finds the same faults as zod, up to the limit', () => {
    fc.assert(
      fc.property(someValue, (value) => {
        const [expected, sliced] = [shape.safeParse(value), parse(shape, value)];
        if (sliced.success || expected.success || expected.error.issues.length > 90) return;
        const told = (issues: readonly z.core.$ZodIssue[]) =>
          issues.map(({ code, path }) => `${path.join('.')} ${code}`);
        expect(new Set(told(sliced.issues))).toEqual(new Set(told(expected.error.issues)));
      }),
      { numRuns: 200 },
    );
  });

  it('stops at one fault more than the limit', () => {
    const wrong = Array.from({ length: 100_000 }, () => 'x');
    const strict = z.strictObject({ list: z.array(z.int()).optional() });
    const members = Object.fromEntries(wrong.map((value, index) => [`m${index}`, value]));
    const issuesOf = (schema: z.ZodType, value: unknown) => {
      const parsed = parse(schema, value);
      return parsed.success ? [] : parsed.issues;
    };
    expect(issuesOf(strict, { list: wrong })).toHaveLength(101);
    expect(issuesOf(strict, members)).toMatchObject([{ code: 'unrecognized_keys', keys: { length: 101 } }]);
    expect(issuesOf(z.record(z.string().max(1), z.int()), members)).toHaveLength(101);
    expect(issuesOf(z.union([z.array(z.int()), z.array(z.boolean())]), wrong)).toMatchObject([
      { code: 'invalid_union', errors: [{ length: 101 }, { length: 101 }] },
    ]);
  });

  it('does not check the entries of a list that is too long', () => {
    const wrong = Array.from({ length: 2_000 }, () => 'x');
    expect(parse(z.array(z.int()).max(1_000), wrong)).toMatchObject({ issues: [{ code: 'too_big', origin: 'array' }] });
  });

  it('rejects a container of another type at once', () => {
    const list = Array.from({ length: 1_000 }, () => 1);
    for (const schema of [z.object({}), z.record(z.string(), z.int()), z.string()])
      expect(parse(schema, list)).toMatchObject({ issues: [{ code: 'invalid_type' }] });
    expect(parse(z.array(z.int()), { ...list })).toMatchObject({ issues: [{ code: 'invalid_type' }] });
  });
});

it('hasMoreValuesThan counts nested values up to the limit', () => {
  expect(hasMoreValuesThan([1, { a: [2] }], 5)).toBe(false);
  expect(hasMoreValuesThan([1, { a: [2] }], 4)).toBe(true);
  expect(hasMoreValuesThan('x'.repeat(1_000), 1)).toBe(false);
});
