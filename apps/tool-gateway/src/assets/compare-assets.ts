/**
 * What changes between two definitions of an asset, member by member, tools by their ids; and whether who calls the tools as
 * they are may fail afterwards. Refuses: the order of tools; it means nothing.
 */
import type { AgentToolsAssetDefinition, AppliedAsset } from '@tessera/contracts/tool-gateway';
import { compareMembers, type Members } from '@tessera/definitions';

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
    breaks: (path, change) => reliedOn.test(path) && change !== 'added',
  });
};

const byId = (tools: AgentToolsAssetDefinition['tools']): Members =>
  Object.fromEntries(tools.map((tool) => [tool.id, tool]));

const schemaPath = /^tools\.[^.]+\.(input|output)Schema$/;
/** What a caller relies on: that the tool is there, what it does, what it takes. */
const reliedOn = /^tools\.[^.]+(\.(kind|knowledgeModel|storage|inputSchema))?$/;
