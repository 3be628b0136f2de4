import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAssets } from '@tessera/contracts/tool-gateway';
import {
  applyOrThrow,
  createAssetDefinition,
  createContext,
  loadDataTool,
  openTestReplicas,
  type TestReplicas,
  unwrapResult,
} from '../testing/test-replicas.js';

let setup: TestReplicas;
beforeAll(async () => {
  setup = await openTestReplicas();
  const [first] = setup.replicas;
  const searchTool = { kind: 'search-data', id: 'search-data', knowledgeModel: 'p2p' } as const;
  await applyOrThrow(first, 'meridian', [
    createAssetDefinition('p2p', [loadDataTool, searchTool], {
      name: 'Purchasing',
      description: 'Orders',
      limits: { callsPerMinute: 7 },
    }),
    createAssetDefinition('Help.desk'),
    createAssetDefinition('zeta'),
  ]);
  await applyOrThrow(first, 'meridian', [createAssetDefinition('unpublished')], { mode: 'draft' });
  await applyOrThrow(first, 'northgate', [createAssetDefinition('secret')]);
});
afterAll(() => setup?.end());

const list = async (query: object = {}, team = 'meridian') =>
  listAssets.reply.parse(
    await unwrapResult(setup.replicas[1].lists.listAssets(listAssets.request.parse(query), createContext(team))),
  );

describe('the assets that a caller may call', () => {
  it('are the published ones of the own team, with the address of their server', async () => {
    const { assets, next } = await list();
    expect([assets.map(({ id }) => id), next]).toEqual([['Help.desk', 'p2p', 'zeta'], undefined]);
    expect(assets[1]).toEqual({
      id: 'p2p',
      name: 'Purchasing',
      description: 'Orders',
      version: '1',
      tools: 2,
      callsPerMinute: 7,
      mcp: 'https://tessera.example:8443/studio-copilot/api/v1/mcp-servers/mcp/p2p',
    });
    expect(assets[0]).toMatchObject({ name: 'Help.desk', description: '', tools: 1 });
    expect(await list({}, 'nobody')).toEqual({ assets: [] });
  });

  it('come in pages', async () => {
    const first = await list({ pageSize: 2 });
    expect([first.assets.map(({ id }) => id), first.next]).toEqual([['Help.desk', 'p2p'], 'p2p']);
    const last = await list({ pageSize: 2, after: first.next });
    expect([last.assets.map(({ id }) => id), last.next]).toEqual([['zeta'], undefined]);
  });
});
