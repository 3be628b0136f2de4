/** The seven tables of purchase to pay: their columns, keys and where their rows come from. */
import { toIsoDate, formatInstant, formatTimeOfDay } from './calendar.js';
import type { GeneratedBlock } from './draw-blocks.js';
import type { OrderEvent, OrderHistory } from './events.js';
import type { Invoice } from './invoices.js';
import { discountCentsOf, discountDayOf, dueDayOf, type Payment } from './payments.js';
import type { Delivery, Receipt } from './receipts.js';
import type { Supplier } from './suppliers.js';
import * as column from './table.js';
import { defineTable, type SubjectColumn, type Table } from './table.js';

const currency = 'EUR';
const dateOrNullOf = (day: number | null): string | null => (day === null ? null : toIsoDate(day));

const supplierTable = defineTable<Supplier>(
  'supplier',
  ['supplier_no'],
  [
    column.textColumn('supplier_no', ({ supplierNo }) => supplierNo),
    column.textColumn('name', ({ name }) => name),
    column.textColumn('country', ({ country }) => country),
    column.textColumn('city', ({ city }) => city),
    column.textColumn('category', ({ category }) => category.key),
    column.textColumn('payment_terms', ({ terms }) => terms.code),
    column.nullableFloatColumn('discount_percentage', ({ terms }) => terms.discountPercent),
    column.nullableIntegerColumn('discount_days', ({ terms }) => terms.discountDays),
    column.integerColumn('net_days', ({ terms }) => terms.netDays),
    column.textColumn('bank_account', ({ bankAccount }) => bankAccount),
    column.nullableTextColumn('tax_no', ({ taxNo }) => taxNo),
    column.nullableTextColumn('email', ({ email }) => email),
    column.nullableFloatColumn('rating', ({ rating }) => rating),
    column.booleanColumn('blocked', ({ blocked }) => blocked),
    column.dateColumn('created_on', ({ createdDay }) => toIsoDate(createdDay)),
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
    column.textColumn('order_no', ({ order }) => order.orderNo),
    column.textColumn('company_code', ({ order }) => order.plant.companyCode),
    column.textColumn('plant', ({ order }) => order.plant.code),
    column.textColumn('country', ({ order }) => order.plant.country),
    column.textColumn('purchasing_org', ({ order }) => order.supplier.category.purchasingOrg),
    column.textColumn('supplier_no', ({ order }) => order.supplier.supplierNo),
    column.textColumn('buyer', ({ order }) => order.buyer),
    column.textColumn('order_type', ({ order }) => (order.framework ? 'FO' : 'NB')),
    column.textColumn('status', orderStatusOf),
    column.dateColumn('order_date', ({ order }) => toIsoDate(order.day)),
    column.datetimeColumn('created_at', ({ order }) => `${toIsoDate(order.day)}T${formatTimeOfDay(order.second)}`),
    column.nullableDateColumn('completed_on', (history) => dateOrNullOf(completedDayOf(history))),
    column.textColumn('payment_terms', ({ order }) => order.supplier.terms.code),
    column.nullableTextColumn('incoterms', ({ order }) => order.incoterms),
    column.integerColumn('item_count', ({ deliveries }) => deliveries.length),
    column.moneyColumn('total_amount', ({ deliveries }) => deliveries.reduce((sum, one) => sum + netCentsOf(one), 0)),
    column.textColumn('currency', () => currency),
    column.nullableTextColumn('note', ({ order }) => order.note),
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
    column.textColumn('order_no', ({ item }) => item.order.orderNo),
    column.integerColumn('item_no', ({ item }) => item.itemNo),
    column.textColumn('company_code', ({ item }) => item.order.plant.companyCode),
    column.textColumn('plant', ({ item }) => item.order.plant.code),
    column.textColumn('country', ({ item }) => item.order.plant.country),
    column.textColumn('purchasing_org', ({ item }) => item.order.supplier.category.purchasingOrg),
    column.textColumn('material_group', ({ item }) => item.group.code),
    column.nullableTextColumn('material_no', ({ item }) => item.material.materialNo),
    column.textColumn('description', ({ item }) => item.material.description),
    column.textColumn('supplier_no', ({ item }) => item.order.supplier.supplierNo),
    column.textColumn('buyer', ({ item }) => item.order.buyer),
    column.nullableTextColumn('requisition_no', ({ item }) => item.requisitionNo),
    column.nullableTextColumn('contract_no', ({ item }) => item.contractNo),
    column.nullableTextColumn('cost_centre', ({ item }) => item.costCentre),
    column.integerColumn('quantity', ({ item }) => item.quantity),
    column.textColumn('unit', ({ item }) => item.material.unit),
    column.moneyColumn('unit_price', ({ item }) => item.priceCents),
    column.moneyColumn('net_amount', netCentsOf),
    column.textColumn('currency', () => currency),
    column.dateColumn('order_date', ({ item }) => toIsoDate(item.order.day)),
    column.dateColumn('delivery_date', ({ item }) => toIsoDate(item.order.deliveryDay)),
    column.integerColumn('received_quantity', ({ receivedQuantity }) => receivedQuantity),
    column.moneyColumn('received_amount', receivedCentsOf),
    column.booleanColumn('delivery_completed', ({ final }) => final),
    column.nullableDateColumn('cancelled_on', ({ cancelledDay }) => dateOrNullOf(cancelledDay)),
    column.textColumn('status', itemStatusOf),
  ],
  deliveriesOf,
);

function* deliveriesOf({ histories }: GeneratedBlock): Generator<Delivery> {
  for (const { deliveries } of histories) yield* deliveries;
}

const goodsReceipt = defineTable<Receipt>(
  'goods_receipt',
  ['receipt_no'],
  [
    column.textColumn('receipt_no', ({ receiptNo }) => receiptNo),
    column.textColumn('order_no', ({ item }) => item.order.orderNo),
    column.integerColumn('item_no', ({ item }) => item.itemNo),
    column.textColumn('company_code', ({ item }) => item.order.plant.companyCode),
    column.textColumn('plant', ({ item }) => item.order.plant.code),
    column.integerColumn('quantity', ({ quantity }) => quantity),
    column.moneyColumn('amount', ({ quantity, item }) => quantity * item.priceCents),
    column.dateColumn('delivered_on', ({ deliveredDay }) => toIsoDate(deliveredDay)),
    column.nullableTimeColumn('arrival_time', ({ arrivalSecond }) =>
      arrivalSecond === null ? null : formatTimeOfDay(arrivalSecond),
    ),
    column.dateColumn('receipt_date', ({ postedDay }) => toIsoDate(postedDay)),
    column.textColumn('receiver', ({ item }) => item.order.plant.receiver),
    column.nullableTextColumn('delivery_note', ({ deliveryNote }) => deliveryNote),
  ],
  function* (block) {
    for (const { receipts } of deliveriesOf(block)) yield* receipts;
  },
);

type InvoiceHistory = { readonly invoice: Invoice; readonly payment: Payment | undefined };

const invoiceColumns: readonly SubjectColumn<InvoiceHistory>[] = [
  column.textColumn('invoice_no', ({ invoice }) => invoice.invoiceNo),
  column.textColumn('supplier_invoice_no', ({ invoice }) => invoice.supplierInvoiceNo),
  column.textColumn('company_code', ({ invoice }) => invoice.item.order.plant.companyCode),
  column.textColumn('order_no', ({ invoice }) => invoice.item.order.orderNo),
  column.integerColumn('item_no', ({ invoice }) => invoice.item.itemNo),
  column.nullableTextColumn('receipt_no', ({ invoice }) => invoice.receipt?.receiptNo ?? null),
  column.textColumn('supplier_no', ({ invoice }) => invoice.item.order.supplier.supplierNo),
  column.integerColumn('quantity', ({ invoice }) => invoice.quantity),
  column.moneyColumn('unit_price', ({ invoice }) => invoice.priceCents),
  column.moneyColumn('net_amount', ({ invoice }) => invoice.netCents),
  column.moneyColumn('tax_amount', ({ invoice }) => invoice.taxCents),
  column.moneyColumn('gross_amount', ({ invoice }) => invoice.netCents + invoice.taxCents),
  column.textColumn('currency', () => currency),
];

const invoiceTable = defineTable<InvoiceHistory>(
  'invoice',
  ['invoice_no'],
  [
    ...invoiceColumns,
    column.dateColumn('invoice_date', ({ invoice }) => toIsoDate(invoice.invoiceDay)),
    column.dateColumn('posting_date', ({ invoice }) => toIsoDate(invoice.postedDay)),
    column.dateColumn('due_date', ({ invoice }) => toIsoDate(dueDayOf(invoice))),
    column.textColumn('payment_terms', ({ invoice }) => invoice.item.order.supplier.terms.code),
    column.nullableFloatColumn(
      'discount_percentage',
      ({ invoice }) => invoice.item.order.supplier.terms.discountPercent,
    ),
    column.nullableIntegerColumn('discount_days', ({ invoice }) => invoice.item.order.supplier.terms.discountDays),
    column.nullableDateColumn('discount_date', ({ invoice }) => dateOrNullOf(discountDayOf(invoice))),
    column.moneyColumn('discount_amount', ({ invoice }) => discountCentsOf(invoice)),
    column.nullableTextColumn('blocking_reason', ({ invoice }) => (invoice.blocked ? invoice.stoppedFor : null)),
    column.nullableTextColumn('duplicate_of', ({ invoice }) => invoice.duplicateOf?.invoiceNo ?? null),
    column.textColumn('status', ({ invoice, payment }) => (payment ? 'paid' : invoice.blocked ? 'blocked' : 'open')),
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
    column.textColumn('payment_no', ({ paymentNo }) => paymentNo),
    column.textColumn('invoice_no', ({ invoice }) => invoice.invoiceNo),
    column.textColumn('company_code', ({ invoice }) => invoice.item.order.plant.companyCode),
    column.textColumn('supplier_no', ({ invoice }) => invoice.item.order.supplier.supplierNo),
    column.dateColumn('payment_date', ({ day }) => toIsoDate(day)),
    column.dateColumn('due_date', ({ invoice }) => toIsoDate(dueDayOf(invoice))),
    column.integerColumn('days_late', ({ invoice, day }) => Math.max(0, day - dueDayOf(invoice))),
    column.moneyColumn('gross_amount', ({ invoice }) => invoice.netCents + invoice.taxCents),
    column.moneyColumn('discount_taken', ({ discountCents }) => discountCents),
    column.moneyColumn('discount_lost', ({ discountLostCents }) => discountLostCents),
    column.moneyColumn('amount', ({ invoice, discountCents }) => invoice.netCents + invoice.taxCents - discountCents),
    column.textColumn('currency', () => currency),
  ],
  function* ({ histories }) {
    for (const { payments } of histories) yield* payments;
  },
);

const eventTable = defineTable<OrderEvent>(
  'event',
  ['case_id', 'event_no'],
  [
    column.textColumn('case_id', ({ order }) => order.orderNo),
    column.integerColumn('event_no', ({ eventNo }) => eventNo),
    column.textColumn('company_code', ({ order }) => order.plant.companyCode),
    column.textColumn('activity', ({ occurrence }) => occurrence.activity),
    column.timestampColumn('occurred_at', ({ occurrence }) => formatInstant(occurrence.second)),
    column.textColumn('resource', ({ occurrence }) => occurrence.resource),
    column.booleanColumn('automated', ({ occurrence }) => occurrence.automated),
    column.nullableIntegerColumn('item_no', ({ occurrence }) => occurrence.itemNo),
    column.nullableTextColumn('document_no', ({ occurrence }) => occurrence.document),
  ],
  ({ events }) => events(),
);

export const p2pTables: readonly Table[] = [
  supplierTable,
  purchaseOrder,
  poItem,
  goodsReceipt,
  invoiceTable,
  paymentTable,
  eventTable,
];
