/** Questions to the shop with KPIs, with their groups as they follow from decision 17 by hand. */
import type { QueryCase } from './row-queries.js';
import { romeCaller } from './shop-database.js';

export const kpiQueryCases: readonly QueryCase[] = [
  { title: 'a KPI of everything', question: { kpis: ['SALES', 'ITEMS'] }, rows: [['1377.5', '6']] },
  {
    title: 'KPIs of no rows',
    question: { kpis: ['SALES', 'ITEMS', 'PER_ORDER', 'ORDERS'], filterExpressions: ["ORDER.ORDER_NO eq 'none'"] },
    rows: [[null, '0', null, '0']],
  },
  {
    title: 'KPIs over one record by a field of it',
    question: { fields: ['ITEM.PRODUCT'], kpis: ['SALES', 'ITEMS', 'LARGE'] },
    rows: [
      [null, '200', '1', 'large: 1'],
      ['Generated 100%', '1000', '1', 'large: 1'],
      ['Pump', '107', '2', 'large: 1'],
      ['Seal', '70.5', '2', 'large: 0'],
    ],
  },
  {
    title: 'KPIs by a field two rows away, in their own order',
    question: { fields: ['CUSTOMER.PLACE'], kpis: ['SALES', 'SHARE'], sort: '-SALES' },
    rows: [
      [null, '1007', '0.00695134061569016882'],
      ['ROME', '350.5', '0.42938659058487874465'],
      ['NOWHERE', '20', null],
    ],
  },
  {
    title: 'a page of groups',
    question: { fields: ['ITEM.PRODUCT'], kpis: ['SALES'], sort: 'SALES', page: 1, pageSize: 1 },
    rows: [['Pump', '107']],
    total: 4,
  },
  {
    title: 'KPIs of two records, none of which a join multiplies',
    question: { kpis: ['SALES', 'FREIGHT', 'PER_ORDER'] },
    rows: [['1377.5', '114', '275.5000000000000000']],
  },
  {
    title: 'KPIs of three records, which meet where their groups are equal',
    question: { fields: ['CUSTOMER.CITY'], kpis: ['UNBILLED', 'ITEMS'], sort: '-UNBILLED' },
    rows: [
      [null, '1101', '3'],
      ['Rome', '200.5', '3'],
      ['Bonn', null, '0'],
    ],
  },
  {
    title: 'a KPI by a field of which a row has several: it counts once in each group, not once for each related row',
    question: { fields: ['DELIVERY.CARRIER'], kpis: ['SALES', 'ITEMS', 'SHARE'] },
    rows: [
      [null, '77.5', '3', '0.74193548387096774194'],
      ['rail', '300', '2', '0.33333333333333333333'],
      ['road', '1000', '1', null],
      ['ship', '100', '1', '1.00000000000000000000'],
    ],
  },
  {
    title: 'a KPI under a filter on related rows that would double the amount',
    question: { kpis: ['SALES', 'ITEMS'], filterExpressions: ["DELIVERY.CARRIER eq 'ship'"] },
    rows: [['100', '1']],
  },
  {
    title: 'a KPI of a record above the one whose fields are filtered and asked for',
    question: { fields: ['ITEM.PRODUCT'], kpis: ['FREIGHT', 'ORDERS'], filterExpressions: ['ITEM.AMOUNT gt 60'] },
    rows: [
      [null, null, '1'],
      ['Pump', '10', '1'],
    ],
  },
  {
    title: 'a KPI in a filter',
    question: { fields: ['ITEM.PRODUCT'], kpis: ['SALES'], filterExpressions: ['SALES gt 100', 'ITEM.AMOUNT lt 1000'] },
    rows: [
      [null, '200'],
      ['Pump', '107'],
    ],
  },
  {
    title: 'a KPI in a filter that is not asked for, of another record',
    question: { fields: ['CUSTOMER.NAME'], kpis: ['SALES'], filterExpressions: ['ORDERS eq 2'] },
    rows: [['Ada', '350.5']],
  },
  {
    title: 'a KPI in a filter, or else a field',
    question: { fields: ['CUSTOMER.PLACE'], filterExpressions: ["SALES gt 1000 or CUSTOMER.PLACE eq 'NOWHERE'"] },
    rows: [[null], ['NOWHERE']],
  },
  {
    title: 'a KPI in a filter that takes the only row away',
    question: { kpis: ['SALES'], filterExpressions: ['ITEMS gt 6'] },
    rows: [],
  },
  {
    title: 'a KPI of another record in a filter, without fields',
    question: { kpis: ['SALES'], filterExpressions: ['ORDERS eq 5'] },
    rows: [['1377.5']],
  },
  {
    title: 'a KPI of texts, in their order',
    question: { fields: ['ORDER.ORDER_NO'], kpis: ['LAST_CITY', 'ORDERS'], sort: '-LAST_CITY', pageSize: 2 },
    rows: [
      ['B', 'ROME', '1'],
      ['A', 'ROME', '1'],
    ],
    total: 5,
  },
  {
    title: 'a KPI under policies, of its record and of a joined one',
    question: { fields: ['CUSTOMER.NAME'], kpis: ['SALES', 'FREIGHT', 'ORDERS'] },
    caller: romeCaller,
    rows: [
      [null, '1027', '5', '2'],
      ['Ada', '350.5', '10', '2'],
    ],
  },
  {
    title: 'a KPI under a search and a filter of the model',
    question: {
      kpis: ['ITEMS', 'SALES'],
      fields: ['ORDER.ORDER_NO'],
      filterIds: ['UNPAID'],
      search: { term: 'a', precision: 100, fields: ['CUSTOMER.NAME'] },
    },
    rows: [['A', '2', '150.5']],
  },
  {
    title: 'KPIs under a search in related rows of their own',
    question: {
      kpis: ['ITEMS', 'ORDERS'],
      search: { term: 'rail', precision: 100, fields: ['DELIVERY.CARRIER', 'CUSTOMER.NAME'] },
    },
    rows: [['2', '2']],
  },
];
