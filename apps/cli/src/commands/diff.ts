/**
 * `tessera diff DIR`: what apply would change, and what that would break. Elements of content are not compared: there
 * may be millions.
 */
import { listStorages } from '@tessera/contracts/content-repo';
import { exitCodes, type ExitCode } from '../exit-code.js';
import type { Gateway } from '../gateway/gateway.js';
import { checkWorkspace, type CheckedWorkspace } from '../workspace/check-workspace.js';
import type { CheckedStorage } from '../workspace/check-storage.js';
import { isFolder } from '../workspace/find-files.js';
import {
  createAgentReferenceCheck,
  createAssetReferenceCheck,
  compareDefinitions,
  type UncomparedDefinition,
} from './compare-definitions.js';
import {
  reportUsageError,
  reportFailure,
  reportFaults,
  withGateway,
  type CommandContext,
  type JsonOption,
} from './command.js';
import {
  agentDefinitionKind,
  formatAppliedDefinition,
  assetDefinitionKind,
  formatBrokenDefinition,
  formatDefinitionDifference,
  formatDefinitionName,
  formatOpenModel,
  sendDataDefinitions,
  type AppliedEntry,
  type OpenModel,
} from './definitions.js';
import { findBrokenAgents, type BrokenDefinition } from './broken-agents.js';

export type DiffOptions = JsonOption & {
  /** Ends with `faults` when something would change, as git does. */
  readonly exitCode?: boolean;
};

type StorageDifference = { readonly storage: string; readonly state: 'created' | 'not compared' };

export const diffCommand = async (context: CommandContext, folder: string, options: DiffOptions): Promise<ExitCode> => {
  const { json = false } = options;
  if (!isFolder(folder)) return reportUsageError(context, `"${folder}" is no folder.`);
  const checked = await checkWorkspace(folder);
  const { faultList, workspace, storages } = checked;
  if (faultList.count > 0 || !workspace) return reportFaults(context, faultList, json);
  return withGateway(context, async (gateway) => {
    const { team } = workspace;
    const ofContent = await compareStorages(context, gateway, team, storages);
    if (typeof ofContent === 'number') return ofContent;
    const compared = await compareAll(context, gateway, { team, checked, json });
    if (typeof compared === 'number') return compared;
    const { definitions } = compared;
    if (json) context.terminal.print(JSON.stringify({ storages: ofContent, ...compared }, null, 2));
    else printDifferences(context, { storages: ofContent, ...compared });
    const changes =
      definitions.some(({ state }) => state !== 'unchanged') || ofContent.some(({ state }) => state === 'created');
    return options.exitCode && changes ? exitCodes.faults : exitCodes.done;
  });
};

const compareStorages = async (
  context: CommandContext,
  gateway: Gateway,
  team: string,
  storages: readonly CheckedStorage[],
): Promise<readonly StorageDifference[] | ExitCode> => {
  if (storages.length === 0) return [];
  const listed = await gateway.call(listStorages, { team });
  if (!listed.ok) return reportFailure(context, listed.refusal);
  const known = new Set(listed.value.storages.map(({ collection, storage }) => `${collection}/${storage}`));
  return storages.map(({ definition: { collection, id } }) => {
    const storage = `${collection}/${id}`;
    return { storage, state: known.has(storage) ? 'not compared' : 'created' };
  });
};

type ComparedDefinitions = {
  readonly definitions: readonly (AppliedEntry | UncomparedDefinition)[];
  readonly breaks: readonly BrokenDefinition[];
  readonly openModels: readonly OpenModel[];
};

const compareAll = async (
  context: CommandContext,
  gateway: Gateway,
  { team, checked, json }: { readonly team: string; readonly checked: CheckedWorkspace; readonly json: boolean },
): Promise<ComparedDefinitions | ExitCode> => {
  const { data, assets, agents } = checked.definitions;
  const ofData = await sendDataDefinitions(context, gateway, { team, definitions: data, mode: 'check' }, json);
  if (typeof ofData === 'number') return ofData;
  const toAssets = { team, definitions: assets, provides: createAssetReferenceCheck(checked), json };
  const ofAssets = await compareDefinitions(context, gateway, assetDefinitionKind, toAssets);
  if (typeof ofAssets === 'number') return ofAssets;
  const toAgents = { team, definitions: agents, provides: createAgentReferenceCheck(checked), json };
  const ofAgents = await compareDefinitions(context, gateway, agentDefinitionKind, toAgents);
  if (typeof ofAgents === 'number') return ofAgents;
  const losing = await findBrokenAgents(gateway, {
    ...{ team, assets: ofAssets.filter((asset) => 'changes' in asset) },
    agents: agents.map(({ definition }) => definition),
  });
  if (!losing.ok) return reportFailure(context, losing.refusal);
  const ofModels = ofData.breaks.map((broken): BrokenDefinition => ({ kind: 'KnowledgeModel', ...broken }));
  return {
    definitions: [...ofData.definitions, ...ofAssets, ...ofAgents],
    breaks: [...ofModels, ...losing.value],
    openModels: ofData.openModels ?? [],
  };
};

type Differences = ComparedDefinitions & { readonly storages: readonly StorageDifference[] };

const printDifferences = (
  { terminal }: CommandContext,
  { storages, definitions, breaks, openModels }: Differences,
): void => {
  for (const { storage, state } of storages) terminal.print(`storage ${storage}: ${state}`);
  for (const definition of definitions) {
    if (definition.state === 'not compared') {
      const name = formatDefinitionName(definition);
      terminal.print(`${name}: not compared, since it names what is applied before it and is not there yet`);
      continue;
    }
    terminal.print(formatAppliedDefinition(definition));
    for (const change of definition.changes) terminal.print(formatDefinitionDifference(change));
  }
  for (const broken of breaks) terminal.print(formatBrokenDefinition(broken, 'would not'));
  for (const open of openModels) terminal.print(formatOpenModel(open));
};
