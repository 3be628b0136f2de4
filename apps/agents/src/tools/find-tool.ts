import { toolKeyOf } from '@tessera/contracts/tool-gateway';
import { fail, nearestName, succeed, type Result } from '@tessera/failures';
import type { AgentTool } from './agent-tool.js';

/** So many ids are listed when none is near. */
const listedMax = 12;

/** `-` and `_` are the same. */
export const findTool = (tools: readonly AgentTool[], toolId: string): Result<AgentTool> => {
  const tool = tools.find(({ id }) => toolKeyOf(id) === toolKeyOf(toolId));
  return tool ? succeed(tool) : fail('AGENT_TOOL_NOTFOUND', `There is no tool ${toolId}${hintFor(tools, toolId)}`);
};

const hintFor = (tools: readonly AgentTool[], toolId: string): string => {
  const ids = tools.map(({ id }) => id);
  if (ids.length === 0) return '; the agent has none.';
  const near = nearestName(toolId, ids);
  if (near !== undefined) return `. Did you mean ${near}?`;
  return ids.length > listedMax ? '.' : `; expected one of ${ids.join(', ')}.`;
};
