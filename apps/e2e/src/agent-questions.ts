/**
 * Questions to the demo's analyst with the texts their answers must contain, counted from the demo's rows, and the
 * query that gives the same figures.
 */

/** Parameters of a query of the model `p2p.base-km`. */
export type KpiQuery = {
  readonly kpis: string;
  readonly fields?: string;
  readonly filters?: string;
  readonly filterExpr?: readonly string[];
  readonly sort?: string;
  readonly pageSize?: string;
};

type GoldenQuestion = {
  /** In one conversation; the answer to the last one is looked at. */
  readonly asked: readonly string[];
  /** Figures, names of KPIs and filters, values. */
  readonly holds: readonly string[];
  readonly query?: KpiQuery;
};

const plant = 'PURCHASE_ORDER.PLANT';
const orderDateField = 'PURCHASE_ORDER.ORDER_DATE';
const paid = 'PAYMENT.PAYMENT_DATE';

const maverickByPlant = { kpis: 'MAVERICK_RATE', fields: plant };
const maverickPlants = ['Maverick buying', '1.32 %', '1.23 %', '9.48 %', '9.93 %'];
const maverickWerke = ['1,32 %', '1,23 %', '9,48 %', '9,93 %'];
const lostSinceMarch = {
  kpis: 'LOST_DISCOUNT',
  fields: 'SUPPLIER.SUPPLIER_NO,SUPPLIER.NAME',
  filterExpr: [`${paid} ge 2026-03-01`],
  sort: '-LOST_DISCOUNT',
  pageSize: '5',
};
const lagSince = {
  kpis: 'POSTING_LAG_DAYS',
  filterExpr: ["GOODS_RECEIPT.PLANT eq '1020'", 'GOODS_RECEIPT.DELIVERED_ON ge 2026-03-01'],
};

const english: readonly GoldenQuestion[] = [
  { asked: ['What is the maverick rate by plant?'], holds: maverickPlants, query: maverickByPlant },
  {
    asked: ['Top 5 suppliers by lost discount since 2026-03'],
    holds: ['Lost discount', '10,787.08 EUR', '100001', '100010', '100002', '100011', '100004', 'from 2026-03-01'],
    query: lostSinceMarch,
  },
  {
    asked: ['Which plant is late with goods receipts, and since when?'],
    holds: ['Posting lag of goods receipts', 'Plant 1020', '2026-03', '9.00 days', '1.00 days'],
    query: lagSince,
  },
  { asked: ['What is the maverick rate?'], holds: ['Maverick buying: **4.2 %**'], query: { kpis: 'MAVERICK_RATE' } },
  {
    asked: ['How high is the open order value?'],
    holds: ['11,367,753 EUR', '11,367,752.86 EUR'],
    query: { kpis: 'OPEN_PO_VALUE' },
  },
  {
    asked: ['What is the value of duplicate invoices?'],
    holds: ['1,398,656.76 EUR'],
    query: { kpis: 'DUPLICATE_INVOICE_VALUE' },
  },
  {
    asked: ['Open order value and lost discount by plant'],
    holds: ['4,658,770.56 EUR', '194,246.32 EUR', '2,733,128.04 EUR', '67,542.04 EUR'],
    query: { kpis: 'OPEN_PO_VALUE,LOST_DISCOUNT', fields: plant },
  },
  {
    asked: ['Maverick rate in plant 2010'],
    holds: ['9.5 %', '9.48 %', 'Plant (Purchase order item): 2010'],
    query: { kpis: 'MAVERICK_RATE', filterExpr: [`${plant} eq '2010'`] },
  },
  {
    asked: ['Maverick rate in Valencia vs Rotterdam'],
    holds: ['9.48 %', '9.93 %', '2010, 3010'],
    query: { ...maverickByPlant, filterExpr: [`${plant} in ('2010', '3010')`] },
  },
  {
    asked: ['Which plant has the worst three-way match?'],
    holds: ['1020 has the lowest Three-way match', '89.99 %', '90.82 %'],
    query: { kpis: 'THREE_WAY_MATCH_RATE', fields: plant },
  },
  {
    asked: ['best plant by on-time payment'],
    holds: ['3010 has the highest Paid in time', '89.44 %'],
    query: { kpis: 'ON_TIME_PAYMENT_RATE', fields: plant },
  },
  { asked: ['How many orders are there?'], holds: ['Purchase order: **20,000**'], query: { kpis: 'ORDER_COUNT' } },
  {
    asked: ['How many blocked invoices are there?'],
    holds: ['Invoice: **1,511**', 'Only: Blocked invoices'],
    query: { kpis: 'INVOICE_COUNT', filters: 'BLOCKED_INVOICES' },
  },
  { asked: ['How many payments were made?'], holds: ['54,995', 'Payment'] },
  {
    asked: ['plants with maverick rate above 5 %'],
    holds: ['9.48 %', '9.93 %', '2 in all', 'Maverick buying > 5 %'],
    query: { ...maverickByPlant, filterExpr: ['MAVERICK_RATE gt 0.05'] },
  },
  {
    asked: ['Does the maverick rate meet its target?'],
    holds: ['4.2 %', 'The target of Maverick buying is 3 %: missed'],
    query: { kpis: 'MAVERICK_RATE' },
  },
  {
    asked: ['Is the maverick rate above 5 %?'],
    holds: ['4.2 %', 'No: asked was > 5 %'],
    query: { kpis: 'MAVERICK_RATE' },
  },
  {
    asked: ['What drives the maverick rate?'],
    holds: ['4.2 %', '| Plant | 2010 | 9.48 % |', '| Plant | 3010 | 9.93 % |', 'Contribution'],
    query: { kpis: 'MAVERICK_RATE' },
  },
  {
    asked: ['Maverick rate for the last 12 months by plant'],
    holds: ['Only: Last twelve months'],
    query: { ...maverickByPlant, filters: 'LAST_12_MONTHS' },
  },
  {
    asked: ['Order value of open items by material group'],
    holds: ['Order value', 'Material group', 'Only: Open items'],
    query: { kpis: 'ORDER_VALUE', fields: 'PO_ITEM.MATERIAL_GROUP', filters: 'OPEN_ITEMS' },
  },
  {
    asked: ['Lost discount in March 2026'],
    holds: ['from 2026-03-01 to 2026-03-31'],
    query: { kpis: 'LOST_DISCOUNT', filterExpr: [`${paid} ge 2026-03-01`, `${paid} le 2026-03-31`] },
  },
  {
    asked: ['lost discount last quarter'],
    holds: ['from 2026-01-01 to 2026-03-31'],
    query: { kpis: 'LOST_DISCOUNT', filterExpr: [`${paid} ge 2026-01-01`, `${paid} le 2026-03-31`] },
  },
  {
    asked: ['Order value by month in 2026'],
    holds: ['Order month', '2026-01', '2026-06'],
    query: { kpis: 'ORDER_VALUE', fields: 'PO_ITEM.ORDER_MONTH', filterExpr: [`${orderDateField} ge 2026-01-01`] },
  },
  {
    asked: ['Order value with suppliers from Spain'],
    holds: ['Country (Supplier): ES'],
    query: { kpis: 'ORDER_VALUE', filterExpr: ["SUPPLIER.COUNTRY eq 'ES'"] },
  },
  {
    asked: ['Maverik rate by plnat'],
    holds: maverickPlants,
    query: maverickByPlant,
  },
  {
    asked: ['Lost discount of supplier 100001'],
    holds: ['47,803.15 EUR', 'Supplier (Supplier): 100001'],
    query: { kpis: 'LOST_DISCOUNT', filterExpr: ["SUPPLIER.SUPPLIER_NO eq '100001'"] },
  },
  {
    asked: ['Lost discount in 2025', 'and in 2026?', 'by plant'],
    holds: ['Lost discount by Plant', 'from 2026-01-01 to 2026-12-31'],
    query: { kpis: 'LOST_DISCOUNT', fields: plant, filterExpr: [`${paid} ge 2026-01-01`] },
  },
  {
    asked: ['Cycle time by plant', 'what about the open order value?'],
    holds: ['4,658,770.56 EUR', '1,722,544.72 EUR'],
    query: { kpis: 'OPEN_PO_VALUE', fields: plant },
  },
  {
    asked: ['How do I create a purchase order?'],
    holds: ['**Create purchase order** (process, released)', '/reporting/'],
  },
  { asked: ['How are invoices verified?'], holds: ['**Verify invoices** (process, released)', '/reporting/'] },
];

const german: readonly GoldenQuestion[] = [
  { asked: ['Wie hoch ist die Maverick-Quote nach Werk?'], holds: maverickWerke, query: maverickByPlant },
  { asked: ['Maverickquote je Werk'], holds: maverickWerke, query: maverickByPlant },
  { asked: ['Wie hoch ist der offene Bestellwert?'], holds: ['11.367.752,86 EUR'], query: { kpis: 'OPEN_PO_VALUE' } },
  {
    asked: ['Top 5 Lieferanten nach Skontoverlust seit März 2026'],
    holds: ['10.787,08 EUR', '100001', '100004', 'ab 2026-03-01'],
    query: lostSinceMarch,
  },
  {
    asked: ['Welches Werk ist mit Wareneingängen in Verzug und seit wann?'],
    holds: ['Werk 1020', '2026-03', '9,00 Tage', '1,00 Tage'],
    query: lagSince,
  },
  {
    asked: ['Welche drei Lieferanten haben den höchsten Skontoverlust?'],
    holds: ['47.803,15 EUR', '100001', '100010', '100011'],
    query: { kpis: 'LOST_DISCOUNT', fields: 'SUPPLIER.SUPPLIER_NO', sort: '-LOST_DISCOUNT', pageSize: '3' },
  },
  {
    asked: ['lieferanten mit dem hoechsten skontoverlust'],
    holds: ['47.803,15 EUR', '100001'],
    query: { kpis: 'LOST_DISCOUNT', fields: 'SUPPLIER.SUPPLIER_NO', sort: '-LOST_DISCOUNT', pageSize: '5' },
  },
  { asked: ['Wie viele Bestellungen gibt es?'], holds: ['Bestellung: **20.000**'], query: { kpis: 'ORDER_COUNT' } },
  {
    asked: ['Wie viele gesperrte Rechnungen gibt es je Werk?'],
    holds: ['577', '214', 'Nur: Gesperrte Rechnungen'],
    query: { kpis: 'INVOICE_COUNT', fields: plant, filters: 'BLOCKED_INVOICES' },
  },
  {
    asked: ['Wie hoch ist der offene Bestellwert im Werk Rotterdam?'],
    holds: ['1.722.544,72 EUR', '3010'],
    query: { kpis: 'OPEN_PO_VALUE', filterExpr: [`${plant} eq '3010'`] },
  },
  {
    asked: ['Bestellwert nach Warengruppe im ersten Quartal 2026'],
    holds: ['Warengruppe', 'von 2026-01-01 bis 2026-03-31'],
    query: {
      kpis: 'ORDER_VALUE',
      fields: 'PO_ITEM.MATERIAL_GROUP',
      filterExpr: [`${orderDateField} ge 2026-01-01`, `${orderDateField} le 2026-03-31`],
    },
  },
  {
    asked: ['Skontoverlust pro Monat in 2026'],
    holds: ['Payment month', '2026-01', '23.774,53 EUR', '34.670,13 EUR'],
    query: { kpis: 'LOST_DISCOUNT', fields: 'PAYMENT.PAYMENT_MONTH', filterExpr: [`${paid} ge 2026-01-01`] },
  },
  {
    asked: ['Skontoverlust im letzten Monat'],
    holds: ['22.372,59 EUR', 'von 2026-05-01 bis 2026-05-31'],
    query: { kpis: 'LOST_DISCOUNT', filterExpr: [`${paid} ge 2026-05-01`, `${paid} le 2026-05-31`] },
  },
  {
    asked: ['Wie hoch ist der Bestellwert der offenen Positionen?'],
    holds: ['13.722.067,05 EUR', 'Nur: offene Bestellungen'],
    query: { kpis: 'ORDER_VALUE', filters: 'OPEN_ITEMS' },
  },
  {
    asked: ['Wie hoch ist der Anteil verspäteter Zahlungen je Werk?'],
    holds: ['Zu spät bezahlt', '11,22 %', '10,56 %'],
    query: { kpis: 'LATE_PAYMENT_RATE', fields: plant },
  },
  {
    asked: ['Welche Lieferanten haben mehr als 10.000 EUR Skonto verloren?'],
    holds: ['13', '10.401,77 EUR', 'Entgangenes Skonto > 10.000 EUR'],
    query: { kpis: 'LOST_DISCOUNT', fields: 'SUPPLIER.SUPPLIER_NO', filterExpr: ['LOST_DISCOUNT gt 10000'] },
  },
  {
    asked: ['Wird das Ziel der Durchlaufzeit erreicht?'],
    holds: ['56,71 Tage', 'Das Ziel von Durchlaufzeit ist 45 Tage: verfehlt'],
    query: { kpis: 'CYCLE_TIME_DAYS' },
  },
  {
    asked: ['Warum ist die Maverick-Quote so hoch?'],
    holds: ['4,2 %', '| Plant | 2010 | 9,48 % |', 'Beitrag'],
    query: { kpis: 'MAVERICK_RATE' },
  },
  {
    asked: ['Skontoverlust von Färberei Müller'],
    holds: ['47.803,15 EUR', 'Färberei Müller & Söhne GmbH'],
    query: { kpis: 'LOST_DISCOUNT', filterExpr: ["SUPPLIER.SUPPLIER_NO eq '100001'"] },
  },
  {
    asked: ['Kannst du mir bitte sagen, wie hoch die Durchlaufzeit in Ludwigshafen ist?'],
    holds: ['56,49 Tage', '1020'],
    query: { kpis: 'CYCLE_TIME_DAYS', filterExpr: [`${plant} eq '1020'`] },
  },
  {
    asked: ['Bestellwert und Anzahl Bestellungen je Werk'],
    holds: ['Bestellwert', 'Bestellungen'],
    query: { kpis: 'ORDER_VALUE,ORDER_COUNT', fields: plant },
  },
  {
    asked: ['Wie hoch ist der Skontoverlust je Werk?', 'und nach Monat?', 'und nur im Werk 2010?'],
    holds: ['Payment month', 'Werk (Bestellung): 2010', '5.084,66 EUR'],
    query: { kpis: 'LOST_DISCOUNT', fields: 'PAYMENT.PAYMENT_MONTH', filterExpr: [`${plant} eq '2010'`] },
  },
  { asked: ['Wie läuft die Rechnungsprüfung?'], holds: ['**Rechnungen prüfen** (process, released)', '/reporting/'] },
  { asked: ['Wie wird ein Wareneingang gebucht?'], holds: ['**Wareneingang buchen**', '/reporting/'] },
];

/** Questions without an answer in the demo: the reply names what was not found and gives no figure. */
export const unanswerableQuestions: readonly { readonly asked: string; readonly says: string }[] = [
  { asked: 'What is the revenue by customer?', says: '"revenue"' },
  { asked: 'What is the maverick rate in plant Atlantis?', says: '"Atlantis"' },
  { asked: 'What will the maverick rate be next year?', says: 'cannot look into the future' },
  { asked: 'How many invoices were paid in May 2026?', says: '"paid"' },
  { asked: 'Wie hoch ist die Mitarbeiterzufriedenheit?', says: '„Mitarbeiterzufriedenheit“' },
  { asked: 'Wie wird das Wetter in Berlin?', says: 'Berlin' },
  { asked: 'Sperre die Rechnung 5100000001', says: 'ich ändere nichts' },
];

export const goldenQuestions: readonly GoldenQuestion[] = [...english, ...german];
