/**
 * Questions to the shop for pages behind a row, with their rows by hand: first what is asked for, then what of the order is
 * not among it.
 */
import { romeCaller } from './shop-database.js';
import type { QueryCase } from './row-queries.js';

const dueDateAndOrder = ['DUE', 'ORDER_NO'] as const;

export const keysetQueryCases: readonly QueryCase[] = [
  {
    title: 'a first page whose rows tell their place, behind one that is left out',
    question: { record: 'ITEM', fields: ['AMOUNT'], pageSize: 2, keyset: { skip: 1 } },
    rows: [
      ['50.5', 'A', '2'],
      ['200', 'B', '1'],
    ],
    total: 6,
  },
  {
    title: 'a page behind a row in the order of the identifier',
    question: { record: 'ITEM', fields: ['AMOUNT'], pageSize: 2, keyset: { skip: 1, after: ['B', '1'] } },
    rows: [
      ['20', 'C', '1'],
      ['7', 'D', '1'],
    ],
    total: 6,
  },
  {
    title: 'a page behind a row, downwards by what is never null, with filters',
    question: {
      record: 'ITEM',
      fields: ['ITEM_NO', 'AMOUNT'],
      sort: '-AMOUNT',
      filterExpressions: ["PRODUCT ne 'Seal'", 'DELIVERY.QTY eq null or DELIVERY.QTY lt 9'],
      keyset: { skip: 0, after: ['1000', 'X', '1'] },
    },
    rows: [
      ['1', '200', 'B'],
      ['1', '100', 'A'],
      ['1', '7', 'D'],
    ],
    total: 3,
  },
  {
    title: 'a page behind a row with a value, upwards by what may be null',
    question: {
      record: 'ITEM',
      fields: dueDateAndOrder,
      sort: 'DUE',
      keyset: { skip: 0, after: ['2026-01-05', 'A', '1'] },
    },
    rows: [
      ['2026-02-03', 'C', '1'],
      ['2026-04-01', 'X', '1'],
    ],
    total: 6,
  },
  {
    title: 'a page behind a row without a value, upwards: the others without, then those with one',
    question: {
      record: 'ITEM',
      fields: dueDateAndOrder,
      sort: 'DUE',
      pageSize: 3,
      keyset: { skip: 0, after: [null, 'A', '2'] },
    },
    rows: [
      [null, 'D', '1'],
      ['2026-01-04', 'B', '1'],
      ['2026-01-05', 'A', '1'],
    ],
    total: 6,
  },
  {
    title: 'a page behind a row with a value, downwards: the others with one, then those without',
    question: {
      record: 'ITEM',
      fields: dueDateAndOrder,
      sort: '-DUE',
      keyset: { skip: 0, after: ['2026-01-05', 'A', '1'] },
    },
    rows: [
      ['2026-01-04', 'B', '1'],
      [null, 'D', '1'],
      [null, 'A', '2'],
    ],
    total: 6,
  },
  {
    title: 'a page behind a row without a value, downwards',
    question: { record: 'ITEM', fields: dueDateAndOrder, sort: '-DUE', keyset: { skip: 0, after: [null, 'D', '1'] } },
    rows: [[null, 'A', '2']],
    total: 6,
  },
  {
    title: 'a page behind a row in both directions, by a formula and by what may be null',
    question: {
      record: 'ITEM',
      fields: ['SIZE', 'PRODUCT', 'ORDER_NO'],
      sort: 'SIZE,-PRODUCT',
      keyset: { skip: 0, after: ['large', 'Pump', 'A', '1'] },
    },
    rows: [
      ['large', 'Generated 100%', 'X', '1'],
      ['large', null, 'B', '1'],
      ['small', 'Seal', 'C', '1'],
      ['small', 'Seal', 'A', '2'],
      ['small', 'Pump', 'D', '1'],
    ],
    total: 6,
  },
  {
    title: 'a page behind a moment, under a policy',
    question: {
      record: 'ORDER',
      fields: ['MADE', 'ORDER_NO'],
      sort: '-MADE',
      keyset: { skip: 0, after: ['2026-02-01 00:00:00.000001+00', 'C'] },
    },
    caller: romeCaller,
    rows: [
      ['2026-02-01 00:00:00+00', 'C'],
      ['2026-01-02 00:00:00+00', 'B'],
      ['2026-01-01 00:00:00+00', 'A'],
    ],
    total: 4,
  },
];
