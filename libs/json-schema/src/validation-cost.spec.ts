import { describe, expect, it } from '@jest/globals';
import { isTooCostly, mayHaveManyFaults } from './validation-cost.js';

const listOf = (length: number, value: unknown = 'x') => ({ a: Array.from({ length }, () => value) });
const ofItems = (items: unknown) => ({ type: 'object', properties: { a: { type: 'array', items } } });
const alternatives = (count: number, of: (index: number) => unknown = (index) => ({ const: `v${index}` })) =>
  Array.from({ length: count }, (_, index) => of(index));

describe('the cost of validation', () => {
  it('is small for the largest value by a schema without alternatives', () => {
    const properties = Object.fromEntries(alternatives(300).map((schema, index) => [`p${index}`, schema]));
    expect(isTooCostly(ofItems({ type: 'object', properties }), listOf(200_000, { p1: 1 }))).toBe(false);
  });

  it('does not sum the cost of independent members', () => {
    const member = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const properties = Object.fromEntries(alternatives(100).map((_, index) => [`p${index}`, member]));
    expect(isTooCostly(ofItems({ type: 'object', properties }), listOf(90_000, { p1: 1 }))).toBe(false);
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
    expect(isTooCostly(schema, listOf(100))).toBe(false);
    expect(isTooCostly(schema, listOf(20_000))).toBe(true);
  });

  it('grows with the square of what is compared with each other', () => {
    const unique = (items: unknown) => ({
      type: 'object',
      properties: { a: { type: 'array', uniqueItems: true, items } },
    });
    expect(isTooCostly(unique({ type: 'object' }), listOf(300))).toBe(false);
    expect(isTooCostly(unique({ type: 'object' }), listOf(1_000))).toBe(true);
    expect(isTooCostly(unique(undefined), listOf(1_000))).toBe(true);
    expect(isTooCostly(unique({ type: ['string', 'null'] }), listOf(200_000))).toBe(false);
  });

  it('finds what is compared wherever it stands in a schema', () => {
    const unique = { type: 'array', uniqueItems: true };
    for (const schema of [
      { anyOf: [{ type: 'string' }, unique] },
      { additionalProperties: unique },
      { $ref: '#/$defs/set', $defs: { set: unique } },
      { properties: { a: { items: unique } } },
    ])
      expect([schema, isTooCostly(schema, listOf(1_000))]).toEqual([schema, true]);
    expect(isTooCostly({ properties: { a: { ...unique, uniqueItems: false } } }, listOf(1_000))).toBe(false);
  });

  it('honours the limits of the caller', () => {
    const schema = ofItems({ enum: ['a', 'b'] });
    expect(isTooCostly(schema, listOf(1_000), 10_000)).toBe(false);
    expect(isTooCostly(schema, listOf(1_000), 100)).toBe(true);
  });

  it('grows faster with names that are objects', () => {
    const named = (of: (index: number) => unknown) => ofItems({ enum: alternatives(500, of) });
    expect(
      isTooCostly(
        named((index) => `v${index}`),
        listOf(1_000),
      ),
    ).toBe(false);
    expect(
      isTooCostly(
        named((index) => ({ v: index })),
        listOf(1_000),
      ),
    ).toBe(true);
  });

  it('terminates on a schema that refers to itself', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { $ref: '#/$defs/a' } } };
    expect(isTooCostly(schema, listOf(10))).toBe(false);
  });

  it('in memory grows with what may be missing', () => {
    const schema = ofItems({ required: Array.from({ length: 1_000 }, (_, index) => `v${index}`) });
    expect(mayHaveManyFaults(schema, listOf(10, {}))).toBe(false);
    expect(mayHaveManyFaults(schema, listOf(1_000, {}))).toBe(true);
    expect(isTooCostly(schema, listOf(1_000, {}))).toBe(false);
  });
});
