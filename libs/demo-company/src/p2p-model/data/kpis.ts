/** The KPIs and filters of purchase to pay. */
import type { FilterDefinition, KpiDefinition } from '@tessera/contracts/knowledge-models';

const euroFormat = { unit: 'EUR', format: ',.0f' } as const;
const shareFormat = { format: '.1%' } as const;

/** What docs/demo.md has the true figures of. */
const provenKpis: readonly KpiDefinition[] = [
  {
    id: 'OPEN_PO_VALUE',
    name: 'Open order value',
    description: 'What is ordered and still to come, at the price of the order.',
    expression: 'sum(PO_ITEM.OPEN_AMOUNT)',
    ...euroFormat,
    direction: 'Down',
  },
  {
    id: 'MAVERICK_RATE',
    name: 'Maverick buying',
    description: 'Items that nobody had asked for, of all items.',
    expression: 'avg(case when PO_ITEM.MAVERICK then 1.0 else 0.0 end)',
    ...shareFormat,
    direction: 'Down',
    target: '0.03',
  },
  {
    id: 'THREE_WAY_MATCH_RATE',
    name: 'Three-way match',
    description:
      'Invoices that are no duplicate and have the quantity of their goods receipt and the price of their item, of all invoices.',
    expression:
      'avg(case when not INVOICE.DUPLICATE and INVOICE.QUANTITY = GOODS_RECEIPT.QUANTITY and INVOICE.UNIT_PRICE = PO_ITEM.UNIT_PRICE then 1.0 else 0.0 end)',
    ...shareFormat,
    direction: 'Up',
    target: '0.95',
  },
  {
    id: 'ON_TIME_PAYMENT_RATE',
    name: 'Paid in time',
    description: 'Payments on or before the due date, of all payments.',
    expression: 'avg(case when PAYMENT.LATE then 0.0 else 1.0 end)',
    ...shareFormat,
    direction: 'Up',
    target: '0.95',
  },
  {
    id: 'LOST_DISCOUNT',
    name: 'Lost discount',
    description: 'Discount that was offered and not taken.',
    expression: 'sum(PAYMENT.DISCOUNT_LOST)',
    ...euroFormat,
    direction: 'Down',
    target: '0',
  },
  {
    id: 'DUPLICATE_INVOICE_VALUE',
    name: 'Value of duplicate invoices',
    description: 'Net amount of invoices that ask for what was invoiced before.',
    expression: 'sum(case when INVOICE.DUPLICATE then INVOICE.NET_AMOUNT else 0.00 end)',
    ...euroFormat,
    direction: 'Down',
    target: '0',
  },
  {
    id: 'CYCLE_TIME_DAYS',
    name: 'Cycle time',
    description: 'Days from the order to its completion, over completed orders.',
    expression: 'avg(PURCHASE_ORDER.CYCLE_DAYS)',
    unit: 'days',
    format: '.1f',
    direction: 'Down',
    target: '45',
  },
];

const furtherKpis: readonly KpiDefinition[] = [
  { id: 'ORDER_COUNT', name: 'Orders', expression: 'count(PURCHASE_ORDER.*)', format: ',' },
  { id: 'ITEM_COUNT', name: 'Order items', expression: 'count(PO_ITEM.*)', format: ',' },
  { id: 'INVOICE_COUNT', name: 'Invoices', expression: 'count(INVOICE.*)', format: ',' },
  { id: 'EVENT_COUNT', name: 'Events', expression: 'count(EVENT.*)', format: ',' },
  { id: 'SUPPLIER_COUNT', name: 'Ordered from', expression: 'count(distinct PO_ITEM.SUPPLIER_NO)', format: ',' },
  { id: 'ORDER_VALUE', name: 'Order value', expression: 'sum(PO_ITEM.NET_AMOUNT)', ...euroFormat },
  { id: 'PAID_AMOUNT', name: 'Paid', expression: 'sum(PAYMENT.AMOUNT)', ...euroFormat },
  {
    id: 'CONTRACT_SHARE',
    name: 'Order value under contract',
    expression: 'sum(case when PO_ITEM.UNDER_CONTRACT then PO_ITEM.NET_AMOUNT else 0.00 end) / sum(PO_ITEM.NET_AMOUNT)',
    ...shareFormat,
    direction: 'Up',
  },
  {
    id: 'LARGE_ITEM_SHARE',
    name: 'Order value of large items',
    description: 'Of items from the limit on.',
    expression:
      'sum(case when PO_ITEM.NET_AMOUNT >= :limit then PO_ITEM.NET_AMOUNT else 0.00 end) / sum(PO_ITEM.NET_AMOUNT)',
    ...shareFormat,
    parameters: [{ id: 'limit', name: 'Large from', value: '10000' }],
  },
  {
    id: 'PRICE_DEVIATION',
    name: 'Invoiced above the order',
    description: 'What invoices ask for beyond the price of the order.',
    expression: 'sum((INVOICE.UNIT_PRICE - PO_ITEM.UNIT_PRICE) * INVOICE.QUANTITY)',
    unit: 'EUR',
    format: ',.2f',
    direction: 'Down',
  },
  {
    id: 'LATE_PAYMENT_RATE',
    name: 'Paid late',
    expression: '1 - ON_TIME_PAYMENT_RATE',
    ...shareFormat,
    direction: 'Down',
  },
  {
    id: 'BLOCKED_INVOICE_VALUE',
    name: 'Value of blocked invoices',
    expression: 'sum(case when INVOICE.BLOCKED then INVOICE.GROSS_AMOUNT else 0.00 end)',
    ...euroFormat,
    direction: 'Down',
  },
  {
    id: 'POSTING_LAG_DAYS',
    name: 'Posting lag of goods receipts',
    expression: 'avg(GOODS_RECEIPT.POSTING_LAG_DAYS)',
    unit: 'days',
    format: '.1f',
    direction: 'Down',
    target: '1',
  },
  {
    id: 'AUTOMATION_RATE',
    name: 'Automation',
    description: 'Events that a system did, of all events.',
    expression: 'avg(case when EVENT.AUTOMATED then 1.0 else 0.0 end)',
    ...shareFormat,
    direction: 'Up',
  },
];

export const kpiDefinitions: readonly KpiDefinition[] = [...provenKpis, ...furtherKpis];

/** "Today" is 2026-06-30. */
export const filterDefinitions: readonly FilterDefinition[] = [
  {
    id: 'LAST_12_MONTHS',
    name: 'Last twelve months',
    description: 'Orders from 2025-07-01 to 2026-06-30 and what belongs to them.',
    expression: 'PURCHASE_ORDER.ORDER_DATE ge 2025-07-01 and PURCHASE_ORDER.ORDER_DATE le 2026-06-30',
  },
  {
    id: 'OPEN_ITEMS',
    name: 'Open items',
    description: 'Items of which something is still to come.',
    expression: 'PO_ITEM.OPEN eq true',
  },
  {
    id: 'BLOCKED_INVOICES',
    name: 'Blocked invoices',
    description: 'Invoices that may not be paid now.',
    expression: 'INVOICE.BLOCKED eq true',
  },
  {
    id: 'HIGH_VALUE',
    name: 'High value',
    description: 'Items from 10,000 EUR on.',
    expression: "PO_ITEM.SIZE eq 'large'",
  },
];
