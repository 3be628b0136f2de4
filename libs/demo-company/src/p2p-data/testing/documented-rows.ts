/** The lines of the tables in docs/demo.md that hold figures of the purchase-to-pay data. */
import { companies } from '../company.js';
import { expectedP2pFigures, type KpiFigures, type ExpectedP2pFigures, type Quotient } from '../truths.js';

const truths: readonly ExpectedP2pFigures[] = [
  expectedP2pFigures.tiny,
  expectedP2pFigures.demo,
  expectedP2pFigures.load,
  expectedP2pFigures.northgate,
];

const formatInteger = (value: number): string => value.toLocaleString('en-US');
const euro = (value: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const percent = (part: number, of: number): string => `${((100 * part) / of).toFixed(2)} %`;
const share = ([part, of]: Quotient): string => `${formatInteger(part)} of ${formatInteger(of)} = ${percent(part, of)}`;
const average = ([sum, of]: Quotient): string =>
  `${formatInteger(sum)} / ${formatInteger(of)} = ${(sum / of).toFixed(2)}`;

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const row = (name: string, cellOf: (truth: ExpectedP2pFigures) => string): string =>
  line([name, ...truths.map(cellOf)]);

const kpiRows: Readonly<Record<keyof KpiFigures, (kpis: KpiFigures) => string>> = {
  OPEN_PO_VALUE: (kpis) => euro(kpis.OPEN_PO_VALUE),
  MAVERICK_RATE: (kpis) => share(kpis.MAVERICK_RATE),
  THREE_WAY_MATCH_RATE: (kpis) => share(kpis.THREE_WAY_MATCH_RATE),
  ON_TIME_PAYMENT_RATE: (kpis) => share(kpis.ON_TIME_PAYMENT_RATE),
  LOST_DISCOUNT: (kpis) => euro(kpis.LOST_DISCOUNT),
  DUPLICATE_INVOICE_VALUE: (kpis) => euro(kpis.DUPLICATE_INVOICE_VALUE),
  CYCLE_TIME_DAYS: (kpis) => average(kpis.CYCLE_TIME_DAYS),
};

const meridianRow = (name: string, cellOf: (truth: ExpectedP2pFigures) => string): string =>
  line([name, ...truths.slice(0, 3).map(cellOf)]);

const sumOf = (counts: Readonly<Record<string, number>>, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

export const formatFigureTableRows = (): readonly string[] => {
  const { maverickPlants, maverickGroups } = companies.meridian;
  const ofMavericks = (part: number, { kpis }: ExpectedP2pFigures): string =>
    `${formatInteger(part)} = ${percent(part, kpis.MAVERICK_RATE[0])}`;
  return [
    ...Object.keys(expectedP2pFigures.tiny.rows).map((table) =>
      row(`\`${table}\``, ({ rows }) => formatInteger(rows[table] ?? 0)),
    ),
    ...Object.entries(kpiRows).map(([name, cellOf]) => row(`\`${name}\``, ({ kpis }) => cellOf(kpis))),
    ...Object.entries(expectedP2pFigures.demo.kpisByPlant).map(([plant, kpis]) =>
      line([plant, ...Object.values(kpiRows).map((cellOf) => cellOf(kpis))]),
    ),
    meridianRow('items without requisition', ({ kpis }) => share(kpis.MAVERICK_RATE)),
    meridianRow(`in the plants ${maverickPlants.join(' and ')}`, (truth) =>
      ofMavericks(sumOf(truth.maverickItems.byPlant, maverickPlants), truth),
    ),
    meridianRow(`in the groups ${maverickGroups.join(', ')}`, (truth) =>
      ofMavericks(sumOf(truth.maverickItems.byMaterialGroup, maverickGroups), truth),
    ),
    meridianRow('in both', (truth) => ofMavericks(truth.maverickItems.inPlantsAndGroups, truth)),
    meridianRow('duplicate invoices', ({ rows, duplicateInvoices }) =>
      share([duplicateInvoices, rows['invoice'] ?? 0]),
    ),
    meridianRow('late payments', ({ rows, latePayments }) => share([latePayments, rows['payment'] ?? 0])),
    meridianRow('late payments to the 12', ({ slowlyPaid }) => share([slowlyPaid.latePayments, slowlyPaid.payments])),
    meridianRow(
      'lost discount of the 12',
      ({ kpis, slowlyPaid }) =>
        `${euro(slowlyPaid.lostDiscount)} = ${percent(slowlyPaid.lostDiscount, kpis.LOST_DISCOUNT)}`,
    ),
    ...Object.keys(expectedP2pFigures.demo.receiptLagDays).flatMap((plant) => [
      meridianRow(`lag of ${plant} before 2026-03`, ({ receiptLagDays }) =>
        average(receiptLagDays[plant]?.before ?? [0, 0]),
      ),
      meridianRow(`lag of ${plant} from 2026-03`, ({ receiptLagDays }) =>
        average(receiptLagDays[plant]?.from ?? [0, 0]),
      ),
    ]),
  ];
};
