import { describe, expect, it } from '@jest/globals';
import { listTools } from './list-tools.js';
import { testTool, testView } from './testing/test-exchange.js';
import { assetView } from '../tools/asset-tools.js';
import { fixedTool } from '../tools/tool.js';

const outputSchema = { type: 'object', properties: { total: { type: 'integer' } } };

describe('listTools', () => {
  it('lists schemas, title and annotations', () => {
    const view = testView([testTool({ outputSchema })]);
    expect(listTools(view, '2025-06-18')).toEqual([
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
    const [listed] = listTools(testView([testTool({ outputSchema })]), '2025-03-26');
    expect(Object.keys(listed ?? {})).toEqual(['name', 'description', 'inputSchema', 'annotations']);
  });

  it('annotates tools that change foreign systems', () => {
    const tool = testTool({ id: 'post-order', isReadOnly: false });
    const { asset } = testView([]);
    const view = assetView({ ...asset, tools: [fixedTool(tool, 'http-request')] }, [tool]);
    expect(listTools(view, '2025-11-25')).toMatchObject([
      { annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } },
    ]);
  });

  it('removes the keyword for headers made of arguments', () => {
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
    const [listed] = listTools(testView([testTool({ inputSchema })]), '2026-07-28');
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
