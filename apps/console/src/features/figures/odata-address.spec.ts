import { describe, expect, it } from '@jest/globals';
import { odataAddressOf } from './odata-address.js';
import { emptyQuestion, type Question } from './question.js';
import { purchases } from './testing/purchases.js';

const groups: Question = { ...emptyQuestion, kpis: ['RATE'], fields: ['ORDER.PLANT'] };
const rows: Question = { ...emptyQuestion, fields: ['ITEM.AMOUNT', 'ORDER.PLANT', 'ITEM.ITEM_NO'] };
const read = (question: Question): readonly [path: string, options: Readonly<Record<string, string>>] | string => {
  const told = odataAddressOf('p2p.base-km', question, purchases);
  if (!told.ok) return told.why;
  const { pathname, searchParams } = new URL(told.text, 'http://localhost');
  return [pathname, Object.fromEntries(searchParams)];
};
const prefix = '/intelligence/api/odata/p2p.base-km.svc';

describe('an address of OData', () => {
  it('of KPIs groups the entries of their record', () => {
    expect(read({ ...groups, sort: '-RATE,ORDER.PLANT', page: 1 })).toEqual([
      `${prefix}/ITEM_entries`,
      {
        ...{ $apply: 'groupby((ORDER/PLANT),aggregate(RATE))', $orderby: 'RATE desc,ORDER/PLANT' },
        ...{ $top: '50', $skip: '50' },
      },
    ]);
    expect(read({ ...groups, fields: [] })).toMatchObject([`${prefix}/ITEM_entries`, { $apply: 'aggregate(RATE)' }]);
  });

  it('filters entries before they are grouped, and groups by their KPIs', () => {
    const conditions = ["ORDER.PLANT eq 'ITEM.X'", 'ITEM.AMOUNT gt 5', 'RATE gt 0.1'];
    expect(read({ ...groups, conditions, filters: ['LARGE'] })).toEqual([
      `${prefix}/ITEM_entries`,
      {
        $apply: "filter((ORDER/PLANT eq 'ITEM.X') and (AMOUNT gt 5))/groupby((ORDER/PLANT),aggregate(RATE))",
        ...{ $filter: 'RATE gt 0.1', filterid: 'LARGE', $top: '50' },
      },
    ]);
  });

  it('of rows selects its own fields and expands others', () => {
    const period = { field: 'ORDER.ORDERED', from: '2026-01-01', to: '' };
    expect(read({ ...rows, period, sort: 'ITEM.AMOUNT' })).toEqual([
      `${prefix}/ITEM_entries`,
      {
        ...{ $select: 'AMOUNT,ITEM_NO', $expand: 'ORDER($select=PLANT)', $filter: 'ORDER/ORDERED ge 2026-01-01' },
        ...{ $orderby: 'AMOUNT', $top: '50' },
      },
    ]);
  });

  it('is of the record from which one row of each other is one step away', () => {
    const fields = ['SUPPLIER.COUNTRY', 'ORDER.PLANT'];
    expect(read({ ...emptyQuestion, fields })).toMatchObject([`${prefix}/ORDER_entries`, {}]);
    expect(read({ ...groups, kpis: ['HIDDEN'] })).toMatchObject([`${prefix}/ORDER_entries`, {}]);
  });

  it('escapes what would end an option', () => {
    const told = odataAddressOf('a/b', { ...groups, conditions: ["ORDER.PLANT eq '&$top=1#'"] }, purchases);
    expect(told.ok && told.text).toContain('/a%2Fb.svc/');
    expect(told.ok && told.text).not.toMatch(/&\$top=1#/);
  });

  it.each<readonly [Question, string]>([
    [{ ...groups, fields: ['ORDER.ORDERED:month'] }, 'grain'],
    [{ ...groups, search: 'blue' }, 'search'],
    [{ ...groups, conditions: ['ITEM.AMOUNT gt 5, ITEM.AMOUNT lt 9'] }, 'condition'],
    [{ ...rows, conditions: ['RATE gt 5'] }, 'condition'],
    [{ ...rows, fields: ['ITEM.AMOUNT', 'SUPPLIER.COUNTRY'] }, 'record'],
    [{ ...groups, fields: ['ITEM.PLANT'], conditions: ["SUPPLIER.COUNTRY eq 'DE'"] }, 'record'],
  ])('is not there for %j: %s', (question, why) => expect(read(question)).toBe(why));
});
