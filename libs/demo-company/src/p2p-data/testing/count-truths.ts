/**
 * Counts the true figures of purchase-to-pay data from its rows alone, some orders at a time, in whole cents and days.
 */
import type { P2pData } from '../generate-p2p-rows.js';
import type { Cell, Row } from '../table.js';
import type { KpiFigures, ExpectedP2pFigures, Quotient } from '../truths.js';

/** Where the demo says that figures gather. */
type Suspects = {
  readonly maverickPlants: readonly string[];
  readonly maverickGroups: readonly string[];
  /** How many of the first suppliers. */
  readonly slowlyPaid: number;
};

type RowsByTable = ReadonlyMap<string, readonly Row[]>;
export type NamedRow = Readonly<Record<string, Cell | undefined>>;

type Count = {
  /** All rows of some orders: what belongs together comes together. */
  readonly take: (portion: RowsByTable) => void;
  readonly truths: () => ExpectedP2pFigures;
};

export const toCents = (value: unknown): number => Math.round(Number(value) * 100);
export const daysBetween = (from: unknown, to: unknown): number =>
  (Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000;

export const toNamedRows = (tables: P2pData['tables'], portion: RowsByTable, name: string): readonly NamedRow[] => {
  const columns = tables.find((table) => table.name === name)?.columns ?? [];
  return (portion.get(name) ?? []).map((row) =>
    Object.fromEntries(columns.map((column, index) => [column.name, row[index]])),
  );
};

export const createFigureCounter = (tables: P2pData['tables'], suspects: Suspects): Count => {
  const sums = newSums();
  const slow = new Set<string>();
  return {
    take: (portion) => {
      const rowsOf = (name: string): readonly NamedRow[] => toNamedRows(tables, portion, name);
      for (const { name } of tables) sums.add('rows', name, portion.get(name)?.length ?? 0);
      for (const supplier of rowsOf('supplier').slice(0, suspects.slowlyPaid))
        slow.add(textOf(supplier, 'supplier_no'));
      const orders = byKey(rowsOf('purchase_order'), 'order_no');
      const items = byKey(rowsOf('po_item'), 'order_no', 'item_no');
      const receipts = byKey(rowsOf('goods_receipt'), 'receipt_no');
      const invoices = byKey(rowsOf('invoice'), 'invoice_no');
      const plantOf = (row: NamedRow | undefined): string => textOf(orders.get(textOf(row, 'order_no')) ?? {}, 'plant');
      for (const order of orders.values()) countOrder(sums, order);
      for (const item of items.values()) countItem(sums, item, suspects);
      for (const receipt of receipts.values()) countReceipt(sums, receipt);
      for (const invoice of invoices.values())
        countInvoice(sums, plantOf(invoice), {
          invoice,
          receipt: receipts.get(textOf(invoice, 'receipt_no')),
          item: items.get(keyOf(invoice, ['order_no', 'item_no'])),
        });
      for (const payment of rowsOf('payment'))
        countPayment(sums, plantOf(invoices.get(textOf(payment, 'invoice_no'))), payment, slow);
    },
    truths: () => truthsFrom(sums, [...slow]),
  };
};

const textOf = (row: NamedRow | undefined, column: string): string => String(row?.[column]);
const keyOf = (row: NamedRow, columns: readonly string[]): string => columns.map((one) => textOf(row, one)).join('/');
const byKey = (rows: readonly NamedRow[], ...columns: readonly string[]): ReadonlyMap<string, NamedRow> =>
  new Map(rows.map((row) => [keyOf(row, columns), row]));

/** Sums by what they are of and what they are called; `whole` is of everything. */
type Sums = {
  readonly add: (of: string, name: string, amount?: number) => void;
  /** Of a plant, and of the whole. */
  readonly addBoth: (plant: string, name: string, amount?: number) => void;
  readonly get: (of: string, name: string) => number;
  readonly namesOf: (of: string) => readonly string[];
};

const newSums = (): Sums => {
  const sums = new Map<string, Map<string, number>>();
  const add = (of: string, name: string, amount = 1): void => {
    const own = sums.get(of) ?? new Map<string, number>();
    sums.set(of, own.set(name, (own.get(name) ?? 0) + amount));
  };
  return {
    add,
    addBoth: (plant, name, amount = 1) => {
      add('whole', name, amount);
      add(`plant ${plant}`, name, amount);
    },
    get: (of, name) => sums.get(of)?.get(name) ?? 0,
    namesOf: (of) => [...(sums.get(of)?.keys() ?? [])].sort(),
  };
};

const countOrder = (sums: Sums, order: NamedRow): void => {
  const plant = textOf(order, 'plant');
  sums.add('plants', plant);
  if (order['completed_on'] === null) return;
  sums.addBoth(plant, 'completed');
  sums.addBoth(plant, 'days', daysBetween(order['order_date'], order['completed_on']));
};

const countItem = (sums: Sums, item: NamedRow, { maverickPlants, maverickGroups }: Suspects): void => {
  const [plant, group] = [textOf(item, 'plant'), textOf(item, 'material_group')];
  const month = textOf(item, 'order_date').slice(0, 7);
  const open = toCents(item['net_amount']) - toCents(item['received_amount']);
  const maverick = item['requisition_no'] === null ? 1 : 0;
  sums.addBoth(plant, 'items');
  sums.addBoth(plant, 'mavericks', maverick);
  sums.addBoth(plant, 'open', item['delivery_completed'] === false ? open : 0);
  sums.add('items of month', month);
  sums.add('mavericks of month', month, maverick);
  sums.add('mavericks of plant', plant, maverick);
  sums.add('mavericks of group', group, maverick);
  if (maverickPlants.includes(plant) && maverickGroups.includes(group)) sums.add('whole', 'suspected', maverick);
};

const lagMonth = '2026-03';

const countReceipt = (sums: Sums, receipt: NamedRow): void => {
  const when = textOf(receipt, 'delivered_on') >= lagMonth ? 'from' : 'before';
  const of = `receipts ${when} ${textOf(receipt, 'plant')}`;
  sums.add(of, 'receipts');
  sums.add(of, 'days', daysBetween(receipt['delivered_on'], receipt['receipt_date']));
};

type Match = Readonly<Record<'invoice' | 'receipt' | 'item', NamedRow | undefined>>;

const countInvoice = (sums: Sums, plant: string, { invoice, receipt, item }: Match): void => {
  const duplicate = invoice?.['duplicate_of'] !== null;
  const sameQuantity = invoice?.['quantity'] === receipt?.['quantity'];
  const samePrice = invoice?.['unit_price'] === item?.['unit_price'];
  sums.addBoth(plant, 'invoices');
  sums.addBoth(plant, 'matched', !duplicate && sameQuantity && samePrice ? 1 : 0);
  sums.addBoth(plant, 'duplicates', duplicate ? 1 : 0);
  sums.addBoth(plant, 'duplicate value', duplicate ? toCents(invoice?.['net_amount']) : 0);
};

const countPayment = (sums: Sums, plant: string, payment: NamedRow, slow: ReadonlySet<string>): void => {
  const inTime = textOf(payment, 'payment_date') <= textOf(payment, 'due_date') ? 1 : 0;
  const lost = toCents(payment['discount_lost']);
  sums.addBoth(plant, 'payments');
  sums.addBoth(plant, 'in time', inTime);
  sums.addBoth(plant, 'lost', lost);
  if (!slow.has(textOf(payment, 'supplier_no'))) return;
  sums.add('slow', 'payments');
  sums.add('slow', 'late', 1 - inTime);
  sums.add('slow', 'lost', lost);
};

const truthsFrom = (sums: Sums, slow: readonly string[]): ExpectedP2pFigures => {
  const figures = <Figure>(of: string, figureOf: (name: string) => Figure): Readonly<Record<string, Figure>> =>
    Object.fromEntries(sums.namesOf(of).map((name) => [name, figureOf(name)]));
  const counts = (of: string) => figures(of, (name) => sums.get(of, name));
  const lag = (of: string): Quotient => [sums.get(of, 'days'), sums.get(of, 'receipts')];
  return {
    rows: counts('rows'),
    kpis: kpisOf(sums, 'whole'),
    kpisByPlant: figures('plants', (plant) => kpisOf(sums, `plant ${plant}`)),
    maverickRateByMonth: figures('items of month', (month): Quotient => [
      sums.get('mavericks of month', month),
      sums.get('items of month', month),
    ]),
    maverickItems: {
      byPlant: counts('mavericks of plant'),
      byMaterialGroup: counts('mavericks of group'),
      inPlantsAndGroups: sums.get('whole', 'suspected'),
    },
    duplicateInvoices: sums.get('whole', 'duplicates'),
    latePayments: sums.get('whole', 'payments') - sums.get('whole', 'in time'),
    slowlyPaid: {
      suppliers: slow,
      payments: sums.get('slow', 'payments'),
      latePayments: sums.get('slow', 'late'),
      lostDiscount: sums.get('slow', 'lost') / 100,
    },
    receiptLagDays: figures('plants', (plant) => ({
      before: lag(`receipts before ${plant}`),
      from: lag(`receipts from ${plant}`),
    })),
  };
};

const kpisOf = ({ get }: Sums, of: string): KpiFigures => ({
  OPEN_PO_VALUE: get(of, 'open') / 100,
  MAVERICK_RATE: [get(of, 'mavericks'), get(of, 'items')],
  THREE_WAY_MATCH_RATE: [get(of, 'matched'), get(of, 'invoices')],
  ON_TIME_PAYMENT_RATE: [get(of, 'in time'), get(of, 'payments')],
  LOST_DISCOUNT: get(of, 'lost') / 100,
  DUPLICATE_INVOICE_VALUE: get(of, 'duplicate value') / 100,
  CYCLE_TIME_DAYS: [get(of, 'days'), get(of, 'completed')],
});
