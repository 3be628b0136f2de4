import { describe, expect, it } from '@jest/globals';
import type { DataFilterOptions } from './data-words.js';
import { parseDataFilter, parseDataFilters } from './parse-data-filter.js';
import { printDataFilter } from './testing/print-data-filter.js';

const reprinted = (text: string, options?: DataFilterOptions): string => {
  const parsing = parseDataFilter(text, options);
  return parsing.ok ? printDataFilter(parsing.value) : `${parsing.fault.position}: ${parsing.fault.message}`;
};
const faultOf = (text: string, options?: DataFilterOptions) => {
  const parsing = parseDataFilter(text, options);
  return parsing.ok ? undefined : parsing.fault;
};

describe('the filter syntax for data', () => {
  it('records the positions of the field and of the literal', () => {
    expect(parseDataFilter("  length(tolower(S.NAME)) eq 'O''Neil'")).toEqual({
      ok: true,
      value: {
        kind: 'compare',
        operator: 'eq',
        field: { name: 'S.NAME', start: 17, end: 23, applied: ['tolower', 'length'] },
        literal: { kind: 'string', text: "O'Neil", start: 29, end: 38 },
      },
    });
  });

  it.each([
    ["CITY eq 'Rome'", "CITY eq 'Rome'"],
    ["PO_ITEM.SIZE ne 'large'", "PO_ITEM.SIZE ne 'large'"],
    ['AMOUNT ge 12.50', 'AMOUNT ge 12.50'],
    ['AMOUNT lt -3e2', 'AMOUNT lt -3e2'],
    ['AMOUNT gt +1.5E-3', 'AMOUNT gt +1.5E-3'],
    ['COUNT le 9007199254740993', 'COUNT le 9007199254740993'],
    ['BLOCKED eq true', 'BLOCKED eq true'],
    ['DUE eq 2015-05-07', 'DUE eq 2015-05-07'],
    ['SEEN gt 2015-05-07T08:30', 'SEEN gt 2015-05-07T08:30'],
    ['SEEN gt 2015-05-07T08:30:15.123456Z', 'SEEN gt 2015-05-07T08:30:15.123456Z'],
    ['SEEN gt 2015-05-07T08:30:15+02:00', 'SEEN gt 2015-05-07T08:30:15+02:00'],
    ['OPENS le 12:30:00', 'OPENS le 12:30:00'],
    ["CITY in ( 'a' ,'b',null)", "CITY in ('a', 'b', null)"],
    ['CITY is null', 'CITY eq null'],
    ['CITY is not null', 'CITY ne null'],
    ['CITY eq null', 'CITY eq null'],
    ['CITY not eq null', 'CITY ne null'],
    ["CITY not eq 'Rome'", "CITY ne 'Rome'"],
    ["CITY not in ('Rome')", "not (CITY in ('Rome'))"],
    ['COUNTRY eq DE', 'COUNTRY eq DE'],
    ['STATUS eq in-progress and STATUS ne 4711-A', 'STATUS eq in-progress and STATUS ne 4711-A'],
    [
      "contains(CITY,'a') and startswith(CITY, b) or endswith(CITY,'')",
      "contains(CITY, 'a') and startswith(CITY, b) or endswith(CITY, '')",
    ],
    ["contains ( tolower ( CITY ) , 'a' )", "contains(tolower(CITY), 'a')"],
    [
      'year(DUE) eq 2015 and month(DUE) lt 6 and day(DUE) ne 1',
      'year(DUE) eq 2015 and month(DUE) lt 6 and day(DUE) ne 1',
    ],
    ["not contains(CITY,'a')", "not contains(CITY, 'a')"],
    ["not CITY eq 'a' and AMOUNT gt 1", "not (CITY eq 'a') and AMOUNT gt 1"],
    ["not not(CITY eq 'a')", "not not (CITY eq 'a')"],
    ['((A eq 1 or (B eq 2))) and(C eq 3)', '(A eq 1 or B eq 2) and C eq 3'],
    [
      "year eq 2015 or contains eq 'x' or length(length) gt 1",
      "year eq 2015 or contains eq 'x' or length(length) gt 1",
    ],
    ['T.not eq 1 and T.null ne 2', 'T.not eq 1 and T.null ne 2'],
    ['OR eq AND and NOT ne IN', 'OR eq AND and NOT ne IN'],
    ["Größe_1 eq 'ä\t\n'", "Größe_1 eq 'ä\t\n'"],
    ["CITY eq''and AMOUNT eq 1", "CITY eq '' and AMOUNT eq 1"],
  ])('reads %s', (text, printed) => expect(reprinted(text)).toBe(printed));

  it('binds not before and before or', () => {
    expect(parseDataFilter('not A eq 1 and B eq 2 or C eq 3')).toMatchObject({
      value: { kind: 'or', operands: [{ kind: 'and', operands: [{ kind: 'not' }, { kind: 'compare' }] }, {}] },
    });
  });

  it('accepts RECORD/FIELD in the OData dialect only', () => {
    expect(reprinted('S/CITY eq 1 and S.CITY eq 2', { dialect: 'odata' })).toBe('S.CITY eq 1 and S.CITY eq 2');
    expect(reprinted('S/CITY eq 1')).toBe('0: Expected a field or RECORD.FIELD, but there is "S/CITY".');
  });

  it('accepts caller attributes in policies only', () => {
    const text = "CODE in caller.codes or CODE in ('x', caller.codes) or NAME eq caller.sub";
    const printed = "CODE in (caller.codes) or CODE in ('x', caller.codes) or NAME eq caller.sub";
    expect(reprinted(text, { callerAttributes: true })).toBe(printed);
    expect(reprinted(printed, { callerAttributes: true })).toBe(printed);
    expect(reprinted('NAME eq caller.sub')).toBe('8: Only row policies compare with attributes of the caller.');
  });

  it.each([
    ['', 0, "Expected a condition such as CITY eq 'Rome'"],
    ['   ', 3, 'the filter ends here'],
    ['CITY', 4, 'an operator (eq ne gt ge lt le in is), but the filter ends here'],
    ["CITY EQ 'a'", 5, 'Keywords are in lower case: write eq.'],
    ["CITY eqq 'a'", 5, 'Did you mean eq?'],
    ["CITY = 'a'", 5, 'write eq for the symbol'],
    ["CITY <> 'a'", 5, 'write ne for the symbol'],
    ["CITY eq 'a' && AMOUNT eq 1", 12, 'write and for the symbol'],
    ["CITY eq 'a' AND AMOUNT eq 1", 12, 'write and.'],
    ["CITY eq 'a' ADN AMOUNT eq 1", 12, 'Did you mean and?'],
    ["CITY like '%a'", 5, 'Expected an operator'],
    ['CITY eq "a"', 8, 'strings stand in single quotes'],
    ["CITY eq 'a", 8, 'no closing quote'],
    ["CITY eq 'a' 'b'", 12, 'and, or or the end of the filter, but there is a string'],
    ["CITY eq 'a' and", 15, 'the filter ends here'],
    ["CITY eq 'a' and and AMOUNT eq 1", 16, 'a field or RECORD.FIELD, but there is "and"'],
    ["(CITY eq 'a'", 12, 'and, or or a closing parenthesis'],
    ["CITY eq 'a')", 11, 'there is ")"'],
    ['CITY eq NULL', 8, "write null, or 'NULL' in quotes for the text"],
    ['BLOCKED eq True', 11, 'write true'],
    ['CITY eq and', 8, 'Expected a value'],
    ['CITY eq tolower(NAME)', 8, 'Expected a value'],
    ["CITY in 'a'", 8, "a list such as ('a','b')"],
    ["CITY in ('a' 'b')", 13, 'a comma or a closing parenthesis'],
    ['CITY in ()', 9, 'Expected a value'],
    ["CITY in ('a',)", 13, 'Expected a value'],
    ['CITY is 5', 8, 'null or not null'],
    ['CITY is not 5', 12, 'Expected null'],
    ['CITY is NULL', 8, 'write null'],
    ["CITY not contains 'a'", 9, 'Expected eq or in'],
    ["Contains(CITY,'a')", 0, 'write contains'],
    ["contians(CITY,'a')", 0, 'Did you mean contains?'],
    ["contains('a',CITY)", 9, 'a field or RECORD.FIELD'],
    ['contains(CITY)', 13, 'a comma and a string'],
    ["contains(CITY,'a','b')", 17, 'a closing parenthesis'],
    ["lower(CITY) eq 'a'", 0, 'one of the functions contains startswith endswith tolower'],
    ["contains(tolwer(CITY),'a')", 9, 'Did you mean tolower?'],
    ["tolower(CITY, 'x') eq 'a'", 12, 'a closing parenthesis of tolower'],
    ['NOT (CITY eq 1)', 0, 'write not'],
    ['NOT CITY eq 1', 0, 'write not'],
    ["'a' eq CITY", 0, 'a field stands on the left'],
    ['5 lt AMOUNT', 0, 'a field stands on the left'],
    ["CITY eq 'a\0'", 10, 'U+0000'],
    ["CITY eq '\ud800'", 9, 'U+D800'],
    ['A.B..C eq 1', 0, 'a field or RECORD.FIELD'],
    ['1A eq 1', 0, 'a field or RECORD.FIELD'],
    ["CITY eq 'a'; drop table x", 11, '";" means nothing here'],
    ["CITY eq 'a',AMOUNT eq 1", 11, 'there is ","'],
  ])('rejects %j at position %i', (text, position, message) => {
    const fault = faultOf(text);
    expect(fault?.position).toBe(position);
    expect(fault?.message).toContain(message);
    expect(fault?.rule).toBe('syntax');
  });
});

describe('a repeated filter parameter', () => {
  it('is split at commas outside quotes and parentheses, with the positions of each value', () => {
    const parsing = parseDataFilters(["A eq 'x,y', B in (1,2),contains(C,'z')", 'D eq 1']);
    if (!parsing.ok) throw new Error(parsing.fault.message);
    expect(parsing.value.map(({ valueIndex, expression }) => [valueIndex, printDataFilter(expression)])).toEqual([
      [0, "A eq 'x,y'"],
      [0, 'B in (1, 2)'],
      [0, "contains(C, 'z')"],
      [1, 'D eq 1'],
    ]);
    expect(parsing.value.map(({ expression }) => 'field' in expression && expression.field.start)).toEqual([
      0, 12, 32, 0,
    ]);
  });

  it.each([
    [['A eq 1', 'B eq 2,C = 3'], 1, 9],
    [['A eq 1,'], 0, 7],
    [['A eq 1,,B eq 2'], 0, 7],
    [['A eq 1', ''], 1, 0],
    [['(A eq 1, B eq 2)'], 0, 7],
  ])('reports which value of %j has the fault', (values, valueIndex, position) => {
    expect(parseDataFilters(values)).toMatchObject({ ok: false, fault: { valueIndex, position, rule: 'syntax' } });
  });

  it('applies one limit of characters to all values', () => {
    const value = `A eq '${'x'.repeat(32_758)}'`;
    expect(parseDataFilters([value, value]).ok).toBe(true);
    expect(parseDataFilters([value, value, 'B eq 1234567'])).toMatchObject({
      ok: false,
      fault: { rule: 'charactersMax', valueIndex: 2, position: 65_536 - 2 * value.length },
    });
  });

  it('is empty when there is no value', () => expect(parseDataFilters([])).toEqual({ ok: true, value: [] }));
});

describe('the limits of a data filter', () => {
  it('rejects the 65,537th character before scanning', () => {
    expect(faultOf(`CITY eq '${'x'.repeat(65_536)}'`)).toMatchObject({ position: 65_536, rule: 'charactersMax' });
  });

  it('accepts 32 levels of nesting and rejects the 33rd', () => {
    const nested = (levels: number) => `${'('.repeat(levels)}A eq 1${')'.repeat(levels)}`;
    expect(faultOf(nested(32))).toBeUndefined();
    expect(faultOf(nested(33))).toMatchObject({ position: 32, rule: 'depthMax' });
    expect(faultOf(`${'not '.repeat(33)}A eq 1`)).toMatchObject({ rule: 'depthMax' });
    expect(faultOf(`${'tolower('.repeat(33)}A${')'.repeat(33)} eq 'a'`)).toMatchObject({ rule: 'depthMax' });
  });

  it('rejects the 10,001st value of a list', () => {
    const list = (values: number) => `A in (${Array.from({ length: values }, () => '1').join(',')})`;
    expect(faultOf(list(10_000))).toBeUndefined();
    expect(faultOf(list(10_001))).toMatchObject({ rule: 'listValuesMax' });
  });

  it('rejects more conditions than the node limit', () => {
    const chain = Array.from({ length: 501 }, () => 'A eq 1').join(' or ');
    expect(faultOf(chain)).toMatchObject({ rule: 'nodesMax' });
  });
});
