/** Requests of knowledge models and of OData that a reader of /docs can send to the demo. */
import { textOf } from '../json.js';
import type { ExampleContext, NamedRequest } from './send-examples.js';

/** Of what the caller had before. */
const unmatched = 'W/"before"';
const model = { km_id: 'p2p.base-km' };
const record = { ...model, record_id: 'PO_ITEM' };
const page = { page: 0, pageSize: 2 };
const json = { $format: 'json', accept: 'application/json' };
const prefer = 'evidence';
/** The record of the latest query. */
const kept = ({ header }: ExampleContext) => ({
  evidence_id: header('knowledge.models.query', 'evidence').split('/').at(-1),
});
const inGermany = "COUNTRY eq 'DE' and ORDER_DATE ge 2026-01-01";

const ofRecord = {
  ...{ ...record, ...json, ...page, prefer },
  ...{ fields: ['ORDER_NO', 'ITEM_NO', 'DESCRIPTION', 'NET_AMOUNT'], sort: '-NET_AMOUNT', options: ['distinct'] },
  ...{ filters: ['LAST_12_MONTHS'], filterExpr: [inGermany] },
  ...{ searchTerm: 'a', searchPrecision: 100, searchField: 'DESCRIPTION' },
};
const ofModel = {
  ...{ ...model, ...json, ...page, prefer },
  ...{ fields: ['PURCHASE_ORDER.PLANT'], kpis: ['MAVERICK_RATE', 'OPEN_PO_VALUE'], sort: '-OPEN_PO_VALUE' },
  ...{ options: ['distinct'], filters: ['LAST_12_MONTHS'], filterExpr: ["PURCHASE_ORDER.COUNTRY eq 'DE'"] },
  ...{ searchTerm: '10', searchPrecision: 100, searchField: 'PURCHASE_ORDER.PLANT' },
};
const recordProjection = {
  projection: {
    ...{ fields: 'ORDER_NO,ITEM_NO,NET_AMOUNT', sort: '-NET_AMOUNT', pagination: { pageNumber: 0, pageSize: 2 } },
    filters: { kmFilterNames: ['LAST_12_MONTHS'], filterExpr: [inGermany] },
  },
};
const modelProjection = {
  projection: {
    ...{ fields: 'PURCHASE_ORDER.PLANT', kpis: ['MAVERICK_RATE'], sort: '-MAVERICK_RATE' },
    ...{ pagination: { pageNumber: 0, pageSize: 2 }, filters: { filterExpr: ["PURCHASE_ORDER.COUNTRY eq 'DE'"] } },
  },
};

export const modelExamples: readonly NamedRequest[] = [
  ['knowledge.models.list', { parameters: { ...page, sort: 'name' } }],
  ['knowledge.models.read', { parameters: model }],
  ['knowledge.filters.list', { parameters: { ...model, ...page, sort: 'name' } }],
  ['knowledge.records.list', { parameters: { ...model, ...page, sort: 'name' } }],
  ['knowledge.records.read', { parameters: { ...record, sort: 'name' } }],
  ['knowledge.kpis.list', { parameters: { ...model, ...page, sort: 'name' } }],
  [
    'knowledge.records.summary',
    {
      parameters: {
        ...{ ...record, filters: ['LAST_12_MONTHS'], filterExpr: [inGermany], sampleSize: 1 },
        ...{ fields: ['PLANT', 'NET_AMOUNT'], excludeFields: ['DESCRIPTION'] },
      },
    },
  ],
  [
    'knowledge.models.spec',
    { parameters: { ...model, curated: true, accept: 'application/json', 'if-none-match': unmatched } },
  ],
  ['knowledge.models.data', { parameters: ofModel }],
  ['knowledge.models.queryData', { parameters: { ...model, ...json, prefer }, body: modelProjection }],
  ['knowledge.models.query', { parameters: ofModel }],
  ['knowledge.models.postQuery', { parameters: { ...model, ...json, prefer }, body: modelProjection }],
  ['knowledge.records.data', { parameters: ofRecord }],
  ['knowledge.records.queryData', { parameters: { ...record, ...json, prefer }, body: recordProjection }],
  ['knowledge.records.query', { parameters: ofRecord }],
  ['knowledge.records.postQuery', { parameters: { ...record, ...json, prefer }, body: recordProjection }],
  ['knowledge.queries.explainOwn', { parameters: model, body: { record: 'PO_ITEM', query: recordProjection } }],
  ['knowledge.evidence.read', (context) => ({ parameters: kept(context) })],
  ['knowledge.evidence.replay', (context) => ({ parameters: kept(context) })],
  ['gateway.evidence.export', (context) => ({ parameters: kept(context) })],
];

const service = { ...model, ...json, 'odata-version': '4.01', 'odata-maxversion': '4.01' };
const entitySet = { ...service, record_id: 'PO_ITEM' };
const itemKey = "(ORDER_NO='4500000001',ITEM_NO=10)";
const order = { ...service, record_id: 'PURCHASE_ORDER', key: "('4500000001')" };
const pageOfItems = {
  ...{ $filter: 'NET_AMOUNT gt @least', aliases: { '@least': '0' }, filterid: ['LAST_12_MONTHS'] },
  ...{ $search: 'NOT cancelled' },
  ...{ $select: 'ORDER_NO,ITEM_NO,NET_AMOUNT', $expand: 'SUPPLIER($select=NAME)', $orderby: 'NET_AMOUNT desc' },
  ...{ $top: 2, $skip: 0, $count: true, prefer: 'odata.maxpagesize=100' },
};

/** Of the second page behind `path`. */
const tokenOfPage =
  (path: string) =>
  async ({ get }: ExampleContext): Promise<string> => {
    const { document } = await get(`/intelligence/api/odata/p2p.base-km.svc/${path}`, {
      prefer: 'odata.maxpagesize=1',
    });
    return new URL(textOf(document, '@odata.nextLink')).searchParams.get('$skiptoken') ?? '';
  };

export const odataExamples: readonly NamedRequest[] = [
  ['knowledge.odata.service', { parameters: { ...service, 'if-none-match': unmatched } }],
  [
    'gateway.odata.batch',
    {
      parameters: { ...model, prefer: 'continue-on-error' },
      body: {
        requests: [
          { id: '1', method: 'get', url: "PO_ITEM_entries?$filter=SUPPLIER/COUNTRY eq 'DE'&$select=ORDER_NO&$top=1" },
          { id: '2', method: 'get', url: 'SUPPLIER_entries/$count', dependsOn: ['1'] },
        ],
      },
    },
  ],
  [
    'knowledge.odata.metadata',
    { parameters: { ...service, $format: 'xml', accept: 'application/xml', 'if-none-match': unmatched } },
  ],
  [
    'knowledge.odata.entries',
    {
      parameters: {
        ...{
          ...entitySet,
          $filter: 'SUPPLIER/COUNTRY eq @country and year(ORDER_DATE) eq 2026',
          aliases: { '@country': "'DE'" },
          filterid: ['LAST_12_MONTHS'],
          $search: 'NOT cancelled',
        },
        ...{ $select: 'ORDER_NO,ITEM_NO,NET_AMOUNT', $expand: 'SUPPLIER($select=NAME)', $orderby: 'NET_AMOUNT desc' },
        ...{ $top: 2, $skip: 0, $count: true, prefer: 'odata.maxpagesize=100' },
      },
      further: {
        $apply: 'groupby((PLANT),aggregate(NET_AMOUNT with sum as TOTAL))',
        $skiptoken: tokenOfPage('PO_ITEM_entries'),
      },
    },
  ],
  [
    'knowledge.odata.count',
    {
      parameters: {
        ...{ ...entitySet, $format: 'text/plain', accept: 'text/plain' },
        ...{ $filter: 'SUPPLIER/COUNTRY eq @country', aliases: { '@country': "'DE'" }, filterid: ['LAST_12_MONTHS'] },
        $search: 'NOT cancelled',
      },
      further: { $apply: 'groupby((PLANT))' },
    },
  ],
  [
    'knowledge.odata.entry',
    {
      parameters: {
        ...{ ...entitySet, key: itemKey },
        ...{ $select: 'ORDER_NO,ITEM_NO,DESCRIPTION,NET_AMOUNT', $expand: 'SUPPLIER($select=NAME)' },
      },
    },
  ],
  [
    'knowledge.odata.link',
    {
      parameters: { ...order, step: 'PO_ITEM', ...pageOfItems },
      further: { $skiptoken: tokenOfPage("PURCHASE_ORDER_entries('4500000001')/PO_ITEM") },
    },
  ],
  [
    'knowledge.odata.part',
    {
      parameters: { ...entitySet, key: itemKey, step: 'PURCHASE_ORDER', part: 'PO_ITEM', ...pageOfItems },
      further: { $skiptoken: tokenOfPage(`PO_ITEM_entries${itemKey}/PURCHASE_ORDER/PO_ITEM`) },
    },
  ],
  [
    'knowledge.odata.linkCount',
    {
      parameters: {
        ...{ ...order, step: 'PO_ITEM', $format: 'text/plain', accept: 'text/plain' },
        ...{ $filter: 'NET_AMOUNT gt @least', aliases: { '@least': '0' }, filterid: ['LAST_12_MONTHS'] },
        $search: 'NOT cancelled',
      },
    },
  ],
  [
    'knowledge.odata.value',
    { parameters: { ...order, step: 'ORDER_NO', $format: 'text/plain', accept: 'text/plain' } },
  ],
];

const team = { team: 'meridian' };
const budget = { ...team, schema: 'p2p', table: 'budget' };
const column = (id: string, type: string) => ({ id, type, nullable: false });
const attribute = (id: string, name: string, type: string) => ({ id, name, type, column: id.toLowerCase() });
const definitions = [
  {
    ...{ kind: 'Table', schema: 'p2p', id: 'budget', primaryKey: ['plant'] },
    columns: [column('plant', 'string'), column('amount', 'float')],
  },
  {
    ...{ kind: 'KnowledgeModel', id: 'p2p.budget-km', name: 'Budgets', source: { schema: 'p2p' } },
    records: [
      {
        ...{ id: 'BUDGET', name: 'Budget', table: 'budget', identifier: ['PLANT'] },
        attributes: [attribute('PLANT', 'Plant', 'string'), attribute('AMOUNT', 'Amount', 'float')],
      },
    ],
    kpis: [{ id: 'BUDGET_TOTAL', name: 'Budget', expression: 'sum(BUDGET.AMOUNT)', unit: 'EUR' }],
  },
  { kind: 'Table', schema: 'p2p', id: 'plan', columns: [column('plant', 'string')] },
];
const aModel = { ...team, modelId: 'p2p.base-km' };
const aLoad = ({ answer }: ExampleContext) => ({
  ...budget,
  loadId: textOf(answer('knowledge.loads.begin'), 'loadId'),
});
const begin: NamedRequest = [
  'knowledge.loads.begin',
  ({ uuid }) => ({ parameters: { ...budget, 'idempotency-key': uuid() }, body: { format: 'csv', mode: 'replace' } }),
];

const stage: NamedRequest = [
  'knowledge.loads.stage',
  (earlier) => ({
    parameters: { ...aLoad(earlier), 'idempotency-key': earlier.uuid() },
    body: { ordinal: 0, firstLine: 2, text: '1010,250000\n1020,180000.5\n' },
  }),
];
const commit: NamedRequest = [
  'knowledge.loads.commit',
  (earlier) => ({ parameters: { ...aLoad(earlier), 'idempotency-key': earlier.uuid() }, body: { batches: 1 } }),
];

export const modelAdminExamples: readonly NamedRequest[] = [
  ['knowledge.definitions.export', { parameters: team }],
  [
    'knowledge.definitions.apply',
    ({ uuid }) => ({
      parameters: { ...team, 'idempotency-key': uuid() },
      body: { definitions, mode: 'publish' },
      further: { 'if-match': '*' },
    }),
  ],
  begin,
  stage,
  ['knowledge.loads.read', (earlier) => ({ parameters: aLoad(earlier) })],
  commit,
  ['knowledge.tables.list', { parameters: { ...team, after: 'a.a', pageSize: 2 } }],
  ['knowledge.loads.list', { parameters: budget }],
  ['knowledge.modelVersions.list', { parameters: { ...aModel, before: 2, pageSize: 1 } }],
  ['knowledge.modelVersions.read', { parameters: { ...aModel, version: '1' } }],
  ['knowledge.modelVersions.compare', { parameters: { ...aModel, from: '1', to: 'published' } }],
  begin,
  ['knowledge.loads.cancel', (earlier) => ({ parameters: aLoad(earlier) })],
  [
    'knowledge.queries.explain',
    {
      parameters: { ...team, modelId: 'p2p.base-km' },
      body: { query: { projection: { fields: 'PURCHASE_ORDER.PLANT', kpis: ['MAVERICK_RATE'] } } },
    },
  ],
  begin,
  stage,
  commit,
  ['knowledge.loads.undo', ({ uuid }) => ({ parameters: { ...budget, 'idempotency-key': uuid() } })],
  ['knowledge.models.delete', { parameters: { ...team, modelId: 'p2p.budget-km' } }],
  ['knowledge.tables.delete', { parameters: { ...budget, table: 'plan' } }],
];
