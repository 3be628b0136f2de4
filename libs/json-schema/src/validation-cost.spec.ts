import { describe, expect, it } from '@jest/globals';
import { isTooCostlyToValidate, mayHaveManyFaults } from './validation-cost.js';

const listOf = (length: number, value: unknown = 'x') => ({ a: Array.from({ length }, () => value) });
const ofItems = (items: unknown) => ({ type: 'object', properties: { a: { type: 'array', items } } });
const alternatives = (count: number, of: (index: number) => unknown = (index) => ({ const: `v${index}` })) =>
  Array.from({ length: count }, (_, index) => of(index));

describe('the cost of validation', () => {
  it('is small for a very large value when the schema has no alternatives', () => {
    const properties = Object.fromEntries(alternatives(300).map((schema, index) => [`p${index}`, schema]));
    expect(isTooCostlyToValidate(ofItems({ type: 'object', properties }), listOf(200_000, { p1: 1 }))).toBe(false);
  });

  it('does not sum the cost of independent members', () => {
    const member = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const properties = Object.fromEntries(alternatives(100).map((_, index) => [`p${index}`, member]));
    expect(isTooCostlyToValidate(ofItems({ type: 'object', properties }), listOf(90_000, { p1: 1 }))).toBe(false);
  });

  it.each([
    ['anyOf', { anyOf: alternatives(600) }],
    ['a name of which there are thousands', { enum: Array.from({ length: 20_000 }, (_, index) => `v${index}`) }],
    [
      'patterns of names',
      { patternProperties: Object.fromEntries(alternatives(600).map((one, at) => [`${at}`, one])) },
    ],
    ['alternatives of alternatives', { anyOf: alternatives(30, () => ofItems({ oneOf: alternatives(30) })) }],
    ['references', { anyOf: alternatives(30, () => ({ $ref: '#/$defs/many' })) }],
  ])('grows with %s', (_, items) => {
    const schema = { ...ofItems(items), $defs: { many: { oneOf: alternatives(30) } } };
    expect(isTooCostlyToValidate(schema, listOf(100))).toBe(false);
    expect(isTooCostlyToValidate(schema, listOf(20_000))).toBe(true);
  });

  it('grows with the square of the items that uniqueItems compares', () => {
    const unique = (items: unknown) => ({
      type: 'object',
      properties: { a: { type: 'array', uniqueItems: true, items } },
    });
    expect(isTooCostlyToValidate(unique({ type: 'object' }), listOf(300))).toBe(false);
    expect(isTooCostlyToValidate(unique({ type: 'object' }), listOf(1_000))).toBe(true);
    expect(isTooCostlyToValidate(unique(undefined), listOf(1_000))).toBe(true);
    expect(isTooCostlyToValidate(unique({ type: ['string', 'null'] }), listOf(200_000))).toBe(false);
  });

  it('includes uniqueItems wherever it stands in a schema', () => {
    const unique = { type: 'array', uniqueItems: true };
    for (const schema of [
      { anyOf: [{ type: 'string' }, unique] },
      { additionalProperties: unique },
      { $ref: '#/$defs/set', $defs: { set: unique } },
      { properties: { a: { items: unique } } },
    ])
      expect([schema, isTooCostlyToValidate(schema, listOf(1_000))]).toEqual([schema, true]);
    expect(isTooCostlyToValidate({ properties: { a: { ...unique, uniqueItems: false } } }, listOf(1_000))).toBe(false);
  });

  it('is compared with the limit that the caller passes', () => {
    const schema = ofItems({ enum: ['a', 'b'] });
    expect(isTooCostlyToValidate(schema, listOf(1_000), 10_000)).toBe(false);
    expect(isTooCostlyToValidate(schema, listOf(1_000), 100)).toBe(true);
  });

  it('grows faster with enum values that are objects', () => {
    const named = (of: (index: number) => unknown) => ofItems({ enum: alternatives(500, of) });
    expect(
      isTooCostlyToValidate(
        named((index) => `v${index}`),
        listOf(1_000),
      ),
    ).toBe(false);
    expect(
      isTooCostlyToValidate(
        named((index) => ({ v: index })),
        listOf(1_000),
      ),
    ).toBe(true);
  });

  it('terminates on a schema that refers to itself', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } };
    expect(isTooCostlyToValidate(schema, listOf(10))).toBe(false);
  });

  it('of memory grows with the number of required members', () => {
    const schema = ofItems({ required: Array.from({ length: 1_000 }, (_, index) => `v${index}`) });
    expect(mayHaveManyFaults(schema, listOf(10, {}))).toBe(false);
    expect(mayHaveManyFaults(schema, listOf(1_000, {}))).toBe(true);
    expect(isTooCostlyToValidate(schema, listOf(1_000, {}))).toBe(false);
  });
});
