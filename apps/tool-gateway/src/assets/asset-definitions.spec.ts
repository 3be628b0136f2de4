import { expect, it } from '@jest/globals';
import type { AgentToolsAssetDefinition, ToolDefinition } from '@tessera/contracts/tool-gateway';
import { compareAssets } from './asset-definitions.js';

const load = { kind: 'load-data', id: 'load-data', knowledgeModel: 'p2p' } as const;
const request = { method: 'GET', url: 'https://erp.example/{no}' } as const;
const erp = { kind: 'http-request', id: 'erp', request, inputSchema: { type: 'object', required: ['no'] } } as const;

const assetOf = (
  tools: readonly ToolDefinition[],
  more: Partial<AgentToolsAssetDefinition> = {},
): AgentToolsAssetDefinition => ({ kind: 'AgentToolsAsset', id: 'a', tools: [...tools], ...more });

it('compareAssets names changed members by their paths and tools by their ids', () => {
  const before = assetOf([load, erp], { name: 'Old', limits: { callsPerMinute: 5 } });
  const after = assetOf(
    [
      { ...erp, request: { ...request, method: 'POST' } },
      { ...load, name: 'Load' },
    ],
    { limits: { callsPerMinute: 6 }, instructions: 'Load first.' },
  );
  expect(compareAssets(before, after)).toEqual([
    { path: 'name', change: 'removed', breaks: false },
    { path: 'limits.callsPerMinute', change: 'changed', breaks: false },
    { path: 'instructions', change: 'added', breaks: false },
    { path: 'tools.load-data.name', change: 'added', breaks: false },
    { path: 'tools.erp.request.method', change: 'changed', breaks: false },
  ]);
});

it('compareAssets marks the changes that may break callers of a tool', () => {
  const before = assetOf([load, erp, { ...load, id: 'gone' }]);
  const after = assetOf([
    { ...load, kind: 'search-data', knowledgeModel: 'sales' },
    { ...erp, inputSchema: { type: 'object', required: ['no', 'year'] } },
    { ...load, id: 'new' },
  ]);
  expect(compareAssets(before, after)).toEqual([
    { path: 'tools.load-data.kind', change: 'changed', breaks: true },
    { path: 'tools.load-data.knowledgeModel', change: 'changed', breaks: true },
    { path: 'tools.erp.inputSchema', change: 'changed', breaks: true },
    { path: 'tools.gone', change: 'removed', breaks: true },
    { path: 'tools.new', change: 'added', breaks: false },
  ]);
});

it('compareAssets ignores the order of tools', () => {
  expect(compareAssets(assetOf([load, erp]), assetOf([erp, load]))).toEqual([]);
});
