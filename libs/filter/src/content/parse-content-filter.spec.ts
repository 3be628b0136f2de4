import { describe, expect, it } from '@jest/globals';
import type { FilterExpression } from '../expression.js';
import { parseContentFilter } from './parse-content-filter.js';
import { printContentFilter } from './testing/print-content-filter.js';

const parsed = (text: string): FilterExpression => {
  const parsing = parseContentFilter(text);
  if (!parsing.ok) throw new Error(`${text}: ${parsing.fault.message}`);
  return parsing.value;
};
const reprinted = (text: string): string => printContentFilter(parsed(text));
const faultOf = (text: string) => {
  const parsing = parseContentFilter(text);
  return parsing.ok ? undefined : parsing.fault;
};

describe('the content filter', () => {
  it('records the positions of the field and of the literal', () => {
    expect(parsed("  name -eq 'O''Neil'")).toEqual({
      kind: 'compare',
      operator: 'eq',
      field: { name: 'name', start: 2, end: 6 },
      literal: { kind: 'string', text: "O'Neil", start: 11, end: 20 },
    });
  });

  it.each([
    ["name -EQ 'a'", "name -eq 'a'"],
    ["name equal 'a'", "name -eq 'a'"],
    ["Equal(name, 'a')", "name -eq 'a'"],
    ['cost -ge 12.50', 'cost -ge 12.50'],
    ['cost -lt -3e2', 'cost -lt -3e2'],
    ['isReleased -ne TRUE', 'isReleased -ne true'],
    ["type -in ( 'a' ,'b')", "type -in ('a', 'b')"],
    ["contains(name,'a') and startswith(name,'b')", "Contains(name, 'a') AND StartsWith(name, 'b')"],
    ["ENDSWITH(name,'')", "EndsWith(name, '')"],
    ['IsNull(name)', 'IsNull(name)'],
    ["Größe_1 -eq 'ä'", "Größe_1 -eq 'ä'"],
    ["not -eq 'a'", "not -eq 'a'"],
    ["contains -eq 'a'", "contains -eq 'a'"],
    ["name-eq'a'", "name -eq 'a'"],
    ["name-in('a')", "name -in ('a')"],
    ["good-name -eq 'a'", "good-name -eq 'a'"],
    ["follow-in -eq 'a' OR IsNull(follow-in)", "follow-in -eq 'a' OR IsNull(follow-in)"],
    ["NOT equal -eq 'a'", "NOT equal -eq 'a'"],
  ])('reads %s', (text, printed) => expect(reprinted(text)).toBe(printed));

  it('binds NOT before AND before OR', () => {
    expect(reprinted('NOT a -eq 1 AND b -eq 2 OR c -eq 3')).toBe('NOT a -eq 1 AND b -eq 2 OR c -eq 3');
    expect(parsed('NOT a -eq 1 AND b -eq 2 OR c -eq 3')).toMatchObject({
      kind: 'or',
      operands: [{ kind: 'and', operands: [{ kind: 'not' }, { kind: 'compare' }] }, { kind: 'compare' }],
    });
  });

  it.each([
    ['name -eq Verify', "name -eq 'Verify'"],
    ['name-eq Verify AND Contains(name,Order)', "name -eq 'Verify' AND Contains(name,'Order')"],
    ['NOT state -in (inProcess,released)', "NOT state -in ('inProcess','released')"],
    ['name -ne Käufer-Seite', "name -ne 'Käufer-Seite'"],
    ['critical -eq TRUE', 'critical -eq true'],
  ])('reads a value of one word without quotes: %s', (text, quoted) => {
    const printed = (written: string) => {
      const parsed = parseContentFilter(written);
      if (!parsed.ok) throw new Error(parsed.fault.message);
      return JSON.stringify(parsed.value, (name, value) => (name === 'start' || name === 'end' ? undefined : value));
    };
    expect(printed(text)).toBe(printed(quoted));
  });

  it('keeps necessary parentheses and drops redundant ones', () => {
    expect(reprinted('((a -eq 1 OR (b -eq 2))) AND NOT (c -eq 3 AND d -eq 4)')).toBe(
      '(a -eq 1 OR b -eq 2) AND NOT (c -eq 3 AND d -eq 4)',
    );
  });

  it.each([
    ['', 0, 'Expected a condition'],
    ['   ', 3, 'the filter ends here'],
    ['name', 4, 'an operator (-eq -ne -gt -ge -lt -le -in), but the filter ends here'],
    ["name eq 'a'", 5, 'Did you mean -eq?'],
    ["name = 'a'", 5, '"=" means nothing here'],
    ['name -eq "a"', 9, 'strings stand in single quotes'],
    ["name -eq 'a", 9, 'no closing quote'],
    ["name -eq 'a' 'b'", 13, 'AND, OR or the end'],
    ["name -eq 'a' ANDD b -eq 1", 13, 'Did you mean AND?'],
    ["name -eq 'a' AND", 16, 'the filter ends here'],
    ["(name -eq 'a'", 13, 'a closing parenthesis'],
    ["name -eq 'a')", 12, 'there is ")"'],
    ['name -eq AND', 9, 'Expected a value'],
    ['name -eq two words', 13, 'quotes around a value of several words'],
    ["name -in 'a'", 9, "a list such as ('a','b')"],
    ["name -in ('a' 'b')", 14, 'a comma or a closing parenthesis'],
    ['name -in ()', 10, 'Expected a value'],
    ["Containz(name,'a')", 0, 'Did you mean Contains?'],
    ["Contains('a',name)", 9, 'the name of an attribute'],
    ['Contains(name)', 13, 'a comma and a value'],
    ["IsNull(name,'a')", 11, 'a closing parenthesis'],
    ["name -eq 'a\0'", 11, 'U+0000'],
    ["name -matches '.*'", 5, 'an operator'],
  ])('rejects %j at position %i', (text, position, message) => {
    const fault = faultOf(text);
    expect(fault?.position).toBe(position);
    expect(fault?.message).toContain(message);
  });
});

describe('the limits of the content filter', () => {
  it('rejects the 4,001st character before scanning', () => {
    expect(faultOf(`name -eq '${'x'.repeat(4_000)}'`)).toMatchObject({ position: 4_000, rule: 'charactersMax' });
  });

  it('accepts 32 levels of nesting and rejects the 33rd', () => {
    const nested = (levels: number) => `${'('.repeat(levels)}a -eq 1${')'.repeat(levels)}`;
    expect(faultOf(nested(32))).toBeUndefined();
    expect(faultOf(nested(33))).toMatchObject({ position: 32, rule: 'depthMax' });
    expect(faultOf(`${'NOT '.repeat(33)}a -eq 1`)).toMatchObject({ rule: 'depthMax' });
  });

  it('rejects the 1,001st value of a list', () => {
    const list = (values: number) => `a -in (${Array.from({ length: values }, () => '1').join(',')})`;
    expect(faultOf(list(1_000))).toBeUndefined();
    expect(faultOf(list(1_001))).toMatchObject({ rule: 'listValuesMax' });
  });

  it('rejects more conditions than the node limit', () => {
    const limits = { charactersMax: 100_000, depthMax: 32, listValuesMax: 10, nodesMax: 500 };
    const chain = Array.from({ length: 501 }, () => 'a -eq 1').join(' OR ');
    expect(parseContentFilter(chain, limits)).toMatchObject({ ok: false, fault: { rule: 'nodesMax' } });
  });
});
