/**
 * What is true of the purchase-to-pay data, as figures that a KPI can be compared with; docs/demo.md says what each one
 * means. The spec computes them from the rows, without a knowledge model; UPDATE_GOLDENS=1 writes them.
 */
import { goldenP2pFigures } from './truths.golden.js';

/** Part and whole; the KPI is their quotient. */
export type Quotient = readonly [part: number, of: number];

export type KpiFigures = {
  /** EUR: net amount less received amount of items whose delivery is not completed. */
  readonly OPEN_PO_VALUE: number;
  /** Items without requisition, of all items. */
  readonly MAVERICK_RATE: Quotient;
  /** Invoices that are no duplicate and have quantity of their receipt and price of their item, of all invoices. */
  readonly THREE_WAY_MATCH_RATE: Quotient;
  /** Payments on or before the due date, of all payments. */
  readonly ON_TIME_PAYMENT_RATE: Quotient;
  /** EUR: discount that was offered and not taken, of all payments. */
  readonly LOST_DISCOUNT: number;
  /** EUR: net amount of invoices that are duplicates of others. */
  readonly DUPLICATE_INVOICE_VALUE: number;
  /** Days from order date to completion, in all, and the number of completed orders. */
  readonly CYCLE_TIME_DAYS: Quotient;
};

export type ExpectedP2pFigures = {
  readonly rows: Readonly<Record<string, number>>;
  readonly kpis: KpiFigures;
  /** By the plant of the order. */
  readonly kpisByPlant: Readonly<Record<string, KpiFigures>>;
  /** By the month of the order date. */
  readonly maverickRateByMonth: Readonly<Record<string, Quotient>>;
  readonly maverickItems: {
    readonly byPlant: Readonly<Record<string, number>>;
    readonly byMaterialGroup: Readonly<Record<string, number>>;
    /** In one of the plants and one of the groups where they are concentrated. */
    readonly inPlantsAndGroups: number;
  };
  readonly duplicateInvoices: number;
  readonly latePayments: number;
  /** Of the suppliers whose invoices are paid late most of the time. */
  readonly slowlyPaid: {
    readonly suppliers: readonly string[];
    readonly payments: number;
    readonly latePayments: number;
    readonly lostDiscount: number;
  };
  /** Days from delivery to posting, in all, and receipts: of what was delivered before 2026-03 and from then on. */
  readonly receiptLagDays: Readonly<Record<string, { readonly before: Quotient; readonly from: Quotient }>>;
};

export type P2pDataSet = 'tiny' | 'demo' | 'load' | 'northgate';

/** Of Meridian Coatings by size, and of Northgate, which is the same in every size. */
export const expectedP2pFigures: Readonly<Record<P2pDataSet, ExpectedP2pFigures>> = goldenP2pFigures;
