import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DataExpression, DataField, DataLiteral, ValueFunction } from '../expression.js';
import { parseDataFilter, parseDataFilters } from './parse-data-filter.js';
import { printDataFilter } from './testing/print-data-filter.js';
import { typeCheckFilter } from './type-filter.js';
import { printSampleFilter, sampleFilterArbitrary } from './testing/random-filters.js';

const span = { start: 0, end: 0 };
const functions: fc.Arbitrary<readonly ValueFunction[]> = fc.array(
  fc.constantFrom('tolower', 'toupper', 'length', 'year', 'month', 'day'),
  { maxLength: 2 },
);
const fields: fc.Arbitrary<DataField> = fc.record({
  ...{ start: fc.constant(0), end: fc.constant(0), applied: functions },
  name: fc.constantFrom('NAME', 'PO_ITEM.SIZE', 'Größe', '_x', 'contains', 'year', 'caller', 'AND', 'T.null', 'a-b'),
});
const literal = (kind: DataLiteral['kind'], texts: fc.Arbitrary<string>): fc.Arbitrary<DataLiteral> =>
  texts.map((text) => ({ ...span, kind, text }));
const unquoted = fc.oneof(
  literal('number', fc.constantFrom('0', '-12', '3.25', '1e9', '+1E-3')),
  literal('boolean', fc.constantFrom('true', 'false')),
  literal('date', fc.constantFrom('2015-05-07', '9999-99-99')),
  literal('datetime', fc.constantFrom('2015-05-07T08:30', '2015-05-07T08:30:15.5+02:00')),
  literal('time', fc.constantFrom('12:30', '12:30:00.000')),
  literal('word', fc.constantFrom('DE', 'in-progress', '4711-A', '10X', 'a/b', 'contains', 'caller', '2015-5-7')),
  literal('caller', fc.constantFrom('companyCodes', 'sub')),
);
const strings = literal(
  'string',
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', '').toWellFormed()),
);
const literals = fc.oneof(strings, unquoted, literal('null', fc.constant('null')));
const expressions = fc.letrec<{ tree: DataExpression }>((tie) => ({
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
    fc.record({ kind: fc.constant('not' as const), operand: tie('tree') }),
    fc.record({ kind: fc.constantFrom('and', 'or'), operands: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }) }),
  ),
})).tree;

/** The tree without positions. */
const shapeOf = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'start' || key === 'end' ? undefined : member)));
const roomy = { charactersMax: 10_000_000, depthMax: 32, listValuesMax: 10_000_000, nodesMax: 10_000_000 };
const options = { limits: roomy, callerAttributes: true };

describe('any data filter', () => {
  it('parses to the tree it was printed from', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const parsing = parseDataFilter(printDataFilter(expression), options);
        expect(parsing.ok ? shapeOf(parsing.value) : parsing.fault).toEqual(shapeOf(expression));
      }),
      { numRuns: 1_000 },
    );
  });

  it('prints in one canonical form, however it is spelled', () => {
    fc.assert(
      fc.property(sampleFilterArbitrary, (filter) => {
        const parsing = parseDataFilter(printSampleFilter(filter), options);
        const printed = parsing.ok ? printDataFilter(parsing.value) : parsing.fault.message;
        const again = parseDataFilter(printed, options);
        expect(again.ok ? printDataFilter(again.value) : again.fault.message).toBe(printed);
      }),
      { numRuns: 500 },
    );
  });

  it('parses every text or fails at a position inside it', () => {
    const pieces = fc.constantFrom(
      ...['NAME', ' ', "'", "''", '(', ')', ',', 'eq', 'in', 'is', 'and', 'not', 'null', 'contains', 'tolower', '"'],
      ...['-', '1', '.', '/', 'é', '\0', '\ud800', '💥', '\\', '=', 'caller.x', '2015-05-07', 'AND', '\u00a0', '+'],
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(pieces, { maxLength: 40 }).map((all) => all.join('')),
      fc.array(pieces, { maxLength: 40 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        for (const parsing of [parseDataFilter(text), parseDataFilters([text])]) {
          if (parsing.ok) continue;
          expect(parsing.fault.position).toBeGreaterThanOrEqual(0);
          expect(parsing.fault.position).toBeLessThanOrEqual(text.length);
          expect(parsing.fault.message).not.toBe('');
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a hostile text', () => {
  it.each([
    ['70,000 parentheses', '('.repeat(70_000), 'charactersMax'],
    ['as many as fit', '('.repeat(65_536), 'depthMax'],
    ['20,000 negations', 'not '.repeat(20_000), 'charactersMax'],
    ['as many negations as fit', 'not '.repeat(16_384), 'depthMax'],
    ['functions in functions', `${'tolower('.repeat(400)}A`, 'depthMax'],
    ['quotes', "'".repeat(65_536), 'syntax'],
    ['an odd number of quotes', `A eq ${"'".repeat(3_991)}`, 'syntax'],
    ['U+0000', "A eq '\0'", 'syntax'],
    ['U+0000 outside of a string', 'A eq \0', 'syntax'],
    ['half a character', "A eq '\ud800'", 'syntax'],
    ['the other half', "A eq '\udc00\ud800'", 'syntax'],
    ['SQL', '1; drop table x; --', 'syntax'],
    ['SQL behind a condition', "A eq '1' --", 'syntax'],
    ['a comment', "A eq '1' /* x */", 'syntax'],
    ['a union', "A eq '1' union select 1", 'syntax'],
    ['a parameter', 'A eq $1', 'syntax'],
    ['a template', 'A eq ${x}', 'syntax'],
    ['a quoted name', '"A" eq 1', 'syntax'],
    ['a cast', "A eq '1'::text", 'syntax'],
    ['a name of the runtime', "__proto__(A) eq 'x'", 'syntax'],
    ['a function of the runtime', "constructor(A, 'x')", 'syntax'],
    ['spaces', ' '.repeat(65_536), 'syntax'],
    ['invisible letters', "A\u200beq 'x'", 'syntax'],
    ['direction marks', "\u202eA eq 'x'", 'syntax'],
  ])('is refused: %s', (_what, text, rule) => {
    const parsing = parseDataFilter(text);
    expect(parsing.ok ? 'read' : parsing.fault.rule).toBe(rule);
  });

  it.each([
    ["A eq '''; drop table x; --'"],
    ["A eq '\\' and B eq '\\'"],
    ["A eq '${1}' or A eq '$1' or A eq '%_'"],
    [`A eq '${'💥'.repeat(1_990)}'`],
    ["__proto__ eq 'x' and constructor ne 'y'"],
  ])('is parsed as a value or a name where the syntax allows one: %s', (text) => {
    const parsing = parseDataFilter(text);
    const read = parsing.ok ? printDataFilter(parsing.value) : parsing.fault.message;
    expect(read).toBe(text);
  });
});

describe('the parsing time of a text', () => {
  /** Characters that patterns matched, that were copied or searched, and a step for each of these calls. */
  const stepsFor = (text: string): number => {
    let steps = 0;
    const { exec } = RegExp.prototype;
    const { slice, indexOf } = String.prototype;
    RegExp.prototype.exec = function (given) {
      const found = exec.call(this, given);
      steps += 1 + (found?.[0].length ?? 0);
      return found;
    };
    String.prototype.slice = function (from, to) {
      const part = slice.call(this, from, to);
      steps += 1 + part.length;
      return part;
    };
    String.prototype.indexOf = function (sought, from = 0) {
      const at = indexOf.call(this, sought, from);
      steps += 1 + (at < 0 ? this.length : at) - from;
      return at;
    };
    try {
      const parsing = parseDataFilter(text, options);
      if (parsing.ok) typeCheckFilter(parsing.value, new Map([['A', { type: 'integer', nullable: true }]]));
    } finally {
      RegExp.prototype.exec = exec;
      Object.assign(String.prototype, { slice, indexOf });
    }
    return steps;
  };

  it.each([
    ['conditions', (size: number) => Array.from({ length: size }, () => 'A eq 1').join(' and ')],
    ['strings', (size: number) => Array.from({ length: size }, () => "A eq 'x'").join(' or ')],
    ['values of a list', (size: number) => `A in (${Array.from({ length: size }, () => "'x'").join(',')})`],
    ['quotes in a string', (size: number) => `A eq '${"''".repeat(size)}'`],
    ['characters of a string', (size: number) => `A eq '${'x'.repeat(size)}'`],
    ['characters of a word', (size: number) => `A eq ${'x-'.repeat(size)}y`],
    ['zeros', (size: number) => `A eq ${'0'.repeat(size)}1.${'0'.repeat(size)}1`],
    ['digits', (size: number) => `A eq ${'9'.repeat(size)}`],
    ['parts of a name', (size: number) => `${'A.'.repeat(size)}B eq 1`],
    ['segments without end', (size: number) => `${'A.'.repeat(size)} eq 1`],
    ['spaces', (size: number) => `A${' '.repeat(size)}eq 1`],
    ['parentheses', (size: number) => '('.repeat(size)],
    ['quotes', (size: number) => "'".repeat(size * 2 + 1)],
  ])('grows at most linearly with its length: %s', (_what, textOf) => {
    const [small, large] = [stepsFor(textOf(2_000)), stepsFor(textOf(16_000))];
    expect(small).toBeGreaterThan(0);
    expect(large).toBeLessThanOrEqual(small * 8.5 + 200);
  });
});
