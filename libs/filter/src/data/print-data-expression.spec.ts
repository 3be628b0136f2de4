import { describe, expect, it } from '@jest/globals';
import type { DataExpression } from '../expression.js';
import { parseDataFilter } from './parse-data-filter.js';
import { printDataExpression } from './print-data-expression.js';

const parsed = (text: string): DataExpression => {
  const result = parseDataFilter(text);
  if (!result.ok) throw new Error(text);
  return result.value;
};

describe('a printed filter', () => {
  it.each([
    ["COUNTRY eq 'DE'", "COUNTRY eq 'DE'"],
    ["(NAME  eq 'it''s')", "NAME eq 'it''s'"],
    ['A eq 1 and (B eq 2 or C eq null)', 'A eq 1 and (B eq 2 or C eq null)'],
    ['not (A in (1,2,3))', 'not (A in (1, 2, 3))'],
    ["contains(tolower(NAME), 'x')", "contains(tolower(NAME), 'x')"],
    ['DAY ge 2026-01-01', 'DAY ge 2026-01-01'],
  ])('is one spelling of %s', (text, printed) => {
    expect(printDataExpression(parsed(text))).toBe(printed);
    expect(printDataExpression(parsed(printed))).toBe(printed);
  });

  it('calls fields as it is told', () => {
    expect(printDataExpression(parsed("ORDER.PLANT eq 'R1'"), { fieldName: () => 'Plant' })).toBe("Plant eq 'R1'");
  });

  it.each([
    ["COUNTRY eq 'DE' and not (A in (1,2))", 'COUNTRY eq … and not (A in (…, …))'],
    ["contains(tolower(NAME), 'x') or DAY ge 2026-01-01", 'contains(tolower(NAME), …) or DAY ge …'],
  ])('has no value of %s when it is told so', (text, printed) => {
    expect(printDataExpression(parsed(text), { values: 'hide' })).toBe(printed);
  });

  it('has nothing of what is computed with values when it is told so', () => {
    const [start, end] = [0, 0];
    const literal = { kind: 'string', text: 'secret', start, end } as const;
    const value = { kind: 'literal', literal, start, end } as const;
    const field = { name: "concat(NAME, 'secret')", applied: [], value, start, end };
    const compared = { kind: 'compare', field, operator: 'eq', literal, start, end } as const;
    expect(printDataExpression(compared)).toBe("concat(NAME, 'secret') eq 'secret'");
    expect(printDataExpression(compared, { values: 'hide' })).toBe('… eq …');
  });

  it('tells how a text may differ from those of a list', () => {
    const [start, end] = [0, 0];
    const likeness = { anyBefore: false, anyAfter: true, ignoreCase: true };
    const literals = [{ kind: 'string', text: 'ac', start, end } as const];
    const field = { name: 'NAME', applied: [], start, end };
    expect(printDataExpression({ kind: 'in', field, literals, likeness })).toBe(
      "NAME in ('ac'), any text after, in any case",
    );
  });
});
