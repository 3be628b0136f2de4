import { describe, expect, it } from '@jest/globals';
import { planSteps } from './plan-steps.js';

const supplier = { record: 'SUPPLIER', as: 'SUPPLIER', to: 'ITEM', on: ['ITEM.S = SUPPLIER.S'], optional: false };

describe('a plan', () => {
  it('of groups is read, joined, filtered, grouped, computed and sorted, in this order', () => {
    const plan = {
      ...{ kind: 'groups', by: ['ITEM.PLANT', 'SUPPLIER.COUNTRY'], kpis: ['RATE'], orderBy: ['RATE desc'] },
      having: ['RATE gt ?'],
      grains: [
        {
          ...{
            root: { record: 'ITEM', as: 'ITEM' },
            where: ['ITEM.PLANT eq ?'],
            aggregates: '1',
            countsRowsOnce: true,
          },
          joins: [
            { ...supplier, toMany: false },
            { ...supplier, record: 'RECEIPT', toMany: true, on: [] },
          ],
          exists: [{ joins: [supplier], where: ['SUPPLIER.COUNTRY eq ?'] }],
        },
      ],
    };
    expect(planSteps(plan).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      ...['read: ITEM', 'join: SUPPLIER (ITEM.S = SUPPLIER.S)', 'joinMany: RECEIPT', 'where: ITEM.PLANT eq ?'],
      ...['exists: SUPPLIER (SUPPLIER.COUNTRY eq ?)', 'once: ITEM', 'group: ITEM.PLANT, SUPPLIER.COUNTRY'],
      ...['compute: RATE', 'having: RATE gt ?', 'sort: RATE desc'],
    ]);
  });

  it('of rows shows columns, and equal rows once when that is asked for', () => {
    const plan = {
      kind: 'rows',
      root: { record: 'ITEM', as: 'ITEM' },
      columns: ['ITEM.NO'],
      distinct: false,
      orderBy: [],
    };
    expect(planSteps(plan)).toEqual([
      { kind: 'read', text: 'ITEM' },
      { kind: 'show', text: 'ITEM.NO' },
    ]);
    expect(planSteps({ ...plan, distinct: true }).at(-1)).toEqual({ kind: 'distinct', text: 'ITEM.NO' });
  });

  it.each([[null], ['text'], [{}], [{ kind: 'groups', grains: 7, by: [{}] }]])('that is %j has no steps', (plan) => {
    expect(planSteps(plan)).toEqual([]);
  });
});
