import { describe, expect, it } from '@jest/globals';
import {
  chartInput,
  countInput,
  csvInput,
  pageInput,
  previousInput,
  projectionOf,
  questionBefore,
  searchedFields,
  totalsInput,
} from './question-input.js';
import { emptyQuestion, type Question } from './question.js';
import { schemaOf } from './schema.js';
import { field, purchases, record } from './testing/purchases.js';

const question: Question = {
  ...emptyQuestion,
  ...{ fields: ['ORDER.PLANT'], kpis: ['RATE'], filters: ['LARGE'], conditions: ['ITEM.AMOUNT gt 5'] },
  period: { field: 'ORDER.ORDERED', from: '2026-04-01', to: '2026-06-30', compare: 'before' },
  ...{ search: 'blue', sort: '-RATE', page: 1 },
};
const days = 'ORDER.ORDERED ge 2026-04-01 and ORDER.ORDERED le 2026-06-30';
const narrowed = {
  ...{ filters: ['LARGE'], filterExpr: ['ITEM.AMOUNT gt 5', days] },
  ...{ searchTerm: 'blue', searchPrecision: 50, searchField: 'ORDER.ORDER_NO,ORDER.PLANT,ITEM.PLANT,ITEM.ORDER_NO' },
};

describe('what is sent', () => {
  it('for a page is not counted', () => {
    expect(pageInput('km', question, purchases)).toEqual({
      ...{ km_id: 'km', fields: ['ORDER.PLANT'], kpis: ['RATE'], ...narrowed },
      ...{ sort: '-RATE', page: 1, pageSize: 50, options: ['nototal'] },
    });
    expect(pageInput('km', { ...emptyQuestion, kpis: ['RATE'] }, purchases)).toEqual({
      ...{ km_id: 'km', kpis: ['RATE'], page: 0, pageSize: 50, options: ['nototal'] },
    });
  });

  it('for charts has the groups of all pages', () => {
    expect(chartInput('km', question, purchases)).toEqual({
      ...pageInput('km', question, purchases),
      ...{ page: 0, pageSize: 1_000 },
    });
  });

  it('for totals has the same rows and no fields', () => {
    expect(totalsInput('km', question, purchases)).toEqual({
      km_id: 'km',
      kpis: ['RATE'],
      ...narrowed,
      options: ['nototal'],
    });
  });

  it('for the number of rows asks for it', () => {
    expect(countInput('km', question, purchases)).not.toHaveProperty('options');
    expect(countInput('km', question, purchases)).toMatchObject({ ...narrowed, fields: ['ORDER.PLANT'], pageSize: 1 });
  });

  it('for a file has all pages', () => {
    expect(csvInput('km', question, purchases)).toMatchObject({ ...narrowed, sort: '-RATE', $format: 'csv' });
    expect(csvInput('km', question, purchases)).not.toHaveProperty('page');
  });

  it('searches for exactly what was typed where that is asked', () => {
    expect(pageInput('km', { ...question, isExactSearch: true }, purchases)).toMatchObject({ searchPrecision: 100 });
    expect(projectionOf({ ...question, isExactSearch: true }, purchases).search).toEqual({
      ...{ term: 'blue', precision: 100, field: narrowed.searchField },
    });
  });

  it('as a body says the same', () => {
    expect(projectionOf(question, purchases)).toEqual({
      ...{ fields: 'ORDER.PLANT', kpis: ['RATE'] },
      filters: { kmFilterNames: ['LARGE'], filterExpr: ['ITEM.AMOUNT gt 5', days] },
      search: { term: 'blue', precision: 50, field: narrowed.searchField },
      ...{ sort: '-RATE', pagination: { pageNumber: 1, pageSize: 50 } },
    });
    expect(projectionOf(emptyQuestion, purchases)).toEqual({
      ...{ filters: { kmFilterNames: [], filterExpr: [] }, pagination: { pageNumber: 0, pageSize: 50 } },
    });
  });
});

describe('the question of the period before', () => {
  it('has all its groups, in no order', () => {
    const before = questionBefore(question);
    expect(before).toMatchObject({ period: { from: '2026-01-01', to: '2026-03-31' }, sort: '', page: 0 });
    expect(previousInput('km', before ?? emptyQuestion, purchases)).toMatchObject({ pageSize: 5_000, page: 0 });
  });

  it('is not asked without a period, a comparison or a KPI', () => {
    expect(questionBefore({ ...question, period: undefined })).toBeUndefined();
    expect(questionBefore({ ...question, kpis: [] })).toBeUndefined();
    expect(
      questionBefore({ ...question, period: { field: 'ORDER.ORDERED', from: '2026-04-01', to: '2026-06-30' } }),
    ).toBeUndefined();
  });
});

describe('the fields that are searched', () => {
  it('are the texts of the records that the question is about', () => {
    expect(searchedFields({ ...emptyQuestion, fields: ['SUPPLIER.COUNTRY'] }, purchases)).toBe(
      'SUPPLIER.SUPPLIER_NO,SUPPLIER.COUNTRY',
    );
    expect(searchedFields({ ...emptyQuestion, fields: ['ORDER.ORDERED:month', 'NOWHERE.X'] }, purchases)).toBe(
      'ORDER.ORDER_NO,ORDER.PLANT',
    );
    expect(searchedFields({ ...emptyQuestion, kpis: ['HIDDEN', 'NOWHERE'] }, purchases)).toBe('');
  });

  it('are those of the server where they are too many to be named', () => {
    const attributes = Array.from({ length: 500 }, (_, at) => field(`A_LONG_NAME_${at}`));
    const wide = schemaOf([record({ id: 'WIDE', identifier: [], attributes, relationships: [] })], [], []);
    expect(searchedFields({ ...emptyQuestion, fields: ['WIDE.A_LONG_NAME_1'] }, wide)).toBe('');
  });
});
