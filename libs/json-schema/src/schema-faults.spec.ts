import { describe, expect, it } from '@jest/globals';
import { compileSchema } from './compile-schema.js';
import { toSchemaFaults } from './schema-faults.js';

const compiled = compileSchema({
  type: 'object',
  required: ['columns'],
  properties: {
    columns: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['PLANT', 'COUNTRY'] } },
    comparator: { type: 'string', enum: ['=', '!=', '>', '<'] },
    reason: { type: 'string', minLength: 3, maxLength: 5 },
    page: { type: 'integer', minimum: 0, maximum: 9 },
  },
  additionalProperties: false,
});
const told = (given: unknown): readonly string[] => {
  if (!compiled.ok) throw new Error(compiled.why);
  compiled.validate(given);
  return toSchemaFaults(compiled.validate.errors ?? []).map(
    ({ path, rule, message, suggestion }) =>
      `${path} ${rule}: ${message}${suggestion === undefined ? '' : ` (${suggestion})`}`,
  );
};

describe('faults of arguments', () => {
  it('include one fault for a value of the wrong type, and none for its unknown name', () => {
    expect(told({ columns: [1, null] })).toEqual([
      'columns.0 type: expected string',
      'columns.1 type: expected string',
    ]);
  });

  it('suggest the nearest name', () => {
    expect(told({ columns: ['PLNAT'] })).toEqual([
      'columns.0 enum: unknown name "PLNAT"; did you mean "PLANT"? (PLANT)',
    ]);
    expect(told({ colums: [] })).toEqual([
      'columns required: is missing',
      'colums additionalProperties: unknown argument "colums"; did you mean "columns"? (columns)',
    ]);
  });

  it('list all comparators instead of suggesting one', () => {
    for (const comparator of ['<>', '==', ''])
      expect(told({ columns: ['PLANT'], comparator })).toEqual([
        `comparator enum: unknown name "${comparator}"; expected one of =, !=, >, <`,
      ]);
  });

  it('state the expected size or limit', () => {
    expect(told({ columns: [], reason: 'no', page: -1 })).toEqual([
      'columns minItems: expected at least 1 entry',
      'reason minLength: expected at least 3 characters',
      'page minimum: expected to be >= 0',
    ]);
    expect(told({ columns: ['PLANT', 'PLANT', 'COUNTRY'], reason: 'for ever' })).toEqual([
      'columns maxItems: expected at most 2 entries',
      'reason maxLength: expected at most 5 characters',
    ]);
  });
});
