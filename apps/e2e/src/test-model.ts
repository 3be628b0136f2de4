/**
 * A test model with few rows, applied and loaded through the administration, and keys with more and with fewer rights.
 */
import { textOf } from './json.js';
import type { RunningProduct } from './product.js';
import { callProduct, testTeam, type ApiAnswer } from './test-storage.js';

export const testModelId = 'trial.sales-km';

const attribute = (id: string, type = 'string', more: object = {}): object => ({
  id,
  column: id.toLowerCase(),
  type,
  ...more,
});

export const salesModel = {
  kind: 'KnowledgeModel',
  id: testModelId,
  name: 'Trial sales',
  source: { schema: 'trial' },
  records: [
    {
      id: 'CUSTOMER',
      name: 'Customer',
      description: 'Who buys.',
      table: 'customer',
      identifier: ['CUSTOMER_NO'],
      curated: true,
      attributes: [
        attribute('CUSTOMER_NO', 'integer'),
        attribute('NAME'),
        attribute('COUNTRY', 'string', { nullable: true }),
        attribute('BANK_ACCOUNT'),
      ],
      augmentedAttributes: [{ id: 'BANK', expression: 'substring(BANK_ACCOUNT, 1, 2)' }],
    },
    {
      id: 'SALE',
      name: 'Sale',
      table: 'sale',
      identifier: ['SALE_NO'],
      attributes: [
        attribute('SALE_NO', 'integer'),
        attribute('CUSTOMER_NO', 'integer'),
        attribute('COMPANY'),
        attribute('AMOUNT', 'float', { unit: 'EUR', format: ',.2f' }),
        attribute('SOLD_ON', 'date'),
      ],
      augmentedAttributes: [{ id: 'SIZE', expression: "case when AMOUNT >= 100 then 'large' else 'small' end" }],
      flags: [{ id: 'FREE', expression: 'AMOUNT = 0' }],
    },
    { id: 'COLOUR', table: 'colour', identifier: ['NAME'], attributes: [attribute('NAME')] },
  ],
  relationships: [{ from: 'SALE', to: 'CUSTOMER', on: { CUSTOMER_NO: 'CUSTOMER_NO' }, cardinality: 'many-to-one' }],
  kpis: [
    { id: 'REVENUE', name: 'Revenue', expression: 'sum(SALE.AMOUNT)', unit: 'EUR', format: ',.0f', direction: 'Up' },
    { id: 'SALES', expression: 'count(SALE.*)' },
    { id: 'CUSTOMERS', expression: 'count(CUSTOMER.*)' },
    { id: 'BANKS', expression: 'count(distinct CUSTOMER.BANK)' },
  ],
  filters: [
    { id: 'LARGE', name: 'Large sales', expression: "SALE.SIZE eq 'large'" },
    { id: 'RICH', expression: "CUSTOMER.BANK eq 'DE'" },
  ],
  policies: [
    { record: 'SALE', rows: 'COMPANY in caller.companies', unless: { scope: 'sales:all' } },
    { record: 'CUSTOMER', hide: ['BANK_ACCOUNT'], unless: { scope: 'finance:read' } },
  ],
};

const column = (id: string, type = 'string', nullable = false): object => ({ id, type, nullable });
export const testTables = [
  {
    kind: 'Table',
    schema: 'trial',
    id: 'customer',
    primaryKey: ['customer_no'],
    columns: [
      column('customer_no', 'integer'),
      column('name'),
      column('country', 'string', true),
      column('bank_account'),
    ],
  },
  {
    kind: 'Table',
    schema: 'trial',
    id: 'sale',
    primaryKey: ['sale_no'],
    columns: [
      column('sale_no', 'integer'),
      column('customer_no', 'integer'),
      column('company'),
      column('amount', 'float'),
      column('sold_on', 'date'),
    ],
  },
  { kind: 'Table', schema: 'trial', id: 'colour', primaryKey: ['name'], columns: [column('name')] },
];

const rows: Readonly<Record<string, readonly string[]>> = {
  customer: ['1,Ann,DE,DE11', '2,Bob,IT,IT22', '3,"Cleo, the great",,DE33'],
  sale: [
    '1,1,1000,250.5,2026-01-31',
    '2,1,1000,99.5,2026-02-28',
    '3,2,2000,100,2026-02-28',
    '4,2,2000,0,2026-03-01',
    '5,1,2000,50,2026-03-02',
  ],
  colour: ['red', 'green'],
};

const expectSuccess = (answer: ApiAnswer): ApiAnswer => {
  if (answer.status !== 200) throw new Error(`Refused: ${JSON.stringify(answer)}`);
  return answer;
};

/** For the team of most specs, like the other functions here by default. */
export const applyModel = (product: RunningProduct, ...definitions: readonly object[]): Promise<ApiAnswer> =>
  applyModelForTeam(product, testTeam, definitions);

export const applyModelForTeam = (
  product: RunningProduct,
  owner: string,
  definitions: readonly object[],
): Promise<ApiAnswer> =>
  callProduct(product, 'ADMIN_KEY', 'POST', `/admin/teams/${owner}/knowledge-models`, { definitions });

type Destination = { readonly schema?: string; readonly owner?: string };

const batchLines = 10_000;

/** `lines` take the place of the rows that were there. */
export const loadRows = async (
  product: RunningProduct,
  table: string,
  lines: readonly string[],
  { schema = 'trial', owner = testTeam }: Destination = {},
): Promise<void> => {
  const loads = `/admin/teams/${owner}/tables/${schema}/${table}/loads`;
  const begun = expectSuccess(await callProduct(product, 'ADMIN_KEY', 'POST', loads, { format: 'csv' }));
  const load = `${loads}/${textOf(begun.document, 'loadId')}`;
  const batches = Math.max(1, Math.ceil(lines.length / batchLines));
  for (let ordinal = 0; ordinal < batches; ordinal++) {
    const first = ordinal * batchLines;
    const text = lines.slice(first, first + batchLines).map((line) => `${line}\n`);
    expectSuccess(
      await callProduct(product, 'ADMIN_KEY', 'POST', `${load}/rows`, {
        ordinal,
        firstLine: first + 1,
        text: text.join(''),
      }),
    );
  }
  const committed = expectSuccess(
    await callProduct(product, 'ADMIN_KEY', 'POST', `${load}/commit`, { batches, allowShrink: true }),
  );
  if (textOf(committed.document, 'state') !== 'committed') throw new Error(JSON.stringify(committed));
};

export const salesRows = rows['sale'] ?? [];

export const createTestModel = async (product: RunningProduct): Promise<void> => {
  expectSuccess(await applyModel(product, ...testTables, salesModel));
  for (const [table, lines] of Object.entries(rows)) await loadRows(product, table, lines);
};

/** A key of the team that reads knowledge models, with what policies may know of its bearer. */
export const createTestKey = async (product: RunningProduct, known: object = {}): Promise<string> => {
  const key = { team: testTeam, name: 'spec', scopes: ['knowledge-models:read'], ...known };
  return textOf(expectSuccess(await callProduct(product, 'ADMIN_KEY', 'POST', '/admin/keys', key)).document, 'key');
};
