/**
 * What apply would make of the assets of a workspace. An asset that names models or storages which only the workspace has
 * cannot be judged before they are applied; it is told as not compared. Refuses: to change anything.
 */
import type { AgentToolsAssetDefinition, AppliedAsset } from '@tessera/contracts/tool-gateway';
import type { ExitCode } from '../exit-code.js';
import type { Gateway } from '../gateway/gateway.js';
import type { Refusal } from '../gateway/refusal.js';
import type { PlacedDefinition } from '../workspace/check-definitions.js';
import type { CheckedWorkspace } from '../workspace/check-workspace.js';
import type { CommandContext } from './command.js';
import { requestAssets, tellRefusedAssets } from './definitions.js';

type Asset = PlacedDefinition<AgentToolsAssetDefinition>;

export type ComparedAsset = AppliedAsset | (Pick<AppliedAsset, 'kind' | 'id'> & { readonly state: 'not compared' });

export const compareAssets = async (
  context: CommandContext,
  gateway: Gateway,
  { team, checked, json }: { readonly team: string; readonly checked: CheckedWorkspace; readonly json: boolean },
): Promise<readonly ComparedAsset[] | ExitCode> => {
  const { assets } = checked.definitions;
  const all = { team, definitions: assets, mode: 'check' } as const;
  const first = await requestAssets(gateway, all);
  if (first.ok) return first.value;
  const waiting = waitingAssets(assets, first.refusal, namesOf(checked));
  if (waiting.length === 0) return tellRefusedAssets(context, all, first.refusal, json);
  const rest = { ...all, definitions: assets.filter((asset) => !waiting.includes(asset)) };
  const second = await requestAssets(gateway, rest);
  if (!second.ok) return tellRefusedAssets(context, rest, second.refusal, json);
  return assets.map(({ definition: { kind, id } }): ComparedAsset => {
    const compared = second.value.find((applied) => applied.id === id);
    return compared ?? { kind, id, state: 'not compared' };
  });
};

type Names = { readonly knowledgeModel: ReadonlySet<string>; readonly storage: ReadonlySet<string> };

const namesOf = ({ definitions, storages }: CheckedWorkspace): Names => ({
  knowledgeModel: new Set(
    definitions.data.flatMap(({ definition }) => (definition.kind === 'KnowledgeModel' ? [definition.id] : [])),
  ),
  storage: new Set(storages.map(({ definition: { collection, id } }) => `${collection}/${id}`)),
});

/** Those of which something is missing that the workspace brings; none when anything else is wrong. */
const waitingAssets = (assets: readonly Asset[], refusal: Refusal, names: Names): readonly Asset[] => {
  const faults = refusal.kind === 'refused' ? refusal.problem.faults : [];
  const waiting = faults.map(({ path }) => {
    const [, index, tool, member] = /^definitions\.(\d+)\.tools\.(\d+)\.(\w+)$/.exec(path) ?? [];
    const asset = assets[Number(index)];
    const named = asset?.definition.tools[Number(tool)];
    if (member === 'knowledgeModel' && named && 'knowledgeModel' in named)
      return names.knowledgeModel.has(named.knowledgeModel) ? asset : undefined;
    if (member === 'storage' && named && 'storage' in named)
      return names.storage.has(named.storage) ? asset : undefined;
    return undefined;
  });
  const known = waiting.filter((asset) => asset !== undefined);
  return known.length === waiting.length ? known : [];
};
