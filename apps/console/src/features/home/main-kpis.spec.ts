import { describe, expect, it } from '@jest/globals';
import { chooseMainKpis, figureOf, meetsTarget, monthFieldOf, readTrend, targetOf, type Kpi } from './main-kpis.js';

const kpi = (id: string, more: Partial<Kpi> = {}): Kpi => ({
  ...{ id, name: id, description: '', direction: 'None', parameters: [], records: [] },
  ...more,
});

it('KPIs with a target come first, four at most', () => {
  const kpis = [kpi('A'), kpi('B', { target: '0.03' }), kpi('C'), kpi('D', { target: '0' }), kpi('E'), kpi('F')];
  expect(chooseMainKpis(kpis).map(({ id }) => id)).toEqual(['B', 'D', 'A', 'C']);
  expect(chooseMainKpis([])).toEqual([]);
});

it.each([
  ['0.03', 0.03],
  ['0', 0],
  ['', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('a target of %j is %j', (target, value) => {
  expect(targetOf({ target })).toBe(value);
});

it.each([
  ['Down', '0.03', 0.042, false],
  ['Down', '0', 0, true],
  ['Up', '0.95', 0.951, true],
  ['Up', '0.95', 0.9, false],
  ['None', '1', 1, undefined],
  ['Up', undefined, 1, undefined],
  ['Up', '1', undefined, undefined],
] as const)('%s of %j with %j meets it: %j', (direction, target, value, meets) => {
  expect(meetsTarget({ direction, target }, value)).toBe(meets);
});

it('months are told by the first date of the record', () => {
  const field = (id: string, type: 'string' | 'date' | 'timestamp') => ({
    ...{
      id,
      name: id,
      type,
      filterable: true,
      sortable: true,
      description: '',
      shortDisplayName: '',
      internalNote: '',
    },
  });
  expect(monthFieldOf({ id: 'PO_ITEM', fields: [field('A', 'string'), field('ORDER_DATE', 'date')] })).toBe(
    'PO_ITEM.ORDER_DATE:month',
  );
  expect(monthFieldOf({ id: 'EVENT', fields: [field('AT', 'timestamp'), field('D', 'date')] })).toBe('EVENT.AT:month');
  expect(monthFieldOf({ id: 'SUPPLIER', fields: [field('A', 'string')] })).toBeUndefined();
});

describe('the course of a KPI', () => {
  type Month = readonly [month: string | null, rate: number | null];
  const trend = (...months: readonly Month[]) => {
    const rows = months.map(([month, rate]) => ({ 'A.D:month': month, RATE: rate }));
    return readTrend(rows, 'A.D:month', 'RATE');
  };

  it('goes from month to month whatever their order, with gaps as gaps', () => {
    expect(trend(['2026-02-01', 3], ['2025-11-01', 1], ['2025-12-01', null], [null, 9])).toEqual({
      ...{ from: '2025-11-01', to: '2026-02-01' },
      values: [1, null, null, 3],
    });
  });

  it('is none for one month, for none, and over more than ten years', () => {
    expect(trend(['2026-01-01', 1])).toBeUndefined();
    expect(trend()).toBeUndefined();
    expect(trend(['1900-01-01', 1], ['2026-01-01', 1])).toBeUndefined();
  });
});

it('a figure that is no number is none', () => {
  expect([figureOf({ A: 1 }, 'A'), figureOf({ A: null }, 'A'), figureOf(undefined, 'A')]).toEqual([
    1,
    undefined,
    undefined,
  ]);
});
