/**
 * Draws the history of a company's orders block by block, oldest first, so that memory stays flat however many there are.
 */
import { companies, type Company, type P2pCompany, type P2pSize } from './company.js';
import { quotaOf } from './choose.js';
import { drawEvents, type OrderEvent, type OrderHistory } from './events.js';
import { drawInvoices, type Invoice } from './invoices.js';
import { drawItems } from './orders.js';
import { drawPayments, type Payment } from './payments.js';
import { blocksOf, type Phase } from './phases.js';
import { deliver, type Delivery, type ReceiptContext } from './receipts.js';
import { suppliersOf, type Supplier } from './suppliers.js';

export type DrawnBlock = {
  /** All of them in the first block, none in the others. */
  readonly suppliers: readonly Supplier[];
  readonly histories: readonly OrderHistory[];
  /** Drawn each time it is called, since the most rows by far are here. */
  readonly events: () => Iterable<OrderEvent>;
};

export const drawBlocks = function* (size: P2pSize, companyKey: P2pCompany): Generator<DrawnBlock, undefined> {
  const company = companies[companyKey];
  const volume = company.volumes[size];
  const suppliers = suppliersOf(company, volume.suppliers);
  const { perMille } = company;
  const buying = { company, orders: volume.orders, suppliers, maverickItems: quotaOf(perMille.maverickItems, 1000) };
  const invoicing = {
    company,
    duplicates: quotaOf(perMille.duplicateInvoices, 1000),
    withoutReceipt: quotaOf(perMille.invoicesWithoutReceipt, 1000),
    otherPrice: quotaOf(perMille.invoicesWithOtherPrice, 1000),
    otherQuantity: quotaOf(perMille.invoicesWithOtherQuantity, 1000),
    nextInvoiceNo: numbersFrom(5_100_000_001),
  };
  const paying = { company, late: quotaOf(perMille.latePayments, 1000), nextPaymentNo: numbersFrom(2_000_000_001) };
  const nextReceiptNo = numbersFrom(5_000_000_001);
  let receiving: { readonly phase: Phase; readonly receiving: ReceiptContext } | undefined;
  for (const block of blocksOf(volume)) {
    if (receiving?.phase !== block.phase)
      receiving = { phase: block.phase, receiving: receivingIn(company, block.phase, nextReceiptNo) };
    const deliveries = deliver(receiving.receiving, block, drawItems(buying, block));
    const invoices = drawInvoices(invoicing, block, deliveries);
    const histories = orderHistories(deliveries, invoices, drawPayments(paying, block, invoices));
    const events = (): Iterable<OrderEvent> => drawEvents(company, block, histories);
    yield { suppliers: block.number === 0 ? suppliers : [], histories, events };
  }
};

const numbersFrom = (first: number): (() => string) => {
  let next = first - 1;
  return () => String((next += 1));
};

const receivingIn = (company: Company, phase: Phase, nextReceiptNo: () => string): ReceiptContext => ({
  company,
  undelivered: quotaOf(phase.undelivered, 1000),
  cancelled: quotaOf(phase.cancelled, 1000),
  inParts: quotaOf(phase.inParts, 1000),
  nextReceiptNo,
});

const orderHistories = (
  deliveries: readonly Delivery[],
  invoices: readonly Invoice[],
  payments: readonly Payment[],
): readonly OrderHistory[] => {
  const invoicesOf = Map.groupBy(invoices, ({ item }) => item.order);
  const paymentsOf = Map.groupBy(payments, ({ invoice }) => invoice.item.order);
  return [...Map.groupBy(deliveries, ({ item }) => item.order)].map(([order, own]) => ({
    order,
    deliveries: own,
    invoices: invoicesOf.get(order) ?? [],
    payments: paymentsOf.get(order) ?? [],
  }));
};
