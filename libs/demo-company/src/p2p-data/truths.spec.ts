import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { companies } from './company.js';
import { figureTableRows } from './testing/documented-rows.js';
import { truthsAndDigestsOf, truthsOf } from './testing/read-p2p.js';
import { p2pTruths, type P2pTruths, type Quotient } from './truths.js';
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

const tiny = truthsAndDigestsOf('tiny', 'meridian');
const demo = truthsAndDigestsOf('demo', 'meridian');
const northgate = truthsAndDigestsOf('tiny', 'northgate');
const counted = { tiny: tiny.truths, demo: demo.truths, northgate: northgate.truths };
const digests = tiny.digests + demo.digests + northgate.digests + beginningOfLoad();

if (writesGoldens) {
  const figures = JSON.stringify({ ...counted, load: truthsOf('load', 'meridian') });
  writeFileSync(
    join(here, 'truths.golden.ts'),
    `/** Written by truths.spec.ts. */\nimport type { P2pTruths, P2pTruthsOf } from './truths.js';\n\n` +
      `export const trueFigures: Readonly<Record<P2pTruthsOf, P2pTruths>> = ${figures};\n`,
  );
  writeFileSync(digestsPath, digests);
}

const sizes = ['tiny', 'demo', 'load'] as const;
const rate = ([part, of]: Quotient): number => part / of;
const sum = (counts: Readonly<Record<string, number>>, names: readonly string[] = Object.keys(counts)): number =>
  names.reduce((total, name) => total + (counts[name] ?? 0), 0);

describe('the truths of the purchase-to-pay data', () => {
  // UPDATE_GOLDENS=1 writes what only the next run imports.
  it.each(['tiny', 'demo', 'northgate'] as const)('of %s are what its rows say', (of) => {
    expect(counted[of]).toEqual(p2pTruths[of]);
  });

  it('stand on files that are the same in every byte on every machine', () => {
    expect(digests).toBe(readFileSync(digestsPath, 'utf8'));
  });

  it('are of as many rows as each size promises', () => {
    for (const size of sizes) {
      const { orders, items, invoices, events, suppliers } = companies.meridian.volumes[size];
      expect(p2pTruths[size].rows).toMatchObject({
        ...{ purchase_order: orders, po_item: items, invoice: invoices, event: events, supplier: suppliers },
      });
    }
    expect(p2pTruths.demo.rows).toMatchObject({ po_item: 62_000, invoice: 58_000, event: 420_000 });
    expect(p2pTruths.load.rows).toMatchObject({ po_item: 2_000_000 });
  });

  it.each(sizes)(
    'of %s have 4.2 % of items without requisition, most of them in two plants and three groups',
    (size) => {
      const { rows, kpis, maverickItems } = p2pTruths[size];
      const mavericks = Math.round(0.042 * (rows['po_item'] ?? 0));
      const { maverickPlants, maverickGroups } = companies.meridian;
      expect(kpis.MAVERICK_RATE).toEqual([mavericks, rows['po_item']]);
      expect(sum(maverickItems.byPlant)).toBe(mavericks);
      expect(sum(maverickItems.byMaterialGroup)).toBe(mavericks);
      // The two plants have a third of the items and the three groups a sixth.
      expect(sum(maverickItems.byPlant, maverickPlants) / mavericks).toBeGreaterThan(0.7);
      expect(sum(maverickItems.byMaterialGroup, maverickGroups) / mavericks).toBeGreaterThan(0.4);
      expect(maverickItems.inPlantsAndGroups / mavericks).toBeGreaterThan(0.3);
    },
  );

  it.each(sizes)('of %s have 0.8 %% duplicates and 90.2 %% matched invoices', (size) => {
    const { rows, kpis, duplicateInvoices } = p2pTruths[size];
    const invoices = rows['invoice'] ?? 0;
    const part = (perMille: number): number => Math.round((perMille * invoices) / 1000);
    expect(duplicateInvoices).toBe(part(8));
    expect(kpis.DUPLICATE_INVOICE_VALUE).toBeGreaterThan(0);
    expect(kpis.THREE_WAY_MATCH_RATE).toEqual([invoices - part(50) - part(30) - part(10) - part(8), invoices]);
  });

  it.each(sizes)('of %s have 11 %% of payments late, and the lost discount is that of 12 suppliers', (size) => {
    const { rows, kpis, latePayments, slowlyPaid } = p2pTruths[size];
    const payments = rows['payment'] ?? 0;
    expect(latePayments).toBe(Math.round(0.11 * payments));
    expect(kpis.ON_TIME_PAYMENT_RATE).toEqual([payments - latePayments, payments]);
    expect(slowlyPaid.suppliers).toHaveLength(12);
    expect(slowlyPaid.lostDiscount / kpis.LOST_DISCOUNT).toBeGreaterThan(0.8);
    expect(slowlyPaid.payments / payments).toBeLessThan(0.15);
  });

  it.each(sizes)('of %s have one plant that posts goods receipts 9 days late from 2026-03 on', (size) => {
    for (const [plant, { before, from }] of Object.entries(p2pTruths[size].receiptLagDays)) {
      expect(Math.abs(rate(before) - 1)).toBeLessThan(0.2);
      expect(Math.abs(rate(from) - (plant === '1020' ? 9 : 1))).toBeLessThan(0.3);
    }
  });

  it('of plants add up to those of the whole', () => {
    for (const { kpis, kpisByPlant, maverickRateByMonth } of Object.values<P2pTruths>(p2pTruths)) {
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

  it('of northgate are other ones', () => {
    const { kpis, latePayments, duplicateInvoices } = p2pTruths.northgate;
    expect([kpis.MAVERICK_RATE, duplicateInvoices]).toEqual([[63, 700], 16]);
    expect(latePayments).toBe(Math.round(0.24 * kpis.ON_TIME_PAYMENT_RATE[1]));
  });

  it('are documented in docs/demo.md', () => {
    const cellsOf = (line: string): string => line.replace(/\s*\|\s*/g, '|').trim();
    const lines = readFileSync(join(here, '../../../../docs/demo.md'), 'utf8').split('\n').map(cellsOf);
    expect(figureTableRows().filter((row) => !lines.includes(cellsOf(row)))).toEqual([]);
  });
});
