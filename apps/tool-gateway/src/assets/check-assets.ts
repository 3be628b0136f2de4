/**
 * The faults of all assets of a request at once, each at `definitions.<index>.<member>`. Their shape was checked before.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type AgentToolsAssetDefinition, type ToolDefinition, normaliseToolId } from '@tessera/contracts/tool-gateway';
import { type Fault, createFaultList, type FaultList } from '@tessera/failures';
import { checkHttpRequest } from '../http-request/check-request.js';
import type { RequestContext } from '../http-request/request-context.js';

export type CheckContext = {
  /** Ids of models that the tools may ask. */
  readonly models: readonly string[];
  /** `collection/storage`. */
  readonly storages: readonly string[];
  readonly request: Pick<RequestContext, 'team' | 'hosts' | 'secrets'>;
};

/** Checking a schema takes long, so the event loop is yielded after each tool. */
export const checkAssets = async (
  assets: readonly AgentToolsAssetDefinition[],
  known: CheckContext,
): Promise<readonly Fault[]> => {
  const list = createFaultList('body');
  const ids = new Set<string>();
  for (const [index, asset] of assets.entries()) {
    if (ids.has(asset.id)) {
      list.add(['definitions', index, 'id'], 'twice', `${asset.id} is given twice`);
      continue;
    }
    ids.add(asset.id);
    for (const place of asset.tools.keys()) {
      checkTool(asset, place, ['definitions', index, 'tools', place], known, list);
      if (list.isFull) return list.faults;
      await yieldToOthers();
    }
  }
  return list.faults;
};

type Path = readonly (string | number)[];

const checkTool = (
  { tools }: AgentToolsAssetDefinition,
  place: number,
  path: Path,
  known: CheckContext,
  list: FaultList,
): void => {
  const tool = tools[place];
  if (!tool) return;
  const twin = tools.slice(0, place).find(({ id }) => normaliseToolId(id) === normaliseToolId(tool.id));
  if (twin)
    list.add([...path, 'id'], 'twice', `calls cannot tell ${tool.id} from ${twin.id}: "-" and "_" are the same`);
  checkReferences(tool, path, known, list);
};

const checkReferences = (tool: ToolDefinition, path: Path, known: CheckContext, list: FaultList): void => {
  switch (tool.kind) {
    case 'http-request':
      for (const { path: place, ...fault } of checkHttpRequest(tool, known.request))
        list.adopt(place === '' ? path : [...path, place], fault);
      return;
    case 'find-content':
      if (!known.storages.includes(tool.storage))
        list.unknown([...path, 'storage'], 'storage', tool.storage, known.storages);
      return;
    case 'search-data':
    case 'load-data':
    case 'get-insights':
    case 'get-knowledge-model':
      if (!known.models.includes(tool.knowledgeModel))
        list.unknown([...path, 'knowledgeModel'], 'knowledge model', tool.knowledgeModel, known.models);
  }
};
