/**
 * `tessera apply DIR`: sends a workspace without faults to the gateway: each storage all or nothing, then all tables
 * and models at once, then all assets, then all agents. Loads rows only when asked to.
 */
import type { ImportStatus } from '@tessera/contracts/content-repo';
import { writeTeam } from '@tessera/contracts/gateway';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { openGateway, type Gateway } from '../gateway/gateway.js';
import type { Fault } from '@tessera/failures';
import { loadTables } from '../load/load-tables.js';
import type { LoadedTable } from '../load/run-load.js';
import { splitIntoBatches, FilesChangedError, readElementTexts } from '../workspace/batches.js';
import type { CheckedDefinitions } from '../workspace/check-definitions.js';
import type { CheckedStorage } from '../workspace/check-storage.js';
import { checkWorkspace, type CheckedWorkspace } from '../workspace/check-workspace.js';
import { FaultList } from '../workspace/fault-list.js';
import { isFolder } from '../workspace/find-files.js';
import { importStorage, type ImportResult } from '../workspace/import-storage.js';
import { locateImportFaults } from '../workspace/locate-faults.js';
import type { Workspace } from '../workspace/workspace-document.js';
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
  sendDataDefinitions,
  sendDefinitionsOfKind,
  type AppliedEntry,
} from './definitions.js';
import { findBrokenAgents, type BrokenDefinition } from './broken-agents.js';

export type ApplyOptions = JsonOption & {
  readonly overwrite?: boolean;
  /** Models, assets and agents are stored and not published. */
  readonly draft?: boolean;
  /** Rows of tables whose files are there are loaded, too. */
  readonly load?: boolean;
};

type Apply = {
  readonly context: CommandContext;
  readonly gateway: Gateway;
  readonly root: string;
  readonly workspace: Workspace;
  readonly options: ApplyOptions;
};

export const applyCommand = async (
  context: CommandContext,
  folder: string,
  options: ApplyOptions,
): Promise<ExitCode> => {
  if (!isFolder(folder)) return reportUsageError(context, `"${folder}" is no folder.`);
  const checked = await checkWorkspace(folder);
  const { faultList, workspace } = checked;
  if (faultList.count > 0 || !workspace) return reportFaults(context, faultList, options.json ?? false);
  return withGateway(context, async (gateway) => {
    const team = await gateway.call(writeTeam, { team: workspace.team, properties: { name: workspace.name } });
    if (!team.ok) return reportFailure(context, team.refusal);
    return applyAll({ context, gateway, root: folder, workspace, options }, checked);
  });
};

const applyAll = async (what: Apply, { storages, definitions }: CheckedWorkspace): Promise<ExitCode> => {
  const { context, options } = what;
  const { data, assets, agents } = definitions;
  if (storages.length + data.length + assets.length + agents.length === 0)
    context.terminal.note('The workspace has no storage and no definition; there is nothing to apply.');
  const ofContent = await applyStorages(what, storages);
  if (typeof ofContent === 'number') return ofContent;
  const ofDefinitions = await applyDefinitions(what, definitions);
  if (typeof ofDefinitions === 'number') return ofDefinitions;
  const loaded = options.load ? await loadFiles(what, definitions) : [];
  if (typeof loaded === 'number') return loaded;
  const result = { storages: ofContent, ...ofDefinitions, loaded };
  if (options.json) context.terminal.print(JSON.stringify(result, null, 2));
  return exitCodes.done;
};

const applyStorages = async (
  what: Apply,
  storages: readonly CheckedStorage[],
): Promise<readonly AppliedStorage[] | ExitCode> => {
  const done: AppliedStorage[] = [];
  for (const storage of storages) {
    const end = await applyStorage(what, storage);
    if (typeof end === 'number') return end;
    done.push(end);
    if (!what.options.json) what.context.terminal.print(resultLine(end));
  }
  return done;
};

type AppliedDefinitions = {
  readonly definitions: readonly AppliedEntry[];
  readonly breaks: readonly BrokenDefinition[];
};

/** Tools name models and agents name tools, so that each comes after what it names. */
const applyDefinitions = async (
  { context, gateway, workspace: { team }, options }: Apply,
  { data, assets, agents }: CheckedDefinitions,
): Promise<AppliedDefinitions | ExitCode> => {
  const { draft = false, json = false } = options;
  const [mode, print] = [draft ? 'draft' : 'publish', json ? () => undefined : context.terminal.print] as const;
  const printApplied = (applied: readonly AppliedEntry[]): void =>
    applied.forEach((one) => print(formatAppliedDefinition(one)));
  const ofData = await sendDataDefinitions(context, gateway, { team, definitions: data, mode }, json);
  if (typeof ofData === 'number') return ofData;
  printApplied(ofData.definitions);
  const ofAssets = await sendDefinitionsOfKind(context, gateway, assetDefinitionKind, {
    team,
    definitions: assets,
    mode,
    json,
  });
  if (typeof ofAssets === 'number') return ofAssets;
  printApplied(ofAssets);
  const ofAgents = await sendDefinitionsOfKind(context, gateway, agentDefinitionKind, {
    team,
    definitions: agents,
    mode,
    json,
  });
  if (typeof ofAgents === 'number') return ofAgents;
  printApplied(ofAgents);
  // Agents of the files are what was just applied.
  const losing = await findBrokenAgents(gateway, { team, assets: draft ? [] : ofAssets, agents: [] });
  if (!losing.ok) return reportFailure(context, losing.refusal);
  for (const broken of losing.value) print(formatBrokenDefinition(broken, 'does not'));
  return { definitions: [...ofData.definitions, ...ofAssets, ...ofAgents], breaks: losing.value };
};

const loadFiles = (
  { context, gateway, root, workspace, options }: Apply,
  { data }: CheckedDefinitions,
): Promise<readonly LoadedTable[] | ExitCode> => {
  const tables = data.flatMap(({ definition }) => (definition.kind === 'Table' ? [definition] : []));
  return loadTables(context, gateway, {
    team: workspace.team,
    root,
    tables,
    mode: 'replace',
    commit: {},
    json: options.json ?? false,
  });
};

type AppliedStorage = {
  readonly storage: string;
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly seconds: number;
};

const resultLine = ({ storage, created, changed, unchanged, seconds }: AppliedStorage): string =>
  `${storage}: created ${created}, changed ${changed}, unchanged ${unchanged} (${seconds.toFixed(1)} s)`;

const applyStorage = async (what: Apply, storage: CheckedStorage): Promise<AppliedStorage | ExitCode> => {
  const { context, gateway, root, workspace } = what;
  const { definition, elements, files } = storage;
  const name = `${definition.collection}/${definition.id}`;
  const began = Date.now();
  const bar = context.terminal.openBar(name, elements);
  // An interrupted import is cancelled by a request of its own.
  const closing = openGateway(context.configuration, new AbortController().signal);
  try {
    const end = await importStorage(gateway, closing.ok ? closing.value : gateway, {
      team: workspace.team,
      definition,
      batches: splitIntoBatches(readElementTexts(root, files.elements, storage.kept)),
      overwrite: what.options.overwrite ?? false,
      staged: bar.advance,
    });
    bar.close();
    if (end.ok && end.value.state === 'committed')
      return { storage: name, ...countsOf(end.value), seconds: (Date.now() - began) / 1_000 };
    return await reportImportFailure(what, storage, end);
  } catch (error) {
    if (!(error instanceof FilesChangedError)) throw error;
    context.terminal.note(`${error.message} Nothing of ${name} was applied.`);
    return exitCodes.faults;
  } finally {
    bar.close();
  }
};

const countsOf = ({ created = 0, changed = 0, unchanged = 0 }: ImportStatus) => ({ created, changed, unchanged });

/** Faults at their places in the files; a refusal that has none as the gateway says it. */
const reportImportFailure = async (
  { context, root, options }: Apply,
  { files, definition }: CheckedStorage,
  end: ImportResult,
): Promise<ExitCode> => {
  const faultList = new FaultList();
  const others = await locateImportFaults(root, files, faultList, faultsOf(end), end.batch?.firstOrdinal);
  const name = `${definition.collection}/${definition.id}`;
  if (faultList.count > 0) {
    for (const fault of others) context.terminal.note(`${fault.in} ${fault.path} ${fault.message}`);
    context.terminal.note(`The gateway found faults; nothing of ${name} was applied.`);
    return reportFaults(context, faultList, options.json ?? false);
  }
  context.terminal.note(`Nothing of ${name} was applied.`);
  return end.ok ? exitCodes.faults : reportFailure(context, end.refusal);
};

const faultsOf = (end: ImportResult): readonly Fault[] => {
  if (end.ok) return (end.value.faults ?? []).map(({ in: place, path, message }) => ({ in: place, path, message }));
  return end.refusal.kind === 'refused' ? end.refusal.problem.faults : [];
};
