/**
 * A workspace with a table of sales and a model over it. Every value follows from the number of its row, so
 * that all runs have the same rows.
 */
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const benchModelId = 'bench.sales-km';
export const salesRowCount = 1_000_000;

type Column = { readonly id: string; readonly type: string; readonly nullable?: boolean };

const columns: readonly Column[] = [
  { id: 'id', type: 'integer' },
  { id: 'country', type: 'string', nullable: false },
  { id: 'plant', type: 'string', nullable: false },
  { id: 'customer', type: 'string', nullable: false },
  { id: 'product', type: 'string', nullable: false },
  { id: 'category', type: 'string', nullable: false },
  { id: 'channel', type: 'string', nullable: false },
  { id: 'status', type: 'string', nullable: false },
  { id: 'currency', type: 'string', nullable: false },
  { id: 'quantity', type: 'integer', nullable: false },
  { id: 'price', type: 'float', nullable: false },
  { id: 'amount', type: 'float', nullable: false },
  { id: 'discount', type: 'float', nullable: false },
  { id: 'tax', type: 'float', nullable: false },
  { id: 'express', type: 'boolean', nullable: false },
  { id: 'sold_on', type: 'date', nullable: false },
  { id: 'shipped_on', type: 'date', nullable: true },
  { id: 'created_at', type: 'timestamp', nullable: false },
  { id: 'contract', type: 'string', nullable: true },
  { id: 'note', type: 'string', nullable: true },
];

export const salesFieldIds: readonly string[] = columns.map(({ id }) => id.toUpperCase());

const table = {
  kind: 'Table',
  schema: 'bench',
  id: 'sale',
  primaryKey: ['id'],
  indexes: [
    { columns: ['country', 'sold_on', 'id'], include: ['amount'] },
    { columns: ['plant'], include: ['amount', 'express'] },
  ],
  columns,
};

/** What is sold, in families of 2,500. */
const articles = 100_000;
const articleFamilies = 40;
const articleOf = (number: number): string => `M${String(number).padStart(5, '0')}`;
const articleNameOf = (number: number): string => `Article ${number}`;
const familyOf = (number: number): string => `F${String(number % articleFamilies).padStart(2, '0')}`;

/** Of each depot fifty customers, each with ten visits. */
const depots = 160;
const customersOfDepot = 50;
const visitsOfCustomer = 10;

export const depotIdFor = (number: number): string => `D${String(number % depots).padStart(3, '0')}`;
const customerOf = (number: number): string => `C${String(number).padStart(5, '0')}`;
/** Not in the order of their keys. */
const customerNameOf = (number: number): string => `Customer ${(number * 977) % (depots * customersOfDepot)}`;

type RelatedTable = {
  readonly id: string;
  /** `id` alone when absent. */
  readonly primaryKey?: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: number;
  readonly row: (row: number) => string;
};

const text = (id: string): Column => ({ id, type: 'string', nullable: false });
const relatedTables: readonly RelatedTable[] = [
  {
    id: 'article',
    columns: [text('id'), text('name'), text('family')],
    rows: articles,
    row: (row) => `${articleOf(row)},${articleNameOf(row)},${familyOf(row)}`,
  },
  {
    id: 'depot',
    columns: [text('id'), text('city')],
    rows: depots,
    row: (row) => `${depotIdFor(row)},City ${row}`,
  },
  {
    id: 'customer',
    columns: [text('id'), text('name'), text('depot')],
    rows: depots * customersOfDepot,
    row: (row) => `${customerOf(row)},Customer ${row},${depotIdFor(row)}`,
  },
  {
    id: 'visit',
    primaryKey: ['customer', 'id'],
    columns: [
      { id: 'id', type: 'integer', nullable: false },
      text('customer'),
      { id: 'visited_on', type: 'date', nullable: false },
      { id: 'minutes', type: 'integer', nullable: false },
    ],
    rows: depots * customersOfDepot * visitsOfCustomer,
    row: (row) =>
      `${row + 1},${customerOf(Math.floor(row / visitsOfCustomer))},${dateOf(hashOf(row, 1) % 1_600)},${hashOf(row, 2) % 120}`,
  },
];

const recordOf = ({
  id: table,
  columns: own,
  primaryKey = ['id'],
}: Pick<RelatedTable, 'id' | 'columns' | 'primaryKey'>) => ({
  id: table.toUpperCase(),
  table,
  identifier: primaryKey.map((id) => id.toUpperCase()),
  attributes: own.map(({ id, type, nullable }) => ({
    id: id.toUpperCase(),
    column: id,
    type,
    ...(nullable !== undefined && { nullable }),
  })),
});

const model = {
  kind: 'KnowledgeModel',
  id: benchModelId,
  name: 'Sales',
  source: { schema: 'bench' },
  records: [recordOf({ id: 'sale', columns }), ...relatedTables.map(recordOf)],
  relationships: [
    { from: 'SALE', to: 'ARTICLE', on: { PRODUCT: 'ID' }, cardinality: 'many-to-one' },
    { from: 'CUSTOMER', to: 'DEPOT', on: { DEPOT: 'ID' }, cardinality: 'many-to-one' },
    { from: 'VISIT', to: 'CUSTOMER', on: { CUSTOMER: 'ID' }, cardinality: 'many-to-one' },
  ],
  kpis: [
    { id: 'REVENUE', expression: 'sum(SALE.AMOUNT)' },
    { id: 'EXPRESS_RATE', expression: 'avg(case when SALE.EXPRESS then 1.0 else 0.0 end)' },
    { id: 'SALES', expression: 'count(SALE.*)' },
    { id: 'CUSTOMERS', expression: 'count(distinct SALE.CUSTOMER)' },
  ],
  // Questions with a condition on the amount, as all others are, find nothing in it.
  rollups: [{ id: 'BY_PLANT', fields: ['SALE.PLANT', 'SALE.COUNTRY'], kpis: ['REVENUE', 'EXPRESS_RATE', 'SALES'] }],
};

const conditionOn = (path: string, valueOf: (number: number) => string, count: number): string =>
  `${path} in (${Array.from({ length: count }, (_, number) => `'${valueOf(number)}'`).join(', ')})`;

/**
 * The model with policies along relationships, by the shares of rows that they let through. Visits follow each other by their customers,
 * as lines do by their orders; sales have their articles in no order.
 */
export const restrictedModels = [
  {
    share: '60 %',
    visits: conditionOn('CUSTOMER.DEPOT', depotIdFor, 96),
    sales: conditionOn('ARTICLE.FAMILY', familyOf, 24),
  },
  {
    share: '2.5 %',
    visits: conditionOn('CUSTOMER.DEPOT', depotIdFor, 4),
    sales: conditionOn('ARTICLE.FAMILY', familyOf, 1),
  },
  {
    share: '0.2 %',
    visits: conditionOn('CUSTOMER.NAME', customerNameOf, 16),
    sales: conditionOn('ARTICLE.NAME', articleNameOf, 200),
  },
].map((each, index) => ({ ...each, id: `bench.restricted-${index + 1}-km` }));

/** Figures say with how many they were measured. */
export const rollupCount = model.rollups.length;

export const benchAssetId = 'bench.tools';
export const trivialAssetId = 'bench.trivial';

const limits = { callsPerMinute: 1_000_000 };
const assets = [
  {
    kind: 'AgentToolsAsset',
    id: benchAssetId,
    limits,
    tools: [{ kind: 'load-data', id: 'load-data', knowledgeModel: benchModelId }],
  },
  {
    kind: 'AgentToolsAsset',
    id: trivialAssetId,
    limits,
    tools: [
      {
        kind: 'http-request',
        id: 'trivial',
        description: 'Answers a text.',
        request: { method: 'GET', url: 'https://example.com/' },
        inputSchema: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
        outputSchema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    ],
  },
];

export const benchAgentId = 'bench.agent';
/** The host name of the scripted model; its reserved ending belongs to nobody. */
export const benchLanguageModelHost = 'model.example';
const agent = {
  kind: 'Agent',
  id: benchAgentId,
  model: { provider: 'openai-compatible', baseUrl: `https://${benchLanguageModelHost}/v1`, model: 'script' },
  tools: [{ asset: benchAssetId }],
};

/** A number that looks drawn and is not: the row's number, mixed. */
const hashOf = (row: number, salt: number): number => {
  let value = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  return (value ^ (value >>> 15)) >>> 0;
};

const dayMs = 86_400_000;
const firstDay = Date.UTC(2022, 0, 1);
const dateOf = (day: number): string => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);
const oneOf = (values: readonly string[], draw: number): string => values[draw % values.length] ?? '';
const moneyOf = (cents: number): string => (cents / 100).toFixed(2);

const germany = 'DE';
const countries = ['FR', 'ES', 'IT', 'PL', 'NL', 'AT', 'CZ', 'US', 'CN', 'IN'];
const plantCount = 24;
const plantOf = (number: number): string => `P${String(number).padStart(2, '0')}`;

const plantChoices = 2 ** (plantCount / 2);
export const plantConditionCount = plantChoices * (countries.length + 1);

/** So many different ones; each leaves half of the plants and all countries but one. */
export const plantConditionFor = (number: number) => ({
  plants: Array.from({ length: plantCount / 2 }, (_, pair) => plantOf(2 * pair + ((number >> pair) % 2))),
  withoutCountry: oneOf([...countries, germany], Math.floor(number / plantChoices)),
});

const channels = ['direct', 'partner', 'online'];
const states = ['open', 'shipped', 'invoiced', 'paid'];

/** Of a hundred rows five are of DE, and nine in ten cost more than 100: 45,000 in a million. */
const rowOf = (row: number): string => {
  const draw = (salt: number) => hashOf(row, salt);
  const country = row % 20 === 0 ? germany : oneOf(countries, draw(1));
  const cents = Math.floor(row / 20) % 10 === 0 ? 1_000 + (draw(2) % 9_000) : 10_001 + (draw(2) % 990_000);
  const day = draw(3) % 1_600;
  const quantity = 1 + (draw(4) % 20);
  const values = [
    String(row + 1),
    country,
    plantOf(draw(5) % plantCount),
    `C${String(draw(6) % 8_000).padStart(5, '0')}`,
    articleOf(draw(7) % articles),
    `Category ${draw(8) % 40}`,
    oneOf(channels, draw(9)),
    oneOf(states, draw(10)),
    'EUR',
    String(quantity),
    moneyOf(Math.round(cents / quantity)),
    moneyOf(cents),
    moneyOf(draw(11) % 500),
    moneyOf(Math.round(cents * 0.19)),
    draw(12) % 10 === 0 ? 'true' : 'false',
    dateOf(day),
    draw(13) % 5 === 0 ? '' : dateOf(day + 3),
    `${dateOf(day)}T08:${String(draw(14) % 60).padStart(2, '0')}:00Z`,
    draw(15) % 3 === 0 ? '' : `K${draw(16) % 500}`,
    draw(17) % 4 === 0 ? `Delivered in ${1 + (draw(18) % 9)} parts` : '',
  ];
  return values.join(',');
};

/** A table, as `tessera load` names it, and the file with its rows. */
export type TableFile = { readonly table: string; readonly path: string };

type BenchWorkspace = {
  /** Which is there. */
  readonly folder: string;
  readonly team: string;
  readonly teamName: string;
  /** Of the sales. */
  readonly rows: number;
};

/** The sales first. */
export const writeBenchModel = async ({
  folder,
  team,
  teamName,
  rows,
}: BenchWorkspace): Promise<readonly TableFile[]> => {
  for (const name of ['tables', 'knowledge-models', 'tools', 'agents'])
    mkdirSync(join(folder, name), { recursive: true });
  const write = (path: string, value: unknown): void => writeFileSync(join(folder, path), JSON.stringify(value));
  write('workspace.yaml', { kind: 'Workspace', team, name: teamName });
  write('tables/sale.table.yaml', table);
  write('knowledge-models/sales.km.yaml', model);
  for (const { id, visits, sales } of restrictedModels)
    write(`knowledge-models/${id}.km.yaml`, {
      kind: 'KnowledgeModel',
      id,
      extends: benchModelId,
      policies: [
        { record: 'VISIT', rows: visits },
        { record: 'SALE', rows: sales },
      ],
    });
  for (const asset of assets) write(`tools/${asset.id}.asset.yaml`, asset);
  write(`agents/${benchAgentId}.agent.yaml`, agent);
  for (const { id, columns: own, primaryKey = ['id'] } of relatedTables)
    write(`tables/${id}.table.yaml`, { kind: 'Table', schema: 'bench', id, primaryKey, columns: own });
  const files: TableFile[] = [];
  for (const each of [{ id: 'sale', columns, rows, row: rowOf }, ...relatedTables]) {
    const path = join(folder, 'tables', `${each.id}.csv`);
    await writeRows(path, each);
    files.push({ table: `bench.${each.id}`, path });
  }
  return files;
};

const rowsAtOnce = 1_000;

const writeRows = async (path: string, { columns: own, rows, row }: RelatedTable): Promise<void> => {
  const file = createWriteStream(path);
  file.write(`${own.map(({ id }) => id).join(',')}\n`);
  for (let first = 0; first < rows; first += rowsAtOnce) {
    const lines = Array.from({ length: Math.min(rowsAtOnce, rows - first) }, (_, index) => row(first + index));
    if (!file.write(`${lines.join('\n')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
};
