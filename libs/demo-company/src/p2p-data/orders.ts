/** Purchase orders and their items, and which items were bought without a requisition. */
import { createRandomSource, type RandomSource } from '../seeded.js';
import { readRows } from '../text-table.js';
import { demoToday, workingDays } from './calendar.js';
import { chooseDistinct, pickByShare, type Quota } from './choose.js';
import type { Company, Material, MaterialGroup, Plant } from './company.js';
import { longNoteParagraphs, shortNotes } from './data/supplier-names.js';
import type { OrderBlock } from './phases.js';
import type { Supplier } from './suppliers.js';

export type Order = {
  readonly orderNo: string;
  readonly plant: Plant;
  readonly supplier: Supplier;
  readonly buyer: string;
  readonly framework: boolean;
  readonly incoterms: string | null;
  readonly note: string | null;
  readonly day: number;
  /** Of the day. */
  readonly second: number;
  readonly deliveryDay: number;
};

export type OrderItem = {
  readonly order: Order;
  readonly itemNo: number;
  readonly group: MaterialGroup;
  readonly material: Material;
  readonly quantity: number;
  readonly priceCents: number;
  readonly requisitionNo: string | null;
  readonly contractNo: string | null;
  readonly costCentre: string | null;
};

/** What stays the same while a company's orders are drawn, oldest first. */
type OrderContext = {
  readonly company: Company;
  readonly orders: number;
  readonly suppliers: readonly Supplier[];
  readonly maverickItems: Quota;
};

const firstOrderNo = 4_500_000_001;
const firstRequisitionNo = 1_000_000_001;

/** How long after an order everything of it has certainly been delivered, posted and invoiced, in days. */
const reserveDays = 11;

/** The items of each order follow each other. */
export const generateItems = (buying: OrderContext, block: OrderBlock): readonly OrderItem[] => {
  const draw = createRandomSource(`${buying.company.key}.items.${block.number}`);
  const counts = itemCounts(draw, block);
  const drafts = counts.flatMap((count, index) => draftItems(buying, block.firstOrder + index, count));
  const { maverickPlants, maverickGroups } = buying.company;
  const mavericks = chooseDistinct(
    draw,
    drafts,
    buying.maverickItems.take(drafts.length),
    ({ order, group }) =>
      (maverickPlants.includes(order.plant.code) ? 8 : 1) * (maverickGroups.includes(group.code) ? 12 : 1),
  );
  return drafts.map((draft) => (mavericks.has(draft) ? { ...draft, requisitionNo: null } : draft));
};

/** One for each, and the others at random; every tenth order gets more of them. */
const itemCounts = (draw: RandomSource, { orders, items }: OrderBlock): readonly number[] => {
  const counts = Array.from({ length: orders }, () => 1);
  for (let left = items - orders; left > 0; left -= 1) {
    const drawn = draw.whole(0, orders - 1);
    const index = draw.chance(0.25) ? drawn - (drawn % 10) : drawn;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
};

const draftItems = (buying: OrderContext, ordinal: number, count: number): readonly OrderItem[] => {
  const orderNo = String(firstOrderNo + ordinal);
  const draw = createRandomSource(`${buying.company.key}.order.${orderNo}`);
  const order = drawOrder(buying, draw, orderNo, ordinal);
  const requisitionNo = String(firstRequisitionNo + ordinal);
  return Array.from({ length: count }, (_, index) => {
    const group = draw.pick(order.supplier.category.groups);
    const material = draw.pick(group.materials);
    return {
      order,
      itemNo: (index + 1) * 10,
      group,
      material,
      quantity: drawQuantity(draw, material.quantityMax),
      priceCents: draw.whole(material.lowestCents, material.highestCents),
      requisitionNo,
      contractNo: order.framework ? `46${order.supplier.supplierNo}` : null,
      costCentre: material.materialNo === null ? `${order.plant.code}-${draw.whole(10, 99)}0` : null,
    };
  });
};

/** Small quantities are the usual ones; large ones are round. */
const drawQuantity = (draw: RandomSource, quantityMax: number): number => {
  const part = draw.fraction();
  const quantity = Math.max(1, Math.ceil(part * part * quantityMax));
  return quantity > 1_000 ? Math.ceil(quantity / 50) * 50 : quantity;
};

const drawOrder = (buying: OrderContext, draw: RandomSource, orderNo: string, ordinal: number): Order => {
  const supplier = drawSupplier(buying.suppliers, draw);
  const day = workingDays[Math.floor((ordinal * workingDays.length) / buying.orders)] ?? 0;
  const leadDays = draw.whole(6, 28);
  return {
    orderNo,
    plant: pickByShare(draw, buying.company.plants),
    supplier,
    buyer: draw.pick(supplier.category.buyers),
    framework: draw.chance(0.25),
    incoterms: draw.chance(0.8) ? draw.pick(['DAP', 'DDP', 'EXW', 'FCA']) : null,
    note: drawNote(draw),
    day,
    second: draw.whole(7 * 3600, 18 * 3600 - 1),
    // The newest orders have a date to come; of the others, those that have just arrived were due early.
    deliveryDay:
      day + (demoToday - day <= reserveDays + 2 ? leadDays : Math.min(leadDays, demoToday - day - reserveDays)),
  };
};

/** Of the suppliers that are paid in time, few get most of the orders. */
const drawSupplier = (suppliers: readonly Supplier[], draw: RandomSource): Supplier => {
  const inTime = suppliers.findIndex(({ slowlyPaid }) => !slowlyPaid);
  const slowly = draw.chance(0.12);
  const part = draw.fraction();
  const index = slowly ? Math.floor(part * inTime) : inTime + Math.floor(part * part * (suppliers.length - inTime));
  return suppliers[index] ?? draw.pick(suppliers);
};

const shortNoteTexts = readRows(shortNotes).map(([note = '']) => note);
const noteParagraphs = readRows(longNoteParagraphs).map(([paragraph = '']) => paragraph);

/** Usually none, sometimes empty, seldom several pages. */
const drawNote = (draw: RandomSource): string | null => {
  const part = draw.fraction();
  if (part < 0.6) return null;
  if (part < 0.65) return '';
  if (part < 0.985) return draw.pick(shortNoteTexts);
  return Array.from({ length: draw.whole(6, 14) }, () => draw.pick(noteParagraphs)).join('\n\n');
};
