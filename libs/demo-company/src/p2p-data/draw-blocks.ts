/**
 * Draws the history of a company's orders block by block, oldest first, so that memory stays flat however many there are.
 */
import { companies, type Company, type P2pCompany, type P2pSize } from './company.js';
import { createQuota } from './choose.js';
import { generateEvents, type OrderEvent, type OrderHistory } from './events.js';
import { generateInvoices, type Invoice } from './invoices.js';
import { generateItems } from './orders.js';
import { generatePayments, type Payment } from './payments.js';
import { splitIntoBlocks, type OrderPhase } from './phases.js';
import { generateItemDeliveries, type Delivery, type ReceiptContext } from './receipts.js';
import { generateSuppliers, type Supplier } from './suppliers.js';

export type GeneratedBlock = {
  /** All of them in the first block, none in the others. */
  readonly suppliers: readonly Supplier[];
  readonly histories: readonly OrderHistory[];
  /** Drawn each time it is called, since the most rows by far are here. */
  readonly events: () => Iterable<OrderEvent>;
};

export const generateBlocks = function* (size: P2pSize, companyKey: P2pCompany): Generator<GeneratedBlock, undefined> {
  const company = companies[companyKey];
  const volume = company.volumes[size];
  const suppliers = generateSuppliers(company, volume.suppliers);
  const { perMille } = company;
  const buying = {
    company,
    orders: volume.orders,
    suppliers,
    maverickItems: createQuota(perMille.maverickItems, 1000),
  };
  const invoicing = {
    company,
    duplicates: createQuota(perMille.duplicateInvoices, 1000),
    withoutReceipt: createQuota(perMille.invoicesWithoutReceipt, 1000),
    otherPrice: createQuota(perMille.invoicesWithOtherPrice, 1000),
    otherQuantity: createQuota(perMille.invoicesWithOtherQuantity, 1000),
    nextInvoiceNo: numbersFrom(5_100_000_001),
  };
  const paying = { company, late: createQuota(perMille.latePayments, 1000), nextPaymentNo: numbersFrom(2_000_000_001) };
  const nextReceiptNo = numbersFrom(5_000_000_001);
  let receiving: { readonly phase: OrderPhase; readonly receiving: ReceiptContext } | undefined;
  for (const block of splitIntoBlocks(volume)) {
    if (receiving?.phase !== block.phase)
      receiving = { phase: block.phase, receiving: receivingIn(company, block.phase, nextReceiptNo) };
    const deliveries = generateItemDeliveries(receiving.receiving, block, generateItems(buying, block));
    const invoices = generateInvoices(invoicing, block, deliveries);
    const histories = orderHistories(deliveries, invoices, generatePayments(paying, block, invoices));
    const events = (): Iterable<OrderEvent> => generateEvents(company, block, histories);
    yield { suppliers: block.number === 0 ? suppliers : [], histories, events };
  }
};

const numbersFrom = (first: number): (() => string) => {
  let next = first - 1;
  return () => String((next += 1));
};

const receivingIn = (company: Company, phase: OrderPhase, nextReceiptNo: () => string): ReceiptContext => ({
  company,
  undelivered: createQuota(phase.undelivered, 1000),
  cancelled: createQuota(phase.cancelled, 1000),
  inParts: createQuota(phase.inParts, 1000),
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
