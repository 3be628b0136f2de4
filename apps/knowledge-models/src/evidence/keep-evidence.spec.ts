import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { type CallerView, checkModel, createCallerView } from '@tessera/knowledge-model';
import type { TeamCatalog } from '../catalog/catalogs.js';
import { PublishedModels } from '../catalog/published-models.js';
import { shipmentsModel } from '../testing/shipments.js';
import { dataVersionsOf, policyNamesOf } from './keep-evidence.js';

const viewOf = (definition: KnowledgeModelDefinition, ...scopes: readonly string[]): CallerView => {
  const checked = checkModel(definition, new Map());
  if (!checked.ok) throw new Error(checked.faults[0]?.message);
  return createCallerView(checked, { scopes, attributes: {} });
};
const catalog: TeamCatalog = {
  revision: '1',
  models: new PublishedModels([], new Map(), () => undefined),
  tables: new Map([['depot.line', { dataVersion: '7', rows: 3 }]]),
  schemas: new Map(),
};

describe('the data versions of a question', () => {
  it('are those of the loads of its tables', () => {
    const view = viewOf(shipmentsModel);
    expect(dataVersionsOf({ view, catalog }, ['line', 'carrier'])).toEqual([
      { table: 'line', version: '7' },
      { table: 'carrier', version: '0' },
    ]);
  });

  it('are not known of an external database, which is named', () => {
    const view = viewOf({ ...shipmentsModel, source: { schema: 'depot', database: 'erp' } });
    expect(dataVersionsOf({ view, catalog }, ['line'])).toEqual([{ table: 'line', database: 'erp' }]);
  });
});

describe('the policies of a question', () => {
  it('are called by what they do in the tables that it reads, and are none for who is not restricted', () => {
    const view = viewOf(shipmentsModel);
    expect(policyNamesOf(view, ['line', 'carrier'])).toEqual(['rows of LINE', 'fields of CARRIER']);
    expect(policyNamesOf(view, ['shipment'])).toEqual([]);
    expect(policyNamesOf(viewOf(shipmentsModel, 'depot:keep'), ['line', 'carrier'])).toEqual([]);
  });
});
