import { describe, expect, it } from '@jest/globals';
import {
  draftOf,
  emptyDraft,
  expressionOf,
  isComplete,
  namesIn,
  operators,
  operatorsFor,
  outsideQuotes,
  parseCondition,
  printCondition,
  switchMode,
  valueCountOf,
  type Condition,
  type ConditionDraft,
} from './condition.js';
import type { FieldType } from './schema.js';

const types: readonly FieldType[] = ['string', 'integer', 'float', 'boolean', 'date', 'time', 'datetime', 'timestamp'];
const hostile = `O'Neil "<img src=x onerror=alert(1)>" \u202eنص, (a) and b eq 'c'`;
const sample: Readonly<Record<FieldType, readonly [string, string]>> = {
  string: [hostile, 'x'],
  integer: ['1000', '-2'],
  float: ['1.5', '1e3'],
  boolean: ['true', 'false'],
  date: ['2026-01-31', '2026-02-01'],
  time: ['08:30', '09:00:15.5'],
  datetime: ['2026-01-31T08:30', '2026-01-31'],
  timestamp: ['2026-01-31T08:30:00Z', '2026-01-31T08:30:00+02:00'],
};

describe('a condition of the form', () => {
  it.each(types)('of a %s is the same when its expression is read', (type) => {
    for (const operator of operatorsFor(type)) {
      const values = sample[type].slice(0, valueCountOf(operator) ?? 2);
      const condition: Condition = { field: 'ITEM.AMOUNT', operator, values };
      expect(parseCondition(printCondition(condition, type))).toEqual(condition);
    }
  });

  it.each<readonly [Condition, FieldType, string]>([
    [{ field: 'A.B', operator: 'eq', values: ["it's"] }, 'string', "A.B eq 'it''s'"],
    [{ field: 'A.B', operator: 'eq', values: ['1000'] }, 'string', "A.B eq '1000'"],
    [{ field: 'A.B', operator: 'gt', values: ['1000'] }, 'integer', 'A.B gt 1000'],
    [{ field: 'A.B', operator: 'gt', values: ['many'] }, 'float', "A.B gt 'many'"],
    [{ field: 'A.B', operator: 'between', values: ['1', '2'] }, 'float', 'A.B ge 1 and A.B le 2'],
    [{ field: 'A.B', operator: 'in', values: ['x', 'y'] }, 'string', "A.B in ('x', 'y')"],
    [{ field: 'A.B', operator: 'contains', values: ['x'] }, 'string', "contains(A.B, 'x')"],
    [{ field: 'A.B', operator: 'null', values: [] }, 'date', 'A.B eq null'],
    [{ field: 'A.B', operator: 'notNull', values: [] }, 'date', 'A.B ne null'],
    [{ field: 'RATE', operator: 'ge', values: ['0.05'] }, 'float', 'RATE ge 0.05'],
  ])('%j of a %s is %s', (condition, type, expected) => expect(printCondition(condition, type)).toBe(expected));

  it('leaves out empty lines of a list', () => {
    expect(printCondition({ field: 'A.B', operator: 'in', values: ['x', '', 'y', ''] }, 'string')).toBe(
      "A.B in ('x', 'y')",
    );
  });

  it('has operators that fit its type, and nothing twice', () => {
    for (const type of types) expect(new Set(operatorsFor(type)).size).toBe(operatorsFor(type).length);
    expect(operatorsFor('boolean')).not.toContain('gt');
    expect(operatorsFor('date')).not.toContain('contains');
    expect(operators.map(valueCountOf)).toEqual(expect.arrayContaining([0, 1, 2, undefined]));
  });
});

describe('an expression', () => {
  it.each([
    'A eq 1 or B eq 2',
    'not A eq 1',
    'A gt null',
    "A eq 'x",
    'A ge 1 and B le 2',
    'A in ()',
    'tolower(A) eq 1',
    '',
    'contains(A, x)',
  ])('%j is none of the form', (text) => expect(parseCondition(text)).toBeUndefined());

  it('may have spaces around it', () => {
    expect(parseCondition("  A.B   eq  'x' ")).toEqual({ field: 'A.B', operator: 'eq', values: ['x'] });
    expect(parseCondition("A in('x' ,2)")).toEqual({ field: 'A', operator: 'in', values: ['x', '2'] });
  });

  it('is read at once, however long', () => {
    const began = performance.now();
    for (const text of [`A in (${"'x', ".repeat(20_000)}`, `A eq '${"''".repeat(50_000)}`, 'a.'.repeat(50_000)])
      expect(parseCondition(text)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('names what stands outside of quotes', () => {
    expect(namesIn("ITEM.AMOUNT gt 5 and PLANT eq 'RATE of B.C'")).toEqual(['ITEM.AMOUNT', 'gt', 'and', 'PLANT', 'eq']);
    expect(outsideQuotes("a 'a' a", (piece) => piece.toUpperCase())).toBe("A 'a' A");
  });
});

describe('what is typed', () => {
  const draft: ConditionDraft = { ...emptyDraft, field: 'ITEM.AMOUNT', operator: 'gt', values: ['5'] };

  it('is there in the other way of writing', () => {
    const text = switchMode(draft, 'float');
    expect([text.mode, text.text]).toEqual(['text', 'ITEM.AMOUNT gt 5']);
    expect(switchMode({ ...text, text: 'ITEM.AMOUNT le 7' }, 'float')).toMatchObject({
      ...{ mode: 'form', field: 'ITEM.AMOUNT', operator: 'le', values: ['7'] },
    });
  });

  it('is not lost where the form does not have it', () => {
    const complex = { ...draft, mode: 'text' as const, text: 'A eq 1 or B eq 2' };
    const form = switchMode(complex, 'float');
    expect(form).toMatchObject({ mode: 'form', text: complex.text, field: '' });
    expect(switchMode(form, 'string')).toMatchObject({ mode: 'text', text: complex.text });
  });

  it('of a condition that is asked is that condition, in the form where it has it', () => {
    expect(draftOf('A eq 1')).toMatchObject({ mode: 'form', field: 'A', values: ['1'] });
    expect(draftOf('A eq 1 or B eq 2')).toMatchObject({ mode: 'text', text: 'A eq 1 or B eq 2' });
  });

  it('can be asked when it is complete', () => {
    expect(isComplete(emptyDraft, 'string')).toBe(false);
    expect(isComplete({ ...draft, values: [''] }, 'float')).toBe(false);
    expect(isComplete({ ...draft, values: [''] }, 'string')).toBe(true);
    expect(isComplete({ ...draft, operator: 'in', values: ['', ''] }, 'string')).toBe(false);
    expect(isComplete({ ...draft, operator: 'null', values: [] }, 'float')).toBe(true);
    expect(isComplete({ ...draft, operator: 'between', values: ['1'] }, 'float')).toBe(false);
    expect(isComplete({ ...draft, mode: 'text', text: ' ' }, 'float')).toBe(false);
    expect(expressionOf({ ...draft, mode: 'text', text: ' A eq 1 ' }, 'float')).toBe('A eq 1');
    expect(expressionOf(draft, 'float')).toBe('ITEM.AMOUNT gt 5');
  });
});
