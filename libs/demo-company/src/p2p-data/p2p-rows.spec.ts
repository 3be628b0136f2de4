import { describe, expect, it } from '@jest/globals';
import { generateP2pRows } from './generate-p2p-rows.js';
import type { Cell, Column } from './table.js';
import { toCents, daysBetween, type NamedRow } from './testing/count-truths.js';
import { createP2pTableReader } from './testing/read-p2p.js';

const companies = ['meridian', 'northgate'] as const;
const data = {
  meridian: createP2pTableReader('tiny', 'meridian'),
  northgate: createP2pTableReader('tiny', 'northgate'),
};
const { tables } = generateP2pRows('tiny', 'meridian');

const patterns = {
  date: /^20\d\d-[01]\d-[0-3]\d$/,
  time: /^[0-2]\d:[0-5]\d:[0-5]\d$/,
  datetime: /^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d$/,
  timestamp: /^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\dZ$/,
};

const fits = ({ type, nullable, decimals = 0 }: Column, cell: Cell | undefined): boolean => {
  if (cell === null) return nullable;
  if (type === 'string') return typeof cell === 'string';
  if (type === 'boolean') return typeof cell === 'boolean';
  if (type === 'integer') return Number.isInteger(cell);
  if (type === 'float') return typeof cell === 'number' && Number(cell.toFixed(decimals)) === cell;
  return typeof cell === 'string' && patterns[type].test(cell);
};

const keyOf = (row: NamedRow, columns: readonly string[]): string => columns.map((column) => row[column]).join('/');
const index = (rows: readonly NamedRow[], ...columns: readonly string[]) =>
  new Map(rows.map((row) => [keyOf(row, columns), row]));
const total = (rows: readonly NamedRow[], column: string): number =>
  rows.reduce((sum, row) => sum + toCents(row[column]), 0);

/** Those of the dates that are there must not go back. */
const inOrder = (...dates: readonly unknown[]): boolean => {
  const known = dates.filter((date) => date !== null && date !== undefined).map(String);
  return known.every((date, place) => place === 0 || (known[place - 1] ?? '') <= date);
};
const today = '2026-06-30';

describe.each(companies)('the purchase-to-pay rows of %s', (company) => {
  const rowsOf = data[company];
  const orders = index(rowsOf('purchase_order'), 'order_no');
  const items = index(rowsOf('po_item'), 'order_no', 'item_no');
  const receipts = index(rowsOf('goods_receipt'), 'receipt_no');
  const invoices = index(rowsOf('invoice'), 'invoice_no');
  const itemOf = (row: NamedRow): NamedRow => items.get(keyOf(row, ['order_no', 'item_no'])) ?? {};

  it('have cells that fit their columns, and unique keys', () => {
    for (const { name, key, columns } of tables) {
      const rows = rowsOf(name);
      expect(rows.length).toBeGreaterThan(20);
      const wrong = columns.flatMap((column) => rows.filter((row) => !fits(column, row[column.name])).slice(0, 1));
      expect(wrong).toEqual([]);
      expect(new Set(rows.map((row) => keyOf(row, key))).size).toBe(rows.length);
      for (const { name: column } of columns) expect(column).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    }
  });

  it('reference only existing rows', () => {
    const suppliers = index(rowsOf('supplier'), 'supplier_no');
    const lost = (table: string, column: string, known: ReadonlyMap<string, unknown>) =>
      rowsOf(table).filter((row) => row[column] !== null && !known.has(String(row[column])));
    for (const table of ['purchase_order', 'po_item', 'invoice', 'payment'])
      expect(lost(table, 'supplier_no', suppliers)).toEqual([]);
    for (const table of ['po_item', 'goods_receipt', 'invoice']) expect(lost(table, 'order_no', orders)).toEqual([]);
    for (const table of ['goods_receipt', 'invoice'])
      expect(rowsOf(table).filter((row) => itemOf(row)['order_no'] === undefined)).toEqual([]);
    expect(lost('event', 'case_id', orders)).toEqual([]);
    expect(lost('invoice', 'receipt_no', receipts)).toEqual([]);
    expect(lost('invoice', 'duplicate_of', invoices)).toEqual([]);
    expect(lost('payment', 'invoice_no', invoices)).toEqual([]);
    expect(new Set(rowsOf('payment').map((row) => row['invoice_no'])).size).toBe(rowsOf('payment').length);
  });

  it('have amounts that add up to the cent', () => {
    const itemsOf = Map.groupBy(items.values(), (item) => item['order_no']);
    for (const order of orders.values()) {
      const own = itemsOf.get(order['order_no']) ?? [];
      expect([toCents(order['total_amount']), order['item_count']]).toEqual([total(own, 'net_amount'), own.length]);
    }
    const receiptsOf = Map.groupBy(receipts.values(), (receipt) => keyOf(receipt, ['order_no', 'item_no']));
    for (const [key, item] of items) {
      const own = receiptsOf.get(key) ?? [];
      expect(toCents(item['net_amount'])).toBe(Number(item['quantity']) * toCents(item['unit_price']));
      expect(toCents(item['received_amount'])).toBe(total(own, 'amount'));
      expect(Number(item['received_quantity'])).toBeLessThanOrEqual(Number(item['quantity']));
    }
    for (const invoice of invoices.values()) {
      expect(toCents(invoice['net_amount'])).toBe(Number(invoice['quantity']) * toCents(invoice['unit_price']));
      expect(toCents(invoice['gross_amount'])).toBe(toCents(invoice['net_amount']) + toCents(invoice['tax_amount']));
    }
    for (const payment of rowsOf('payment')) {
      const invoice = invoices.get(String(payment['invoice_no'])) ?? {};
      expect(toCents(payment['gross_amount'])).toBe(toCents(invoice['gross_amount']));
      expect(toCents(payment['amount'])).toBe(toCents(payment['gross_amount']) - toCents(payment['discount_taken']));
      const discount = toCents(payment['discount_taken']) + toCents(payment['discount_lost']);
      expect(discount).toBe(toCents(invoice['discount_amount']));
    }
  });

  it('have dates in order, none in the future', () => {
    for (const item of items.values()) {
      expect(inOrder(item['order_date'], item['delivery_date'])).toBe(true);
      expect(inOrder(item['order_date'], item['cancelled_on'], today)).toBe(true);
    }
    for (const receipt of receipts.values())
      expect(inOrder(itemOf(receipt)['order_date'], receipt['delivered_on'], receipt['receipt_date'], today)).toBe(
        true,
      );
    for (const invoice of invoices.values()) {
      const { delivered_on } = receipts.get(String(invoice['receipt_no'])) ?? {};
      expect(inOrder(delivered_on, invoice['invoice_date'], invoice['posting_date'], today)).toBe(true);
      expect(inOrder(invoice['invoice_date'], invoice['discount_date'], invoice['due_date'])).toBe(true);
      const original = invoices.get(String(invoice['duplicate_of']));
      expect(inOrder(original?.['invoice_date'], invoice['invoice_date'])).toBe(true);
    }
    for (const payment of rowsOf('payment')) {
      const invoice = invoices.get(String(payment['invoice_no'])) ?? {};
      expect(inOrder(invoice['posting_date'], payment['payment_date'], today)).toBe(true);
      expect(payment['days_late']).toBe(Math.max(0, daysBetween(payment['due_date'], payment['payment_date'])));
      const taken = inOrder(payment['payment_date'], invoice['discount_date'] ?? '');
      expect(toCents(payment['discount_taken']) > 0).toBe(taken && toCents(invoice['discount_amount']) > 0);
    }
  });

  it('have a status of orders, items and invoices that matches their documents', () => {
    for (const item of items.values()) {
      const complete = item['cancelled_on'] !== null || item['received_quantity'] === item['quantity'];
      expect(item['delivery_completed']).toBe(complete);
      expect(complete).toBe(['received', 'cancelled'].includes(String(item['status'])));
    }
    const paid = new Set(rowsOf('payment').map((payment) => payment['invoice_no']));
    for (const invoice of invoices.values()) {
      expect(invoice['status'] === 'paid').toBe(paid.has(invoice['invoice_no'] ?? null));
      expect(invoice['status'] === 'blocked').toBe(invoice['blocking_reason'] !== null);
    }
    for (const order of orders.values()) expect(order['status'] === 'completed').toBe(order['completed_on'] !== null);
  });

  it('list the events of each order in chronological order', () => {
    const cases = Map.groupBy(rowsOf('event'), (event) => String(event['case_id']));
    expect([...cases.keys()]).toEqual([...orders.keys()]);
    for (const events of cases.values()) {
      expect(events.map((event) => event['event_no'])).toEqual(events.map((_, place) => place + 1));
      expect(inOrder(...events.map((event) => event['occurred_at']), `${today}T23:59:59Z`)).toBe(true);
      expect(events.filter((event) => event['activity'] === 'Order created')).toHaveLength(1);
    }
    const activities = Map.groupBy(rowsOf('event'), (event) => event['activity']);
    const documents = (activity: string) =>
      activities
        .get(activity)
        ?.map((event) => event['document_no'])
        .sort();
    expect(documents('Goods receipt posted')).toEqual([...receipts.keys()].sort());
    expect(documents('Invoice received')).toEqual([...invoices.keys()].sort());
    expect(documents('Payment made')).toEqual(
      rowsOf('payment')
        .map((payment) => payment['payment_no'])
        .sort(),
    );
  });
});

describe('the purchase-to-pay rows', () => {
  it('have nulls and values in each nullable column of at least one company', () => {
    for (const { name, columns } of tables)
      for (const column of columns.filter(({ nullable }) => nullable)) {
        const cells = companies.flatMap((company) => data[company](name).map((row) => row[column.name]));
        const nulls = cells.filter((cell) => cell === null).length;
        expect([`${name}.${column.name}`, nulls > 0, nulls < cells.length]).toEqual([expect.any(String), true, true]);
      }
  });

  it('include every column type, texts in several languages, an empty text and long texts', () => {
    const types = new Set(tables.flatMap(({ columns }) => columns.map(({ type }) => type)));
    const all = ['boolean', 'date', 'datetime', 'float', 'integer', 'string', 'time', 'timestamp'];
    expect([...types].sort()).toEqual(all);
    const notes = data.meridian('purchase_order').map((order) => order['note']);
    expect(notes).toContain('');
    expect(notes.filter((note) => typeof note === 'string' && note.length > 1_000 && note.includes('\n'))).not.toEqual(
      [],
    );
    const texts = ['supplier', 'po_item'].flatMap((table) =>
      data.meridian(table).flatMap((row) => Object.values(row).filter((cell) => typeof cell === 'string')),
    );
    for (const part of [
      'Färberei Müller & Söhne',
      'Weißblechdose',
      'Łódzkie',
      "D'Angelo",
      '"Verpakkingen"',
      'Químicas',
    ])
      expect(texts.filter((text) => text.includes(part))).not.toEqual([]);
  });

  it('give northgate the same numbers as meridian, but no supplier or material of meridian', () => {
    const column = (company: (typeof companies)[number], table: string, name: string) =>
      new Set(data[company](table).map((row) => row[name]));
    const shared = (table: string, name: string) => {
      const own = column('meridian', table, name);
      return [...column('northgate', table, name)].filter((cell) => own.has(cell)).length;
    };
    expect(shared('purchase_order', 'order_no')).toBe(240);
    expect(shared('supplier', 'supplier_no')).toBe(24);
    expect(shared('supplier', 'name')).toBe(0);
    expect(shared('po_item', 'description')).toBe(0);
    expect(generateP2pRows('demo', 'northgate').tables.map(({ rows }) => [...rows()].length)).toEqual(
      tables.map(({ name }) => data.northgate(name).length),
    );
  });
});
