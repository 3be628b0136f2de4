import { describe, expect, it } from '@jest/globals';
import { fullAccessCaller, restrictedCaller, purchaseViewFor, refusalMessagesFor } from '../testing/purchase-model.js';
import type { DataQuery } from './data-query.js';

type Asked = Partial<DataQuery>;

const ofItem = (members: Asked): Asked => ({ record: 'ITEM', fields: 'all', ...members });

const view = purchaseViewFor(fullAccessCaller);

type Refused = readonly [asked: Asked, ...told: readonly string[]];

describe('the resolver rejects an unknown record', () => {
  it.each<Refused>([
    [ofItem({ record: 'ITM' }), 'KM_RECORD_NOTFOUND', 'There is no record ITM in p2p. Did you mean ITEM?'],
    [ofItem({ record: 'item' }), 'KM_RECORD_NOTFOUND', 'There is no record item in p2p. Did you mean ITEM?'],
    [
      ofItem({ record: 'NOTHING_LIKE_IT' }),
      'KM_RECORD_NOTFOUND',
      'There is no record NOTHING_LIKE_IT in p2p; expected one of ITEM, ORDER, SUPPLIER, INVOICE, RATE.',
    ],
    [
      ofItem({ record: '' }),
      'KM_RECORD_NOTFOUND',
      'There is no record "" in p2p; expected one of ITEM, ORDER, SUPPLIER, INVOICE, RATE.',
    ],
    [
      ofItem({ record: 'constructor' }),
      'KM_RECORD_NOTFOUND',
      'There is no record constructor in p2p; expected one of ITEM, ORDER, SUPPLIER, INVOICE, RATE.',
    ],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});

describe('the resolver rejects a field at the level of a record', () => {
  it.each<Refused>([
    [ofItem({ fields: ['AMUONT'] }), 'KM_FIELD_NOTFOUND', 'There is no field AMUONT in ITEM. Did you mean AMOUNT?'],
    [ofItem({ fields: ['amount'] }), 'KM_FIELD_NOTFOUND', 'There is no field amount in ITEM. Did you mean AMOUNT?'],
    [
      ofItem({ fields: ['ITEM.AMOUNT'] }),
      'KM_FIELD_NOTFOUND',
      'At the level of a record fields are written by their ids alone. Did you mean AMOUNT?',
    ],
    [
      ofItem({ fields: ['ITEM.AMUONT'] }),
      'KM_FIELD_NOTFOUND',
      'There is no field AMUONT in ITEM. Did you mean AMOUNT?',
    ],
    [
      ofItem({ fields: ['ORDER.YEAR'] }),
      'KM_FIELD_NOTFOUND',
      'ORDER.YEAR is a field of another record; ask for it at the level of the model.',
    ],
    [
      ofItem({ fields: ['ORDER.YAER'] }),
      'KM_FIELD_NOTFOUND',
      'There is no field ORDER.YAER in ITEM; expected one of ORDER_NO, ITEM_NO, AMOUNT, PLANT, DUE, NOTE, BANK, SIZE, BRANCH, BRANCH_LENGTH, LATE.',
    ],
    [
      ofItem({ fields: ['CITY'] }),
      'KM_FIELD_NOTFOUND',
      'There is no field CITY in ITEM; SUPPLIER.CITY can be asked for at the level of the model.',
    ],
    [
      ofItem({ fields: ['ID'] }),
      'KM_FIELD_NOTFOUND',
      'There is no field ID in ITEM; SUPPLIER.ID or INVOICE.ID can be asked for at the level of the model.',
    ],
    [
      ofItem({ fields: ['ORDER_VALUE'] }),
      'KM_FIELD_NOTFOUND',
      'ORDER_VALUE is a KPI; KPIs are asked for at the level of the model.',
    ],
    [
      ofItem({ fields: ['XYZ'] }),
      'KM_FIELD_NOTFOUND',
      'There is no field XYZ in ITEM; expected one of ORDER_NO, ITEM_NO, AMOUNT, PLANT, DUE, NOTE, BANK, SIZE, BRANCH, BRANCH_LENGTH, LATE.',
    ],
    [
      ofItem({ fields: [''] }),
      'KM_FIELD_NOTFOUND',
      'There is no field "" in ITEM; expected one of ORDER_NO, ITEM_NO, AMOUNT, PLANT, DUE, NOTE, BANK, SIZE, BRANCH, BRANCH_LENGTH, LATE.',
    ],
    [
      ofItem({ fields: ['constructor'] }),
      'KM_FIELD_NOTFOUND',
      'There is no field constructor in ITEM; expected one of ORDER_NO, ITEM_NO, AMOUNT, PLANT, DUE, NOTE, BANK, SIZE, BRANCH, BRANCH_LENGTH, LATE.',
    ],
    [
      ofItem({ fields: ['x'.repeat(200)] }),
      'KM_FIELD_NOTFOUND',
      'There is no field xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... in ITEM; expected one of ORDER_NO, ITEM_NO, AMOUNT, PLANT, DUE, NOTE, BANK, SIZE, BRANCH, BRANCH_LENGTH, LATE.',
    ],
    [
      ofItem({ record: 'RATE', fields: ['DAY', 'EURO', 'QQQ'] }),
      'KM_FIELD_NOTFOUND',
      'There is no field EURO in RATE. Did you mean EUR?',
      'There is no field QQQ in RATE; expected one of DAY, EUR.',
    ],
    [ofItem({ fields: [] }), 'GENERAL_PARAMETER_MISSING', 'Name in fields what is asked for, e.g. ORDER_NO.'],
    [
      ofItem({ kpis: ['ORDER_VALUE'] }),
      'GENERAL_PARAMETER_MISSMATCH',
      'KPIs are asked for at the level of the model, not of a record.',
    ],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});

describe('the resolver rejects a field at the level of the model', () => {
  it.each<Refused>([
    [{ fields: ['ITEM.AMUONT'] }, 'KM_FIELD_NOTFOUND', 'There is no field AMUONT in ITEM. Did you mean ITEM.AMOUNT?'],
    [{ fields: ['ITM.AMOUNT'] }, 'KM_FIELD_NOTFOUND', 'There is no record ITM. Did you mean ITEM.AMOUNT?'],
    [{ fields: ['item.amount'] }, 'KM_FIELD_NOTFOUND', 'There is no record item. Did you mean ITEM.AMOUNT?'],
    [{ fields: ['ITEM.CITY'] }, 'KM_FIELD_NOTFOUND', 'There is no field CITY in ITEM; there is SUPPLIER.CITY.'],
    [
      { fields: ['ITEM.AMOUNT.X'] },
      'KM_FIELD_NOTFOUND',
      'There is no field AMOUNT.X in ITEM. Did you mean ITEM.AMOUNT?',
    ],
    [
      { fields: ['CITY'] },
      'KM_FIELD_NOTFOUND',
      'At the level of the model a field is written with its record. Did you mean SUPPLIER.CITY?',
    ],
    [
      { fields: ['AMOUNT'] },
      'KM_FIELD_NOTFOUND',
      'At the level of the model a field is written with its record: ITEM.AMOUNT or INVOICE.AMOUNT.',
    ],
    [{ fields: ['CTIY'] }, 'KM_FIELD_NOTFOUND', 'There is no field CTIY. Did you mean SUPPLIER.CITY?'],
    [{ fields: ['ITEM'] }, 'KM_FIELD_NOTFOUND', 'ITEM is a record; its fields are written ITEM.FIELD.'],
    [
      { fields: ['ITEM/AMOUNT'] },
      'KM_FIELD_NOTFOUND',
      'There is no field ITEM/AMOUNT; a field is written with its record, as RECORD.FIELD. Did you mean ITEM.AMOUNT?',
    ],
    [
      { fields: ['ITEM.'] },
      'KM_FIELD_NOTFOUND',
      'There is no field "" in ITEM; expected one of ORDER_NO, ITEM_NO, AMOUNT, PLANT, DUE, NOTE, BANK, SIZE, BRANCH, BRANCH_LENGTH, LATE.',
    ],
    [
      { fields: ['.AMOUNT'] },
      'KM_FIELD_NOTFOUND',
      'There is no record ""; expected one of ITEM, ORDER, SUPPLIER, INVOICE, RATE.',
    ],
    [
      { fields: [''] },
      'KM_FIELD_NOTFOUND',
      'There is no field ""; a field is written with its record, as RECORD.FIELD.',
    ],
    [
      { fields: ['XYZ'] },
      'KM_FIELD_NOTFOUND',
      'There is no field XYZ; a field is written with its record, as RECORD.FIELD.',
    ],
    [
      { fields: ['NOTHING.XYZ'] },
      'KM_FIELD_NOTFOUND',
      'There is no record NOTHING; expected one of ITEM, ORDER, SUPPLIER, INVOICE, RATE.',
    ],
    [{ fields: ['NOTHING.CITY'] }, 'KM_FIELD_NOTFOUND', 'There is no record NOTHING. Did you mean SUPPLIER.CITY?'],
    [{ fields: ['ORDER_VALUE'] }, 'KM_FIELD_NOTFOUND', 'ORDER_VALUE is a KPI; ask for it in kpis.'],
    [
      { fields: ['ITEM.ORDER_VALUE'] },
      'KM_FIELD_NOTFOUND',
      'ORDER_VALUE is a KPI, which is written without a record. Did you mean ORDER_VALUE?',
    ],
    [
      { fields: ['ITEM.*'] },
      'KM_FIELD_NOTFOUND',
      'There is no field * in ITEM; expected one of ORDER_NO, ITEM_NO, AMOUNT, PLANT, DUE, NOTE, BANK, SIZE, BRANCH, BRANCH_LENGTH, LATE.',
    ],
    [
      { fields: ['RATE.__proto__'] },
      'KM_FIELD_NOTFOUND',
      'There is no field __proto__ in RATE; expected one of DAY, EUR.',
    ],
    [{}, 'GENERAL_PARAMETER_MISSING', 'Name in fields, in kpis or in both what is asked for.'],
    [{ fields: 'all' }, 'GENERAL_PARAMETER_MISSING', 'Name in fields, in kpis or in both what is asked for.'],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});

describe('the resolver rejects a KPI', () => {
  it.each<Refused>([
    [{ kpis: ['ORDER_VALEU'] }, 'KM_KPI_NOTFOUND', 'There is no KPI ORDER_VALEU. Did you mean ORDER_VALUE?'],
    [{ kpis: ['order_value'] }, 'KM_KPI_NOTFOUND', 'There is no KPI order_value. Did you mean ORDER_VALUE?'],
    [{ kpis: ['ITEM.AMOUNT'] }, 'KM_KPI_NOTFOUND', 'ITEM.AMOUNT is a field; ask for it in fields.'],
    [{ kpis: ['CITY'] }, 'KM_KPI_NOTFOUND', 'CITY is a field; ask for it in fields as SUPPLIER.CITY.'],
    [
      { kpis: ['AMOUNT'] },
      'KM_KPI_NOTFOUND',
      'AMOUNT is a field; ask for it in fields as ITEM.AMOUNT or INVOICE.AMOUNT.',
    ],
    [{ kpis: ['ITEM.ORDER_VALUE'] }, 'KM_KPI_NOTFOUND', 'There is no KPI ITEM.ORDER_VALUE. Did you mean ORDER_VALUE?'],
    [
      { kpis: ['QQQQ'] },
      'KM_KPI_NOTFOUND',
      'There is no KPI QQQQ; expected one of ORDER_VALUE, INVOICED, INVOICED_SHARE, BRANCHES, BRANCH_SHARE, BANKED.',
    ],
    [
      { kpis: ['sum(ITEM.AMOUNT)'] },
      'KM_KPI_NOTFOUND',
      'There is no KPI sum(ITEM.AMOUNT); expected one of ORDER_VALUE, INVOICED, INVOICED_SHARE, BRANCHES, BRANCH_SHARE, BANKED.',
    ],
    [
      { kpis: ['Q1', 'ORDER_VALUE', 'INVOICD'] },
      'KM_KPI_NOTFOUND',
      'There is no KPI Q1; expected one of ORDER_VALUE, INVOICED, INVOICED_SHARE, BRANCHES, BRANCH_SHARE, BANKED.',
      'There is no KPI INVOICD. Did you mean INVOICED?',
    ],
    [
      { fields: ['ITEM.AMUONT'], kpis: ['INVOICD'] },
      'KM_FIELD_NOTFOUND',
      'There is no field AMUONT in ITEM. Did you mean ITEM.AMOUNT?',
      'There is no KPI INVOICD. Did you mean INVOICED?',
    ],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});

describe('related fields in the resolver', () => {
  it.each<Refused>([
    [
      ofItem({ relatedFields: ['ORDER.YAER', 'ORDER.YEAR'] }),
      'KM_FIELD_NOTFOUND',
      'There is no field YAER in ORDER. Did you mean ORDER.YEAR?',
    ],
    [
      { fields: ['ITEM.AMOUNT'], relatedFields: ['ORDER.YEAR'] },
      'GENERAL_PARAMETER_MISSMATCH',
      'Related fields stand beside those of a record; at the level of the model name them in fields.',
    ],
  ])('%j: %s', (asked, ...told) => expect(refusalMessagesFor(view, asked)).toEqual(told));

  it('are rejected when they are hidden', () => {
    const hidden = ofItem({ relatedFields: ['ORDER.URGENT'] });
    expect([
      refusalMessagesFor(view, hidden),
      refusalMessagesFor(purchaseViewFor(restrictedCaller), hidden)[0],
    ]).toEqual([[], 'KM_FIELD_NOTFOUND']);
  });

  it('are rejected in the sort', () => {
    const asked = ofItem({ relatedFields: ['ORDER.YEAR'], sort: 'ORDER.YEAR' });
    expect(refusalMessagesFor(view, asked)[0]).toBe('SORT_UNKNOWN_FIELD');
  });
});
