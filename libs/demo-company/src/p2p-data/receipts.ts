/** What has been delivered of each item, and when that was posted. */
import { createRandomSource, type RandomSource } from '../seeded.js';
import { demoToday } from './calendar.js';
import { chooseDistinct, type Quota } from './choose.js';
import type { Company } from './company.js';
import type { OrderItem } from './orders.js';
import type { OrderBlock } from './phases.js';

export type Receipt = {
  readonly receiptNo: string;
  readonly item: OrderItem;
  readonly quantity: number;
  readonly deliveredDay: number;
  /** Of the day it was delivered; null when the gate did not note it. */
  readonly arrivalSecond: number | null;
  readonly postedDay: number;
  readonly deliveryNote: string | null;
};

export type Delivery = {
  readonly item: OrderItem;
  readonly receipts: readonly Receipt[];
  readonly receivedQuantity: number;
  readonly cancelledDay: number | null;
  /** Nothing more is to come. */
  readonly final: boolean;
};

/** What stays the same within a phase. */
export type ReceiptContext = {
  readonly company: Company;
  readonly undelivered: Quota;
  readonly cancelled: Quota;
  readonly inParts: Quota;
  readonly nextReceiptNo: () => string;
};

export const generateItemDeliveries = (
  receiving: ReceiptContext,
  block: OrderBlock,
  items: readonly OrderItem[],
): readonly Delivery[] => {
  const draw = createRandomSource(`${receiving.company.key}.receipts.${block.number}`);
  const undelivered = chooseDistinct(draw, items, receiving.undelivered.take(items.length));
  const others = items.filter((item) => !undelivered.has(item));
  const cancelled = chooseDistinct(draw, others, receiving.cancelled.take(items.length, others.length));
  const divisible = others.filter((item) => !cancelled.has(item) && item.quantity > 1);
  const inParts = chooseDistinct(draw, divisible, receiving.inParts.take(items.length, divisible.length));
  return items.map((item) => {
    if (undelivered.has(item)) return notDelivered(item, null);
    if (cancelled.has(item)) return notDelivered(item, Math.min(item.order.day + draw.whole(1, 20), demoToday));
    const quantities = inParts.has(item) ? partsOf(draw, item.quantity) : [item.quantity];
    const receipts = quantities.map((quantity, part) => drawReceipt(receiving, draw, item, quantity, part));
    const receivedQuantity = quantities.reduce((sum, quantity) => sum + quantity, 0);
    return { item, receipts, receivedQuantity, cancelledDay: null, final: receivedQuantity === item.quantity };
  });
};

const notDelivered = (item: OrderItem, cancelledDay: number | null): Delivery => ({
  ...{ item, receipts: [], receivedQuantity: 0, cancelledDay },
  final: cancelledDay !== null,
});

/** In a third of the cases the second part is still to come. */
const partsOf = (draw: RandomSource, quantity: number): readonly number[] => {
  const first = draw.whole(1, quantity - 1);
  return draw.chance(1 / 3) ? [first] : [first, quantity - first];
};

/** The longest time between arrival and posting, and then the invoice. */
const reserveDays = 11;

const drawReceipt = (
  { company, nextReceiptNo }: ReceiptContext,
  draw: RandomSource,
  item: OrderItem,
  quantity: number,
  part: number,
): Receipt => {
  const { day, deliveryDay, plant } = item.order;
  const arrival = deliveryDay + (draw.chance(0.7) ? draw.whole(-2, 1) : draw.whole(2, 9)) + part * draw.whole(3, 10);
  const deliveredDay = Math.max(day + 1, Math.min(arrival, demoToday - reserveDays));
  const lagging = company.laggingPlant?.code === plant.code && deliveredDay >= company.laggingPlant.fromDay;
  return {
    receiptNo: nextReceiptNo(),
    item,
    quantity,
    deliveredDay,
    arrivalSecond: draw.chance(0.9) ? draw.whole(6 * 3600, 20 * 3600) : null,
    postedDay: deliveredDay + (lagging ? draw.whole(8, 10) : draw.whole(0, 2)),
    deliveryNote: draw.chance(0.95) ? `LS-${draw.whole(100_000, 999_999)}` : null,
  };
};
