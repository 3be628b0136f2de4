import { describe, expect, it } from '@jest/globals';
import { pruneToSchema } from './prune-to-schema.js';

const address = { type: 'object', properties: { city: { type: 'string' } } };

describe('pruneToSchema', () => {
  it.each<[string, Readonly<Record<string, unknown>>, unknown, unknown]>([
    ['everything, when it lists nothing', { type: 'object' }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['what it lists', { properties: { a: {} } }, { a: { b: 1 }, c: 2 }, { a: { b: 1 } }],
    ['nothing of a closed object', { type: 'object', additionalProperties: false }, { a: 1 }, {}],
    [
      'the rest, when it says so',
      { properties: { a: address }, additionalProperties: true },
      { a: { x: 1 }, c: 2 },
      { a: {}, c: 2 },
    ],
    [
      'the rest as it says',
      { properties: { a: {} }, additionalProperties: address },
      { a: 1, b: { city: 'x', zip: 1 } },
      { a: 1, b: { city: 'x' } },
    ],
    ['names by their pattern', { properties: {}, patternProperties: { '^x-': {} } }, { 'x-a': 1, y: 2 }, { 'x-a': 1 }],
    [
      'items',
      { properties: { list: { items: address } } },
      { list: [{ city: 'a', zip: 1 }, 5] },
      { list: [{ city: 'a' }, 5] },
    ],
    [
      'first items by themselves',
      { properties: { l: { prefixItems: [address], items: {} } } },
      { l: [{ zip: 1 }, { zip: 1 }] },
      { l: [{}, { zip: 1 }] },
    ],
    [
      'all branches of a choice',
      { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      { a: 1, b: 2, c: 3 },
      { a: 1, b: 2 },
    ],
    [
      'parts together',
      { properties: { a: {} }, allOf: [{ properties: { b: {} } }] },
      { a: 1, b: 2, c: 3 },
      { a: 1, b: 2 },
    ],
    [
      'what is there under a condition',
      { properties: { a: {} }, if: {}, then: { properties: { b: {} } } },
      { a: 1, b: 2, c: 3 },
      { a: 1, b: 2 },
    ],
    [
      'what it refers to',
      { $defs: { address }, properties: { a: { $ref: '#/$defs/address' } } },
      { a: { city: 'x', zip: 1 } },
      { a: { city: 'x' } },
    ],
    [
      'names that objects have anyway',
      { properties: { toString: {} } },
      { toString: 1, constructor: 2 },
      { toString: 1 },
    ],
    ['values that are no objects', { properties: { a: {} } }, 'text', 'text'],
  ])('keeps %s', (_, schema, value, kept) => {
    expect(pruneToSchema(schema, value)).toEqual(kept);
  });

  it('does not treat properties of Object.prototype as members of the schema', () => {
    const value: unknown = JSON.parse('{"a":1,"__proto__":{"polluted":true}}');
    const kept = pruneToSchema({ properties: { a: {}, ['__proto__']: {} } }, value);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
    expect(JSON.stringify(pruneToSchema({ properties: { a: {} } }, value))).toBe('{"a":1}');
  });
});
