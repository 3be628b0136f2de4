import { expect, it } from '@jest/globals';
import { figuresAddress } from './figures-address.js';

const question = { model: 'p2p.base-km', fields: ['PURCHASE_ORDER.PLANT'], kpis: ['RATE', 'VALUE'], filters: [] };

it('the address of a question has its fields, KPIs, conditions and order', () => {
  const filterExpr = ["PURCHASE_ORDER.PLANT eq '2010'", 'A.D ge 2026-03-01 and A.D le 2026-03-31'];
  expect(figuresAddress({ ...question, filterExpr, sort: '-RATE' })).toEqual({
    path: '/figures/$modelId',
    params: { modelId: 'p2p.base-km' },
    search: { fields: 'PURCHASE_ORDER.PLANT', kpis: 'RATE,VALUE', where: filterExpr, sort: '-RATE' },
  });
});

it('leaves out what the question does not have', () => {
  const { search = {} } = figuresAddress({ ...question, fields: [], filterExpr: [] });
  expect(Object.entries(search).filter(([, value]) => value !== undefined)).toEqual([['kpis', 'RATE,VALUE']]);
});
