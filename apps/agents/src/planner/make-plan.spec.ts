/** What the planner asks of which question: the arguments of its calls, on one line each. */
import { describe, expect, it } from '@jest/globals';
import { type JsonObject, isObject, filterObjects, getText, filterStrings } from './json.js';
import { makePlan } from './make-plan.js';
import type { Plan } from './plan.js';
import { interpretQuestion } from './interpret-question.js';
import { readRecordedVocabulary } from './testing/recorded-tools.js';
import type { SearchHit } from './vocabulary.js';

const vocabulary = readRecordedVocabulary();
const value = (id: string, name: string): SearchHit => ({
  term: name,
  id,
  name,
  recordName: '',
  type: 'string',
  kind: 'Value',
});
/** What search-data would find. */
const hits: readonly SearchHit[] = [
  ...['PURCHASE_ORDER.PLANT', 'PO_ITEM.PLANT', 'GOODS_RECEIPT.PLANT'].flatMap((id) => [
    value(id, '2010'),
    value(id, '3010'),
  ]),
  ...['SUPPLIER.COUNTRY', 'PURCHASE_ORDER.COUNTRY', 'PO_ITEM.COUNTRY'].flatMap((id) => [
    value(id, 'ES'),
    value(id, 'DE'),
  ]),
  value('PO_ITEM.COMPANY_CODE', '1000'),
  value('PO_ITEM.UNIT', 'DAY'),
  value('SUPPLIER.SUPPLIER_NO', '100001'),
  value('PO_ITEM.MATERIAL_GROUP', 'MRO'),
  value('SUPPLIER.NAME', 'Färberei Müller & Söhne GmbH'),
  value('INVOICE.STATUS', 'paid'),
];

const printed = (args: JsonObject): string => {
  const applied = isObject(args['applied_filters']) ? args['applied_filters'] : {};
  const order =
    args['order_by'] === undefined ? [] : [`sort ${args['ascending'] === true ? '' : '-'}${getText(args, 'order_by')}`];
  return [
    args['kpi'] === undefined
      ? filterStrings(args['columns']).join(' ')
      : `${getText(args, 'kpi')} <- ${filterStrings(args['field_ids']).join(' ')}`,
    ...order,
    ...(args['limit'] === undefined || args['kpi'] !== undefined ? [] : [`limit ${JSON.stringify(args['limit'])}`]),
    ...filterObjects(applied['string_filters']).map(
      (each) =>
        `${each['negation'] === true ? 'not ' : ''}${String(each['column_id'])}=${filterStrings(each['values']).join('/')}`,
    ),
    ...filterObjects(applied['numeric_filters']).map(
      (each) => `${String(each['column_id'])}${String(each['comparator'])}${String(each['value'])}`,
    ),
    ...filterObjects(applied['date_filters']).map(
      (each) => `${String(each['column_id'])} ${getText(each, 'start_date')}..${getText(each, 'end_date')}`,
    ),
    ...filterObjects(applied['boolean_filters']).map((each) => `${String(each['column_id'])}=${String(each['value'])}`),
    ...filterObjects(applied['null_filters']).map(
      (each) => `${String(each['column_id'])} ${each['is_null'] === true ? 'is' : 'is not'} null`,
    ),
    ...filterStrings(args['filters']).map((each) => `@${each}`),
  ].join('; ');
};

const shownPlan = (plan: Plan): string => {
  switch (plan.kind) {
    case 'refuse':
      return `refuse ${plan.refusal.why}`;
    case 'newest-day':
      return `newest ${plan.field.id}`;
    case 'explain':
      return `explain ${plan.kpis.map(({ id }) => id).join(' ')}`;
    case 'figures':
      return plan.queries.map(({ args }) => printed(args)).join(' + ');
    case 'drivers':
      return `drivers ${printed(plan.args)}`;
    case 'median':
    case 'rows':
    case 'since-when':
      return `${plan.kind} ${printed(plan.query.args)}`;
  }
};

const planOf = (question: string, newest?: string, avoid: readonly string[] = []): string =>
  shownPlan(makePlan(interpretQuestion(question, vocabulary, hits), { vocabulary, newest, avoid: new Set(avoid) }));

describe('a plan', () => {
  it.each([
    ['What is the maverick rate?', 'MAVERICK_RATE'],
    ['maverick quote werk', 'PO_ITEM.PLANT MAVERICK_RATE; sort -MAVERICK_RATE'],
    [
      'Maverick rate by plant and material group',
      'PO_ITEM.PLANT PO_ITEM.MATERIAL_GROUP MAVERICK_RATE; sort -MAVERICK_RATE',
    ],
    [
      'Order value by plant and month in 2026',
      'PO_ITEM.ORDER_MONTH PO_ITEM.PLANT ORDER_VALUE; sort PO_ITEM.ORDER_MONTH; PO_ITEM.ORDER_DATE 2026-01-01..2026-12-31',
    ],
    ['spend by supplier country', 'SUPPLIER.COUNTRY ORDER_VALUE; sort -ORDER_VALUE'],
    [
      'order value by supplier in ES',
      'SUPPLIER.SUPPLIER_NO SUPPLIER.NAME ORDER_VALUE; sort -ORDER_VALUE; SUPPLIER.COUNTRY=ES',
    ],
    ['Order value with suppliers from ES', 'ORDER_VALUE; SUPPLIER.COUNTRY=ES'],
    [
      'Order value of material group MRO by plant',
      'PO_ITEM.PLANT ORDER_VALUE; sort -ORDER_VALUE; PO_ITEM.MATERIAL_GROUP=MRO',
    ],
    ['Maverick rate in plant 2010', 'MAVERICK_RATE; PO_ITEM.PLANT=2010'],
    ['Maverick rate in 2010', 'MAVERICK_RATE; PO_ITEM.PLANT=2010'],
    ['Maverick rate without plant 2010', 'MAVERICK_RATE; not PO_ITEM.PLANT=2010'],
    [
      'Cycle time in plant 2010 and plant 3010',
      'PURCHASE_ORDER.PLANT CYCLE_TIME_DAYS; sort -CYCLE_TIME_DAYS; PURCHASE_ORDER.PLANT=2010/3010',
    ],
    ['Lost discount of supplier 100001', 'LOST_DISCOUNT; SUPPLIER.SUPPLIER_NO=100001'],
    ['Skontoverlust von Färberei Müller', 'LOST_DISCOUNT; SUPPLIER.NAME=Färberei Müller & Söhne GmbH'],
    [
      'Open order value, lost discount and cycle time by plant',
      'PURCHASE_ORDER.PLANT OPEN_PO_VALUE LOST_DISCOUNT CYCLE_TIME_DAYS; sort -OPEN_PO_VALUE',
    ],
    [
      'Maverick rate and lost discount in 2025',
      'MAVERICK_RATE; PO_ITEM.ORDER_DATE 2025-01-01..2025-12-31 + LOST_DISCOUNT; PAYMENT.PAYMENT_DATE 2025-01-01..2025-12-31',
    ],
    ['Order value of open items', 'ORDER_VALUE; @OPEN_ITEMS'],
    ['Open order value of expensive items', 'OPEN_PO_VALUE; @HIGH_VALUE'],
    ['maverick rate for the last twelve months', 'MAVERICK_RATE; @LAST_12_MONTHS'],
    [
      'Top 5 suppliers by lost discount since 2026-03',
      'SUPPLIER.SUPPLIER_NO SUPPLIER.NAME LOST_DISCOUNT; sort -LOST_DISCOUNT; limit 5; PAYMENT.PAYMENT_DATE 2026-03-01..',
    ],
    [
      'Welches Werk hat die schlechteste Pünktlichkeitsquote?',
      'PURCHASE_ORDER.PLANT ON_TIME_PAYMENT_RATE; sort ON_TIME_PAYMENT_RATE; limit 5',
    ],
    ['best buyer by three-way match', 'PURCHASE_ORDER.BUYER THREE_WAY_MATCH_RATE; sort -THREE_WAY_MATCH_RATE; limit 5'],
    [
      'In which month was the lost discount highest?',
      'PAYMENT.PAYMENT_MONTH LOST_DISCOUNT; sort -LOST_DISCOUNT; limit 5',
    ],
    ['plants with maverick rate above 5 %', 'PO_ITEM.PLANT MAVERICK_RATE; sort -MAVERICK_RATE; MAVERICK_RATE>0.05'],
    [
      'Which suppliers have more than 10.000 EUR lost discount?',
      'SUPPLIER.SUPPLIER_NO SUPPLIER.NAME LOST_DISCOUNT; sort -LOST_DISCOUNT; LOST_DISCOUNT>10000',
    ],
    ['orders by month', 'PURCHASE_ORDER.ORDER_MONTH count(PURCHASE_ORDER); sort PURCHASE_ORDER.ORDER_MONTH'],
    ['number of orders per buyer', 'PURCHASE_ORDER.BUYER count(PURCHASE_ORDER); sort -count(PURCHASE_ORDER)'],
    ['How many suppliers did we order from in 2025?', 'refuse not-of-rows'],
    ['How many invoices are paid?', 'count(INVOICE); INVOICE.STATUS=paid'],
    [
      'Wie viele gesperrte Rechnungen gibt es je Werk?',
      'PURCHASE_ORDER.PLANT count(INVOICE); sort -count(INVOICE); @BLOCKED_INVOICES',
    ],
    ['open items by plant', 'PO_ITEM.PLANT count(PO_ITEM); sort -count(PO_ITEM); @OPEN_ITEMS'],
    ['How many payments were made in 2025?', 'count(PAYMENT); PAYMENT.PAYMENT_DATE 2025-01-01..2025-12-31'],
    ['number of goods receipts', 'count(GOODS_RECEIPT)'],
    ['Bestellwert und Anzahl Bestellungen je Werk', 'PURCHASE_ORDER.PLANT ORDER_VALUE ORDER_COUNT; sort -ORDER_VALUE'],
    [
      'Value of blocked invoices by blocking reason',
      'INVOICE.BLOCKING_REASON BLOCKED_INVOICE_VALUE; sort -BLOCKED_INVOICE_VALUE',
    ],
    [
      'late payments by supplier, worst 3',
      'SUPPLIER.SUPPLIER_NO SUPPLIER.NAME LATE_PAYMENT_RATE; sort -LATE_PAYMENT_RATE; limit 3',
    ],
    [
      'Which plant is late with goods receipts, and since when?',
      'since-when GOODS_RECEIPT.PLANT GOODS_RECEIPT.DELIVERY_MONTH POSTING_LAG_DAYS; sort GOODS_RECEIPT.DELIVERY_MONTH',
    ],
    [
      'Seit wann ist Werk 2010 mit Wareneingängen in Verzug?',
      'since-when GOODS_RECEIPT.DELIVERY_MONTH POSTING_LAG_DAYS; sort GOODS_RECEIPT.DELIVERY_MONTH; GOODS_RECEIPT.PLANT=2010',
    ],
    [
      'Why is lost discount high in plant 2010?',
      'drivers LOST_DISCOUNT <- PAYMENT.PUNCTUALITY PURCHASE_ORDER.BUYER PURCHASE_ORDER.ORDER_TYPE PURCHASE_ORDER.STATUS PURCHASE_ORDER.PAYMENT_TERMS PURCHASE_ORDER.INCOTERMS SUPPLIER.NAME; PURCHASE_ORDER.PLANT=2010',
    ],
    ['What drives the maverick rate by material group?', 'drivers MAVERICK_RATE <- PO_ITEM.MATERIAL_GROUP'],
    [
      'What is the rating of supplier 100001?',
      'rows SUPPLIER.SUPPLIER_NO SUPPLIER.NAME SUPPLIER.RATING; SUPPLIER.SUPPLIER_NO=100001',
    ],
    ['lost discount last month', 'LOST_DISCOUNT; PAYMENT.PAYMENT_DATE 2026-05-01..2026-05-31'],
    [
      'Order value in May 2026 vs May 2025',
      'ORDER_VALUE; PO_ITEM.ORDER_DATE 2026-05-01..2026-05-31 + ORDER_VALUE; PO_ITEM.ORDER_DATE 2025-05-01..2025-05-31',
    ],
    ['What does cycle time mean?', 'explain CYCLE_TIME_DAYS'],
    ['Gesamtausgaben je Lieferantenland', 'SUPPLIER.COUNTRY ORDER_VALUE; sort -ORDER_VALUE'],
    ['Maverik rate by plnat', 'PO_ITEM.PLANT MAVERICK_RATE; sort -MAVERICK_RATE'],
    ['what share of payments is late?', 'LATE_PAYMENT_RATE'],
    ['order value of cancelled items', 'ORDER_VALUE; PO_ITEM.CANCELLED=true'],
    ['maverick rate by customer', 'refuse unknown-names'],
    ['revenue by plant', 'refuse unknown-names'],
    ['average net amount by plant', 'PO_ITEM.PLANT avg(PO_ITEM.NET_AMOUNT); sort -avg(PO_ITEM.NET_AMOUNT)'],
    ['How many goods receipts were posted late?', 'count(GOODS_RECEIPT); GOODS_RECEIPT.POSTED_LATE=true'],
    ['How many payments were late?', 'count(PAYMENT); PAYMENT.LATE=true'],
    ['Wie viele Zahlungen waren zu spät?', 'count(PAYMENT); PAYMENT.LATE=true'],
    ['Average order value', 'ORDER_VALUE count(distinct PO_ITEM.ORDER_NO)'],
    ['Sum of gross amount of invoices', 'sum(INVOICE.GROSS_AMOUNT)'],
    ['payments above 100000 EUR', 'rows PAYMENT.PAYMENT_NO PAYMENT.AMOUNT; PAYMENT.AMOUNT>100000'],
    ['order value for orders above 100000 EUR', 'ORDER_VALUE; PURCHASE_ORDER.TOTAL_AMOUNT>100000'],
    ['the weather', 'refuse unknown-names'],
  ])('answers "%s"', (question, plan) => {
    expect(planOf(question, '2026-06-29')).toBe(plan);
  });

  it.each([
    ['How many suppliers are in DE?', 'count(SUPPLIER); SUPPLIER.COUNTRY=DE'],
    [
      'How many suppliers from DE and ES are there?',
      'SUPPLIER.COUNTRY count(SUPPLIER); sort -count(SUPPLIER); SUPPLIER.COUNTRY=DE/ES',
    ],
    [
      'top 1000 suppliers by order value',
      'SUPPLIER.SUPPLIER_NO SUPPLIER.NAME ORDER_VALUE; sort -ORDER_VALUE; limit 1000',
    ],
    ['order value by day', 'PO_ITEM.ORDER_DATE:day ORDER_VALUE; sort PO_ITEM.ORDER_DATE:day'],
    [
      'the worst month for on-time payment',
      'PAYMENT.PAYMENT_MONTH ON_TIME_PAYMENT_RATE; sort ON_TIME_PAYMENT_RATE; limit 5',
    ],
    [
      'maverick rate in plant 2010 Q2/2026',
      'MAVERICK_RATE; PO_ITEM.PLANT=2010; PO_ITEM.ORDER_DATE 2026-04-01..2026-06-30',
    ],
    ['Average maverick rate', 'MAVERICK_RATE'],
    ['Durchschnittliche Durchlaufzeit je Werk', 'PURCHASE_ORDER.PLANT CYCLE_TIME_DAYS; sort -CYCLE_TIME_DAYS'],
  ])('answers "%s" with only what the question names', (question, plan) => {
    expect(planOf(question, '2026-06-29')).toBe(plan);
  });

  it.each([
    ['How many orders were placed yesterday?', 'unknown-names'],
    ['Wie viele Bestellungen wurden gestern angelegt?', 'unknown-names'],
    ['How many invoices without discount?', 'unknown-names'],
    ['Wie viele Rechnungen ohne Skonto?', 'unknown-names'],
    ['Durchschnittlicher Skontoverlust je Werk', 'cannot-average'],
    ['average number of orders', 'cannot-average'],
    ['Median cycle time', 'cannot-average'],
  ])('refuses "%s", since the figure would have another meaning', (question, why) => {
    expect(planOf(question, '2026-06-29')).toBe(`refuse ${why}`);
  });

  it('asks for the newest day before a relative period', () => {
    expect(planOf('lost discount last month')).toBe('newest PAYMENT.PAYMENT_DATE');
    expect(planOf('lost discount in May 2026')).toContain('PAYMENT.PAYMENT_DATE 2026-05-01..2026-05-31');
  });

  it('avoids fields that could not be joined', () => {
    expect(planOf('lost discount by plant')).toContain('PURCHASE_ORDER.PLANT LOST_DISCOUNT');
    expect(planOf('lost discount by plant', undefined, ['PURCHASE_ORDER.PLANT'])).toContain(
      'PO_ITEM.PLANT LOST_DISCOUNT',
    );
  });

  it('refuses every question when the knowledge model is empty', () => {
    const empty = { name: '', records: [], fields: [], kpis: [], filters: [] };
    const plan = makePlan(interpretQuestion('maverick rate by plant', empty, []), {
      vocabulary: empty,
      avoid: new Set(),
    });
    expect(plan).toMatchObject({ kind: 'refuse', refusal: { why: 'unknown-names' } });
  });
});
