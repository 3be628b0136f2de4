/**
 * Invoices for what was delivered, with exact numbers of those that differ from order or receipt, and of duplicates.
 */
import { createRandomSource, type RandomSource } from '../seeded.js';
import { demoToday } from './calendar.js';
import { chooseDistinct, type Quota } from './choose.js';
import type { Company } from './company.js';
import type { OrderItem } from './orders.js';
import type { OrderBlock } from './phases.js';
import type { Delivery, Receipt } from './receipts.js';

type BlockingReason = 'price' | 'quantity' | 'goods receipt missing' | 'duplicate suspected';

export type Invoice = {
  readonly invoiceNo: string;
  readonly supplierInvoiceNo: string;
  readonly item: OrderItem;
  readonly receipt: Receipt | null;
  readonly quantity: number;
  readonly priceCents: number;
  readonly netCents: number;
  readonly taxCents: number;
  readonly invoiceDay: number;
  readonly postedDay: number;
  /** Why it was stopped, whether or not it still is. */
  readonly stoppedFor: BlockingReason | null;
  readonly blocked: boolean;
  readonly duplicateOf: Invoice | null;
};

/** What stays the same while invoices are drawn. */
type InvoiceContext = {
  readonly company: Company;
  readonly duplicates: Quota;
  readonly withoutReceipt: Quota;
  readonly otherPrice: Quota;
  readonly otherQuantity: Quota;
  readonly nextInvoiceNo: () => string;
};

export const generateInvoices = (
  invoicing: InvoiceContext,
  block: OrderBlock,
  deliveries: readonly Delivery[],
): readonly Invoice[] => {
  const count = block.invoices;
  const draw = createRandomSource(`${invoicing.company.key}.invoices.${block.number}`);
  const undelivered = deliveries.filter(({ receipts, final }) => receipts.length === 0 && !final);
  const duplicates = invoicing.duplicates.take(count);
  const withoutReceipt = chooseDistinct(draw, undelivered, invoicing.withoutReceipt.take(count, undelivered.length));
  const receipts = deliveries.flatMap((delivery) => delivery.receipts);
  const due = count - duplicates - withoutReceipt.size;
  if (due > receipts.length) throw new Error(`Block ${block.number} has too few receipts for its invoices.`);
  const invoiced = [...chooseDistinct(draw, receipts, due)];
  const otherPrice = chooseDistinct(draw, invoiced, invoicing.otherPrice.take(count));
  const samePrice = invoiced.filter((receipt) => !otherPrice.has(receipt));
  const otherQuantity = chooseDistinct(draw, samePrice, invoicing.otherQuantity.take(count));
  const correct = samePrice.filter((receipt) => !otherQuantity.has(receipt));
  const twice = chooseDistinct(draw, correct, duplicates);
  const invoices: Invoice[] = [];
  for (const receipt of invoiced) {
    const fault = otherPrice.has(receipt) ? 'price' : otherQuantity.has(receipt) ? 'quantity' : null;
    const invoice = drawInvoice(invoicing, draw, { item: receipt.item, receipt, fault });
    invoices.push(invoice);
    if (twice.has(receipt)) invoices.push(drawDuplicate(invoicing, draw, invoice));
  }
  for (const { item } of withoutReceipt)
    invoices.push(drawInvoice(invoicing, draw, { item, receipt: null, fault: 'goods receipt missing' }));
  return invoices;
};

type InvoiceReason = Pick<Invoice, 'item' | 'receipt'> & { readonly fault: BlockingReason | null };

const drawInvoice = (
  { nextInvoiceNo }: InvoiceContext,
  draw: RandomSource,
  { item, receipt, fault }: InvoiceReason,
): Invoice => {
  const right = receipt?.quantity ?? item.quantity;
  const quantity = fault === 'quantity' ? right + Math.max(1, Math.round((right * draw.whole(2, 12)) / 100)) : right;
  const priceCents =
    item.priceCents + (fault === 'price' ? Math.max(1, Math.round((item.priceCents * draw.whole(2, 9)) / 100)) : 0);
  const invoiceDay = (receipt?.deliveredDay ?? Math.min(item.order.deliveryDay, demoToday - 8)) + draw.whole(0, 4);
  const netCents = quantity * priceCents;
  return {
    invoiceNo: nextInvoiceNo(),
    supplierInvoiceNo: `${item.order.supplier.country}-${draw.whole(10_000, 99_999)}/${draw.whole(1, 999)}`,
    item,
    receipt,
    quantity,
    priceCents,
    netCents,
    taxCents: Math.round((netCents * taxPercent(item)) / 100),
    invoiceDay,
    postedDay: invoiceDay + draw.whole(1, 3),
    stoppedFor: fault,
    blocked:
      fault !== null && (fault === 'goods receipt missing' || draw.chance(invoiceDay > demoToday - 40 ? 0.5 : 0.12)),
    duplicateOf: null,
  };
};

/** The same again some weeks later, often with another spelling of its number; more than half are noticed. */
const drawDuplicate = ({ nextInvoiceNo }: InvoiceContext, draw: RandomSource, original: Invoice): Invoice => {
  const invoiceDay = Math.min(original.invoiceDay + draw.whole(3, 30), demoToday - 3);
  const noticed = draw.chance(0.6);
  return {
    ...original,
    invoiceNo: nextInvoiceNo(),
    supplierInvoiceNo: original.supplierInvoiceNo.replace('/', draw.chance(0.5) ? '/' : '-'),
    invoiceDay,
    postedDay: invoiceDay + draw.whole(1, 2),
    stoppedFor: noticed ? 'duplicate suspected' : null,
    blocked: noticed,
    duplicateOf: original,
  };
};

const domesticPercent: Readonly<Record<string, number>> = { DE: 19, ES: 21, NL: 21, NO: 25, SE: 25 };

/** From another country the buyer owes the tax. */
const taxPercent = ({ order }: OrderItem): number =>
  order.supplier.country === order.plant.country ? (domesticPercent[order.plant.country] ?? 0) : 0;
