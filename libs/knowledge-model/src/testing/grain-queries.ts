/** Questions to the shop that name dates by their period, with their rows as they follow from decision 17 by hand. */
import type { QueryCase } from './row-queries.js';

export const grainQuestions: readonly QueryCase[] = [
  {
    title: 'a KPI by the months of a date',
    question: { fields: ['ITEM.DUE:month'], kpis: ['SALES'] },
    rows: [
      [null, '57.5'],
      ['2026-01-01', '300'],
      ['2026-02-01', '20'],
      ['2026-04-01', '1000'],
    ],
  },
  {
    title: 'KPIs of two records by the quarters of a timestamp',
    question: { fields: ['ORDER.MADE:quarter'], kpis: ['SALES', 'ORDERS'] },
    rows: [
      [null, '1000', '0'],
      ['2026-01-01', '377.5', '5'],
    ],
  },
  {
    title: 'a KPI by the weeks and years of one date, with conditions on the date itself and on a KPI',
    question: {
      fields: ['ITEM.DUE:week', 'ITEM.DUE:year'],
      kpis: ['ITEMS'],
      filterExpressions: ['ITEM.DUE ge 2026-01-01', 'SALES gt 50'],
    },
    rows: [
      ['2025-12-29', '2026-01-01', '1'],
      ['2026-01-05', '2026-01-01', '1'],
      ['2026-03-30', '2026-01-01', '1'],
    ],
  },
  {
    title: 'a page of groups by the days of a timestamp, the last first',
    question: { fields: ['ORDER.MADE:day'], kpis: ['FREIGHT'], sort: '-ORDER.MADE:day', pageSize: 2 },
    rows: [
      ['2026-03-01', '5'],
      ['2026-02-02', '99'],
    ],
    total: 5,
  },
  {
    title: 'distinct months of a record',
    question: { record: 'ORDER', fields: ['MADE:month'], distinct: true, sort: '-MADE:month' },
    rows: [['2026-03-01'], ['2026-02-01'], ['2026-01-01']],
  },
  {
    title: 'rows of a record with a date and its month',
    question: { record: 'ITEM', fields: ['DUE', 'DUE:month', 'DUE:day'], filterExpressions: ["ORDER_NO eq 'C'"] },
    rows: [['2026-02-03', '2026-02-01', '2026-02-03']],
  },
];
