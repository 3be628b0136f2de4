import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { checkAssets } from './check-assets.js';

const toolOf = (id: string) => ({
  ...({ kind: 'http-request', id, request: { method: 'GET', url: 'https://erp.example/' } } as const),
  inputSchema: { type: 'object' },
});
const assetOf = (id: string, tools: number): AgentToolsAssetDefinition => ({
  ...{ kind: 'AgentToolsAsset', id },
  tools: Array.from({ length: tools }, (_, index) => toolOf(`t${index}`)),
});
const known = { models: [], storages: [], request: { team: 'meridian', hosts: {}, secrets: {} } };

describe('checkAssets', () => {
  it('yields the event loop after each tool', async () => {
    let isChecked = false;
    const checking = checkAssets([assetOf('a', 10), assetOf('b', 10)], known).finally(() => (isChecked = true));
    let yields = 0;
    while (!isChecked) {
      await turn();
      yields++;
    }
    expect(await checking).toEqual([]);
    expect(yields).toBeGreaterThanOrEqual(20);
  });

  it('reports a duplicate asset once', async () => {
    const faults = await checkAssets([assetOf('a', 1), assetOf('a', 1)], known);
    expect(faults.map(({ path, rule }) => [path, rule])).toEqual([['definitions.1.id', 'twice']]);
  });
});
