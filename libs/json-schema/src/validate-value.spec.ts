import { describe, expect, it } from '@jest/globals';
import { errorsOf, validatorOf, valueFaults } from './validate-value.js';

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
  valueFaults(schema, value).map(({ path, rule }) => `${path} ${rule}`);

describe('a validated value', () => {
  it('fits', () => {
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

  it('stays unchanged', () => {
    const value = Object.freeze({ no: '1' });
    expect(told(order, value)).toEqual([]);
    expect(value).toEqual({ no: '1' });
  });

  it('reports only the first fault when there may be too many', () => {
    const required = Array.from({ length: 300 }, (_, index) => `m${index}`);
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'object', required } } } };
    expect(errorsOf(schema, { list: [{}] })).toHaveLength(300);
    expect(errorsOf(schema, { list: Array.from({ length: 1_000 }, () => ({})) })).toHaveLength(1);
  });

  it('stops matching when the limit is reached', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { pattern: '^(a?){200}b$' } } } };
    const words = Array.from({ length: 200 }, () => 'a'.repeat(10_000));
    // Without an end of its own this would outlast every time limit of a test.
    expect(told(schema, { a: words }).length).toBeGreaterThan(0);
  });
});

describe('a validator', () => {
  it('fills in defaults only when asked', () => {
    const [filled, left] = [{ no: '1' }, { no: '1' }];
    expect(validatorOf(order, 'filling')(filled)).toBe(true);
    expect(validatorOf(order, 'judging')(left)).toBe(true);
    expect([filled, left]).toEqual([{ no: '1', size: 5 }, { no: '1' }]);
  });

  it('is made once for a schema and a use', () => {
    expect(validatorOf(order, 'judging')).toBe(validatorOf(order, 'judging'));
    expect(validatorOf(order, 'judging')).not.toBe(validatorOf(order, 'telling'));
    expect(validatorOf({ ...order }, 'judging')).not.toBe(validatorOf(order, 'judging'));
  });

  it('throws on a schema that was not checked', () => {
    expect(() => validatorOf({ type: 'objekt' }, 'judging')).toThrow('A stored schema cannot be compiled');
    expect(() => valueFaults({ properties: { a: { pattern: '(a)\\1' } } }, {})).toThrow('cannot be compiled');
  });

  it('sees ids of no other schema', () => {
    const [one, two] = [
      { $id: 'https://schemas.example/a', type: 'object' },
      { $id: 'https://schemas.example/a', type: 'string' },
    ];
    expect([validatorOf(one, 'judging')({}), validatorOf(two, 'judging')({})]).toEqual([true, false]);
  });
});
