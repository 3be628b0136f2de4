/**
 * The faults of all assets of a request at once, each at `definitions.<index>.<member>`: what spans members, and names of
 * models and storages that the team does not have.
 * Refuses: the shape of definitions; it was checked when they came in.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { toolKeyOf, type AgentToolsAssetDefinition, type ToolDefinition } from '@tessera/contracts/tool-gateway';
import { faultList, type Fault, type FaultList } from '@tessera/failures';
import { checkHttpRequest } from '../http-request/check-request.js';
import type { RequestSurroundings } from '../http-request/surroundings.js';

export type Known = {
  /** Ids of models that the tools may ask. */
  readonly models: readonly string[];
  /** `collection/storage`. */
  readonly storages: readonly string[];
  readonly requests: Pick<RequestSurroundings, 'team' | 'hosts' | 'secrets'>;
};

/** Schemas take long to judge, so others have their turn after each tool. */
export const checkAssets = async (
  asked: readonly AgentToolsAssetDefinition[],
  known: Known,
): Promise<readonly Fault[]> => {
  const list = faultList('body');
  const ids = asked.map(({ id }) => id);
  for (const [index, asset] of asked.entries()) {
    if (ids.indexOf(asset.id) !== index) {
      list.add(['definitions', index, 'id'], 'twice', `${asset.id} is given twice`);
      continue;
    }
    for (const place of asset.tools.keys()) {
      checkTool(asset, place, ['definitions', index, 'tools', place], known, list);
      if (list.isFull) return list.faults;
      await othersTurn();
    }
  }
  return list.faults;
};

type Path = readonly (string | number)[];

const checkTool = (
  { tools }: AgentToolsAssetDefinition,
  place: number,
  path: Path,
  known: Known,
  list: FaultList,
): void => {
  const tool = tools[place];
  if (!tool) return;
  const same = tools.slice(0, place).find(({ id }) => toolKeyOf(id) === toolKeyOf(tool.id));
  if (same)
    list.add([...path, 'id'], 'twice', `calls cannot tell ${tool.id} from ${same.id}: "-" and "_" are the same`);
  checkReferences(tool, path, known, list);
};

const checkReferences = (tool: ToolDefinition, path: Path, known: Known, list: FaultList): void => {
  switch (tool.kind) {
    case 'http-request':
      for (const { path: place, ...fault } of checkHttpRequest(tool, known.requests))
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
