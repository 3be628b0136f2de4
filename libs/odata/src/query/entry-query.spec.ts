import { describe, expect, it } from '@jest/globals';
import type { ValueType } from '@tessera/contracts/knowledge-models';
import { printDataFilter } from '@tessera/filter/testing';
import { createSampleModel, findSampleType } from '../testing/sample-types.js';
import { buildEntryQuery } from './entry-query.js';

const typeOf = (fields: Record<string, ValueType>, key: readonly string[]) =>
  findSampleType(createSampleModel({ R: { fields: { ...fields, NOTE: 'string' }, key } }), 'R');
const model = createSampleModel({});
const item = typeOf({ ORDER_x002D_NO: 'string', NO: 'integer' }, ['ORDER_x002D_NO', 'NO']);

/** The condition in words, or the code and the faults. */
const asked = (type: typeof item, key: string): string => {
  const result = buildEntryQuery(type, model, { key });
  if (result.ok)
    return (result.value.query.parsedFilters ?? []).map(({ expression }) => printDataFilter(expression)).join();
  const { code, faults = [] } = result.failure;
  return [code, ...faults.map(({ message, position }) => `[${position}] ${message}`)].join(' ');
};

describe('a key', () => {
  it.each<readonly [ValueType, string, string]>([
    ['string', "('4711')", "ID eq '4711'"],
    ['string', "( 'it''s' )", "ID eq 'it''s'"],
    ['string', "(ID='a,b=(c)')", "ID eq 'a,b=(c)'"],
    ['string', "('')", "ID eq ''"],
    ['integer', '(1)', 'ID eq 1'],
    ['integer', '(-9223372036854775808)', 'ID eq -9223372036854775808'],
    ['float', '(1.50)', 'ID eq 1.50'],
    ['boolean', '(true)', 'ID eq true'],
    ['date', '(2015-05-07)', 'ID eq 2015-05-07'],
    ['time', '(08:30)', 'ID eq 08:30:00.000000'],
    ['time', '(08:30:15.5)', 'ID eq 08:30:15.500000'],
    ['timestamp', '(2015-05-07T08:30:00Z)', 'ID eq 2015-05-07T08:30:00.000000Z'],
    ['timestamp', '(2015-05-07T08:30+02:00)', 'ID eq 2015-05-07T08:30:00.000000+02:00'],
    ['datetime', '(2015-05-07T08:30:00.123456Z)', 'ID eq 2015-05-07T08:30:00.123456Z'],
    ['timestamp', '(2015-05-07T08:30:00.1234567Z)', 'ID eq 2015-05-07T08:30:00.1234567Z'],
  ])('of type %s: %s', (type, key, expected) => expect(asked(typeOf({ ID: type }, ['ID']), key)).toBe(expected));

  it('accepts its parts in any order, by names or ids', () => {
    const expected = "ORDER-NO eq 'a' and NO eq 1";
    expect(asked(item, "(ORDER_x002D_NO='a',NO=1)")).toBe(expected);
    expect(asked(item, "( ORDER-NO = 'a' , NO = 1 )")).toBe(expected);
    expect(asked(item, "(NO=1,ORDER-NO='a')")).toBe("NO eq 1 and ORDER-NO eq 'a'");
  });

  it.each([
    ["('a',1)", 'GENERAL_PARAMETER_ILLEGAL [1] key, character 2: Each part of a key is written with its name'],
    [
      "(ORDER-NO='a')",
      "GENERAL_PARAMETER_ILLEGAL [13] key, character 14: NO is missing; a key is (ORDER_x002D_NO='text',NO=4711).",
    ],
    ["(ORDER-NO='a',NO=1,NO=1)", 'GENERAL_PARAMETER_ILLEGAL [19] key, character 20: NO stands there twice.'],
    [
      "(ORDER-NO='a',NOO=1)",
      'GENERAL_PARAMETER_ILLEGAL [14] key, character 15: NOO is no part of the key, which is ORDER_x002D_NO, NO. Did you mean NO?',
    ],
    ["(ORDER-NO='a',NOTE=1)", 'GENERAL_PARAMETER_ILLEGAL [14]'],
    [
      "(ORDER-NO='a',NO='1')",
      "KM_FILTER_TYPE [17] key, character 18: NO is Edm.Int64; expected a value such as 4711, but there is '1'.",
    ],
    [
      '(ORDER-NO=a,NO=1)',
      "KM_FILTER_TYPE [10] key, character 11: ORDER_x002D_NO is Edm.String; expected a value such as 'text', but there is a.",
    ],
    ['(NO=x,ORDER-NO=1)', 'KM_FILTER_TYPE [4]'],
    ['(NO=null,ORDER-NO=1)', 'KM_FILTER_TYPE [4]'],
    ["(ORDER-NO='a';NO=1)", 'GENERAL_PARAMETER_ILLEGAL [1] key, character 2: Expected a key such as'],
    ['()', 'GENERAL_PARAMETER_ILLEGAL [1]'],
    ['(NO=1,)', 'GENERAL_PARAMETER_ILLEGAL [6]'],
    ['(NO=1', 'GENERAL_PARAMETER_ILLEGAL [1]'],
    ['(NO=1)x', 'GENERAL_PARAMETER_ILLEGAL [6]'],
    ['NO=1', 'GENERAL_PARAMETER_ILLEGAL [0]'],
    ["('a", 'GENERAL_PARAMETER_ILLEGAL [1]'],
    ["(ORDER-NO='a\0',NO=1)", 'GENERAL_PARAMETER_ILLEGAL [12]'],
    ["(NO=1,ORDER-NO='\ud800')", 'GENERAL_PARAMETER_ILLEGAL [16]'],
  ])('is refused when it is written as %s', (key, expected) => expect(asked(item, key)).toContain(expected));

  it.each<readonly [ValueType, string]>([
    ['integer', '(1.5.2)'],
    ['integer', '(true)'],
    ['float', '(1e999)'],
    ['boolean', '(1)'],
    ['date', '(2015-02-30)'],
    ['date', '(2015-05-07T08:30Z)'],
    ['time', '(24:00)'],
    ['timestamp', '(2015-05-07)'],
    ['timestamp', '(2015-05-07T08:30:00.1234567890123Z)'],
    ['string', '(4711)'],
  ])('of type %s is not %s', (type, key) =>
    expect(asked(typeOf({ ID: type }, ['ID']), key)).toContain('KM_FILTER_TYPE [1]'),
  );
});

it('an entry query selects one row with the selected properties', () => {
  const result = buildEntryQuery(item, model, { key: "(ORDER-NO='a',NO=1)", $select: 'NOTE' });
  expect(result).toMatchObject({
    value: {
      query: { record: 'R', fields: ['NOTE'], page: 0, pageSize: 1 },
      isSelected: true,
      shown: [{ name: 'NOTE' }],
    },
  });
});

it('an entry query reports the faults of the key and the selection at once', () => {
  const result = buildEntryQuery(item, model, { key: '(1)', $select: 'NOTEE' });
  expect(result).toMatchObject({ failure: { faults: [{ path: '$select' }, { path: 'key' }] } });
});

it('an entry query of a type without a key fails with not found', () => {
  expect(buildEntryQuery(typeOf({ ID: 'string' }, []), model, { key: "('a')" })).toMatchObject({
    failure: { code: 'GENERAL_NOTFOUND', detail: expect.stringContaining('R_entries') },
  });
});

describe('an entry without a key in its path', () => {
  it('is queried without a key condition, as the only entry of a navigation property', () => {
    const result = buildEntryQuery(item, model, { $select: 'NOTE' });
    expect(result).toMatchObject({ ok: true, value: { query: { fields: ['NOTE'], parsedFilters: [], pageSize: 1 } } });
  });

  it('can be of a type without a key', () => {
    const keyless = typeOf({ ID: 'string' }, []);
    expect(buildEntryQuery(keyless, model, {})).toMatchObject({ ok: true });
    expect(buildEntryQuery(keyless, model, { key: "('a')" })).toMatchObject({
      ok: false,
      failure: { code: 'GENERAL_NOTFOUND', detail: expect.stringContaining('Entries of R have no key') },
    });
  });
});
