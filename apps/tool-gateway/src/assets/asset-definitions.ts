import {
  AgentToolsAssetDefinition,
  type AppliedAsset,
  assetDeleted,
  assetPublished,
} from '@tessera/contracts/tool-gateway';
import { compareMembers, type DefinitionKind, type Members } from '@tessera/definitions';
import { VersionedDefinitions } from '@tessera/persistence';
import { Asset, AssetVersion } from '@tessera/persistence/tool-gateway';

export const assetTables = new VersionedDefinitions('tool_gateway', 'asset', {
  definition: Asset,
  version: AssetVersion,
});

/** Tools are compared by their ids; their order means nothing. */
export const compareAssets = (
  before: AgentToolsAssetDefinition,
  after: AgentToolsAssetDefinition,
): readonly AppliedAsset['changes'][number][] => {
  const { tools: toolsBefore, ...restBefore } = before;
  const { tools: toolsAfter, ...restAfter } = after;
  const parts = [
    { prefix: '', before: restBefore, after: restAfter },
    { prefix: 'tools.', before: byId(toolsBefore), after: byId(toolsAfter) },
  ];
  return compareMembers(parts, {
    isWhole: (path) => schemaPath.test(path),
    breaks: (path, change) => breakingPath.test(path) && change !== 'added',
  });
};

const byId = (tools: AgentToolsAssetDefinition['tools']): Members =>
  Object.fromEntries(tools.map((tool) => [tool.id, tool]));

const schemaPath = /^tools\.[^.]+\.(input|output)Schema$/;
/** What a caller relies on: that the tool is there, what it does, what it takes. */
const breakingPath = /^tools\.[^.]+(\.(kind|knowledgeModel|storage|inputSchema))?$/;

export const assetDefinitionKind: DefinitionKind<AgentToolsAssetDefinition> = {
  tables: assetTables,
  parse: (stored) => {
    const read = AgentToolsAssetDefinition.safeParse(stored);
    return read.success ? read.data : undefined;
  },
  compare: compareAssets,
  publishedEvent: (assetId, version) => ({ event: assetPublished, data: { assetId, version } }),
  deletedEvent: (assetId) => ({ event: assetDeleted, data: { assetId } }),
};
