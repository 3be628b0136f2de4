/** The fake gateway's agent tools, in memory, drafts beside published ones. */
import type { HttpOperation } from '@tessera/contracts';
import * as tools from '@tessera/contracts/tool-gateway';

type Asset = tools.AgentToolsAssetDefinition;
type FakeAsset = { published?: Asset; draft?: Asset };

/** By id. */
export type FakeToolsState = { readonly assets: Map<string, FakeAsset> };

export const createFakeToolsState = (): FakeToolsState => ({ assets: new Map() });

type Handler = (state: FakeToolsState, path: Readonly<Record<string, string>>, body: never) => unknown;

const apply: Handler = (
  { assets },
  _path,
  { definitions, mode = 'publish' }: { readonly definitions: readonly Asset[]; readonly mode?: string },
) => ({
  definitions: definitions.map((definition) => {
    const { kind, id } = definition;
    const before = assets.get(id);
    const current = mode === 'draft' ? (before?.draft ?? before?.published) : before?.published;
    const isSame = JSON.stringify(current) === JSON.stringify(definition);
    if (mode === 'draft') assets.set(id, { ...before, draft: definition });
    if (mode === 'publish') assets.set(id, { published: definition });
    const state = before === undefined ? 'created' : isSame ? 'unchanged' : 'changed';
    const changes = state === 'changed' ? [{ path: 'tools.search-data', change: 'removed', breaks: true }] : [];
    return { kind, id, state, changes, ...(mode === 'publish' && { version: 1 }) };
  }),
});

const exported: Handler = ({ assets }) => ({
  assets: [...assets].map(([id, { published, draft }]) => ({
    id,
    ...(published && { version: 1, definition: published }),
    ...(draft && { draft }),
  })),
});

const call = (number: number): tools.ToolCall => ({
  callId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  startedAt: '2026-06-30T09:15:00.123Z',
  subject: 'ann',
  door: 'mcp',
  assetId: 'p2p-tools',
  version: '1',
  digest: 'a'.repeat(64),
  toolId: 'load-data',
  argumentsDigest: 'b'.repeat(64),
  outcome: number === 1 ? 'running' : 'ok',
  requestId: `request-${number}`,
  ...(number !== 1 && { durationMs: 12.6 }),
});

/** Two calls, the newest first, a page each when a page is that small. */
const log: Handler = (_, { pageSize, after }) => {
  if (after !== undefined) return { calls: [call(2)] };
  return pageSize === '1' ? { calls: [call(1)], next: call(1).callId } : { calls: [call(1), call(2)] };
};

export const toolsHandlers: readonly (readonly [HttpOperation, Handler])[] = [
  [tools.applyAssets, apply],
  [tools.deleteAsset, ({ assets }, { assetId = '' }) => ({ deleted: assets.delete(assetId) && assetId })],
  [tools.exportAssets, exported],
  [tools.listCalls, log],
];
