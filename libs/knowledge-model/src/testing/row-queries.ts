/** Questions to the shop that aggregate nothing, with their rows as they follow from decision 17 by hand. */
import type { PolicyDefinition } from '@tessera/contracts/knowledge-models';
import type { QueryCaller } from '../query/data-query.js';
import { type QueryMembers, romeCaller } from './shop-database.js';

export type QueryCase = {
  readonly title: string;
  readonly question: QueryMembers;
  readonly caller?: QueryCaller;
  /** In the place of those of the shop. */
  readonly policies?: readonly PolicyDefinition[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Of all pages; the number of rows when absent. */
  readonly total?: number;
};

export const rowQueryCases: readonly QueryCase[] = [
  {
    title: 'a page of a record, in the order of its identifier',
    question: { record: 'ITEM', fields: ['ORDER_NO', 'ITEM_NO', 'AMOUNT'], pageSize: 2, page: 1 },
    rows: [
      ['B', '1', '200'],
      ['C', '1', '20'],
    ],
    total: 6,
  },
  {
    title: 'a page behind every row',
    question: { record: 'ITEM', fields: ['AMOUNT'], page: 2 ** 53 - 1, pageSize: 5_000 },
    rows: [],
    total: 6,
  },
  {
    title: 'filters, all of which hold',
    question: {
      record: 'ITEM',
      fields: ['ORDER_NO', 'ITEM_NO'],
      filterExpressions: ["AMOUNT gt 20 and not (PRODUCT eq 'Seal')", "ORDER_NO in ('A', 'B', 'C')"],
    },
    rows: [
      ['A', '1'],
      ['B', '1'],
    ],
  },
  {
    title: 'an order by what may be null, upwards',
    question: { record: 'ITEM', fields: ['DUE', 'ORDER_NO'], sort: 'DUE' },
    rows: [
      [null, 'A'],
      [null, 'D'],
      ['2026-01-04', 'B'],
      ['2026-01-05', 'A'],
      ['2026-02-03', 'C'],
      ['2026-04-01', 'X'],
    ],
  },
  {
    title: 'an order by what may be null, downwards',
    question: { record: 'ITEM', fields: ['DUE', 'ORDER_NO'], sort: '-DUE' },
    rows: [
      ['2026-04-01', 'X'],
      ['2026-02-03', 'C'],
      ['2026-01-05', 'A'],
      ['2026-01-04', 'B'],
      [null, 'D'],
      [null, 'A'],
    ],
  },
  {
    title: 'an order by a formula, and another by what is never null',
    question: {
      record: 'ITEM',
      fields: ['SIZE', 'AMOUNT'],
      sort: 'SIZE,-AMOUNT',
      filterExpressions: ['UNPLANNED eq false'],
    },
    rows: [
      ['large', '1000'],
      ['large', '100'],
      ['small', '50.5'],
      ['small', '20'],
      ['small', '7'],
    ],
  },
  {
    title: 'distinct rows',
    question: { record: 'ITEM', fields: ['SIZE', 'PRODUCT'], distinct: true, sort: '-PRODUCT' },
    rows: [
      ['small', 'Seal'],
      ['small', 'Pump'],
      ['large', 'Pump'],
      ['large', 'Generated 100%'],
      ['large', null],
    ],
  },
  {
    title: 'distinct rows that are so by their identifier',
    question: { record: 'ORDER', fields: ['FREIGHT', 'ORDER_NO'], distinct: true },
    rows: [
      [null, 'B'],
      ['0', 'C'],
      ['5', 'E'],
      ['10', 'A'],
      ['99', 'D'],
    ],
  },
  {
    title: 'a search for what a text contains',
    question: { record: 'ITEM', fields: ['PRODUCT'], search: { term: 'ED 100%', precision: 100, fields: ['PRODUCT'] } },
    rows: [['Generated 100%']],
  },
  {
    title: 'a search for what is like a text, to the per cent',
    question: {
      record: 'ITEM',
      fields: ['PRODUCT'],
      search: { term: 'generator', precision: 70, fields: ['PRODUCT'] },
    },
    rows: [['Generated 100%']],
  },
  {
    title: 'a search in all texts of a record, one of which is a formula of few texts',
    question: { record: 'ITEM', fields: ['ORDER_NO', 'PRODUCT'], search: { term: 'larg', precision: 60 } },
    rows: [
      ['A', 'Pump'],
      ['B', null],
      ['X', 'Generated 100%'],
    ],
  },
  {
    title: 'a search in all texts of several records',
    question: { fields: ['ITEM.PRODUCT', 'CUSTOMER.NAME'], search: { term: 'Rome', precision: 80 } },
    rows: [
      ['Pump', 'Ada'],
      ['Seal', 'Ada'],
      [null, 'Ada'],
    ],
  },
  {
    title: 'a search for anything',
    question: { record: 'CUSTOMER', fields: ['NAME'], search: { term: 'x', precision: 0 } },
    rows: [['Ada'], ['bob'], ['Zoë']],
  },
  {
    title: 'fields of a record that is one row away, and of one behind it',
    question: { fields: ['CUSTOMER.PLACE', 'ITEM.ORDER_NO', 'ITEM.AMOUNT'], sort: '-CUSTOMER.PLACE' },
    rows: [
      ['ROME', 'B', '200'],
      ['ROME', 'A', '50.5'],
      ['ROME', 'A', '100'],
      ['NOWHERE', 'C', '20'],
      [null, 'X', '1000'],
      [null, 'D', '7'],
    ],
  },
  {
    title: 'rows of the record from which the others are one row away, in whatever order they are asked for',
    question: {
      fields: ['ORDER.FREIGHT', 'DELIVERY.CARRIER', 'ITEM.AMOUNT'],
      filterExpressions: ['DELIVERY.QTY gt 1'],
    },
    rows: [
      ['10', 'ship', '100'],
      ['10', 'ship', '100'],
      [null, 'rail', '200'],
      [null, 'road', '1000'],
    ],
  },
  {
    title: 'rows that related ones multiply, by a key of two attributes and by a way of two steps',
    question: {
      fields: ['ITEM.AMOUNT', 'DELIVERY.CARRIER', 'INVOICE.TOTAL'],
      filterExpressions: ["DELIVERY.CARRIER ne 'rail' and INVOICE.PAID eq true"],
    },
    rows: [
      ['100', 'ship', '100'],
      ['100', 'ship', '100'],
      ['50.5', null, '100'],
      ['20', null, '20'],
    ],
  },
  {
    title: 'rows that two records multiply',
    question: {
      fields: ['ORDER.ORDER_NO', 'ITEM.AMOUNT', 'INVOICE.TOTAL'],
      sort: '-INVOICE.TOTAL',
      filterExpressions: ['ORDER.FREIGHT ne 99'],
    },
    rows: [
      ['A', '50.5', '100'],
      ['A', '100', '100'],
      ['A', '50.5', '60'],
      ['A', '100', '60'],
      ['C', '20', '20'],
      ['E', null, null],
      ['B', '200', null],
    ],
  },
  {
    title: 'a filter on a record that is one row away and not asked for',
    question: { record: 'ITEM', fields: ['AMOUNT'], filterExpressions: ["CUSTOMER.PLACE ne 'ROME'"] },
    rows: [['20'], ['7'], ['1000']],
  },
  {
    title: 'a filter on related rows, one of which is enough',
    question: {
      record: 'ITEM',
      fields: ['AMOUNT'],
      filterExpressions: ["DELIVERY.CARRIER eq 'ship'", 'DELIVERY.QTY gt 3'],
    },
    rows: [['100']],
  },
  {
    title: 'a filter on related rows that holds without any',
    question: { record: 'ITEM', fields: ['AMOUNT'], filterExpressions: ["DELIVERY.CARRIER ne 'rail'"] },
    rows: [['100'], ['50.5'], ['20'], ['7'], ['1000']],
  },
  {
    title: 'a filter on related rows of two records, either of which is enough',
    question: {
      record: 'ORDER',
      fields: ['ORDER_NO'],
      filterExpressions: ['INVOICE.TOTAL gt 90 or ITEM.AMOUNT ge 200'],
    },
    rows: [['A'], ['B']],
  },
  {
    title: 'a filter on the related rows of related rows',
    question: {
      record: 'CUSTOMER',
      fields: ['NAME'],
      filterExpressions: ["DELIVERY.CARRIER eq 'rail' and ITEM.AMOUNT eq 200"],
    },
    rows: [['Ada']],
  },
  {
    title: 'a filter of the model, and one on the rows that multiply',
    question: { fields: ['ORDER.ORDER_NO', 'ITEM.AMOUNT'], filterIds: ['DEAR', 'UNPAID'] },
    rows: [['A', '100']],
  },
  {
    title: 'rows under a policy',
    question: { record: 'CUSTOMER', fields: ['NAME'] },
    caller: romeCaller,
    rows: [['Ada']],
  },
  {
    title: 'related rows under a policy: those that are hidden are not there',
    question: { fields: ['ITEM.AMOUNT', 'ORDER.FREIGHT', 'CUSTOMER.PLACE'] },
    caller: romeCaller,
    rows: [
      ['100', '10', 'ROME'],
      ['50.5', '10', 'ROME'],
      ['200', null, 'ROME'],
      ['20', '0', null],
      ['7', null, null],
      ['1000', null, null],
    ],
  },
  {
    title: 'a filter on related rows under a policy',
    question: { record: 'CUSTOMER', fields: ['NAME'], filterExpressions: ['ORDER.FREIGHT eq null'] },
    caller: romeCaller,
    rows: [['Ada']],
  },
];
