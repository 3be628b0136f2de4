/**
 * What apply would change in the definitions of one kind. A definition that refers to what exists only in the workspace
 * (a tool's model, an agent's tool) cannot be checked before that is applied; it is reported as not compared.
 */
import type { AgentDefinition } from '@tessera/contracts/agents';
import type { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import type { Fault } from '@tessera/failures';
import type { ExitCode } from '../exit-code.js';
import type { Gateway } from '../gateway/gateway.js';
import type { RequestFailure } from '../gateway/request-failure.js';
import type { LocatedDefinition } from '../workspace/check-definitions.js';
import { hasTool } from '../workspace/check-tools.js';
import type { CheckedWorkspace } from '../workspace/check-workspace.js';
import type { CommandContext } from './command.js';
import {
  requestDefinitionsOfKind,
  reportRefusedDefinitions,
  type AppliedEntry,
  type DefinitionKind,
} from './definitions.js';

type DefinitionId = Pick<AppliedEntry, 'kind' | 'id'>;
export type UncomparedDefinition = DefinitionId & { readonly state: 'not compared' };

type Comparison<Definition> = {
  readonly team: string;
  readonly definitions: readonly LocatedDefinition<Definition>[];
  /** Whether the workspace brings the name at a member of a definition. */
  readonly provides: (definition: Definition, path: string) => boolean;
  readonly json: boolean;
};

export const compareDefinitions = async <Definition extends DefinitionId, Done extends AppliedEntry>(
  context: CommandContext,
  gateway: Gateway,
  kind: DefinitionKind<Definition, Done>,
  { team, definitions, provides: brings, json }: Comparison<Definition>,
): Promise<readonly (Done | UncomparedDefinition)[] | ExitCode> => {
  const report = (sent: readonly LocatedDefinition<Definition>[], refusal: RequestFailure): ExitCode =>
    reportRefusedDefinitions(context, { definitions: sent, unchanged: kind.unchanged, json }, refusal);
  const first = await requestDefinitionsOfKind(gateway, kind, { team, definitions, mode: 'check' });
  if (first.ok) return first.value;
  const waiting = blockedDefinitions(definitions, first.refusal, brings);
  if (waiting.length === 0) return report(definitions, first.refusal);
  const rest = definitions.filter((definition) => !waiting.includes(definition));
  const second = await requestDefinitionsOfKind(gateway, kind, { team, definitions: rest, mode: 'check' });
  if (!second.ok) return report(rest, second.refusal);
  return definitions.map(({ definition }) => {
    const compared = second.value.find((applied) => applied.id === definition.id);
    return compared ?? { kind: definition.kind, id: definition.id, state: 'not compared' };
  });
};

/** Those of which something is missing that the workspace brings; none when anything else is wrong. */
const blockedDefinitions = <Definition>(
  definitions: readonly LocatedDefinition<Definition>[],
  refusal: RequestFailure,
  brings: Comparison<Definition>['provides'],
): readonly LocatedDefinition<Definition>[] => {
  const faults: readonly Fault[] = refusal.kind === 'refused' ? refusal.problem.faults : [];
  const waiting = faults.map(({ path, rule }) => {
    const [, index, member = ''] = /^definitions\.(\d+)\.(.+)$/.exec(path) ?? [];
    const definition = definitions[Number(index)];
    return rule === 'unknown' && definition && brings(definition.definition, member) ? definition : undefined;
  });
  const known = waiting.filter((definition) => definition !== undefined);
  return known.length === waiting.length ? known : [];
};

/** Models and storages of tools. */
export const createAssetReferenceCheck = ({ definitions, storages }: CheckedWorkspace) => {
  const models = new Set(
    definitions.data.flatMap(({ definition }) => (definition.kind === 'KnowledgeModel' ? [definition.id] : [])),
  );
  const addresses = new Set(storages.map(({ definition: { collection, id } }) => `${collection}/${id}`));
  return ({ tools }: AgentToolsAssetDefinition, path: string): boolean => {
    const [, place, member] = /^tools\.(\d+)\.(\w+)$/.exec(path) ?? [];
    const tool = tools[Number(place)];
    if (member === 'knowledgeModel' && tool && 'knowledgeModel' in tool) return models.has(tool.knowledgeModel);
    return member === 'storage' && tool !== undefined && 'storage' in tool && addresses.has(tool.storage);
  };
};

/** Assets and their tools. */
export const createAgentReferenceCheck = ({ definitions }: CheckedWorkspace) => {
  const assets = new Map(definitions.assets.map(({ definition }) => [definition.id, definition]));
  return ({ tools }: AgentDefinition, path: string): boolean => {
    const [, place, member, index] = /^tools\.(\d+)\.(asset|tools)(?:\.(\d+))?$/.exec(path) ?? [];
    const named = tools[Number(place)];
    const asset = named && assets.get(named.asset);
    if (asset === undefined) return false;
    const id = named?.tools?.[Number(index)];
    return member === 'asset' || (id !== undefined && hasTool(asset, id));
  };
};
