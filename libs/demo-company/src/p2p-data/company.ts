/** What a company of the demo is made of, and how often what goes wrong in it. */
import { getCell, splitCommaList, getNumber, readRows, type TextRow } from '../text-table.js';
import { toDayNumber } from './calendar.js';
import * as meridianGoods from './data/meridian-goods.js';
import * as northgateGoods from './data/northgate-goods.js';
import { supplierNameRows } from './data/supplier-names.js';

export type P2pSize = 'tiny' | 'demo' | 'load';
export type P2pCompany = 'meridian' | 'northgate';

export type Plant = {
  readonly code: string;
  readonly companyCode: string;
  readonly country: string;
  readonly share: number;
  readonly receiver: string;
};

export type Material = {
  readonly materialNo: string | null;
  readonly description: string;
  readonly unit: string;
  readonly lowestCents: number;
  readonly highestCents: number;
  readonly quantityMax: number;
};

export type MaterialGroup = { readonly code: string; readonly materials: readonly Material[] };

export type Category = {
  readonly key: string;
  readonly purchasingOrg: string;
  readonly share: number;
  readonly buyers: readonly string[];
  readonly groups: readonly MaterialGroup[];
};

export type PaymentTerms = {
  readonly code: string;
  readonly discountPercent: number | null;
  readonly discountDays: number | null;
  readonly netDays: number;
  readonly share: number;
};

/** How many rows there are, in all. */
export type DataVolume = {
  readonly orders: number;
  readonly items: number;
  readonly invoices: number;
  readonly events: number;
  readonly suppliers: number;
};

/** Parts of a thousand, each met exactly over the whole data. */
type PerMille = {
  readonly maverickItems: number;
  readonly duplicateInvoices: number;
  readonly latePayments: number;
  readonly invoicesWithOtherPrice: number;
  readonly invoicesWithOtherQuantity: number;
  readonly invoicesWithoutReceipt: number;
};

export type Company = {
  readonly key: P2pCompany;
  readonly plants: readonly Plant[];
  readonly categories: readonly Category[];
  readonly terms: readonly PaymentTerms[];
  /** name | country | city | category */
  readonly slowlyPaid: readonly TextRow[];
  /** country | dialling code | families | trades | legal forms | cities */
  readonly supplierNames: readonly TextRow[];
  readonly volumes: Readonly<Record<P2pSize, DataVolume>>;
  readonly perMille: PerMille;
  /** Where items without a requisition are likelier than elsewhere. */
  readonly maverickPlants: readonly string[];
  readonly maverickGroups: readonly string[];
  /** Where, and for goods delivered from when on, goods receipts are posted 9 days late. */
  readonly laggingPlant: { readonly code: string; readonly fromDay: number } | null;
  readonly clerks: readonly string[];
  readonly requesters: readonly string[];
  readonly approvers: readonly string[];
};

const plantsOf = (table: string): readonly Plant[] =>
  readRows(table).map((row) => ({
    code: getCell(row, 0),
    companyCode: getCell(row, 2),
    country: getCell(row, 3),
    share: getNumber(row, 4),
    receiver: getCell(row, 5),
  }));

const materialOf = (row: TextRow): Material => ({
  materialNo: getCell(row, 0) || null,
  description: getCell(row, 1),
  unit: getCell(row, 2),
  lowestCents: Math.round(getNumber(row, 3) * 100),
  highestCents: Math.round(getNumber(row, 4) * 100),
  quantityMax: getNumber(row, 5),
});

type Goods = { readonly group: MaterialGroup; readonly category: string };

const goodsOf = (table: string): readonly Goods[] => {
  const goods: { readonly code: string; readonly category: string; readonly materials: Material[] }[] = [];
  for (const row of readRows(table))
    if (getCell(row, 0) === 'group') goods.push({ code: getCell(row, 1), category: getCell(row, 3), materials: [] });
    else goods.at(-1)?.materials.push(materialOf(row));
  return goods.map(({ code, category, materials }) => ({ group: { code, materials }, category }));
};

const categoriesOf = (table: string, goods: readonly Goods[]): readonly Category[] =>
  readRows(table).map((row) => ({
    key: getCell(row, 0),
    purchasingOrg: getCell(row, 1),
    share: getNumber(row, 2),
    buyers: splitCommaList(getCell(row, 3)),
    groups: goods.filter(({ category }) => category === getCell(row, 0)).map(({ group }) => group),
  }));

const numberOrNull = (row: TextRow, index: number): number | null =>
  getCell(row, index) ? getNumber(row, index) : null;

const paymentTerms: readonly PaymentTerms[] = readRows(meridianGoods.paymentTermRows).map((row) => ({
  code: getCell(row, 0),
  discountPercent: numberOrNull(row, 1),
  discountDays: numberOrNull(row, 2),
  netDays: getNumber(row, 3),
  share: getNumber(row, 4),
}));

const meridian: Company = {
  key: 'meridian',
  plants: plantsOf(meridianGoods.meridianPlants),
  categories: categoriesOf(meridianGoods.meridianCategories, goodsOf(meridianGoods.meridianGoods)),
  terms: paymentTerms,
  slowlyPaid: readRows(meridianGoods.meridianSlowlyPaidSuppliers),
  supplierNames: readRows(supplierNameRows),
  volumes: {
    tiny: { orders: 300, items: 930, invoices: 870, events: 6_300, suppliers: 60 },
    demo: { orders: 20_000, items: 62_000, invoices: 58_000, events: 420_000, suppliers: 480 },
    load: { orders: 645_161, items: 2_000_000, invoices: 1_870_968, events: 13_548_387, suppliers: 2_400 },
  },
  perMille: {
    maverickItems: 42,
    duplicateInvoices: 8,
    latePayments: 110,
    invoicesWithOtherPrice: 50,
    invoicesWithOtherQuantity: 30,
    invoicesWithoutReceipt: 10,
  },
  maverickPlants: ['2010', '3010'],
  maverickGroups: ['MRO', 'LAB', 'MKT'],
  laggingPlant: { code: '1020', fromDay: toDayNumber('2026-03-01') },
  clerks: ['Inês Carvalho', 'Rui Almeida', 'Beatriz Moura', 'Nuno Teixeira'],
  requesters: ['Alicia Torres', 'Malte Schröder', 'Noor van Dijk', 'Pablo Giménez', 'Katrin Seidel'],
  approvers: ['Stefan Arnold', 'Judith Kaiser'],
};

const northgateVolume: DataVolume = { orders: 240, items: 700, invoices: 640, events: 4_800, suppliers: 24 };

/** The same in every size. */
const northgate: Company = {
  key: 'northgate',
  plants: plantsOf(northgateGoods.northgatePlants),
  categories: categoriesOf(northgateGoods.northgateCategories, goodsOf(northgateGoods.northgateGoods)),
  terms: paymentTerms,
  slowlyPaid: readRows(northgateGoods.northgateLateSuppliers),
  supplierNames: readRows(northgateGoods.northgateSupplierNames),
  volumes: { tiny: northgateVolume, demo: northgateVolume, load: northgateVolume },
  perMille: {
    maverickItems: 90,
    duplicateInvoices: 25,
    latePayments: 240,
    invoicesWithOtherPrice: 80,
    invoicesWithOtherQuantity: 40,
    invoicesWithoutReceipt: 5,
  },
  maverickPlants: ['1020'],
  maverickGroups: ['MRO'],
  laggingPlant: null,
  clerks: ['Kurt Frost'],
  requesters: ['Lina Hail'],
  approvers: ['Edda Storm'],
};

export const companies: Readonly<Record<P2pCompany, Company>> = { meridian, northgate };
