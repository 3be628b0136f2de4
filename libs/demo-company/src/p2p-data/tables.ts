/** The seven tables of purchase to pay: their columns, keys and where their rows come from. */
import { dateOf, instantOf, timeOf } from './calendar.js';
import type { DrawnBlock } from './draw-blocks.js';
import type { OrderEvent, OrderHistory } from './events.js';
import type { Invoice } from './invoices.js';
import { discountCentsOf, discountDayOf, dueDayOf, type Payment } from './payments.js';
import type { Delivery, Receipt } from './receipts.js';
import type { Supplier } from './suppliers.js';
import * as column from './table.js';
import { defineTable, type ColumnOf, type Table } from './table.js';

const currency = 'EUR';
const dateOrNullOf = (day: number | null): string | null => (day === null ? null : dateOf(day));

const supplier = defineTable<Supplier>(
  'supplier',
  ['supplier_no'],
  [
    column.text('supplier_no', ({ supplierNo }) => supplierNo),
    column.text('name', ({ name }) => name),
    column.text('country', ({ country }) => country),
    column.text('city', ({ city }) => city),
    column.text('category', ({ category }) => category.key),
    column.text('payment_terms', ({ terms }) => terms.code),
    column.floatOrNull('discount_percentage', ({ terms }) => terms.discountPercent),
    column.integerOrNull('discount_days', ({ terms }) => terms.discountDays),
    column.integer('net_days', ({ terms }) => terms.netDays),
    column.text('bank_account', ({ bankAccount }) => bankAccount),
    column.textOrNull('tax_no', ({ taxNo }) => taxNo),
    column.textOrNull('email', ({ email }) => email),
    column.floatOrNull('rating', ({ rating }) => rating),
    column.boolean('blocked', ({ blocked }) => blocked),
    column.date('created_on', ({ createdDay }) => dateOf(createdDay)),
  ],
  ({ suppliers }) => suppliers,
);

const netCentsOf = ({ item }: Delivery): number => item.quantity * item.priceCents;
const receivedCentsOf = ({ item, receivedQuantity }: Delivery): number => receivedQuantity * item.priceCents;

/** When everything has come or was cancelled, all that came has been invoiced, and every invoice is paid: the last payment. */
const completedDayOf = ({ deliveries, invoices, payments }: OrderHistory): number | null => {
  const invoiced = new Set(invoices.map(({ receipt }) => receipt));
  const settled = deliveries.every(({ final, receipts }) => final && receipts.every((one) => invoiced.has(one)));
  const owed = invoices.filter(({ duplicateOf, blocked }) => !(duplicateOf && blocked));
  if (!settled || payments.length === 0 || payments.length < owed.length) return null;
  return payments.reduce((latest, { day }) => Math.max(latest, day), 0);
};

const orderStatusOf = (history: OrderHistory): string => {
  if (completedDayOf(history) !== null) return 'completed';
  if (history.deliveries.every(({ cancelledDay }) => cancelledDay !== null)) return 'cancelled';
  if (history.deliveries.every(({ final }) => final)) return 'received';
  return history.deliveries.some(({ receipts }) => receipts.length > 0) ? 'partly received' : 'ordered';
};

const purchaseOrder = defineTable<OrderHistory>(
  'purchase_order',
  ['order_no'],
  [
    column.text('order_no', ({ order }) => order.orderNo),
    column.text('company_code', ({ order }) => order.plant.companyCode),
    column.text('plant', ({ order }) => order.plant.code),
    column.text('country', ({ order }) => order.plant.country),
    column.text('purchasing_org', ({ order }) => order.supplier.category.purchasingOrg),
    column.text('supplier_no', ({ order }) => order.supplier.supplierNo),
    column.text('buyer', ({ order }) => order.buyer),
    column.text('order_type', ({ order }) => (order.framework ? 'FO' : 'NB')),
    column.text('status', orderStatusOf),
    column.date('order_date', ({ order }) => dateOf(order.day)),
    column.datetime('created_at', ({ order }) => `${dateOf(order.day)}T${timeOf(order.second)}`),
    column.dateOrNull('completed_on', (history) => dateOrNullOf(completedDayOf(history))),
    column.text('payment_terms', ({ order }) => order.supplier.terms.code),
    column.textOrNull('incoterms', ({ order }) => order.incoterms),
    column.integer('item_count', ({ deliveries }) => deliveries.length),
    column.money('total_amount', ({ deliveries }) => deliveries.reduce((sum, one) => sum + netCentsOf(one), 0)),
    column.text('currency', () => currency),
    column.textOrNull('note', ({ order }) => order.note),
  ],
  ({ histories }) => histories,
);

const itemStatusOf = ({ cancelledDay, final, receipts }: Delivery): string => {
  if (cancelledDay !== null) return 'cancelled';
  if (final) return 'received';
  return receipts.length > 0 ? 'partly received' : 'ordered';
};

const poItem = defineTable<Delivery>(
  'po_item',
  ['order_no', 'item_no'],
  [
    column.text('order_no', ({ item }) => item.order.orderNo),
    column.integer('item_no', ({ item }) => item.itemNo),
    column.text('company_code', ({ item }) => item.order.plant.companyCode),
    column.text('plant', ({ item }) => item.order.plant.code),
    column.text('country', ({ item }) => item.order.plant.country),
    column.text('purchasing_org', ({ item }) => item.order.supplier.category.purchasingOrg),
    column.text('material_group', ({ item }) => item.group.code),
    column.textOrNull('material_no', ({ item }) => item.material.materialNo),
    column.text('description', ({ item }) => item.material.description),
    column.text('supplier_no', ({ item }) => item.order.supplier.supplierNo),
    column.text('buyer', ({ item }) => item.order.buyer),
    column.textOrNull('requisition_no', ({ item }) => item.requisitionNo),
    column.textOrNull('contract_no', ({ item }) => item.contractNo),
    column.textOrNull('cost_centre', ({ item }) => item.costCentre),
    column.integer('quantity', ({ item }) => item.quantity),
    column.text('unit', ({ item }) => item.material.unit),
    column.money('unit_price', ({ item }) => item.priceCents),
    column.money('net_amount', netCentsOf),
    column.text('currency', () => currency),
    column.date('order_date', ({ item }) => dateOf(item.order.day)),
    column.date('delivery_date', ({ item }) => dateOf(item.order.deliveryDay)),
    column.integer('received_quantity', ({ receivedQuantity }) => receivedQuantity),
    column.money('received_amount', receivedCentsOf),
    column.boolean('delivery_completed', ({ final }) => final),
    column.dateOrNull('cancelled_on', ({ cancelledDay }) => dateOrNullOf(cancelledDay)),
    column.text('status', itemStatusOf),
  ],
  deliveriesOf,
);

function* deliveriesOf({ histories }: DrawnBlock): Generator<Delivery> {
  for (const { deliveries } of histories) yield* deliveries;
}

const goodsReceipt = defineTable<Receipt>(
  'goods_receipt',
  ['receipt_no'],
  [
    column.text('receipt_no', ({ receiptNo }) => receiptNo),
    column.text('order_no', ({ item }) => item.order.orderNo),
    column.integer('item_no', ({ item }) => item.itemNo),
    column.text('company_code', ({ item }) => item.order.plant.companyCode),
    column.text('plant', ({ item }) => item.order.plant.code),
    column.integer('quantity', ({ quantity }) => quantity),
    column.money('amount', ({ quantity, item }) => quantity * item.priceCents),
    column.date('delivered_on', ({ deliveredDay }) => dateOf(deliveredDay)),
    column.timeOrNull('arrival_time', ({ arrivalSecond }) => (arrivalSecond === null ? null : timeOf(arrivalSecond))),
    column.date('receipt_date', ({ postedDay }) => dateOf(postedDay)),
    column.text('receiver', ({ item }) => item.order.plant.receiver),
    column.textOrNull('delivery_note', ({ deliveryNote }) => deliveryNote),
  ],
  function* (block) {
    for (const { receipts } of deliveriesOf(block)) yield* receipts;
  },
);

type InvoiceHistory = { readonly invoice: Invoice; readonly payment: Payment | undefined };

const invoiceColumns: readonly ColumnOf<InvoiceHistory>[] = [
  column.text('invoice_no', ({ invoice }) => invoice.invoiceNo),
  column.text('supplier_invoice_no', ({ invoice }) => invoice.supplierInvoiceNo),
  column.text('company_code', ({ invoice }) => invoice.item.order.plant.companyCode),
  column.text('order_no', ({ invoice }) => invoice.item.order.orderNo),
  column.integer('item_no', ({ invoice }) => invoice.item.itemNo),
  column.textOrNull('receipt_no', ({ invoice }) => invoice.receipt?.receiptNo ?? null),
  column.text('supplier_no', ({ invoice }) => invoice.item.order.supplier.supplierNo),
  column.integer('quantity', ({ invoice }) => invoice.quantity),
  column.money('unit_price', ({ invoice }) => invoice.priceCents),
  column.money('net_amount', ({ invoice }) => invoice.netCents),
  column.money('tax_amount', ({ invoice }) => invoice.taxCents),
  column.money('gross_amount', ({ invoice }) => invoice.netCents + invoice.taxCents),
  column.text('currency', () => currency),
];

const invoiceTable = defineTable<InvoiceHistory>(
  'invoice',
  ['invoice_no'],
  [
    ...invoiceColumns,
    column.date('invoice_date', ({ invoice }) => dateOf(invoice.invoiceDay)),
    column.date('posting_date', ({ invoice }) => dateOf(invoice.postedDay)),
    column.date('due_date', ({ invoice }) => dateOf(dueDayOf(invoice))),
    column.text('payment_terms', ({ invoice }) => invoice.item.order.supplier.terms.code),
    column.floatOrNull('discount_percentage', ({ invoice }) => invoice.item.order.supplier.terms.discountPercent),
    column.integerOrNull('discount_days', ({ invoice }) => invoice.item.order.supplier.terms.discountDays),
    column.dateOrNull('discount_date', ({ invoice }) => dateOrNullOf(discountDayOf(invoice))),
    column.money('discount_amount', ({ invoice }) => discountCentsOf(invoice)),
    column.textOrNull('blocking_reason', ({ invoice }) => (invoice.blocked ? invoice.stoppedFor : null)),
    column.textOrNull('duplicate_of', ({ invoice }) => invoice.duplicateOf?.invoiceNo ?? null),
    column.text('status', ({ invoice, payment }) => (payment ? 'paid' : invoice.blocked ? 'blocked' : 'open')),
  ],
  function* ({ histories }) {
    for (const { invoices, payments } of histories) {
      const paymentOf = new Map(payments.map((payment) => [payment.invoice, payment]));
      for (const invoice of invoices) yield { invoice, payment: paymentOf.get(invoice) };
    }
  },
);

const paymentTable = defineTable<Payment>(
  'payment',
  ['payment_no'],
  [
    column.text('payment_no', ({ paymentNo }) => paymentNo),
    column.text('invoice_no', ({ invoice }) => invoice.invoiceNo),
    column.text('company_code', ({ invoice }) => invoice.item.order.plant.companyCode),
    column.text('supplier_no', ({ invoice }) => invoice.item.order.supplier.supplierNo),
    column.date('payment_date', ({ day }) => dateOf(day)),
    column.date('due_date', ({ invoice }) => dateOf(dueDayOf(invoice))),
    column.integer('days_late', ({ invoice, day }) => Math.max(0, day - dueDayOf(invoice))),
    column.money('gross_amount', ({ invoice }) => invoice.netCents + invoice.taxCents),
    column.money('discount_taken', ({ discountCents }) => discountCents),
    column.money('discount_lost', ({ discountLostCents }) => discountLostCents),
    column.money('amount', ({ invoice, discountCents }) => invoice.netCents + invoice.taxCents - discountCents),
    column.text('currency', () => currency),
  ],
  function* ({ histories }) {
    for (const { payments } of histories) yield* payments;
  },
);

const event = defineTable<OrderEvent>(
  'event',
  ['case_id', 'event_no'],
  [
    column.text('case_id', ({ order }) => order.orderNo),
    column.integer('event_no', ({ eventNo }) => eventNo),
    column.text('company_code', ({ order }) => order.plant.companyCode),
    column.text('activity', ({ occurrence }) => occurrence.activity),
    column.timestamp('occurred_at', ({ occurrence }) => instantOf(occurrence.second)),
    column.text('resource', ({ occurrence }) => occurrence.resource),
    column.boolean('automated', ({ occurrence }) => occurrence.automated),
    column.integerOrNull('item_no', ({ occurrence }) => occurrence.itemNo),
    column.textOrNull('document_no', ({ occurrence }) => occurrence.document),
  ],
  ({ events }) => events(),
);

export const p2pTables: readonly Table[] = [
  supplier,
  purchaseOrder,
  poItem,
  goodsReceipt,
  invoiceTable,
  paymentTable,
  event,
];
