/** Questions to the shop for rows of a record with what is one row away beside them; keys and orders stand behind the columns. */
import type { QueryCase } from './row-queries.js';
import { romeCaller } from './shop-database.js';

export const relatedQueryCases: readonly QueryCase[] = [
  {
    title: 'fields of a related record beside those of a record, under a policy: a hidden row is as none',
    question: { record: 'ITEM', fields: ['ORDER_NO', 'AMOUNT'], relatedFields: ['ORDER.FREIGHT', 'ORDER.MADE'] },
    caller: romeCaller,
    rows: [
      ['A', '100', '10', '2026-01-01 00:00:00+00', 'A'],
      ['A', '50.5', '10', '2026-01-01 00:00:00+00', 'A'],
      ['B', '200', null, '2026-01-02 00:00:00+00', 'B'],
      ['C', '20', '0', '2026-02-01 00:00:00+00', 'C'],
      ['D', '7', null, null, null],
      ['X', '1000', null, null, null],
    ],
  },
  {
    title:
      'fields of a related record by a key of two attributes, with a filter on the record behind it, on a page behind a row',
    question: {
      record: 'DELIVERY',
      fields: ['CARRIER'],
      relatedFields: ['ITEM.SIZE', 'ITEM.ITEM_NO'],
      sort: '-CARRIER',
      filterExpressions: ['ORDER.FREIGHT ne 0'],
      keyset: { skip: 0, after: ['ship', '2'] },
    },
    rows: [
      ['ship', 'large', '1', 'A', '1'],
      ['road', 'large', '1', 'X', '5'],
      ['rail', 'large', '1', 'B', '4'],
      ['rail', 'large', '1', 'A', '3'],
    ],
    total: 5,
  },
  {
    title: 'fields of a related record on a page of two ranges: those of an attribute that is its key already',
    question: {
      record: 'ORDER',
      fields: ['FREIGHT'],
      relatedFields: ['CUSTOMER.ID', 'CUSTOMER.PLACE'],
      sort: 'FREIGHT',
      keyset: { skip: 0, after: [null, 'B'] },
    },
    rows: [
      ['0', '2', 'NOWHERE', 'C'],
      ['5', '3', 'BONN', 'E'],
      ['10', '1', 'ROME', 'A'],
      ['99', null, null, 'D'],
    ],
    total: 5,
  },
];
