/** Checks the tools of an asset and the tools that an agent names. Assets without a file are left to the services. */
import type { AgentDefinition } from '@tessera/contracts/agents';
import { normaliseToolId, type AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import { createFaultList, type Fault } from '@tessera/failures';

/** A call may write - for _, so that two tools whose ids differ in that alone are called the same. */
export const checkTools = ({ tools }: AgentToolsAssetDefinition): readonly Fault[] => {
  const list = createFaultList('definition');
  const first = new Map<string, string>();
  for (const [index, { id }] of tools.entries()) {
    const earlier = first.get(normaliseToolId(id));
    if (earlier === undefined) first.set(normaliseToolId(id), id);
    else {
      const same = earlier === id ? '' : `: "${earlier}" differs in - and _ only`;
      list.add(['tools', index, 'id'], 'unique', `there is a tool "${id}" already${same}`);
    }
  }
  return list.faults;
};

export const hasTool = ({ tools }: AgentToolsAssetDefinition, id: string): boolean =>
  tools.some((tool) => normaliseToolId(tool.id) === normaliseToolId(id));

/** `assets`: those that could be read without a fault, by id. */
export const checkAgentTools = (
  { tools }: AgentDefinition,
  assets: ReadonlyMap<string, AgentToolsAssetDefinition>,
): readonly Fault[] => {
  const list = createFaultList('definition');
  for (const [index, { asset, tools: ids = [] }] of tools.entries()) {
    const definition = assets.get(asset);
    for (const [place, id] of ids.entries())
      if (definition && !hasTool(definition, id))
        list.unknown(
          ['tools', index, 'tools', place],
          'tool',
          id,
          definition.tools.map((tool) => tool.id),
        );
  }
  return list.faults;
};
