/** A tool of an asset by the id that a call names. Refuses: tools that the asset does not have, with the nearest one. */
import { fail, nearestName, succeed, type Result } from '@tessera/failures';
import type { AssetView } from '../tools/asset-view.js';
import type { Tool } from '../tools/tool.js';

/** So many ids are listed when none is near. */
const listedMax = 12;

export const findTool = (view: AssetView, toolId: string): Result<Tool> => {
  const tool = view.find(toolId);
  return tool ? succeed(tool) : fail('TOOL_NOTFOUND', `There is no tool ${toolId}${hintFor(view, toolId)}`);
};

const hintFor = ({ tools }: AssetView, toolId: string): string => {
  const ids = tools.map(({ id }) => id);
  const near = nearestName(toolId, ids);
  if (near !== undefined) return `. Did you mean ${near}?`;
  return ids.length > listedMax ? '.' : `; expected one of ${ids.join(', ')}.`;
};
