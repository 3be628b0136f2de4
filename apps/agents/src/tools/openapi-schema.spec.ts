import { describe, expect, it } from '@jest/globals';
import { compileSchema, isSchemaObject } from '@tessera/json-schema';
import type { JsonObject } from '../models/model.js';
import { toOpenApiSchema } from './openapi-schema.js';
import { mapSubschemas } from './subschemas.js';
import { createRandom, randomSchema, randomValue } from './testing/random-schemas.js';

const string = { type: 'string' };
const number = { type: 'number' };

describe('a schema translated to OpenAPI 3.0', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    ['of null alone', { type: 'null' }, { nullable: true, enum: [null] }],
    ['of two types', { type: ['string', 'number'], minLength: 1 }, { minLength: 1, anyOf: [string, number] }],
    ['with a schema or null', { anyOf: [string, { type: 'null' }] }, { type: 'string', nullable: true }],
    [
      'with one of some names or null',
      { oneOf: [{ enum: ['a'], type: 'string' }, { type: 'null' }] },
      { type: 'string', enum: ['a', null], nullable: true },
    ],
    ['with one value', { const: 'a' }, { enum: ['a'] }],
    ['with a value that is none of its own', { const: 'a', enum: ['b'] }, { not: {} }],
    ['with null as its value', { const: null }, { enum: [null] }],
    ['without an end', { exclusiveMinimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
    ['with two ends', { minimum: 5, exclusiveMinimum: 0, maximum: 9 }, { minimum: 5, maximum: 9 }],
    ['with the stricter of two', { maximum: 5, exclusiveMaximum: 5 }, { maximum: 5, exclusiveMaximum: true }],
    ['of a list of anything', { type: 'array' }, { type: 'array', items: {} }],
    [
      'of a list with places',
      { type: 'array', prefixItems: [string, number], items: false },
      { type: 'array', items: { anyOf: [string, number] } },
    ],
    ['of a list that goes on', { type: 'array', prefixItems: [string] }, { type: 'array', items: {} }],
    ['with examples', { type: 'string', examples: ['a', 'b'] }, { type: 'string', example: 'a' }],
    [
      'with names by pattern',
      { additionalProperties: false, patternProperties: { '^x': string, '^y': number } },
      { additionalProperties: { anyOf: [string, number] } },
    ],
    ['with names by pattern and others', { patternProperties: { '^x': string } }, {}],
    ['with ways', { if: string, then: { minLength: 1 }, else: number }, { anyOf: [{ minLength: 1 }, number] }],
    ['with one way', { if: string, then: { minLength: 1 } }, {}],
    ['without members that are needed', { required: [] }, {}],
    ['that allows nothing', { properties: { a: false, b: true } }, { properties: { a: { not: {} }, b: {} } }],
    [
      'that refers',
      { $ref: '#/components/schemas/a', description: 'A.' },
      { description: 'A.', allOf: [{ $ref: '#/components/schemas/a' }] },
    ],
    ['that refers and says nothing else', { $ref: '#/components/schemas/a' }, { $ref: '#/components/schemas/a' }],
    [
      'that says a keyword twice',
      { type: ['string', 'number'], anyOf: [{ minimum: 1 }, { minLength: 1 }] },
      { anyOf: [string, number], allOf: [{ anyOf: [{ minimum: 1 }, { minLength: 1 }] }] },
    ],
    ['that excludes what can be said', { not: { const: 1 } }, { not: { enum: [1] } }],
    ['that excludes what cannot be said', { not: { contains: { const: 1 } } }, {}],
    ['with one of what cannot be said', { oneOf: [{ contains: string }, number] }, { anyOf: [{}, number] }],
    ['with words of its own', { $comment: 'x', $schema: 'y', contentMediaType: 'z', unevaluatedItems: false }, {}],
  ])('%s', (_what, schema, expected) => {
    expect(toOpenApiSchema(schema)).toEqual(expected);
  });

  it('leaves values of data keywords unchanged', () => {
    const data = { type: ['null'], const: 1, properties: { a: { const: 2 } } };
    const schema = { default: data, enum: [data], examples: [data] };
    expect(toOpenApiSchema(schema)).toEqual({ default: data, enum: [data], example: data });
  });

  it('allows everything that the original allows', () => {
    const random = createRandom(42);
    let [judged, refused] = [0, 0];
    for (let turn = 0; turn < 250; turn++) {
      const schema = randomSchema(random);
      const translated = toOpenApiSchema(schema);
      const [before, after] = [schema, asJsonSchema(translated)].map((each) =>
        compileSchema(Object(each), { useDefaults: false, allErrors: false }),
      );
      // No tool has what was never a schema.
      if (!before?.ok) continue;
      if (!after?.ok) throw new Error(JSON.stringify({ schema, translated, after }));
      for (let count = 0; count < 30; count++) {
        const value = randomValue(random);
        const isRefused = !after.validate(value);
        if (isRefused) refused++;
        if (!before.validate(value)) continue;
        judged++;
        if (isRefused) throw new Error(JSON.stringify({ schema, translated, value }));
      }
    }
    // It does so without allowing everything.
    expect(judged).toBeGreaterThan(1_000);
    expect(refused).toBeGreaterThan(1_000);
  });
});

const asJsonSchema = (schema: unknown): unknown => {
  if (!isSchemaObject(schema)) return schema;
  const { nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, example: _example, ...rest } = schema;
  const { type } = rest;
  return {
    ...mapSubschemas(rest, asJsonSchema),
    ...(nullable === true && type !== undefined && { type: [type, 'null'] }),
    ...bound('minimum', 'exclusiveMinimum', minimum, exclusiveMinimum),
    ...bound('maximum', 'exclusiveMaximum', maximum, exclusiveMaximum),
  };
};

const bound = (inclusive: string, exclusive: string, value: unknown, isExclusive: unknown): JsonObject =>
  value === undefined ? {} : { [isExclusive === true ? exclusive : inclusive]: value };
