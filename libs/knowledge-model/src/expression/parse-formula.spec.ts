import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyFormula, removePositions } from '../testing/any-formula.js';
import { parseFormula, standardFormulaLimits } from './parse-formula.js';
import { printFormula } from '../testing/print-formula.js';

const printed = (text: string): string => {
  const parsing = parseFormula(text);
  return parsing.ok ? printFormula(parsing.value) : `${parsing.fault.position}: ${parsing.fault.message}`;
};
const grouped = (text: string): string => {
  const parsing = parseFormula(text);
  return parsing.ok ? JSON.stringify(removePositions(parsing.value)) : parsing.fault.message;
};

describe('parseFormula', () => {
  it.each([
    ['a or b and not c = d', 'a or (b and (not (c = d)))'],
    ['a + b * -c - d', '(a + (b * (-c))) - d'],
    ["a || b + c like 'x%'", "(a || (b + c)) like 'x%'"],
    ['a = b is null', '(a = b) is null'],
    ['a between b and c and d', '(a between b and c) and d'],
    ['not a in (1, 2) or b', '(not (a in (1, 2))) or b'],
    ['a < b between c and d', 'a < (b between c and d)'],
    ['a / b / c', '(a / b) / c'],
  ])('binds %s as SQL does', (text, same) => {
    expect(grouped(text)).toBe(grouped(same));
  });

  it.each([
    ["CASE WHEN A >= 10000 THEN 'large' ELSE 'small' END", "case when A >= 10000 then 'large' else 'small' end"],
    ['case A when 1 then 2 end', 'case A when 1 then 2 end'],
    ['Sum(PO_ITEM.AMOUNT) Filter (Where PO_ITEM.QTY != 0)', 'sum(PO_ITEM.AMOUNT) filter (where PO_ITEM.QTY <> 0)'],
    ['count(distinct A.B) / count(A.*)', 'count(distinct A.B) / count(A.*)'],
    ["date '2026-05-07' + 1", "date '2026-05-07' + 1"],
    ['DATE is not null', 'DATE is not null'],
    ['"case" = "order-no"', '"case" = "order-no"'],
    ['Extract(Year from D) = :year', 'extract(year from D) = :year'],
    [
      "cast(A as integer) not in (1) and 'it''s' not like '%'",
      "cast(A as integer) not in (1) and 'it''s' not like '%'",
    ],
    ['- -1', '-(-1)'],
    ['coalesce ( A , null, true )', 'coalesce(A, null, true)'],
  ])('reads %s', (text, again) => {
    expect(printed(text)).toBe(again);
  });

  it('records the position of every part', () => {
    const parsing = parseFormula('A +  (B_C.D)');
    expect(parsing).toMatchObject({ ok: true, value: { start: 0, end: 12, right: { start: 6, end: 11 } } });
  });

  it.each([
    ['', '0: Expected a field, a value, a function or "(", but the formula ends here.'],
    ['A +', '3: Expected a field, a value, a function or "(", but the formula ends here.'],
    ['A B', '2: Expected an operator or the end of the formula, but there is "B".'],
    [
      'A betwen 1 and 2',
      '2: Expected an operator or the end of the formula, but there is "betwen". Did you mean between?',
    ],
    ['A = 1 = 2', '6: Comparisons cannot be chained; join them by and, or use parentheses.'],
    ['A in (1) in (2)', '9: Comparisons cannot be chained; join them by and, or use parentheses.'],
    ['A in B', `5: Expected a list such as ('a', 'b'), but there is "B".`],
    ['A in ()', '6: Expected a field, a value, a function or "(", but there is ")".'],
    ['(A', '2: Expected an operator or ")", but the formula ends here.'],
    ['case A end', '7: Expected "when", but there is "end".'],
    ['case when A then 1', '18: Expected when, else or end, but the formula ends here.'],
    ['count(*)', '6: Expected what is counted; the rows of a record are written count(RECORD.*), but there is "*".'],
    [
      'cast(A as int)',
      '10: Expected one of string, integer, float, boolean, date, time, datetime, timestamp, but there is "int".',
    ],
    [
      'cast(A as stirng)',
      '10: Expected one of string, integer, float, boolean, date, time, datetime, timestamp, but there is "stirng". Did you mean string?',
    ],
    ['A.', '2: Expected a field of A, but the formula ends here.'],
    [
      'when',
      '0: Expected a field, a value, a function or "(" (a field called so is written "when"), but there is "when".',
    ],
    ['A is 1', '5: Expected null or not null, but there is "1".'],
    [
      "'abc",
      `0: Expected a field, a value, a function or "(", but what begins here has no closing ' (one that belongs to it is written '').`,
    ],
    [
      'A -- B',
      '2: Expected an operator or the end of the formula, but a formula has no comments; write - (-x) for two signs.',
    ],
    ['1abc', '1: Expected a field, a value, a function or "(", but "a" cannot follow a number.'],
    ['A; drop', '1: Expected an operator or the end of the formula, but ";" means nothing in a formula.'],
    ['sum(A) filter (B)', '15: Expected "where", but there is "B".'],
    [
      'A = not B',
      '4: Expected a field, a value, a function or "(" (a field called so is written "not"), but there is "not".',
    ],
  ])('rejects %j with the position and what was expected', (text, fault) => {
    expect(printed(text)).toBe(fault);
  });

  it('checks its limits before building the tree', () => {
    const rule = (text: string) => {
      const parsing = parseFormula(text);
      return parsing.ok ? 'fits' : parsing.fault.rule;
    };
    const { depthMax, nodesMax, charactersMax } = standardFormulaLimits;
    expect(rule(`${'('.repeat(depthMax)}1${')'.repeat(depthMax)}`)).toBe('fits');
    expect(rule(`${'('.repeat(depthMax + 1)}1${')'.repeat(depthMax + 1)}`)).toBe('depthMax');
    for (const nested of ['not ', '- ', 'abs(', 'case when ', 'cast(', 'sum(', '1 in (', '1 - ('])
      expect(rule(nested.repeat(depthMax + 1))).toBe('depthMax');
    expect(rule(`1${'+1'.repeat(nodesMax / 2 - 1)}`)).toBe('fits');
    expect(rule(`1${'+1'.repeat(nodesMax / 2)}`)).toBe('nodesMax');
    expect(rule(' '.repeat(charactersMax + 1))).toBe('charactersMax');
    expect(rule('9'.repeat(41))).toBe('syntax');
  });
});

describe('any formula', () => {
  it('parses to the tree it was printed from', () => {
    const roomy = { charactersMax: 1_000_000, depthMax: 100, nodesMax: 100_000, weightMax: 1 };
    fc.assert(
      fc.property(anyFormula, (formula) => {
        const parsing = parseFormula(printFormula(formula), roomy);
        expect(parsing.ok ? removePositions(parsing.value) : parsing.fault).toEqual(removePositions(formula));
      }),
      { numRuns: 1_000 },
    );
  });

  it('parses every text or fails at a position inside it', () => {
    const pieces = ['A', '.', ' ', "'", '"', '(', ')', ',', '=', '-', '*', '||', ':', '1', '1e', 'and', 'not', 'in']
      .concat(['case', 'when', 'then', 'end', 'null', 'is', 'date', 'sum(', 'filter (where', 'cast(', ' as '])
      .concat(['extract(', 'from', ';', '--', '/*', '$1', '\\', '\0', '\ud800', '💥', 'é', '{', '::']);
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join(' ')),
      fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(any, (text) => {
        const parsing = parseFormula(text);
        if (parsing.ok) return;
        expect(parsing.fault.position).toBeGreaterThanOrEqual(0);
        expect(parsing.fault.position).toBeLessThanOrEqual(text.length);
        expect(parsing.fault.message).not.toBe('');
      }),
      { numRuns: 3_000 },
    );
  });

  it('does not throw on the longest texts', () => {
    for (const piece of ["'", '"', '(', 'not ', 'case ', 'a.', '-', '1', 'A=', 'a and ', 'a in(', "''", ' ', 'sum('])
      expect(parseFormula(piece.repeat(3_990 / piece.length) + "'").ok).toBe(false);
  });
});
