/**
 * Collects the faults of all agents of a request, each at `definitions.<index>.<member>`: unknown assets and tools, and what
 * spans members. The shape was validated before.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { AgentDefinition } from '@tessera/contracts/agents';
import { normaliseToolId } from '@tessera/contracts/tool-gateway';
import { createFaultList, type Fault, type FaultList } from '@tessera/failures';
import { checkSchema } from '@tessera/json-schema';
import type { Models } from '../models/models.js';
import type { ToolIdsByAsset } from './known-assets.js';

type Path = readonly (string | number)[];

export type CheckContext = {
  readonly team: string;
  readonly assets: ToolIdsByAsset;
  readonly models: Pick<Models, 'faultsOf'>;
};

/** Schemas take long to judge, so others have their turn after each agent. */
export const checkAgents = async (
  definitions: readonly AgentDefinition[],
  known: CheckContext,
): Promise<readonly Fault[]> => {
  const list = createFaultList('body');
  const ids = new Set<string>();
  for (const [index, agent] of definitions.entries()) {
    const path = ['definitions', index];
    if (ids.has(agent.id)) list.add([...path, 'id'], 'twice', `${agent.id} is given twice`);
    else checkAgent(agent, path, known, list);
    ids.add(agent.id);
    if (list.isFull) break;
    await yieldToOthers();
  }
  return list.faults;
};

const checkAgent = (
  agent: AgentDefinition,
  path: Path,
  { team, assets, models }: CheckContext,
  list: FaultList,
): void => {
  models.faultsOf(team, agent.model, [...path, 'model'], list);
  if (agent.outputSchema) checkSchema(agent.outputSchema, [...path, 'outputSchema'], list);
  const called: CalledTools = new Map();
  for (const [place, entry] of agent.tools.entries()) {
    const tools = assets.get(entry.asset);
    const at = [...path, 'tools', place];
    if (tools) checkEntry(entry, tools, { path: at, called, list });
    else list.unknown([...at, 'asset'], 'asset', entry.asset, assets.keys());
  }
};

/** The tools of the agent so far, by what they are called. */
type CalledTools = Map<string, { readonly asset: string; readonly id: string }>;
type Entry = AgentDefinition['tools'][number];
type AgentCheck = { readonly path: Path; readonly called: CalledTools; readonly list: FaultList };

const checkEntry = ({ asset, tools: wanted }: Entry, tools: readonly string[], checking: AgentCheck): void => {
  const { path, list } = checking;
  if (wanted === undefined) {
    for (const id of tools) checkName(asset, id, [...path, 'asset'], checking);
    return;
  }
  const keys = new Map(tools.map((id) => [normaliseToolId(id), id]));
  for (const [place, id] of wanted.entries()) {
    if (list.isFull) return;
    const at = [...path, 'tools', place];
    const found = keys.get(normaliseToolId(id));
    if (found === undefined) list.unknown(at, 'tool', id, tools);
    else checkName(asset, found, at, checking);
  }
};

const checkName = (asset: string, id: string, path: Path, { called, list }: AgentCheck): void => {
  const same = called.get(normaliseToolId(id));
  called.set(normaliseToolId(id), same ?? { asset, id });
  if (!same) return;
  const why =
    same.asset === asset && same.id === id
      ? `it is there already`
      : `calls cannot tell it from ${same.id} of ${same.asset}`;
  list.add(path, 'twice', `the tool ${id} of ${asset}: ${why}; expected other tools, named one by one`);
};
