import { describe, expect, it } from '@jest/globals';
import { findValidationErrors, getValidator, findValueFaults, withoutIneffectiveMembers } from './validate-value.js';

const order = {
  type: 'object',
  required: ['no'],
  additionalProperties: false,
  properties: {
    no: { type: 'string', pattern: '^[0-9]+$' },
    size: { type: 'integer', default: 5, maximum: 9 },
    plant: { enum: ['1000', '2000'] },
    lines: { type: 'array', items: { type: 'object', properties: { amount: { type: 'number' } } } },
  },
} as const;

const told = (schema: Readonly<Record<string, unknown>>, value: unknown) =>
  findValueFaults(schema, value).map(({ path, rule }) => `${path} ${rule}`);

describe('a validated value', () => {
  it('has no faults when it fits its schema', () => {
    expect(told(order, { no: '4711', size: 9, lines: [{ amount: 1.5 }, {}] })).toEqual([]);
  });

  it('reports every fault with its position', () => {
    const value = { no: 'A', size: 10, plan: 1, plant: '3000', lines: [{}, { amount: 'x' }, 1] };
    expect(told(order, value).sort()).toEqual([
      'lines.1.amount type',
      'lines.2 type',
      'no pattern',
      'plan additionalProperties',
      'plant enum',
      'size maximum',
    ]);
    expect(told(order, 'text')).toEqual([' type']);
    expect(told(order, {})).toEqual(['no required']);
  });

  it('is not changed by the validation', () => {
    const value = Object.freeze({ no: '1' });
    expect(told(order, value)).toEqual([]);
    expect(value).toEqual({ no: '1' });
  });

  it('reports only the first fault when there may be too many', () => {
    const required = Array.from({ length: 300 }, (_, index) => `m${index}`);
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'object', required } } } };
    expect(findValidationErrors(schema, { list: [{}] })).toHaveLength(300);
    expect(findValidationErrors(schema, { list: Array.from({ length: 1_000 }, () => ({})) })).toHaveLength(1);
  });

  it('is not matched further when the step limit is reached', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { pattern: '^(a?){200}b$' } } } };
    const words = Array.from({ length: 200 }, () => 'a'.repeat(10_000));
    // Without an end of its own this would outlast every time limit of a test.
    expect(told(schema, { a: words }).length).toBeGreaterThan(0);
  });
});

describe('a validator', () => {
  it('fills in defaults only when configured to', () => {
    const [filled, left] = [{ no: '1' }, { no: '1' }];
    expect(getValidator(order, 'filling')(filled)).toBe(true);
    expect(getValidator(order, 'judging')(left)).toBe(true);
    expect([filled, left]).toEqual([{ no: '1', size: 5 }, { no: '1' }]);
  });

  it('is compiled once per schema and use', () => {
    expect(getValidator(order, 'judging')).toBe(getValidator(order, 'judging'));
    expect(getValidator(order, 'judging')).not.toBe(getValidator(order, 'telling'));
    expect(getValidator({ ...order }, 'judging')).not.toBe(getValidator(order, 'judging'));
  });

  it('throws on an invalid schema that was not checked before', () => {
    expect(() => getValidator({ type: 'objekt' }, 'judging')).toThrow('A stored schema cannot be compiled');
    expect(() => findValueFaults({ properties: { a: { pattern: '(a)\\1' } } }, {})).toThrow('cannot be compiled');
  });

  it('does not resolve ids of other schemas', () => {
    const [one, two] = [
      { $id: 'https://schemas.example/a', type: 'object' },
      { $id: 'https://schemas.example/a', type: 'string' },
    ];
    expect([getValidator(one, 'judging')({}), getValidator(two, 'judging')({})]).toEqual([true, false]);
  });
});

describe('members without effect', () => {
  const closed = { type: 'object', additionalProperties: false };
  const filter = { ...closed, properties: { id: { type: 'string' }, negation: { type: 'boolean' } } };
  const schema = {
    ...closed,
    required: ['top'],
    properties: {
      top: { type: 'integer' },
      note: { type: ['string', 'null'] },
      filters: { type: 'array', items: filter },
      free: { type: 'object' },
    },
  };
  const isIgnored = (name: string): boolean => name.startsWith('_');
  const without = (value: Readonly<Record<string, unknown>>) => withoutIneffectiveMembers(schema, value, isIgnored);

  it('are those that are null where nothing may be, and unknown ones whose names are ignored, at every depth', () => {
    const value = {
      top: 1,
      note: null,
      filters: [{ id: 'a', negation: null, _x: 1 }],
      _trace: 'x',
      free: { _y: null },
    };
    const copy = structuredClone(value);
    expect(without(value)).toEqual({ top: 1, note: null, filters: [{ id: 'a' }], free: { _y: null } });
    expect(value).toEqual(copy);
  });

  it('are none of a value that fits, and none of what is wrong in another way', () => {
    for (const value of [{ top: 1 }, { top: 'x' }, { top: 1, other: 1 }, { top: 1, filters: [null] }])
      expect(without(value)).toBeUndefined();
    expect(without({ top: null })).toEqual({});
  });

  it('are taken out in a bounded number of rounds', () => {
    const filters = Array.from({ length: 300 }, () => ({ id: null, _x: 1 }));
    expect(told(schema, without({ top: 1, filters }))).not.toContain('top required');
  });
});
