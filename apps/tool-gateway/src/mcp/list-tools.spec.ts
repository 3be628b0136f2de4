import { describe, expect, it } from '@jest/globals';
import { toMcpToolList } from './list-tools.js';
import { createTestTool, createTestView } from './testing/test-exchange.js';
import { indexAssetTools } from '../tools/asset-tools.js';
import { createFixedToolSource } from '../tools/tool.js';

const outputSchema = { type: 'object', properties: { total: { type: 'integer' } } };

describe('toMcpToolList', () => {
  it('lists schemas, title and annotations', () => {
    const view = createTestView([createTestTool({ outputSchema })]);
    expect(toMcpToolList(view, '2025-06-18')).toEqual([
      {
        name: 'load-data',
        title: 'Load data',
        description: 'Loads rows.',
        inputSchema: { type: 'object', properties: { top: { type: 'integer' } } },
        outputSchema,
        annotations: {
          title: 'Load data',
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
    ]);
  });

  it('leaves out members that the revision does not know', () => {
    const [listed] = toMcpToolList(createTestView([createTestTool({ outputSchema })]), '2025-03-26');
    expect(Object.keys(listed ?? {})).toEqual(['name', 'description', 'inputSchema', 'annotations']);
  });

  it('annotates tools that change foreign systems', () => {
    const tool = createTestTool({ id: 'post-order', isReadOnly: false });
    const { asset } = createTestView([]);
    const view = indexAssetTools({ ...asset, tools: [createFixedToolSource(tool, 'http-request')] }, [tool]);
    expect(toMcpToolList(view, '2025-11-25')).toMatchObject([
      { annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } },
    ]);
  });

  it('removes the x-mcp-header keyword from schemas', () => {
    const marked = { type: 'string', 'x-mcp-header': 'Region' };
    const data = { 'x-mcp-header': 'data' };
    const inputSchema = {
      type: 'object',
      'x-mcp-header': 'All',
      properties: { region: marked, 'x-mcp-header': { type: 'string' }, list: { type: 'array', items: marked } },
      $defs: { part: marked },
      allOf: [{ properties: { region: marked } }],
      examples: [data],
      default: data,
    };
    const [listed] = toMcpToolList(createTestView([createTestTool({ inputSchema })]), '2026-07-28');
    const bare = { type: 'string' };
    expect(listed?.inputSchema).toEqual({
      type: 'object',
      properties: { region: bare, 'x-mcp-header': bare, list: { type: 'array', items: bare } },
      $defs: { part: bare },
      allOf: [{ properties: { region: bare } }],
      examples: [data],
      default: data,
    });
  });
});
