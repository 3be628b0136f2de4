import { describe, expect, it } from '@jest/globals';
import { compileFilter } from './compile-filter.js';
import { parseDataFilter } from './parse-data-filter.js';
import { typeCheckFilter, type TypingOptions } from './type-filter.js';
import type { FieldDeclaration } from './typed-filter.js';

const fields: ReadonlyMap<string, FieldDeclaration> = new Map(
  [
    ['CITY', 'string'],
    ['PO_ITEM.PLANT', 'string'],
    ['COUNT', 'integer'],
    ['AMOUNT', 'float'],
    ['BLOCKED', 'boolean'],
    ['DUE', 'date'],
    ['OPENS', 'time'],
    ['SEEN', 'datetime'],
    ['SENT', 'timestamp'],
  ].map(([name = '', type]) => [name, { type, nullable: true } as FieldDeclaration]),
).set('ORDER_VALUE', { type: 'float', nullable: true, isKpi: true });

const typed = (text: string, options?: TypingOptions) => {
  const parsed = parseDataFilter(text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  return typeCheckFilter(parsed.value, fields, options);
};
const faultsOf = (text: string, options?: TypingOptions) => {
  const typing = typed(text, options);
  return typing.ok ? [] : typing.faults;
};
const valueOf = (text: string): unknown => {
  const typing = typed(text);
  if (!typing.ok) return typing.faults[0]?.message;
  if (typing.value.kind !== 'compare') return undefined;
  const { origin: _origin, ...value } = typing.value.value;
  return value;
};

describe('the type of a field', () => {
  it.each([
    ["CITY eq 'a'", { kind: 'string', text: 'a' }],
    ['CITY eq DE', { kind: 'string', text: 'DE' }],
    ['COUNT eq 1e3', { kind: 'integer', text: '1000' }],
    ["COUNT eq '-9223372036854775808'", { kind: 'integer', text: '-9223372036854775808' }],
    ['COUNT eq 9223372036854775808', { kind: 'decimal', text: '9223372036854775808' }],
    ['COUNT eq 0.50', { kind: 'decimal', text: '0.50' }],
    ['COUNT eq -0.0e5', { kind: 'integer', text: '0' }],
    ['COUNT eq 120e-1', { kind: 'integer', text: '12' }],
    ['COUNT eq 1e999', { kind: 'decimal', text: '1e999' }],
    ['AMOUNT eq 12345678901234567890.1', { kind: 'decimal', text: '12345678901234567890.1' }],
    ['BLOCKED eq false', { kind: 'boolean', value: false }],
    ["BLOCKED eq 'True'", { kind: 'boolean', value: true }],
    ["DUE eq '2015-05-07'", { kind: 'date', text: '2015-05-07' }],
    ['OPENS eq 12:30', { kind: 'time', from: '12:30:00.000000', before: '12:31:00.000000' }],
    ['OPENS eq 23:59:59.999999', { kind: 'time', from: '23:59:59.999999', before: '24:00:00' }],
    ['DUE eq 2015-05-07T23:59:59', { kind: 'date', text: '2015-05-07' }],
    ['DUE gt 2015-05-07T08:30Z', { kind: 'date', text: '2015-05-07' }],
    ['DUE le 2015-05-07T01:30+02:00', { kind: 'date', text: '2015-05-06' }],
    ['DUE lt 9999-12-31T23:30-02:00', { kind: 'date', text: '10000-01-01' }],
    ['SEEN eq 2015-05-07', { kind: 'datetime', from: '2015-05-07T00:00:00', before: '2015-05-08T00:00:00' }],
    ['SEEN eq 9999-12-31', { kind: 'datetime', from: '9999-12-31T00:00:00', before: '10000-01-01T00:00:00' }],
    ['SEEN eq 2016-02-29T23:59', { kind: 'datetime', from: '2016-02-29T23:59:00', before: '2016-03-01T00:00:00' }],
    [
      'SENT eq 1969-12-31T23:30:00.5-01:00',
      { kind: 'timestamp', from: '1970-01-01T00:30:00.500000', before: '1970-01-01T00:30:00.600000' },
    ],
    [
      'SENT eq 1969-12-31T23:59:59.999999Z',
      { kind: 'timestamp', from: '1969-12-31T23:59:59.999999', before: '1970-01-01T00:00:00' },
    ],
  ])('determines the typed value of %s', (text, value) => {
    const shown = valueOf(text);
    expect(JSON.parse(JSON.stringify(shown).replaceAll('.000000"', '"'))).toEqual(
      JSON.parse(JSON.stringify(value).replaceAll('.000000"', '"')),
    );
  });

  it.each([
    [
      'CITY eq 5',
      8,
      "CITY is a string; expected a string in single quotes such as 'value', but there is the number 5. Did you mean '5'?",
    ],
    ['CITY in (a, 2015-05-07)', 12, "the date 2015-05-07. Did you mean '2015-05-07'?"],
    ['CITY eq true', 8, "the boolean true. Did you mean 'true'?"],
    ['CITY eq COUNT', 8, "COUNT is a field; fields compare with values. Write 'COUNT' for the text."],
    ['COUNT eq many', 9, 'COUNT is an integer; expected a number such as 12, but there is the word many.'],
    ["COUNT eq ''", 9, "the string ''"],
    ['COUNT in (1, true)', 13, 'the boolean true'],
    ["AMOUNT gt '12,5'", 10, "AMOUNT is a float; expected a number such as 12.5, but there is the string '12,5'."],
    ['AMOUNT gt 1e400', 10, 'expected a number'],
    ['AMOUNT gt 1e-400', 10, 'expected a number'],
    ['BLOCKED eq 1', 11, 'BLOCKED is a boolean; expected true or false'],
    ['BLOCKED gt true', 0, 'BLOCKED is a boolean; use eq, ne or in.'],
    ['DUE eq 2015-02-29', 7, 'DUE is a date; 2015-02-29 is none: month 02 of 2015 has no day 29.'],
    ['DUE eq 0000-01-01', 7, '0000-01-01 is none: there is no year 0000.'],
    ['DUE eq 2015-13-01', 7, '2015-13-01 is none: there is no month 13.'],
    ['DUE eq 2015-00-01', 7, '2015-00-01 is none: there is no month 00.'],
    ['DUE eq 2015-02-29T08:30', 7, '2015-02-29T08:30 is none: month 02 of 2015 has no day 29.'],
    ['DUE eq 12:30', 7, 'the time 12:30'],
    ['DUE eq today', 7, 'the word today'],
    ['OPENS eq 24:00', 9, 'OPENS is a time; 24:00 is none: there is no hour 24.'],
    ['OPENS eq 12:30:00.1234567890123', 9, 'a second has at most 12 digits behind the point, and here are 13.'],
    ['SEEN gt 2015-05-07T24:00', 8, 'SEEN is a datetime; 2015-05-07T24:00 is none: there is no hour 24.'],
    ['SEEN gt 2015-05-07T08:60', 8, 'there is no minute 60.'],
    ['SEEN gt 2015-05-07T08:00:60', 8, 'there is no second 60.'],
    ["SEEN gt '2015-05-07T08:00:00.0000000000000'", 8, 'at most 12 digits behind the point, and here are 13.'],
    [
      'SENT gt 2015-05-07T08:00+15:00',
      8,
      'SENT is a timestamp; 2015-05-07T08:00+15:00 is none: there is no zone +15:00; zones go from -14:00 to +14:00',
    ],
    ['SENT gt 2015-05-07T08:00+12:60', 8, 'there is no zone +12:60'],
    ['SENT gt 2015-05-07T08:00+0200', 8, 'a zone is Z or written as +02:00, not +0200.'],
    ['SENT gt 2015-05-07T08:00:00z', 8, 'a zone is Z or written as +02:00, not z.'],
    ['SENT gt 0001-01-01T00:00+01:00', 8, 'in UTC it is before the year 0001.'],
    ['SENT gt 12:30', 8, 'the time 12:30'],
    ['COUNT in (1, null)', 13, 'there is null, for which COUNT eq null asks'],
    ["contains(COUNT, '1')", 9, 'COUNT is an integer; contains takes a string.'],
    ['contains(CITY, null)', 15, 'there is null'],
    ['contains(CITY, 5)', 15, "Did you mean '5'?"],
    ['year(CITY) eq 2015', 5, 'CITY is a string; year takes a date, a datetime or a timestamp.'],
    ['year(OPENS) eq 2015', 5, 'OPENS is a time; year takes'],
    ['length(COUNT) eq 1', 7, 'COUNT is an integer; length takes a string.'],
    ["length(CITY) eq 'long'", 16, 'length(CITY) is an integer; expected a number such as 12'],
    ['tolower(length(CITY)) eq x', 15, 'length(CITY) is an integer; tolower takes a string.'],
    ['ORDER_VALUE gt 5', 0, 'ORDER_VALUE is a KPI; KPIs can be filtered at the level of the model only.'],
  ])('rejects %s at position %i', (text, position, message) => {
    expect(faultsOf(text)).toEqual([expect.objectContaining({ position, rule: 'type' })]);
    expect(faultsOf(text)[0]?.message).toContain(message);
  });

  it('allows KPIs in filters of a whole model and marks them as KPIs', () => {
    const typing = typed('ORDER_VALUE gt 5', { kpis: true });
    expect(typing).toMatchObject({ ok: true, value: { kind: 'compare', operand: { field: { isKpi: true } } } });
  });
});

describe('the name of a field', () => {
  it.each([
    ["CTIY eq 'a'", 0, 'CITY'],
    ["BLOCKED eq true and city eq 'a'", 20, 'CITY'],
    ["contains(PO_ITEM.PLANTS, 'a')", 9, 'PO_ITEM.PLANT'],
    ["NOTHING_LIKE_IT eq 'a'", 0, undefined],
  ])('is rejected when it is unknown: %s', (text, position, suggestion) => {
    const [fault] = faultsOf(text);
    expect(fault).toMatchObject({ position, rule: 'field' });
    expect(fault?.suggestion).toBe(suggestion);
  });

  it('is reported together with the other faults', () => {
    expect(faultsOf("CTIY eq 'a' and COUNT eq x and DUE eq y").map(({ position }) => position)).toEqual([0, 25, 38]);
    expect(faultsOf(Array.from({ length: 9 }, () => 'X eq 1').join(' or '))).toHaveLength(5);
  });
});

describe('a filter that can never match', () => {
  const sqlOf = (text: string): unknown => {
    const typing = typed(text);
    return typing.ok && compileFilter(typing.value, (_field, name) => ({ kind: 'column', name }));
  };

  it('compiles an order comparison with null to false', () => {
    expect(sqlOf('COUNT gt null')).toEqual({ kind: 'constant', value: false });
    expect(sqlOf('not (COUNT le null)')).toEqual({ kind: 'not', operand: { kind: 'constant', value: false } });
  });
});
