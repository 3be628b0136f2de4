/** The knowledge models of the demo: purchase to pay of both companies, and a model of each that extends it. */
import type { KnowledgeModelDefinition, RelationshipDefinition } from '@tessera/contracts/knowledge-models';
import type { P2pCompany } from '../p2p-data/company.js';
import { getCell, splitCommaList, readRows } from '../text-table.js';
import { germanFilterRows, germanKpiRows } from './data/german-names.js';
import { filterDefinitions, kpiDefinitions } from './data/kpis.js';
import { filterSynonyms, kpiSynonyms } from './data/synonyms.js';
import { assertAllSynonymsUsed, readSynonyms } from './find-synonyms.js';
import { createSourceRecords } from './record-source.js';

export const p2pSchema = 'p2p';
const wholeId = 'p2p.base-km';

/** from | to | key | key of the other, when it has another name. Each leads to one row. */
const relationshipRows = `
PO_ITEM | PURCHASE_ORDER | ORDER_NO
PO_ITEM | SUPPLIER | SUPPLIER_NO
PURCHASE_ORDER | SUPPLIER | SUPPLIER_NO
GOODS_RECEIPT | PO_ITEM | ORDER_NO, ITEM_NO
GOODS_RECEIPT | PURCHASE_ORDER | ORDER_NO
INVOICE | GOODS_RECEIPT | RECEIPT_NO
INVOICE | PO_ITEM | ORDER_NO, ITEM_NO
INVOICE | PURCHASE_ORDER | ORDER_NO
INVOICE | SUPPLIER | SUPPLIER_NO
PAYMENT | INVOICE | INVOICE_NO
PAYMENT | SUPPLIER | SUPPLIER_NO
EVENT | PURCHASE_ORDER | CASE_ID | ORDER_NO
`;

const relationships: readonly RelationshipDefinition[] = readRows(relationshipRows).map((row) => {
  const keys = splitCommaList(getCell(row, 2));
  const others = row[3] === undefined ? keys : splitCommaList(row[3]);
  return {
    from: getCell(row, 0),
    to: getCell(row, 1),
    on: Object.fromEntries(keys.map((key, index) => [key, others[index] ?? key])),
    cardinality: 'many-to-one',
  };
});

const namesIn = (rows: string): { id: string; name: string }[] =>
  readRows(rows).map((row) => ({ id: getCell(row, 0), name: getCell(row, 1) }));

type Entry = { readonly id: string; readonly name?: string | undefined };

const withSynonyms = <E extends Entry>(entries: readonly E[], table: string, germanRows: string): E[] => {
  const words = readSynonyms(table);
  const germanNames = new Map(readRows(germanRows).map((row) => [getCell(row, 0), getCell(row, 1)]));
  const named = entries.map((entry) => ({ ...entry, ...words.of([entry.id], entry.name, germanNames.get(entry.id)) }));
  assertAllSynonymsUsed(words);
  return named;
};

/** German names of what the base model has, with its English ones as synonyms. */
const germanOf = (entries: readonly Entry[], table: string, germanRows: string) => {
  const words = readSynonyms(table);
  const names = new Map(entries.map(({ id, name }) => [id, name]));
  return namesIn(germanRows).map((entry) => ({ ...entry, ...words.of([entry.id], entry.name, names.get(entry.id)) }));
};

const wholeModel = (name: string, description: string): KnowledgeModelDefinition => ({
  ...{ kind: 'KnowledgeModel', id: wholeId, name, description },
  source: { schema: p2pSchema },
  records: createSourceRecords().map(({ definition }) => definition),
  relationships: [...relationships],
  kpis: withSynonyms(kpiDefinitions, kpiSynonyms, germanKpiRows),
  filters: withSynonyms(filterDefinitions, filterSynonyms, germanFilterRows),
  policies: [{ record: 'SUPPLIER', hide: ['BANK_ACCOUNT'], unless: { scope: 'finance:read' } }],
});

const germanCompanyCode = '1000';
const restrictedRecords = ['PURCHASE_ORDER', 'PO_ITEM', 'GOODS_RECEIPT', 'INVOICE', 'PAYMENT', 'EVENT'];

/** German names, and only what the German company has bought. */
const germanModel: KnowledgeModelDefinition = {
  ...{ kind: 'KnowledgeModel', id: 'p2p.de-km', name: 'Einkauf bis Zahlung, Deutschland' },
  description: 'Der Einkauf der deutschen Gesellschaft, mit deutschen Namen.',
  extends: wholeId,
  records: createSourceRecords().map(({ german }) => german),
  kpis: [
    ...germanOf(kpiDefinitions, kpiSynonyms, germanKpiRows),
    {
      id: 'LUDWIGSHAFEN_SHARE',
      name: 'Anteil des Werks Ludwigshafen',
      expression: "sum(case when PO_ITEM.PLANT = '1020' then PO_ITEM.NET_AMOUNT else 0.00 end) / ORDER_VALUE",
      format: '.1%',
    },
  ],
  filters: [
    ...germanOf(filterDefinitions, filterSynonyms, germanFilterRows),
    { id: 'WERK_LUDWIGSHAFEN', name: 'Werk Ludwigshafen', expression: "PURCHASE_ORDER.PLANT eq '1020'" },
  ],
  policies: restrictedRecords.map((record) => ({ record, rows: `COMPANY_CODE eq '${germanCompanyCode}'` })),
};

/** What callers see of the company codes that their credential names. */
const ownModel: KnowledgeModelDefinition = {
  ...{ kind: 'KnowledgeModel', id: 'p2p.own-km', name: 'Purchase to pay, own companies' },
  description: 'Only what belongs to the company codes of the caller; all of it with the scope purchasing:all.',
  extends: wholeId,
  policies: restrictedRecords.map((record) => ({
    record,
    rows: 'COMPANY_CODE in caller.companyCodes',
    unless: { scope: 'purchasing:all' },
  })),
};

const coolingModel: KnowledgeModelDefinition = {
  ...{ kind: 'KnowledgeModel', id: 'cold-chain-km', name: 'Cold chain' },
  description: 'What keeping things cold costs Northgate.',
  extends: wholeId,
  kpis: [
    {
      id: 'COOLING_VALUE',
      name: 'Order value of cooling',
      description: 'Of cooling units and dry ice.',
      expression: "sum(case when PO_ITEM.MATERIAL_GROUP in ('MRO', 'DRY') then PO_ITEM.NET_AMOUNT else 0.00 end)",
      unit: 'EUR',
      format: ',.0f',
    },
  ],
  filters: [{ id: 'COOLING', name: 'Cooling', expression: "PO_ITEM.MATERIAL_GROUP in ('MRO', 'DRY')" }],
};

/** Bases first. */
export const p2pModels: Readonly<Record<P2pCompany, readonly KnowledgeModelDefinition[]>> = {
  meridian: [
    wholeModel('Purchase to pay', 'What Meridian Coatings orders, receives, is invoiced for and pays.'),
    germanModel,
    ownModel,
  ],
  northgate: [
    wholeModel('Purchase to pay of Northgate', 'What Northgate buys for its cold stores, and pays.'),
    coolingModel,
  ],
};
