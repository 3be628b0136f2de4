import { describe, expect, it } from '@jest/globals';
import type { Tool } from '../tools/tool.js';
import { checkArguments } from './check-call.js';

const toolOf = (more: Partial<Tool>): Tool => ({
  ...{ id: 't', title: 't', description: '', isReadOnly: true, inputSchema: { type: 'object' } },
  run: () => Promise.reject(new Error('not called')),
  ...more,
});
const faultsOf = (tool: Tool, given: unknown) => {
  const checked = checkArguments(tool, given);
  return checked.ok ? [] : (checked.failure.faults ?? []).map(({ path, rule }) => `${path} ${rule}`);
};
const filters = {
  type: 'object',
  required: ['columns'],
  properties: {
    columns: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 3 },
    filters: { type: 'array', items: { type: 'object', required: ['id', 'value'], properties: { id: {}, value: {} } } },
  },
};

describe('arguments that do not fit', () => {
  it.each([
    ['with names of the owner', toolOf({ inputSchema: filters, argumentsSchema: filters })],
    ['without', toolOf({ inputSchema: filters })],
  ])('are told of whole while there are few, and by the first when there are many, %s', (_, tool) => {
    expect(faultsOf(tool, { columns: ['a', 'c'], filters: [{}] })).toEqual([
      'columns.1 enum',
      'filters.0.id required',
      'filters.0.value required',
    ]);
    const many = { columns: ['a'], filters: Array.from({ length: 100_000 }, () => ({})) };
    expect(faultsOf(tool, many)).toEqual(['filters.0.id required']);
  });

  it('are not judged by a schema that has too many alternatives for them', () => {
    const anyOf = Array.from({ length: 600 }, (_, index) => ({ const: `v${index}` }));
    const tool = toolOf({ inputSchema: { type: 'object', properties: { a: { type: 'array', items: { anyOf } } } } });
    expect(faultsOf(tool, { a: ['v599'] })).toEqual([]);
    expect(faultsOf(tool, { a: Array.from({ length: 20_000 }, () => 'v599') })).toEqual([' size']);
  });

  it('end in time, whatever their patterns', () => {
    const allOf = Array.from({ length: 50 }, (_, index) => ({ pattern: `^(?:a?){150}b?c?${'d?'.repeat(index)}$` }));
    const tool = toolOf({ inputSchema: { type: 'object', properties: { a: { type: 'array', items: { allOf } } } } });
    expect(faultsOf(tool, { a: ['aaa'] })).toEqual([]);
    expect(faultsOf(tool, { a: Array.from({ length: 50 }, () => 'a'.repeat(20_000)) })).not.toEqual([]);
  });
});
