import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { companies } from './company.js';
import { formatFigureTableRows } from './testing/documented-rows.js';
import { computeFiguresAndDigests, computeFigures } from './testing/read-p2p.js';
import { expectedP2pFigures, type ExpectedP2pFigures, type Quotient } from './truths.js';
import { printP2pTables } from './write-p2p-tables.js';

const writesGoldens = process.env['UPDATE_GOLDENS'] === '1';
const here = import.meta.dirname;
const digestsPath = join(here, 'digests.golden.txt');

/** Of the large size only the beginning is read: reading it all takes a minute. */
const beginningOfLoad = (): string => {
  const hash = createHash('sha256');
  let pieces = 0;
  for (const [table, piece] of printP2pTables('load', 'meridian')) {
    hash.update(`${table} ${piece}`);
    pieces += 1;
    if (pieces === 50) break;
  }
  return `load meridian beginning ${hash.digest('hex')}\n`;
};

const tiny = computeFiguresAndDigests('tiny', 'meridian');
const demo = computeFiguresAndDigests('demo', 'meridian');
const northgate = computeFiguresAndDigests('tiny', 'northgate');
const counted = { tiny: tiny.truths, demo: demo.truths, northgate: northgate.truths };
const digests = tiny.digests + demo.digests + northgate.digests + beginningOfLoad();

if (writesGoldens) {
  const figures = JSON.stringify({ ...counted, load: computeFigures('load', 'meridian') });
  writeFileSync(
    join(here, 'truths.golden.ts'),
    `/** Written by truths.spec.ts. */\nimport type { ExpectedP2pFigures, P2pDataSet } from './truths.js';\n\n` +
      `export const goldenP2pFigures: Readonly<Record<P2pDataSet, ExpectedP2pFigures>> = ${figures};\n`,
  );
  writeFileSync(digestsPath, digests);
}

const sizes = ['tiny', 'demo', 'load'] as const;
const rate = ([part, of]: Quotient): number => part / of;
const sum = (counts: Readonly<Record<string, number>>, names: readonly string[] = Object.keys(counts)): number =>
  names.reduce((total, name) => total + (counts[name] ?? 0), 0);

describe('the expected figures of the purchase-to-pay data', () => {
  // UPDATE_GOLDENS=1 writes what only the next run imports.
  it.each(['tiny', 'demo', 'northgate'] as const)('of %s equal the figures computed from its rows', (of) => {
    expect(counted[of]).toEqual(expectedP2pFigures[of]);
  });

  it('are based on files that are byte-identical on every machine', () => {
    expect(digests).toBe(readFileSync(digestsPath, 'utf8'));
  });

  it('have the documented number of rows for each size', () => {
    for (const size of sizes) {
      const { orders, items, invoices, events, suppliers } = companies.meridian.volumes[size];
      expect(expectedP2pFigures[size].rows).toMatchObject({
        ...{ purchase_order: orders, po_item: items, invoice: invoices, event: events, supplier: suppliers },
      });
    }
    expect(expectedP2pFigures.demo.rows).toMatchObject({ po_item: 62_000, invoice: 58_000, event: 420_000 });
    expect(expectedP2pFigures.load.rows).toMatchObject({ po_item: 2_000_000 });
  });

  it.each(sizes)('of %s include 4.2 % of items without requisition, mostly in two plants and three groups', (size) => {
    const { rows, kpis, maverickItems } = expectedP2pFigures[size];
    const mavericks = Math.round(0.042 * (rows['po_item'] ?? 0));
    const { maverickPlants, maverickGroups } = companies.meridian;
    expect(kpis.MAVERICK_RATE).toEqual([mavericks, rows['po_item']]);
    expect(sum(maverickItems.byPlant)).toBe(mavericks);
    expect(sum(maverickItems.byMaterialGroup)).toBe(mavericks);
    // The two plants have a third of the items and the three groups a sixth.
    expect(sum(maverickItems.byPlant, maverickPlants) / mavericks).toBeGreaterThan(0.7);
    expect(sum(maverickItems.byMaterialGroup, maverickGroups) / mavericks).toBeGreaterThan(0.4);
    expect(maverickItems.inPlantsAndGroups / mavericks).toBeGreaterThan(0.3);
  });

  it.each(sizes)('of %s include 0.8 %% duplicate and 90.2 %% matched invoices', (size) => {
    const { rows, kpis, duplicateInvoices } = expectedP2pFigures[size];
    const invoices = rows['invoice'] ?? 0;
    const part = (perMille: number): number => Math.round((perMille * invoices) / 1000);
    expect(duplicateInvoices).toBe(part(8));
    expect(kpis.DUPLICATE_INVOICE_VALUE).toBeGreaterThan(0);
    expect(kpis.THREE_WAY_MATCH_RATE).toEqual([invoices - part(50) - part(30) - part(10) - part(8), invoices]);
  });

  it.each(sizes)('of %s include 11 %% late payments, with the lost discount at 12 suppliers', (size) => {
    const { rows, kpis, latePayments, slowlyPaid } = expectedP2pFigures[size];
    const payments = rows['payment'] ?? 0;
    expect(latePayments).toBe(Math.round(0.11 * payments));
    expect(kpis.ON_TIME_PAYMENT_RATE).toEqual([payments - latePayments, payments]);
    expect(slowlyPaid.suppliers).toHaveLength(12);
    expect(slowlyPaid.lostDiscount / kpis.LOST_DISCOUNT).toBeGreaterThan(0.8);
    expect(slowlyPaid.payments / payments).toBeLessThan(0.15);
  });

  it.each(sizes)('of %s include one plant that posts goods receipts 9 days late from 2026-03 on', (size) => {
    for (const [plant, { before, from }] of Object.entries(expectedP2pFigures[size].receiptLagDays)) {
      expect(Math.abs(rate(before) - 1)).toBeLessThan(0.2);
      expect(Math.abs(rate(from) - (plant === '1020' ? 9 : 1))).toBeLessThan(0.3);
    }
  });

  it('of all plants add up to the totals', () => {
    for (const { kpis, kpisByPlant, maverickRateByMonth } of Object.values<ExpectedP2pFigures>(expectedP2pFigures)) {
      const plants = Object.values(kpisByPlant);
      const cents = plants.reduce((total, { LOST_DISCOUNT }) => total + Math.round(LOST_DISCOUNT * 100), 0);
      expect(cents / 100).toBe(kpis.LOST_DISCOUNT);
      const months = Object.values(maverickRateByMonth);
      expect(months.reduce((total, [part]) => total + part, 0)).toBe(kpis.MAVERICK_RATE[0]);
      expect(plants.reduce((total, { CYCLE_TIME_DAYS }) => total + CYCLE_TIME_DAYS[0], 0)).toBe(
        kpis.CYCLE_TIME_DAYS[0],
      );
    }
  });

  it('of northgate differ from those of meridian', () => {
    const { kpis, latePayments, duplicateInvoices } = expectedP2pFigures.northgate;
    expect([kpis.MAVERICK_RATE, duplicateInvoices]).toEqual([[63, 700], 16]);
    expect(latePayments).toBe(Math.round(0.24 * kpis.ON_TIME_PAYMENT_RATE[1]));
  });

  it('are documented in docs/demo.md', () => {
    const cellsOf = (line: string): string => line.replace(/\s*\|\s*/g, '|').trim();
    const lines = readFileSync(join(here, '../../../../docs/demo.md'), 'utf8').split('\n').map(cellsOf);
    expect(formatFigureTableRows().filter((row) => !lines.includes(cellsOf(row)))).toEqual([]);
  });
});
