import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FilterExpression, FilterField, FilterLiteral } from '../expression.js';
import { parseContentFilter } from './parse-content-filter.js';
import { printContentFilter } from './testing/print-content-filter.js';

const span = { start: 0, end: 0 };
const fields: fc.Arbitrary<FilterField> = fc
  .constantFrom('name', 'type', 'state1', 'Größe', '_x', 'and', 'not', 'contains', 'equal', 'good-name', 'follow-in')
  .map((name) => ({ ...span, name }));
const literals: fc.Arbitrary<FilterLiteral> = fc.oneof(
  fc
    .string({ unit: 'binary', maxLength: 12 })
    .map((text) => ({ ...span, kind: 'string' as const, text: text.replaceAll('\0', '') })),
  fc.constantFrom('0', '-12', '3.25', '1e9').map((text) => ({ ...span, kind: 'number' as const, text })),
  fc.constantFrom('true', 'false').map((text) => ({ ...span, kind: 'boolean' as const, text })),
);
const expressions = fc.letrec<{ tree: FilterExpression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'filter' },
    fc.record({
      kind: fc.constant('compare' as const),
      operator: fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le'),
      field: fields,
      literal: literals,
    }),
    fc.record({
      kind: fc.constant('in' as const),
      field: fields,
      literals: fc.array(literals, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant('match' as const),
      function: fc.constantFrom('contains', 'startswith', 'endswith'),
      field: fields,
      literal: literals,
    }),
    fc.record({ kind: fc.constant('blank' as const), field: fields }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('tree') }),
    fc.record({
      kind: fc.constantFrom('and', 'or'),
      operands: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).tree;

/** The tree without positions. */
const shapeOf = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'start' || key === 'end' ? undefined : member)));
const roomy = { charactersMax: 1_000_000, depthMax: 32, listValuesMax: 1_000, nodesMax: 10_000 };

describe('any content filter', () => {
  it('parses to the tree it was printed from', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const parsing = parseContentFilter(printContentFilter(expression), roomy);
        expect(parsing.ok && shapeOf(parsing.value)).toEqual(shapeOf(expression));
      }),
      { numRuns: 500 },
    );
  });

  it('parses every text or fails at a position inside it', () => {
    const pieces = fc.constantFrom(
      'name',
      ' ',
      "'",
      "''",
      '(',
      ')',
      ',',
      '-eq',
      '-in',
      'AND',
      'NOT',
      'Contains',
      '"',
      '-',
      '1',
      'é',
      '\0',
      '\ud800',
      '💥',
      '\\',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
        ),
        (text) => {
          const parsing = parseContentFilter(text);
          if (parsing.ok) return;
          expect(parsing.fault.position).toBeGreaterThanOrEqual(0);
          expect(parsing.fault.position).toBeLessThanOrEqual(text.length);
          expect(parsing.fault.message).not.toBe('');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('does not throw on the longest texts', () => {
    const longest = [
      "'".repeat(4_000),
      '('.repeat(4_000),
      'NOT '.repeat(1_000),
      'a'.repeat(4_000),
      ' '.repeat(4_000),
      '-1'.repeat(2_000),
      "a -eq '" + "''".repeat(1_990),
    ];
    for (const text of longest) {
      const before = process.cpuUsage();
      expect(parseContentFilter(text).ok).toBe(false);
      const { user, system } = process.cpuUsage(before);
      // Some milliseconds, whoever else uses the processor; what tries all ways takes minutes.
      expect((user + system) / 1_000).toBeLessThan(5_000);
    }
  });
});
