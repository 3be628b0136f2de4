import { describe, expect, it } from '@jest/globals';
import { createCallerView, checkModel, compileQuery } from '@tessera/knowledge-model';
import type { TeamCatalog } from '../catalog/catalogs.js';
import { companyModel } from '../testing/company.js';
import { shipmentsModel } from '../testing/shipments.js';
import {
  createKeySearchQuery,
  findSearchableFields,
  createTextSearchQuery,
  maxSearchableValues,
  createDistinctValuesQuery,
} from './searchable-values.js';

const viewOf = (model: typeof companyModel) => {
  const checked = checkModel(model, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return createCallerView(checked, { scopes: [], attributes: {} });
};
const loaded = (rows: Readonly<Record<string, number>>): Pick<TeamCatalog, 'tables'> => ({
  tables: new Map(Object.entries(rows).map(([name, count]) => [name, { dataVersion: '1', rows: count }])),
});
const sizes = { 'depot.shipment': 60, 'depot.line': maxSearchableValues + 1, 'depot.carrier': 2 };
const idsOf = (fields: ReturnType<typeof findSearchableFields>) => fields.map(({ column }) => column.id);

describe('the fields whose values are searched', () => {
  it('are the visible text fields, small tables first', () => {
    expect(idsOf(findSearchableFields(viewOf(shipmentsModel), loaded(sizes)))).toEqual([
      ...['CARRIER.ID', 'CARRIER.NAME', 'SHIPMENT.LINE_ORDER', 'LINE.ORDER_NO', 'LINE.COMPANY'],
    ]);
    expect(idsOf(findSearchableFields(viewOf(companyModel), loaded({ 'p2p.po_item': 1 })))).not.toContain(
      'PO_ITEM.BANK_ACCOUNT',
    );
  });

  it('leave out tables without rows and external databases', () => {
    const { 'depot.carrier': carriers } = sizes;
    expect(idsOf(findSearchableFields(viewOf(shipmentsModel), loaded({ 'depot.carrier': carriers })))).toHaveLength(2);
    const external = { ...shipmentsModel, source: { schema: 'depot', database: 'erp' } };
    expect(findSearchableFields(viewOf(external), loaded(sizes))).toEqual([]);
  });

  it('are marked as keys when they identify a row or a related row, and as having many values when they alone identify the rows of a large table', () => {
    const fields = findSearchableFields(
      viewOf(shipmentsModel),
      loaded({ ...sizes, 'depot.carrier': maxSearchableValues + 1 }),
    );
    const keys = fields.filter(({ isKey }) => isKey);
    expect(idsOf(keys)).toEqual(['SHIPMENT.LINE_ORDER', 'LINE.ORDER_NO', 'CARRIER.ID']);
    expect(idsOf(fields.filter(({ hasMany }) => hasMany))).toEqual(['CARRIER.ID']);
  });

  it('are searched by queries that a caller could send as well', () => {
    const view = viewOf(shipmentsModel);
    const [field] = findSearchableFields(view, loaded(sizes));
    const queries = [
      ...(field ? [createDistinctValuesQuery(field)] : []),
      createTextSearchQuery('CARRIER', ['NAME'], "o'neil%"),
      createKeySearchQuery('CARRIER', ['ID'], 's1%'),
    ];
    const compiled = queries.map((query) => compileQuery(view, query, { schema: 's' }));
    expect(compiled.map((query) => query.ok)).toEqual([true, true, true]);
    const values = compiled.map((query) =>
      query.ok ? query.value.rows.values.filter((value) => String(value).endsWith('%')) : [],
    );
    expect(values.slice(1)).toEqual([["%o'neil\\%%"], ['s1\\%%', 'S1\\%%']]);
  });
});
