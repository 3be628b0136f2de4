import { describe, expect, it } from '@jest/globals';
import { compileSchema, usesUnevaluatedKeywords } from './compile-schema.js';

const compiled = (schema: Readonly<Record<string, unknown>>) => {
  const made = compileSchema(schema);
  if (!made.ok) throw new Error(made.why);
  return made.validate;
};

describe('a compiled schema', () => {
  it('validates by every pattern that it contains', () => {
    const validate = compiled({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { number: { pattern: '^[0-9]{10}$' }, plant: { pattern: '^[A-Z]{2}$' } },
      patternProperties: { '^x-': { type: 'string' } },
      propertyNames: { pattern: '^[a-z-]+$' },
      additionalProperties: false,
    });
    expect(validate({ number: '5100000001', plant: 'DE', 'x-note': 'a' })).toBe(true);
    for (const wrong of [
      { number: '51' },
      { plant: 'de' },
      { number: 'DE' },
      { 'x-note': 1 },
      { 'x-1': 'a' },
      { y: 1 },
    ])
      expect([wrong, validate(wrong)]).toEqual([wrong, false]);
  });

  it('validates member names by a pattern together with other keywords', () => {
    const patternProperties = { '^x': { type: 'integer' } };
    const ofB = { additionalProperties: false, enum: [{ b: 1, x: 1 }] };
    for (const beside of [
      { oneOf: [{ dependentSchemas: { a: { multipleOf: 2 }, b: ofB } }, { prefixItems: [{}], required: ['c'] }] },
      { if: { type: 'array' }, then: {}, else: { if: { required: ['a'] }, then: { patternProperties }, else: {} } },
      { allOf: [{ dependentSchemas: { a: {}, x: { properties: { b: false } } } }] },
    ]) {
      const validate = compiled({ ...beside, patternProperties });
      expect([beside, validate({ x: 1 }), validate({ x: 'a' })]).toEqual([beside, true, false]);
    }
  });

  it('reports members that no subschema has evaluated, for unevaluatedProperties', () => {
    const validate = compiled({ anyOf: [{ properties: { a: { type: 'string' } } }], unevaluatedProperties: false });
    expect([validate({ a: 'x' }), validate({ b: 'x' })]).toEqual([true, false]);
  });

  it('matches a pattern quickly where backtracking would be exponential', () => {
    const validate = compiled({ type: 'object', properties: { a: { pattern: '^(a+)+$' } } });
    expect(validate({ a: `${'a'.repeat(5_000)}!` })).toBe(false);
  });

  it('validates formats, returns every fault and fills in defaults', () => {
    const validate = compiled({
      type: 'object',
      required: ['from'],
      properties: { from: { type: 'string', format: 'date' }, page: { type: 'integer', default: 1 } },
      unevaluatedProperties: false,
    });
    const given = { from: '2026-06-30' };
    expect(validate(given)).toBe(true);
    expect(given).toEqual({ from: '2026-06-30', page: 1 });
    expect(validate({ from: '30.6.2026', page: 1.5, more: true })).toBe(false);
    expect(validate.errors?.map(({ keyword }) => keyword).sort()).toEqual(['format', 'type', 'unevaluatedProperties']);
  });

  it('does not resolve ids of another schema', () => {
    compiled({ $id: 'https://tessera.example/a', type: 'object' });
    expect(compileSchema({ $ref: 'https://tessera.example/a' })).toMatchObject({ ok: false });
    expect(compileSchema({ $id: 'https://tessera.example/a', type: 'object', required: ['b'] })).toMatchObject({
      ok: true,
    });
  });

  it.each([
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }],
    [{ type: 'txt' }],
    [{ requierd: [] }],
    [{ format: 'datum' }],
    [{ pattern: '(?=a)' }],
    [{ properties: [] }],
  ])('rejects the schema %j', (schema) => {
    const made = compileSchema(schema);
    expect(made.ok ? '' : made.why).not.toBe('');
  });
});

it.each([
  [{ type: 'object' }, false],
  [{ description: 'No unevaluated members.' }, false],
  [{ unevaluatedProperties: false }, true],
  [{ properties: { a: { unevaluatedItems: { type: 'string' } } } }, true],
])('usesUnevaluatedKeywords of %j is %s', (schema, expected) => {
  expect(usesUnevaluatedKeywords(schema)).toBe(expected);
});
