import { describe, expect, it } from '@jest/globals';
import { callerView, checkModel, compileQuery } from '@tessera/knowledge-model';
import type { TeamCatalog } from '../catalog/catalogs.js';
import { companyModel } from '../testing/company.js';
import { shipmentsModel } from '../testing/shipments.js';
import { keyQuery, searchableFieldsOf, textQuery, valuesMax, valuesQuery } from './searchable-values.js';

const viewOf = (model: typeof companyModel) => {
  const checked = checkModel(model, new Map());
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return callerView(checked, { scopes: [], attributes: {} });
};
const loaded = (rows: Readonly<Record<string, number>>): Pick<TeamCatalog, 'tables'> => ({
  tables: new Map(Object.entries(rows).map(([name, count]) => [name, { dataVersion: '1', rows: count }])),
});
const sizes = { 'depot.shipment': 60, 'depot.line': valuesMax + 1, 'depot.carrier': 2 };
const idsOf = (fields: ReturnType<typeof searchableFieldsOf>) => fields.map(({ column }) => column.id);

describe('the fields whose values are searched', () => {
  it('are the visible text fields, those of small tables first', () => {
    expect(idsOf(searchableFieldsOf(viewOf(shipmentsModel), loaded(sizes)))).toEqual([
      ...['CARRIER.ID', 'CARRIER.NAME', 'SHIPMENT.LINE_ORDER', 'LINE.ORDER_NO', 'LINE.COMPANY'],
    ]);
    expect(idsOf(searchableFieldsOf(viewOf(companyModel), loaded({ 'p2p.po_item': 1 })))).not.toContain(
      'PO_ITEM.BANK_ACCOUNT',
    );
  });

  it('leave out tables without rows and external databases', () => {
    const { 'depot.carrier': carriers } = sizes;
    expect(idsOf(searchableFieldsOf(viewOf(shipmentsModel), loaded({ 'depot.carrier': carriers })))).toHaveLength(2);
    const external = { ...shipmentsModel, source: { schema: 'depot', database: 'erp' } };
    expect(searchableFieldsOf(viewOf(external), loaded(sizes))).toEqual([]);
  });

  it('are keys when they identify a row or a related row, and have many values when they identify it alone', () => {
    const fields = searchableFieldsOf(viewOf(shipmentsModel), loaded({ ...sizes, 'depot.carrier': valuesMax + 1 }));
    const keys = fields.filter(({ isKey }) => isKey);
    expect(idsOf(keys)).toEqual(['SHIPMENT.LINE_ORDER', 'LINE.ORDER_NO', 'CARRIER.ID']);
    expect(idsOf(fields.filter(({ hasMany }) => hasMany))).toEqual(['CARRIER.ID']);
  });

  it('are searched by queries that any caller could send', () => {
    const view = viewOf(shipmentsModel);
    const [field] = searchableFieldsOf(view, loaded(sizes));
    const queries = [
      ...(field ? [valuesQuery(field)] : []),
      textQuery('CARRIER', ['NAME'], "o'neil%"),
      keyQuery('CARRIER', ['ID'], 's1%'),
    ];
    const compiled = queries.map((query) => compileQuery(view, query, { schema: 's' }));
    expect(compiled.map((query) => query.ok)).toEqual([true, true, true]);
    const values = compiled.map((query) =>
      query.ok ? query.value.rows.values.filter((value) => String(value).endsWith('%')) : [],
    );
    expect(values.slice(1)).toEqual([["%o'neil\\%%"], ['s1\\%%', 'S1\\%%']]);
  });
});
