/**
 * How far orders have come by today: old ones are settled, the newest are only ordered. The figures of a phase are
 * exact, so that those of the whole are.
 */
import type { DataVolume } from './company.js';

/** A run of orders, oldest first, that are drawn together. */
export type OrderBlock = {
  readonly number: number;
  readonly phase: OrderPhase;
  readonly firstOrder: number;
  readonly orders: number;
  readonly items: number;
  readonly invoices: number;
  readonly events: number;
};

export type OrderPhase = {
  /** Where in the row of all orders it begins, in percent. */
  readonly beginPercent: number;
  readonly invoicesPer100Items: number;
  readonly eventsPerOrder: number;
  /** Parts of a thousand items. */
  readonly undelivered: number;
  readonly cancelled: number;
  readonly inParts: number;
};

/** What is not said of the settled phase follows from the figures of the whole. */
const settledPhase: OrderPhase = {
  ...{ beginPercent: 0, invoicesPer100Items: 0, eventsPerOrder: 0 },
  ...{ undelivered: 20, cancelled: 10, inParts: 70 },
};
const laterPhases: readonly OrderPhase[] = [
  { beginPercent: 90, invoicesPer100Items: 90, eventsPerOrder: 18, undelivered: 40, cancelled: 10, inParts: 80 },
  { beginPercent: 95, invoicesPer100Items: 28, eventsPerOrder: 12, undelivered: 150, cancelled: 5, inParts: 80 },
  { beginPercent: 98, invoicesPer100Items: 0, eventsPerOrder: 7, undelivered: 1000, cancelled: 0, inParts: 0 },
];

/** Few enough to be held in memory, enough to draw shares from. */
const blockOrdersMax = 100;

const shareOfTotal = (total: number, part: number, of: number): number => Math.round((total * part) / of);

const spanOf = (volume: DataVolume, phase: OrderPhase, next: OrderPhase | undefined) => {
  const begin = shareOfTotal(volume.orders, phase.beginPercent, 100);
  const end = next ? shareOfTotal(volume.orders, next.beginPercent, 100) : volume.orders;
  const items = shareOfTotal(volume.items, end, volume.orders) - shareOfTotal(volume.items, begin, volume.orders);
  const invoices = shareOfTotal(items, phase.invoicesPer100Items, 100);
  return { phase, begin, end, invoices, events: (end - begin) * phase.eventsPerOrder };
};

export const splitIntoBlocks = function* (volume: DataVolume): Generator<OrderBlock> {
  const later = laterPhases.map((phase, index) => spanOf(volume, phase, laterPhases[index + 1]));
  const first = {
    ...spanOf(volume, settledPhase, laterPhases[0]),
    invoices: later.reduce((left, { invoices }) => left - invoices, volume.invoices),
    events: later.reduce((left, { events }) => left - events, volume.events),
  };
  let number = 0;
  for (const { phase, begin, end, invoices, events } of [first, ...later])
    for (let order = begin; order < end; order += blockOrdersMax) {
      const behind = Math.min(order + blockOrdersMax, end);
      const between = (total: number): number =>
        shareOfTotal(total, behind - begin, end - begin) - shareOfTotal(total, order - begin, end - begin);
      yield {
        number,
        phase,
        firstOrder: order,
        orders: behind - order,
        items: shareOfTotal(volume.items, behind, volume.orders) - shareOfTotal(volume.items, order, volume.orders),
        invoices: between(invoices),
        events: between(events),
      };
      number += 1;
    }
};
