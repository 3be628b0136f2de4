import { describe, expect, it } from '@jest/globals';
import { createFaultList } from '@tessera/failures';
import { checkSchema, isSchemaObject, resolveReference } from './check-schema.js';

type Schema = Readonly<Record<string, unknown>>;

const faultsOf = (schema: Schema): readonly string[] => {
  const list = createFaultList('body');
  checkSchema(schema, ['schema'], list);
  return list.faults.map(({ path, message }) => `${path}: ${message}`);
};
const withProperties = (properties: Schema): Schema => ({ type: 'object', properties });

const nested = (levels: number): object => (levels === 0 ? {} : { items: nested(levels - 1) });
const doubling = Object.fromEntries(
  Array.from({ length: 30 }, (_, level) => [
    `l${level}`,
    { allOf: [1, 2].map(() => ({ $ref: `#/$defs/l${level + 1}` })) },
  ]),
);

describe('the check of a schema', () => {
  it.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['another type', { type: 'array' }, /^schema\.type: expected "object"/],
    ['no type', {}, /^schema\.type: expected "object"/],
    [
      'a type that is none',
      { type: 'object', properties: { a: { type: 'txt' } } },
      /^schema\.properties\.a\.type: unknown type "txt"/,
    ],
    [
      'a keyword that is none',
      { type: 'object', requierd: ['a'] },
      /^schema\.requierd: unknown keyword "requierd"; did you mean "required"/,
    ],
    ['a format that is none', { type: 'object', properties: { a: { format: 'datum' } } }, /datum/],
    [
      'a dangerous pattern',
      { type: 'object', properties: { a: { pattern: '(a)\\1' } } },
      /^schema\.properties\.a\.pattern: the pattern refers back/,
    ],
    [
      'one under a name',
      { type: 'object', properties: { properties: { pattern: '(?=a)' } } },
      /properties\.properties\.pattern: the pattern looks/,
    ],
    [
      'one of names',
      { type: 'object', patternProperties: { '(': {} } },
      /patternProperties\.\(: the pattern is no regular/,
    ],
    [
      'a remote reference',
      { type: 'object', properties: { a: { $ref: 'https://evil.example/schema' } } },
      /\$ref: expected a part of this schema/,
    ],
    ['a reference to nothing', { type: 'object', $ref: '#/$defs/nothing' }, /\$ref: expected a part of this schema/],
    [
      'a circle',
      { type: 'object', $defs: { a: { items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' },
      /refers to itself/,
    ],
    [
      'a reference to the whole',
      { type: 'object', properties: { a: { $ref: '#' } } },
      /\$ref: expected a part of this schema/,
    ],
    ['a dynamic reference', { type: 'object', $dynamicRef: '#a' }, /expected no \$dynamicRef/],
    ['an id', { type: 'object', $id: 'https://json-schema.org/draft/2020-12/schema' }, /expected no \$id/],
    ['too many levels', { type: 'object', properties: { a: nested(40) } }, /expected at most 32 levels/],
    [
      'too much once it is written out',
      { type: 'object', $defs: { ...doubling, l30: {} }, $ref: '#/$defs/l0' },
      /at most 2000 members/,
    ],
    [
      'items that are compared each with each',
      { type: 'object', properties: { a: { uniqueItems: true } } },
      /uniqueItems: expected items/,
    ],
    [
      'patterns that members cannot be told by',
      { type: 'object', patternProperties: { a: {} }, anyOf: [{}], unevaluatedProperties: false },
      /^schema\.patternProperties: expected no anyOf beside it/,
    ],
  ])('finds %s', (_, schema, expected) => {
    expect(faultsOf(schema).join('\n')).toMatch(expected);
  });

  it('reports every unknown name with its position and the nearest one', () => {
    const schema = withProperties({
      a: { type: 'strng' },
      b: { type: 'array', uniqItems: true, items: { type: ['integer', 'nul'] } },
      c: { anyOf: [{ type: 'string', format: 'emial' }], default: { typ: 'x' } },
    });
    expect(faultsOf(schema)).toEqual([
      'schema.properties.a.type: unknown type "strng"; did you mean "string"?',
      'schema.properties.b.uniqItems: unknown keyword "uniqItems"; did you mean "uniqueItems"?',
      'schema.properties.b.items.type: unknown type "nul"; did you mean "null"?',
      'schema.properties.c.anyOf.0.format: unknown format "emial"; did you mean "email"?',
    ]);
  });

  it('stops after one fault more than it reports', () => {
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`a${index}`, { requird: [] }]));
    expect(faultsOf(withProperties(properties))).toHaveLength(101);
  });

  it('reports a wrong value at its own path', () => {
    for (const [keyword, value, message] of [
      ['minimum', 'x', 'must be number'],
      ['required', 'a', 'must be array'],
      ['additionalProperties', 5, 'must be object,boolean'],
    ])
      expect(faultsOf(withProperties({ 'a/b': { [String(keyword)]: value } }))).toEqual([
        `schema.properties.a/b.${keyword}: expected a JSON Schema (2020-12): ${message}`,
      ]);
  });
});

describe('a valid schema', () => {
  it.each<[string, Schema]>([
    ['that says nothing but its type', { type: 'object' }],
    ['with words of its own under the names of keywords', withProperties({ type: { enum: ['type', 'requierd'] } })],
    ['with data that looks like keywords', withProperties({ a: { default: { requierd: 1 }, const: { typ: 'x' } } })],
    [
      'with definitions that refer to each other',
      {
        ...withProperties({ a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/b' } }),
        $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { type: 'string' } },
      },
    ],
    ['with plain items that are unlike', withProperties({ a: { uniqueItems: true, items: { type: 'integer' } } })],
    ['of 2020-12 by name', { type: 'object', $schema: 'https://json-schema.org/draft/2020-12/schema' }],
    ['as deep as it may be', withProperties({ a: nested(29) })],
    ['with what only some values have to fit', { type: 'object', if: { required: ['a'] }, then: { required: ['b'] } }],
    ['with names by pattern beside ways', { type: 'object', patternProperties: { a: {} }, anyOf: [{}] }],
    ['with names by pattern', { type: 'object', patternProperties: { '^x-': false }, unevaluatedProperties: false }],
  ])('is one %s', (_, schema) => {
    expect(faultsOf(schema)).toEqual([]);
  });

  it('must have a supported dialect', () => {
    const schema = { type: 'object', $schema: 'http://json-schema.org/draft-04/schema#' };
    expect(faultsOf(schema).join()).toContain('expected a JSON Schema (2020-12)');
  });

  it('adds its faults to a list that already holds others', () => {
    const list = createFaultList('body');
    list.add(['id'], 'twice', 'a is given twice');
    checkSchema({ type: 'object', properties: { a: { minimum: 'x' } } }, ['schema'], list);
    expect(list.faults.map(({ path }) => path)).toEqual(['id', 'schema.properties.a.minimum']);
  });
});

describe('the target of a reference', () => {
  const a = { type: 'string' };
  const root = { $defs: { a, 'b.c-d_1': a, text: 'a' } };

  it.each(['#/$defs/a', '#/$defs/b.c-d_1'])('is found for %s', (reference) => {
    expect(resolveReference(root, reference)).toBe(a);
  });

  it.each([
    '',
    '#',
    '#a',
    '/$defs/a',
    '#/$defs/',
    '#/$defs/none',
    '#/$defs/text',
    '#/$defs/a/type',
    '#/$defs/toString',
  ])('is undefined for %j', (reference) => {
    expect(resolveReference(root, reference)).toBeUndefined();
  });

  it('is undefined in a schema without definitions', () => {
    expect(resolveReference({}, '#/$defs/a')).toBeUndefined();
    expect(resolveReference({ $defs: [a] }, '#/$defs/0')).toBeUndefined();
  });
});

it('isSchemaObject distinguishes objects from everything else', () => {
  const values = [{}, { a: 1 }, [], null, 'a', 1, true, undefined];
  expect(values.map(isSchemaObject)).toEqual([true, true, false, false, false, false, false, false]);
});
