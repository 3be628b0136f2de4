/**
 * Questions to the shop under policies that read records which the rows lead to, with their rows by hand. Who may see the customers
 * of Rome sees Ada, her orders A and B, the first item of each, and four deliveries of these; invoices are for everybody.
 */
import type { PolicyDefinition } from '@tessera/contracts/knowledge-models';
import type { QueryCase } from './row-queries.js';
import { type QueryMembers, romeCaller } from './shop-database.js';

const policies: readonly PolicyDefinition[] = [
  { record: 'CUSTOMER', rows: 'CITY in caller.cities' },
  // Holds for an order without a customer as well, which nobody sees nevertheless.
  { record: 'ORDER', rows: "CUSTOMER.NAME ne 'bob'" },
  { record: 'ITEM', rows: 'ORDER.FREIGHT eq null or AMOUNT gt 60' },
  { record: 'DELIVERY', rows: "ITEM.PRODUCT ne 'Seal'" },
  { record: 'INVOICE', rows: 'all' },
];

const asked = (
  title: string,
  question: QueryMembers,
  rows: QueryCase['rows'],
  more: Partial<QueryCase> = {},
): QueryCase => ({
  title: `under policies along paths: ${title}`,
  question,
  rows,
  caller: romeCaller,
  policies,
  ...more,
});

const items = ['ORDER_NO', 'ITEM_NO'];

export const policyQueryCases: readonly QueryCase[] = [
  asked('a page of a record', { record: 'ITEM', fields: items }, [
    ['A', '1'],
    ['B', '1'],
  ]),
  asked('a page of a record three steps away', { record: 'DELIVERY', fields: ['ID'] }, [['1'], ['2'], ['3'], ['4']]),
  asked('a record that everybody sees', { record: 'INVOICE', fields: ['ID'] }, [['1'], ['2'], ['3'], ['4']]),
  asked('different values', { record: 'ITEM', fields: ['PRODUCT'], distinct: true }, [[null], ['Pump']]),
  asked(
    'a page behind a row in the order of the column that leads to the other record',
    { record: 'ITEM', fields: items, keyset: { skip: 0, after: ['A', '1'] } },
    [['B', '1']],
    { total: 2 },
  ),
  asked(
    'the same downwards',
    { record: 'ITEM', fields: ['AMOUNT'], sort: '-AMOUNT', keyset: { skip: 0, after: ['200', 'B', '1'] } },
    [['100', 'A', '1']],
    { total: 2 },
  ),
  asked(
    'downwards by the column that leads there',
    { record: 'DELIVERY', fields: ['ORDER_NO'], sort: '-ORDER_NO', keyset: { skip: 0, after: ['A', '3'] } },
    [
      ['A', '2'],
      ['A', '1'],
    ],
    { total: 4 },
  ),
  asked('a search', { record: 'ITEM', fields: ['ORDER_NO'], search: { term: 'pump', precision: 100 } }, [['A']]),
  asked(
    'a filter on many related rows',
    { record: 'ORDER', fields: ['ORDER_NO'], filterExpressions: ["DELIVERY.CARRIER eq 'ship'"] },
    [['A']],
  ),
  asked(
    'a filter on related rows that are hidden',
    { record: 'ORDER', fields: ['ORDER_NO'], filterExpressions: ["DELIVERY.CARRIER eq 'road'"] },
    [],
  ),
  asked(
    'related rows beside rows that everybody sees: a hidden one is as none',
    { record: 'INVOICE', fields: ['ID'], relatedFields: ['ORDER.FREIGHT'] },
    [
      ['1', '10', 'A'],
      ['2', '10', 'A'],
      ['3', null, null],
      ['4', null, null],
    ],
  ),
  asked('rows of several records', { fields: ['ITEM.PRODUCT', 'DELIVERY.ID'] }, [
    ['Pump', '1'],
    ['Pump', '2'],
    ['Pump', '3'],
    [null, '4'],
  ]),
  asked('KPIs of several records', { kpis: ['SALES', 'ITEMS', 'FREIGHT', 'ORDERS', 'BILLED'] }, [
    ['300', '2', '10', '2', '185'],
  ]),
  asked('KPIs by a field that a policy reads', { fields: ['ORDER.FREIGHT'], kpis: ['SALES'] }, [
    [null, '200'],
    ['10', '100'],
  ]),
  asked('KPIs by a field behind it', { fields: ['CUSTOMER.CITY'], kpis: ['SALES', 'ITEMS'] }, [['Rome', '300', '2']]),
  asked(
    'KPIs of rows that everybody sees by a field of rows that are hidden',
    { fields: ['ORDER.ORDER_NO'], kpis: ['BILLED'] },
    [
      [null, '25'],
      ['A', '160'],
    ],
  ),
  asked('KPIs by a field of which a row has several', { fields: ['DELIVERY.CARRIER'], kpis: ['SALES', 'ITEMS'] }, [
    ['rail', '300', '2'],
    ['ship', '100', '1'],
  ]),
  asked('KPIs for a caller without the attribute', { kpis: ['SALES', 'ITEMS', 'ORDERS'] }, [[null, '0', '0']], {
    caller: { scopes: [], attributes: {} },
  }),
];
