/** A chain of shops as a star schema: sales, and the stores, products and customers around them. Every row is computed from its number. */
import type { RunningProduct } from '../product.js';
import { callProduct, type ApiAnswer } from '../test-storage.js';
import { applyModelForTeam, loadRows } from '../test-model.js';

export const retailTeam = 'brightmart';
export const retailAgentId = 'shop-analyst';
const schema = 'trial';
const modelId = 'retail-km';

type Column = readonly [id: string, type: string, name: string, synonyms?: readonly string[], more?: object];
type Table = {
  readonly id: string;
  readonly name: string;
  readonly synonyms: readonly string[];
  readonly columns: readonly Column[];
  readonly flags?: readonly object[];
  readonly lines: readonly string[];
};

const euro = { unit: 'EUR', format: ',.2f' };
const optional = { nullable: true };
const day = (from: string, days: number): string =>
  new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);

const storeLines = Array.from({ length: 12 }, (_, no) =>
  [
    ...[no + 1, `${['Berlin', 'Wien', 'Hamburg', 'Graz', 'Zürich', 'München'][no % 6]} ${no < 6 ? 'Mitte' : 'Süd'}`],
    ...[['DE', 'AT', 'DE', 'AT', 'CH', 'DE'][no % 6], 400 + ((no * 137) % 700)],
    ...[day('2015-03-01', no * 120), no === 7 || no === 10 ? `2025-0${no - 4}-15` : ''],
  ].join(','),
);
const categories = ['Garden', 'Tools', 'Kitchen', 'Toys'] as const;
const productLines = Array.from({ length: 40 }, (_, no) =>
  [
    ...[no + 1, `${['Spade', 'Hammer', 'Kettle', 'Puzzle'][no % 4]} ${String.fromCharCode(65 + Math.floor(no / 4))}`],
    ...[categories[no % 4], (9.9 + ((no * 37) % 190)).toFixed(2), no % 9 === 4],
  ].join(','),
);
const customerLines = Array.from({ length: 150 }, (_, no) =>
  [
    ...[no + 1, `Customer ${1000 + no}`, ['DE', 'DE', 'AT', 'CH', 'FR'][(no * 7) % 5]],
    ...[no % 3 === 0, day('2019-01-01', (no * 17) % 1_800)],
  ].join(','),
);
const saleLines = Array.from({ length: 2_400 }, (_, no) => {
  const product = (no * 11) % 40;
  const quantity = 1 + ((no * 7) % 5);
  const price = 9.9 + ((product * 37) % 190);
  const amount = price * quantity * (no % 10 === 3 ? 0.9 : 1) + no / 100;
  return [
    ...[no + 1, ((no * 5) % 11) + 1, product + 1, no % 4 === 1 ? '' : ((no * 13) % 150) + 1],
    ...[day('2024-01-01', (no * 31) % 731), no % 3 === 0 ? 'online' : 'shop', quantity],
    ...[amount.toFixed(2), (price * quantity * 0.6).toFixed(2), (no * 3) % 17 === 0],
  ].join(',');
});

const tables: readonly Table[] = [
  {
    ...{ id: 'STORE', name: 'Store', synonyms: ['shop', 'Filiale', 'Markt'], lines: storeLines },
    columns: [
      ['STORE_ID', 'integer', 'Store number'],
      ['NAME', 'string', 'Name'],
      ['COUNTRY', 'string', 'Country', ['Land']],
      ['FLOOR_SPACE', 'integer', 'Floor space', ['square metres', 'Verkaufsfläche'], { unit: 'm²' }],
      ['OPENED_ON', 'date', 'Opened on', ['eröffnet am']],
      ['CLOSED_ON', 'date', 'Closed on', ['geschlossen am'], optional],
    ],
    flags: [{ id: 'CLOSED', name: 'Closed', synonyms: ['geschlossen'], expression: 'CLOSED_ON is not null' }],
  },
  {
    ...{ id: 'PRODUCT', name: 'Product', synonyms: ['article', 'Artikel', 'Produkt'], lines: productLines },
    columns: [
      ['PRODUCT_ID', 'integer', 'Product number'],
      ['NAME', 'string', 'Name'],
      ['CATEGORY', 'string', 'Category', ['Warengruppe', 'Kategorie']],
      ['PRICE', 'float', 'Price', ['Preis'], euro],
      ['DISCONTINUED', 'boolean', 'Discontinued', ['ausgelistet']],
    ],
  },
  {
    ...{ id: 'CUSTOMER', name: 'Customer', synonyms: ['buyer', 'Kunde'], lines: customerLines },
    columns: [
      ['CUSTOMER_ID', 'integer', 'Customer number'],
      ['NAME', 'string', 'Name'],
      ['COUNTRY', 'string', 'Country', ['Land']],
      ['MEMBER', 'boolean', 'Member', ['Mitglied']],
      ['JOINED_ON', 'date', 'Joined on', ['Mitglied seit']],
    ],
  },
  {
    ...{ id: 'SALE', name: 'Sale', synonyms: ['receipt', 'Verkauf', 'Kassenbon'], lines: saleLines },
    columns: [
      ['SALE_NO', 'integer', 'Sale'],
      ['STORE_ID', 'integer', 'Store number'],
      ['PRODUCT_ID', 'integer', 'Product number'],
      ['CUSTOMER_ID', 'integer', 'Customer card', ['Kundenkarte'], optional],
      ['SOLD_ON', 'date', 'Sold on', ['Verkaufsdatum']],
      ['CHANNEL', 'string', 'Channel', ['Kanal', 'Vertriebsweg']],
      ['QUANTITY', 'integer', 'Units', ['Menge', 'Stückzahl']],
      ['AMOUNT', 'float', 'Amount', ['Betrag', 'Verkaufsbetrag'], euro],
      ['COST', 'float', 'Cost', ['Kosten'], euro],
      ['RETURNED', 'boolean', 'Returned', ['zurückgegeben', 'retourniert']],
    ],
  },
];

const keyOf = ({ columns }: Table): string => columns[0]?.[0] ?? '';

const tableDefinitions = tables.map((table) => ({
  ...{ kind: 'Table', schema, id: table.id.toLowerCase(), primaryKey: [keyOf(table).toLowerCase()] },
  columns: table.columns.map(([id, type, , , more]) => ({
    ...{ id: id.toLowerCase(), type, nullable: more === optional },
  })),
}));

const share = { format: '.1%' };
const model = {
  ...{ kind: 'KnowledgeModel', id: modelId, name: 'Retail', source: { schema } },
  records: tables.map((table) => ({
    ...{ id: table.id, name: table.name, synonyms: table.synonyms, table: table.id.toLowerCase() },
    identifier: [keyOf(table)],
    attributes: table.columns.map(([id, type, name, synonyms, more = {}]) => ({
      ...{ id, column: id.toLowerCase(), type, name, ...(synonyms && { synonyms }) },
      ...more,
    })),
    ...(table.flags && { flags: table.flags }),
  })),
  relationships: ['STORE', 'PRODUCT', 'CUSTOMER'].map((to) => ({
    ...{ from: 'SALE', to, on: { [`${to}_ID`]: `${to}_ID` }, cardinality: 'many-to-one' },
  })),
  kpis: [
    {
      ...{ id: 'REVENUE', name: 'Revenue', synonyms: ['turnover', 'Umsatz'], expression: 'sum(SALE.AMOUNT)' },
      ...{ unit: 'EUR', format: ',.0f', direction: 'Up' },
    },
    {
      ...{ id: 'RETURN_RATE', name: 'Return rate', synonyms: ['Retourenquote'], direction: 'Down', ...share },
      expression: 'avg(case when SALE.RETURNED then 1.0 else 0.0 end)',
    },
    {
      ...{ id: 'GROSS_MARGIN', name: 'Gross margin', synonyms: ['Marge', 'Handelsspanne'], direction: 'Up', ...share },
      expression: '(sum(SALE.AMOUNT) - sum(SALE.COST)) / sum(SALE.AMOUNT)',
    },
    {
      ...{ id: 'UNITS_SOLD', name: 'Units sold', synonyms: ['verkaufte Stück'], format: ',', direction: 'Up' },
      expression: 'sum(SALE.QUANTITY)',
    },
  ],
};

const asset = {
  ...{ kind: 'AgentToolsAsset', id: 'retail-tools', limits: { callsPerMinute: 1_000_000 } },
  tools: ['load-data', 'search-data', 'get-knowledge-model', 'get-insights'].map((kind) => ({
    ...{ kind, id: kind, knowledgeModel: modelId },
  })),
};
const agent = {
  ...{ kind: 'Agent', id: retailAgentId, instructions: 'Answer with figures. Today is 2025-12-31.' },
  ...{ model: { provider: 'builtin' }, tools: [{ asset: 'retail-tools' }] },
};

const expectSuccess = (answer: ApiAnswer): unknown => {
  if (answer.status !== 200) throw new Error(`Refused: ${JSON.stringify(answer).slice(0, 1_000)}`);
  return answer.document;
};

/** Brings the company into a product, once; its key may converse. */
export const createRetailCompany = async (product: RunningProduct): Promise<string> => {
  expectSuccess(await callProduct(product, 'ADMIN_KEY', 'PUT', `/admin/teams/${retailTeam}`, { name: 'Bright Mart' }));
  expectSuccess(await applyModelForTeam(product, retailTeam, [...tableDefinitions, model]));
  for (const { id, lines } of tables) await loadRows(product, id.toLowerCase(), lines, { owner: retailTeam });
  for (const [path, definition] of [
    ['tools', asset],
    ['agents', agent],
  ] as const)
    expectSuccess(
      await callProduct(product, 'ADMIN_KEY', 'POST', `/admin/teams/${retailTeam}/${path}`, {
        definitions: [definition],
      }),
    );
  const made = expectSuccess(
    await callProduct(product, 'ADMIN_KEY', 'POST', '/admin/keys', {
      ...{ team: retailTeam, name: 'shop analyst', hourlyLimit: 2_000_000 },
      scopes: ['knowledge-models:read', 'tools:execute', 'agents:converse', 'agents:execute'],
    }),
  );
  const key: unknown = typeof made === 'object' && made !== null && 'key' in made ? made.key : undefined;
  return String(key);
};
