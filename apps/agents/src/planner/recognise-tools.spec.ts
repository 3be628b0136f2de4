import { describe, expect, it } from '@jest/globals';
import { recogniseTools, recogniseCalledTools } from './recognise-tools.js';

const tool = (name: string, ...members: readonly string[]) => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties: Object.fromEntries(members.map((member) => [member, {}])) },
});

describe('tools', () => {
  it('are recognised by their arguments, the first of each kind', () => {
    const offered = [
      tool('a', 'search_terms', 'user_query'),
      tool('b', 'columns', 'applied_filters', 'page'),
      tool('c', 'kpi', 'field_ids'),
      tool('d', 'query', 'culture', 'facet'),
      tool('sales-model'),
      tool('f', 'columns', 'applied_filters'),
      tool('ping'),
      tool('block-invoice', 'invoiceNo', 'reason'),
    ];
    expect(recogniseTools(offered)).toEqual({
      search: 'a',
      load: 'b',
      insights: 'c',
      content: 'd',
      model: 'sales-model',
    });
  });

  it('are not recognised without a schema', () => {
    expect(recogniseTools([{ name: 'x', description: '', inputSchema: undefined }])).toEqual({});
  });

  it('are recognised in earlier calls by arguments and results', () => {
    const calls = [
      { tool: 'm', args: {}, value: { kpis: [], records: [] } },
      { tool: 's', args: { search_terms: ['x'] }, value: {} },
      { tool: 'l', args: { columns: ['X'] }, value: {} },
    ];
    expect(recogniseCalledTools(calls)).toEqual({ model: 'm', search: 's', load: 'l' });
  });
});
