import { describe, expect, it } from '@jest/globals';
import { parseDataFilter } from '@tessera/filter';
import { createQuery, fullAccessCaller, purchaseViewFor, refusalMessagesFor } from '../testing/purchase-model.js';
import type { DataQuery } from './data-query.js';
import { resolveQuery } from './resolve-query.js';

type Asked = Partial<DataQuery>;

const ofItem = (members: Asked): Asked => ({ record: 'ITEM', fields: 'all', ...members });
const ofPlants = (members: Asked): Asked => ({ fields: ['ITEM.PLANT'], ...members });
const matching = (...filterExpressions: readonly string[]): Asked => ofItem({ filterExpressions });
const matchingAll = (...filterExpressions: readonly string[]): Asked => ofPlants({ filterExpressions });

const view = purchaseViewFor(fullAccessCaller);

type Refused = readonly [asked: Asked, ...told: readonly string[]];

describe('the resolver rejects a filter of the model', () => {
  it.each<Refused>([
    [ofPlants({ filterIds: ['LARG'] }), 'KM_FILTER_NOTFOUND', 'There is no filter LARG. Did you mean LARGE?'],
    [ofPlants({ filterIds: ['large'] }), 'KM_FILTER_NOTFOUND', 'There is no filter large. Did you mean LARGE?'],
    [
      ofPlants({ filterIds: ['QQQ'] }),
      'KM_FILTER_NOTFOUND',
      'There is no filter QQQ; expected one of LARGE, VALUABLE, VALUABLE_OR_OURS, VALUABLE_AND_OURS, NOTED, WITH_BANK, WITH_BRANCHES.',
    ],
    [
      ofPlants({ filterIds: [''] }),
      'KM_FILTER_NOTFOUND',
      'There is no filter ""; expected one of LARGE, VALUABLE, VALUABLE_OR_OURS, VALUABLE_AND_OURS, NOTED, WITH_BANK, WITH_BRANCHES.',
    ],
    [
      ofPlants({ filterIds: ["ITEM.PLANT eq 'P1'"] }),
      'KM_FILTER_NOTFOUND',
      "ITEM.PLANT eq 'P1' is an expression, which filterExpr takes; filters takes ids of filters.",
    ],
    [
      ofPlants({ filterIds: ['LARGE', 'Q1', 'VALUABEL'] }),
      'KM_FILTER_NOTFOUND',
      'There is no filter Q1; expected one of LARGE, VALUABLE, VALUABLE_OR_OURS, VALUABLE_AND_OURS, NOTED, WITH_BANK, WITH_BRANCHES.',
      'There is no filter VALUABEL. Did you mean VALUABLE?',
    ],
    [
      ofItem({ filterIds: ['VALUABLE'] }),
      'GENERAL_PARAMETER_MISSMATCH',
      'The filter VALUABLE names the KPI ORDER_VALUE; KPIs can be filtered at the level of the model only.',
    ],
    [
      ofItem({ filterIds: ['VALUABLE_AND_OURS'] }),
      'GENERAL_PARAMETER_MISSMATCH',
      'The filter VALUABLE_AND_OURS names the KPI ORDER_VALUE; KPIs can be filtered at the level of the model only.',
    ],
    [
      { fields: ['ORDER.YEAR'], filterIds: ['VALUABLE_OR_OURS'] },
      'GENERAL_PARAMETER_MISSMATCH',
      'The filter VALUABLE_OR_OURS joins a KPI with a field in one condition; name ITEM.PLANT in fields as well.',
    ],
    [
      { kpis: ['ORDER_VALUE'], filterIds: ['LARGE', 'VALUABLE_OR_OURS'] },
      'GENERAL_PARAMETER_MISSMATCH',
      'The filter VALUABLE_OR_OURS joins a KPI with a field in one condition; name ITEM.PLANT in fields as well.',
    ],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});

describe('the resolver rejects a name in a filter expression', () => {
  it.each<Refused>([
    [
      matching('AMUONT gt 1'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (AMUONT gt 1), character 1: There is no field AMUONT in ITEM. Did you mean AMOUNT?',
    ],
    [
      matching("PLANT eq 'P1' and ITEM.AMUONT gt 1"),
      'KM_FIELD_NOTFOUND',
      "filterExpr (PLANT eq 'P1' and ITEM.AMUONT gt 1), character 19: There is no field AMUONT in ITEM. Did you mean ITEM.AMOUNT?",
    ],
    [
      matching("CITY eq 'Rome'"),
      'KM_FIELD_NOTFOUND',
      "filterExpr (CITY eq 'Rome'), character 1: There is no field CITY in ITEM; of another record it is written SUPPLIER.CITY.",
    ],
    [
      matching("SUPLIER.CITY eq 'Rome'"),
      'KM_FIELD_NOTFOUND',
      "filterExpr (SUPLIER.CITY eq 'Rome'), character 1: There is no record SUPLIER. Did you mean SUPPLIER.CITY?",
    ],
    [
      matching("SUPPLIER.CTIY eq 'Rome'"),
      'KM_FIELD_NOTFOUND',
      "filterExpr (SUPPLIER.CTIY eq 'Rome'), character 1: There is no field CTIY in SUPPLIER. Did you mean SUPPLIER.CITY?",
    ],
    [
      matching('ID eq 1'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (ID eq 1), character 1: There is no field ID in ITEM; of another record it is written SUPPLIER.ID or INVOICE.ID.',
    ],
    [
      matching('XYZ eq 1'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (XYZ eq 1), character 1: There is no field XYZ in ITEM; expected one of ORDER_NO, ITEM_NO, AMOUNT, PLANT, DUE, NOTE, BANK, SIZE, BRANCH, BRANCH_LENGTH, LATE.',
    ],
    [
      matching('not (length(PLNT) gt 1)'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (not (length(PLNT) gt 1)), character 13: There is no field PLNT in ITEM. Did you mean PLANT?',
    ],
    [
      matching('AMOUNT gt 1 and AMUONT gt 1 and PLNT eq 1'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (AMOUNT gt 1 and AMUONT gt 1 and PLNT eq 1), character 17: There is no field AMUONT in ITEM. Did you mean AMOUNT?',
      'filterExpr (AMOUNT gt 1 and AMUONT gt 1 and PLNT eq 1), character 33: There is no field PLNT in ITEM. Did you mean PLANT?',
    ],
    [
      matching('ORDER_VALUE gt 5'),
      'KM_FILTER_TYPE',
      'filterExpr (ORDER_VALUE gt 5), character 1: ORDER_VALUE is a KPI; KPIs can be filtered at the level of the model only.',
    ],
    [
      matching('ITEM.ORDER_VALUE gt 5'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (ITEM.ORDER_VALUE gt 5), character 1: ORDER_VALUE is a KPI, which is written without a record. Did you mean ORDER_VALUE?',
    ],
    [
      matching("NOTE eq 'x'"),
      'KM_FIELD_NOTFOUND',
      "filterExpr (NOTE eq 'x'), character 1: NOTE is not filterable; filter by another field.",
    ],
    [
      matching("AMOUNT gt 1 and contains(ITEM.NOTE, 'x')"),
      'KM_FIELD_NOTFOUND',
      "filterExpr (AMOUNT gt 1 and contains(ITEM.NOTE, 'x')), character 26: ITEM.NOTE is not filterable; filter by another field.",
    ],
    [
      matchingAll("PLANT eq 'P1'"),
      'KM_FIELD_NOTFOUND',
      "filterExpr (PLANT eq 'P1'), character 1: At the level of the model a field is written with its record. Did you mean ITEM.PLANT?",
    ],
    [
      matchingAll('AMOUNT gt 1'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (AMOUNT gt 1), character 1: At the level of the model a field is written with its record: ITEM.AMOUNT or INVOICE.AMOUNT.',
    ],
    [
      matchingAll('ORDER_VALEU gt 1'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (ORDER_VALEU gt 1), character 1: There is no field or KPI ORDER_VALEU. Did you mean ORDER_VALUE?',
    ],
    [
      matchingAll('AMUONT gt 1'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (AMUONT gt 1), character 1: There is no field or KPI AMUONT. Did you mean ITEM.AMOUNT?',
    ],
    [
      matchingAll('XYZ eq 1'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (XYZ eq 1), character 1: There is no field or KPI XYZ; a field is written with its record, as RECORD.FIELD.',
    ],
    [
      matchingAll("ITEM.NOTE eq 'x'"),
      'KM_FIELD_NOTFOUND',
      "filterExpr (ITEM.NOTE eq 'x'), character 1: ITEM.NOTE is not filterable; filter by another field.",
    ],
    [
      matchingAll('ITEM.ORDER_VALUE gt 1'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (ITEM.ORDER_VALUE gt 1), character 1: ORDER_VALUE is a KPI, which is written without a record. Did you mean ORDER_VALUE?',
    ],
    [
      matchingAll("NOTHING.XYZ eq 'a'"),
      'KM_FIELD_NOTFOUND',
      "filterExpr (NOTHING.XYZ eq 'a'), character 1: There is no record NOTHING; expected one of ITEM, ORDER, SUPPLIER, INVOICE, RATE.",
    ],
    [
      matchingAll('length(ITEM.PLNT) gt 1'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (length(ITEM.PLNT) gt 1), character 8: There is no field PLNT in ITEM. Did you mean ITEM.PLANT?',
    ],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});

const parsed = (text: string): Asked => {
  const isField = (name: string) => /^[A-Z_.]+$/.test(name);
  const parsing = parseDataFilter(text, { dialect: 'odata', isField });
  if (!parsing.ok) throw new Error(parsing.fault.message);
  return { parsedFilters: [{ parameter: '$filter', text, expression: parsing.value }] };
};

describe('the resolver rejects a value that cannot be computed', () => {
  it.each([
    ['PLANT add 1 gt 5', '1: add takes an integer or a float, but this is a string.'],
    ["AMOUNT mul 'x' gt 5", '12: mul takes an integer or a float, but this is a string.'],
    ['-PLANT eq 5', '2: A minus takes an integer or a float, but this is a string.'],
    ['length(AMOUNT) eq PLANT', '8: length takes a string, but this is a float.'],
    ['indexof(PLANT, AMOUNT) eq 5', '16: indexof takes a string, but this is a float.'],
    ['substring(PLANT, AMOUNT) eq PLANT', '18: substring takes an integer, but this is a float.'],
    ['date(PLANT) eq 2020-01-01', '6: date takes a date or a datetime or a timestamp, but this is a string.'],
    ['PLANT eq AMOUNT', '10: eq compares a string with a float; both sides are of one type.'],
    ['contains(PLANT, AMOUNT)', '17: contains takes a string, but this is a float.'],
    ['AMOUNT add 1 eq PLNT', '17: There is no field PLNT in ITEM. Did you mean PLANT?'],
    ['trim(NOTE) eq PLANT', '6: NOTE is not filterable; filter by another field.'],
    ['ORDER_VALUE add 1 gt 5', '1: ORDER_VALUE is a KPI; KPIs can be filtered at the level of the model only.'],
    [
      "AMOUNT add 1 eq 'x'",
      "17: AMOUNT add 1 is a float; expected a number such as 12.5, but there is the string 'x'.",
    ],
    ['date(DUE) add 1 gt 5', '1: add takes an integer or a float, but this is a date.'],
    ['year(2020-13-01) eq 5', '6: 2020-13-01 is no date: there is no month 13.'],
  ])('%s: %s', (text, told) => {
    expect(refusalMessagesFor(view, ofItem(parsed(text)))).toEqual([
      expect.any(String),
      `$filter (${text}), character ${told}`,
    ]);
  });
});

describe('the resolver with a parsed filter', () => {
  it.each<Refused>([
    [
      ofItem(parsed("AMUONT gt 5 or SUPPLIER/CTIY eq 'Rome'")),
      'KM_FIELD_NOTFOUND',
      "$filter (AMUONT gt 5 or SUPPLIER/CTIY eq 'Rome'), character 1: There is no field AMUONT in ITEM. Did you mean AMOUNT?",
      "$filter (AMUONT gt 5 or SUPPLIER/CTIY eq 'Rome'), character 16: There is no field CTIY in SUPPLIER. Did you mean SUPPLIER.CITY?",
    ],
    [
      ofItem(parsed("NOTE eq 'x'")),
      'KM_FIELD_NOTFOUND',
      "$filter (NOTE eq 'x'), character 1: NOTE is not filterable; filter by another field.",
    ],
    [
      ofItem(parsed('ORDER_VALUE gt 5')),
      'KM_FILTER_TYPE',
      '$filter (ORDER_VALUE gt 5), character 1: ORDER_VALUE is a KPI; KPIs can be filtered at the level of the model only.',
    ],
    [
      ofItem({ ...parsed('PLANT eq 5'), filterExpressions: ['DUE gt 5'] }),
      'KM_FILTER_TYPE',
      'filterExpr (DUE gt 5), character 8: DUE is a date; expected a date such as 2015-05-07, but there is the number 5.',
      "$filter (PLANT eq 5), character 10: PLANT is a string; expected a string in single quotes such as 'value', but there is the number 5. Did you mean '5'?",
    ],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });

  it('reports a fault with the parameter and the position in its text', () => {
    const refused = resolveQuery(view, createQuery(ofItem(parsed('AMOUNT gt 1 and PLNT eq null'))));
    expect(refused).toMatchObject({
      failure: { faults: [{ in: 'query', path: '$filter', rule: 'field', position: 16, suggestion: 'PLANT' }] },
    });
  });

  it('returns the same row filters as for the text of its expression', () => {
    const text = "AMOUNT gt 1 and SUPPLIER.CITY eq 'Rome'";
    const rowsOf = (asked: Asked) => {
      const resolved = resolveQuery(view, createQuery(asked));
      return resolved.ok ? resolved.value.rowFilters : [];
    };
    expect(rowsOf(ofItem(parsed(text)))).toEqual(rowsOf(matching(text)));
    expect(rowsOf(matching(text))).toHaveLength(2);
  });
});

describe('the resolver rejects a KPI beside a field that makes no groups', () => {
  it.each<Refused>([
    [
      { fields: ['ORDER.YEAR'], filterExpressions: ["ORDER_VALUE gt 5 or ITEM.PLANT eq 'P1'"] },
      'GENERAL_PARAMETER_MISSMATCH',
      "filterExpr (ORDER_VALUE gt 5 or ITEM.PLANT eq 'P1'), character 21: A condition that joins a KPI with a field needs the field to be asked for; name ITEM.PLANT in fields.",
    ],
    [
      { kpis: ['ORDER_VALUE'], filterExpressions: ['not (ORDER_VALUE gt 5 and ORDER.YEAR eq 2020)'] },
      'GENERAL_PARAMETER_MISSMATCH',
      'filterExpr (not (ORDER_VALUE gt 5 and ORDER.YEAR eq 2020)), character 27: A condition that joins a KPI with a field needs the field to be asked for; name ORDER.YEAR in fields.',
    ],
    [
      { kpis: ['ORDER_VALUE'], filterExpressions: ['ORDER_VALUE gt 5', 'ORDER.YEAR eq 2020 or ORDER_VALUE gt null'] },
      'GENERAL_PARAMETER_MISSMATCH',
      'filterExpr 2 of 2 (ORDER.YEAR eq 2020 or ORDER_VALUE gt null), character 1: A condition that joins a KPI with a field needs the field to be asked for; name ORDER.YEAR in fields.',
    ],
    [
      { kpis: ['ORDER_VALUE'], filterExpressions: ['ORDER_VALUE gt 5 or ITEM.DUE gt null'] },
      'GENERAL_PARAMETER_MISSMATCH',
      'filterExpr (ORDER_VALUE gt 5 or ITEM.DUE gt null), character 21: A condition that joins a KPI with a field needs the field to be asked for; name ITEM.DUE in fields.',
    ],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});
