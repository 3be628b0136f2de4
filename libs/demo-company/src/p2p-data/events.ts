/**
 * The activity log: what happened to each order, in the order of time, filled up to an exact number with what happens
 * now and then.
 */
import { createRandomSource, type RandomSource } from '../seeded.js';
import { dayLengthSeconds, demoToday } from './calendar.js';
import type { Company } from './company.js';
import type { Invoice } from './invoices.js';
import type { Order } from './orders.js';
import type { Payment } from './payments.js';
import type { OrderBlock } from './phases.js';
import type { Delivery } from './receipts.js';

type Occurrence = {
  readonly activity: string;
  /** Seconds since the first day. */
  readonly second: number;
  readonly resource: string;
  readonly automated: boolean;
  readonly itemNo: number | null;
  /** The number of the receipt, invoice or payment. */
  readonly document: string | null;
};

export type OrderEvent = { readonly order: Order; readonly eventNo: number; readonly occurrence: Occurrence };

/** Everything about one order. */
export type OrderHistory = {
  readonly order: Order;
  readonly deliveries: readonly Delivery[];
  readonly invoices: readonly Invoice[];
  readonly payments: readonly Payment[];
};

export const generateEvents = function* (
  company: Company,
  block: OrderBlock,
  histories: readonly OrderHistory[],
): Generator<OrderEvent, undefined> {
  const draw = createRandomSource(`${company.key}.events.${block.number}`);
  const certain = histories.map((history) => [...requiredEvents(company, draw, history)]);
  const left = certain.reduce((sum, occurrences) => sum - occurrences.length, block.events);
  if (left < 0) throw new Error(`Block ${block.number} has ${-left} events more than it may have.`);
  const extras = histories.map(() => 0);
  for (let given = 0; given < left; given += 1) {
    const index = draw.whole(0, histories.length - 1);
    extras[index] = (extras[index] ?? 0) + 1;
  }
  for (const [index, history] of histories.entries()) {
    const occurrences = certain[index] ?? [];
    const end = occurrences.reduce((latest, { second }) => Math.max(latest, second), 0);
    for (let extra = extras[index] ?? 0; extra > 0; extra -= 1) occurrences.push(drawExtra(draw, history, end));
    occurrences.sort((one, other) => one.second - other.second);
    for (const [place, occurrence] of occurrences.entries())
      yield { order: history.order, eventNo: place + 1, occurrence };
  }
};

const systemResource = 'System';

const byPerson = (activity: string, second: number, resource: string): Occurrence => ({
  ...{ activity, second, resource },
  ...{ automated: false, itemNo: null, document: null },
});

const bySystem = (activity: string, second: number): Occurrence => ({
  ...byPerson(activity, second, systemResource),
  automated: true,
});

const requiredEvents = function* (company: Company, draw: RandomSource, history: OrderHistory): Generator<Occurrence> {
  yield* orderingEvents(company, draw, history);
  for (const { item, cancelledDay, receipts } of history.deliveries) {
    if (cancelledDay !== null)
      yield { ...byPerson('Item cancelled', workingTimeOn(draw, cancelledDay), item.order.buyer), itemNo: item.itemNo };
    for (const { receiptNo, postedDay } of receipts)
      yield {
        ...byPerson('Goods receipt posted', workingTimeOn(draw, postedDay), item.order.plant.receiver),
        ...{ itemNo: item.itemNo, document: receiptNo },
      };
  }
  for (const invoice of history.invoices) yield* invoicingEvents(company, draw, invoice);
  for (const { paymentNo, invoice, day } of history.payments)
    yield {
      ...bySystem('Payment made', day * dayLengthSeconds + eveningSecond),
      ...{ itemNo: invoice.item.itemNo, document: paymentNo },
    };
};

/** Payments run in the evening, after whatever people did that day. */
const eveningSecond = 20 * 3600;

/** Some time of a day's work. */
const workingTimeOn = (draw: RandomSource, day: number): number =>
  day * dayLengthSeconds + draw.whole(7 * 3600, 19 * 3600);

const orderingEvents = function* (
  company: Company,
  draw: RandomSource,
  { order, deliveries }: OrderHistory,
): Generator<Occurrence> {
  const created = order.day * dayLengthSeconds + order.second;
  if (deliveries.some(({ item }) => item.requisitionNo !== null)) {
    yield byPerson(
      'Requisition created',
      workingTimeOn(draw, order.day - draw.whole(4, 9)),
      draw.pick(company.requesters),
    );
    yield byPerson(
      'Requisition approved',
      workingTimeOn(draw, order.day - draw.whole(1, 3)),
      draw.pick(company.approvers),
    );
  }
  yield byPerson('Order created', created, order.buyer);
  yield draw.chance(0.6)
    ? bySystem('Order released', created + draw.whole(30, 600))
    : byPerson('Order released', created + draw.whole(600, 7_200), draw.pick(company.approvers));
  yield bySystem('Order sent to supplier', created + draw.whole(7_201, 14_000));
};

const invoicingEvents = function* (company: Company, draw: RandomSource, invoice: Invoice): Generator<Occurrence> {
  const about = { itemNo: invoice.item.itemNo, document: invoice.invoiceNo };
  const received = workingTimeOn(draw, invoice.invoiceDay);
  const checked = invoice.postedDay * dayLengthSeconds + draw.whole(7 * 3600, 15 * 3600);
  const clerk = draw.pick(company.clerks);
  yield { ...bySystem('Invoice received', received), ...about };
  yield { ...byPerson('Invoice checked', checked, clerk), ...about };
  if (invoice.stoppedFor === null) return;
  yield { ...bySystem('Invoice blocked', checked + 60), ...about };
  if (!invoice.blocked) yield { ...byPerson('Invoice released', checked + draw.whole(600, 14_000), clerk), ...about };
};

const extraActivities = [
  ...['Order confirmed by supplier', 'Delivery date changed', 'Price changed', 'Quantity changed'],
  ...['Reminder sent', 'Order text changed', 'Question to supplier', 'Certificate of analysis received'],
];

/** Between the order and the last thing that is known of it, or today when it has only been sent. */
const drawExtra = (draw: RandomSource, { order, deliveries }: OrderHistory, end: number): Occurrence => {
  const begin = (order.day + 1) * dayLengthSeconds;
  const last = Math.max(end, Math.min(begin + 10 * dayLengthSeconds, demoToday * dayLengthSeconds));
  const day = Math.floor((begin + draw.fraction() * Math.max(0, last - begin)) / dayLengthSeconds);
  const activity = draw.pick(extraActivities);
  const { item } = draw.pick(deliveries);
  const automated = activity === 'Reminder sent';
  const resource = automated ? systemResource : order.buyer;
  return {
    activity,
    second: workingTimeOn(draw, day),
    resource,
    automated,
    itemNo: draw.chance(0.5) ? item.itemNo : null,
    document: null,
  };
};
