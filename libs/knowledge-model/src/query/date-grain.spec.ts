import { describe, expect, it } from '@jest/globals';
import { dateGrains } from '@tessera/contracts/knowledge-models';
import { fullAccessCaller, purchaseViewFor, refusalMessagesFor, restrictedCaller } from '../testing/purchase-model.js';
import { compileValidShopQuery } from '../testing/shop-database.js';
import type { DataQuery } from './data-query.js';

const view = purchaseViewFor(fullAccessCaller);
const asked = (...fields: readonly string[]): Partial<DataQuery> => ({ fields });

describe('a date by its period', () => {
  it.each(dateGrains)('is a column of type date with the id that was asked for: %s', (grain) => {
    const { columns } = compileValidShopQuery({ fields: [`ORDER.MADE:${grain}`], kpis: ['SALES'] });
    expect(columns[0]).toEqual({
      id: `ORDER.MADE:${grain}`,
      name: 'MADE',
      type: 'date',
      grain,
      aggregation: false,
      filterable: false,
      sortable: true,
      exact: false,
    });
  });

  it('stands at the level of a record under its id alone', () => {
    expect(compileValidShopQuery({ record: 'ITEM', fields: ['DUE:year'] }).columns[0]).toMatchObject({
      id: 'DUE:year',
    });
  });

  it('is one column when it is asked for twice, and two by two periods', () => {
    const ids = (fields: readonly string[]) =>
      compileValidShopQuery({ record: 'ITEM', fields }).columns.map(({ id }) => id);
    expect(ids(['DUE:year', 'DUE:year', 'DUE:month', 'DUE'])).toEqual(['DUE:year', 'DUE:month', 'DUE']);
  });

  it.each<readonly [Partial<DataQuery>, string]>([
    [asked('ITEM.DUE:mnth'), 'There is no grain mnth of ITEM.DUE. Did you mean ITEM.DUE:month?'],
    [
      asked('ITEM.DUE:fortnight of the moon'),
      'There is no grain fortnight of the moon of ITEM.DUE; expected one of day, week, month, quarter, year.',
    ],
    [asked('ITEM.DUE:'), 'There is no grain "" of ITEM.DUE; expected one of day, week, month, quarter, year.'],
    [
      asked('ITEM.DUE:months:day'),
      'There is no grain months:day of ITEM.DUE; expected one of day, week, month, quarter, year.',
    ],
    [asked('ITEM.AMOUNT:month'), 'ITEM.AMOUNT is a float; only dates have a grain, as in FIELD:month.'],
    [asked('ITEM.DEU:month'), 'There is no field DEU in ITEM. Did you mean ITEM.DUE?'],
    [{ record: 'ITEM', ...asked('SIZE:day') }, 'SIZE is a string; only dates have a grain, as in FIELD:month.'],
  ])('is refused for %j', (question, message) => {
    expect(refusalMessagesFor(view, { kpis: [], ...question })).toEqual(['KM_FIELD_NOTFOUND', message]);
  });

  it('tells nothing of a field that is hidden', () => {
    const restricted = purchaseViewFor(restrictedCaller);
    const ofNobody = refusalMessagesFor(restricted, asked('ITEM.BNAK:month'));
    expect(JSON.stringify(refusalMessagesFor(restricted, asked('ITEM.BANK:month'))).replace('BANK', 'BNAK')).toBe(
      JSON.stringify(ofNobody),
    );
  });

  it('is no name in filters, searches and sorts of something else', () => {
    const filtered = { ...asked('ITEM.DUE:month'), filterExpressions: ['ITEM.DUE:month eq 2026-01-01'] };
    expect(refusalMessagesFor(view, filtered)[0]).toBe('KM_FILTER_SYNTAX');
    const sorted = { ...asked('ITEM.DUE:month'), sort: 'ITEM.DUE' };
    expect(refusalMessagesFor(view, sorted)[0]).toBe('SORT_UNKNOWN_FIELD');
    const searched = { ...asked('ITEM.PLANT'), search: { term: 'x', precision: 80, fields: ['ITEM.DUE:month'] } };
    expect(refusalMessagesFor(view, searched)[0]).toBe('KM_FIELD_NOTFOUND');
  });
});
