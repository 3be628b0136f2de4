/** A model of five records with policies, fields that read hidden ones, and everything that names can get wrong. */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { checkModel } from '../check-model.js';
import { createCallerView, type CallerView, type QueryableModel } from '../query/caller-view.js';
import type { DataQuery, QueryCaller } from '../query/data-query.js';
import { resolveQuery } from '../query/resolve-query.js';

export const purchaseDefinition: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'p2p',
  source: { schema: 'p2p' },
  records: [
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['ORDER_NO', 'ITEM_NO'],
      attributes: [
        { id: 'ORDER_NO', column: 'order_no' },
        { id: 'ITEM_NO', column: 'item_no', type: 'integer' },
        { id: 'AMOUNT', column: 'amount', name: 'Net amount', type: 'float', format: ',.2f', unit: 'EUR', exact: true },
        { id: 'PLANT', column: 'plant' },
        { id: 'DUE', column: 'due', type: 'date' },
        { id: 'NOTE', column: 'note', filterable: false, sortable: false },
        { id: 'BANK', column: 'bank' },
      ],
      augmentedAttributes: [
        { id: 'SIZE', expression: "case when AMOUNT >= 10000 then 'large' else 'small' end" },
        { id: 'BRANCH', expression: 'substring(BANK, 1, 4)' },
        { id: 'BRANCH_LENGTH', expression: 'length(BRANCH)' },
      ],
      flags: [{ id: 'LATE', expression: "DUE < date '2026-06-30'" }],
    },
    {
      id: 'ORDER',
      table: 'order',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no' },
        { id: 'SUPPLIER_ID', column: 'supplier_id' },
        { id: 'COMPANY', column: 'company' },
        { id: 'YEAR', column: 'year', type: 'integer' },
        { id: 'URGENT', column: 'urgent', type: 'boolean' },
      ],
    },
    {
      id: 'SUPPLIER',
      table: 'supplier',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'CITY', column: 'city' },
      ],
    },
    {
      id: 'INVOICE',
      table: 'invoice',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id' },
        { id: 'ORDER_NO', column: 'order_no' },
        { id: 'AMOUNT', column: 'amount', type: 'float' },
        { id: 'PAID', column: 'paid', type: 'timestamp' },
      ],
    },
    {
      id: 'RATE',
      table: 'rate',
      identifier: ['DAY'],
      attributes: [
        { id: 'DAY', column: 'day', type: 'date' },
        { id: 'EUR', column: 'eur', type: 'float' },
      ],
    },
  ],
  relationships: [
    { from: 'ITEM', to: 'ORDER', on: { ORDER_NO: 'NO' }, cardinality: 'many-to-one' },
    { from: 'SUPPLIER', to: 'ORDER', on: { ID: 'SUPPLIER_ID' }, cardinality: 'one-to-many' },
    { from: 'INVOICE', to: 'ORDER', on: { ORDER_NO: 'NO' }, cardinality: 'many-to-one' },
  ],
  kpis: [
    { id: 'ORDER_VALUE', name: 'Order value', expression: 'sum(ITEM.AMOUNT)', unit: 'EUR' },
    { id: 'INVOICED', expression: 'sum(INVOICE.AMOUNT)' },
    { id: 'INVOICED_SHARE', expression: 'INVOICED / ORDER_VALUE' },
    { id: 'BRANCHES', expression: 'count(distinct ITEM.BRANCH)' },
    { id: 'BRANCH_SHARE', expression: 'BRANCHES / count(ITEM.*)' },
    { id: 'BANKED', expression: 'count(ITEM.*) filter (where ITEM.BANK is not null)' },
  ],
  filters: [
    { id: 'LARGE', expression: "ITEM.SIZE eq 'large'" },
    { id: 'VALUABLE', expression: 'ORDER_VALUE gt 1000' },
    { id: 'VALUABLE_OR_OURS', expression: "ORDER_VALUE gt 1000 or ITEM.PLANT eq 'P1'" },
    { id: 'VALUABLE_AND_OURS', expression: "ORDER_VALUE gt 1000 and (ITEM.PLANT eq 'P1' and SUPPLIER.CITY ne null)" },
    { id: 'NOTED', expression: 'ITEM.NOTE ne null' },
    { id: 'WITH_BANK', expression: 'ITEM.BANK gt null' },
    { id: 'WITH_BRANCHES', expression: "BRANCH_SHARE gt 0.5 or ITEM.PLANT eq 'P1'" },
  ],
  policies: [
    { record: 'ITEM', hide: ['BANK'], unless: { scope: 'finance:read' } },
    { record: 'ITEM', rows: "BANK ne 'closed'" },
    { record: 'ORDER', rows: 'ORDER.COMPANY in caller.companies', unless: { scope: 'all:read' } },
    { record: 'ORDER', rows: 'YEAR ge caller.since', hide: ['URGENT'], unless: { scope: 'all:read' } },
    { record: 'INVOICE', rows: 'all' },
  ],
};

export const createCheckedModel = (definition: KnowledgeModelDefinition): QueryableModel => {
  const checked = checkModel(definition, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked;
};

export const purchaseModel = createCheckedModel(purchaseDefinition);

/** Who sees every field. */
export const fullAccessCaller: QueryCaller = { scopes: ['finance:read', 'all:read'], attributes: {} };
/** From whom the model hides what it can. */
export const restrictedCaller: QueryCaller = { scopes: [], attributes: { companies: ['1000'], since: 2020 } };

export const purchaseViewFor = (caller: QueryCaller): CallerView => createCallerView(purchaseModel, caller);

/** A question with nothing in it but what is given. */
export const createQuery = (members: Partial<DataQuery>): DataQuery => ({
  fields: [],
  kpis: [],
  filterIds: [],
  filterExpressions: [],
  distinct: false,
  page: 0,
  pageSize: 50,
  ...members,
});

/** Why the question is refused, the code first, then what is told; nothing when it is not. */
export const refusalMessagesFor = (view: CallerView, members: Partial<DataQuery>): readonly string[] => {
  const resolved = resolveQuery(view, createQuery(members));
  if (resolved.ok) return [];
  const { code, detail, faults = [] } = resolved.failure;
  return [code, detail, ...faults.slice(1).map(({ message }) => message)];
};
