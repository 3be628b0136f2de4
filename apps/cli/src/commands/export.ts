/**
 * `tessera export DIR`: what a team has, as files that apply restores unchanged. Everything is fetched before the first
 * file is moved into place. Never overwrites anything but a workspace of the team, unless forced.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normaliseDefinition, printStorageDefinition, printWorkspace } from '@tessera/content-model';
import type { StorageDefinition } from '@tessera/contracts';
import { exportStorageDefinition, exportElements, listStorages } from '@tessera/contracts/content-repo';
import { readTeam } from '@tessera/contracts/gateway';
import { findNearestName } from '@tessera/failures';
import { exitCodes, type ExitCode } from '../exit-code.js';
import type { GatewayResult, Gateway } from '../gateway/gateway.js';
import { fetchExportedDefinitions, type ExportedDefinitions } from '../workspace/export-definitions.js';
import {
  findUnexportedDefinitions,
  findExportObstacle,
  createStagingFolder,
  readWorkspaceDocument,
} from '../workspace/export-target.js';
import { storageDefinitionFile, isFile, workspaceFile } from '../workspace/find-files.js';
import { UnreadableExportError, writeElementFiles } from '../workspace/write-elements.js';
import { reportUsageError, reportFailure, withGateway, type CommandContext, type JsonOption } from './command.js';

export type ExportOptions = JsonOption & {
  readonly team?: string;
  readonly storage?: string;
  readonly force?: boolean;
};

type ListedStorage = { readonly collection: string; readonly storage: string; readonly elements: number };
type SelectedStorage = ListedStorage & { readonly definition: StorageDefinition; readonly folder: string };

type Export = {
  readonly context: CommandContext;
  readonly gateway: Gateway;
  readonly root: string;
  readonly team: string;
  readonly options: ExportOptions;
};

export const exportCommand = (
  context: CommandContext,
  root: string,
  options: ExportOptions,
): Promise<ExitCode> | ExitCode => {
  if (isFile(root)) return reportUsageError(context, `"${root}" is a file, expected a folder.`);
  const team = options.team ?? readWorkspaceDocument(root)?.team;
  if (team === undefined)
    return reportUsageError(context, `--team is needed: "${root}" holds no workspace that names one.`);
  return withGateway(context, async (gateway) => {
    const what = { context, gateway, root, team, options };
    const listed = await gateway.call(listStorages, { team });
    if (!listed.ok) return reportFailure(context, listed.refusal);
    const selected = selectStorages(listed.value.storages, options.storage);
    if (typeof selected === 'string') return reportUsageError(context, selected);
    const chosen = await withDefinitions(what, selected);
    if (!chosen.ok) return reportFailure(context, chosen.refusal);
    const definitions = await fetchExportedDefinitions(gateway, team, options.storage === undefined);
    if (!definitions.ok) return reportFailure(context, definitions.refusal);
    const obstacle = options.force ? undefined : firstObstacle(what, chosen.value, definitions.value);
    if (obstacle !== undefined)
      return reportUsageError(
        context,
        `"${root}" is not written to: ${obstacle}. Choose another folder, or add --force.`,
      );
    return writeAll(what, chosen.value, definitions.value);
  });
};

/** The storages to export, or why that cannot be done. */
const selectStorages = (
  storages: readonly ListedStorage[],
  selected: string | undefined,
): readonly ListedStorage[] | string => {
  if (selected === undefined) return storages;
  const addressOf = ({ collection, storage }: ListedStorage): string => `${collection}/${storage}`;
  const found = storages.filter((listed) => addressOf(listed) === selected || listed.storage === selected);
  if (found.length === 1) return found;
  if (found.length > 1)
    return `--storage: "${selected}" is one of ${found.map(addressOf).join(', ')}; name the collection too.`;
  const suggestion = findNearestName(
    selected,
    storages.flatMap((listed) => [addressOf(listed), listed.storage]),
  );
  return `--storage: the team has no storage "${selected}"${suggestion ? `; did you mean "${suggestion}"?` : ''}`;
};

const withDefinitions = async (
  { gateway, team }: Export,
  storages: readonly ListedStorage[],
): Promise<GatewayResult<readonly SelectedStorage[]>> => {
  const chosen: SelectedStorage[] = [];
  for (const listed of storages) {
    const { collection, storage } = listed;
    const definition = await gateway.call(exportStorageDefinition, { team, collection, storage });
    if (!definition.ok) return definition;
    const taken = storages.some((other) => other !== listed && other.storage === storage);
    chosen.push({ ...listed, definition: definition.value, folder: taken ? `${collection}.${storage}` : storage });
  }
  return { ok: true, value: chosen };
};

const firstObstacle = (
  { root, team }: Export,
  chosen: readonly SelectedStorage[],
  { files }: ExportedDefinitions,
): string | undefined => {
  const folders = chosen.map(({ folder, definition }) => ({
    folder,
    facets: definition.facets.map(({ name }) => name),
  }));
  for (const folder of folders.length > 0 ? folders : [{ folder: '', facets: [] }]) {
    const obstacle = findExportObstacle(root, team, folder);
    if (obstacle !== undefined) return obstacle;
  }
  const [foreign] = files ? findUnexportedDefinitions(root, [...files.keys()]) : [];
  return foreign && `${foreign} would stay beside the exported definitions; --force removes it`;
};

const writeAll = async (
  what: Export,
  chosen: readonly SelectedStorage[],
  definitions: ExportedDefinitions,
): Promise<ExitCode> => {
  const { context, gateway, root, team } = what;
  const named = await gateway.call(readTeam, { team });
  if (!named.ok) return reportFailure(context, named.refusal);
  const staging = createStagingFolder(root);
  try {
    const done: { readonly chosen: SelectedStorage; readonly elements: number; readonly files: readonly string[] }[] =
      [];
    for (const storage of chosen)
      done.push({ chosen: storage, ...(await fetchStorage(what, staging.folder, storage)) });
    const storages = storagesOf(what, chosen);
    writeFileSync(
      join(staging.folder, workspaceFile),
      printWorkspace({ kind: 'Workspace', team, name: named.value.name, storages }),
    );
    for (const { chosen: storage, files } of done) staging.placeStorage(storage.folder, files);
    if (definitions.files) staging.placeDefinitions(definitions.files);
    staging.placeWorkspace();
    const storageResults = done.map(({ chosen: { collection, storage }, elements }) => ({
      storage: `${collection}/${storage}`,
      elements,
    }));
    printResult(what, storageResults, definitions);
    return exitCodes.done;
  } catch (error) {
    context.terminal.note(`Nothing was written to "${root}".`);
    if (error instanceof UnreadableExportError) {
      context.terminal.note(`What the gateway sent cannot be used: ${error.message}.`);
      return exitCodes.server;
    }
    if (error instanceof ExportAborted) return reportFailure(context, error.refusal);
    throw error;
  } finally {
    staging.remove();
  }
};

type StorageResult = { readonly storage: string; readonly elements: number };

const printResult = (
  { context: { terminal }, options }: Export,
  storages: readonly StorageResult[],
  { tables, models, assets, agents, drafts }: ExportedDefinitions,
): void => {
  if (options.json) terminal.print(JSON.stringify({ storages, tables, models, assets, agents, drafts }, null, 2));
  else {
    for (const { storage, elements } of storages) terminal.print(`${storage}: ${elements} elements`);
    for (const table of tables) terminal.print(`table ${table}`);
    for (const model of models) terminal.print(`knowledge model ${model}`);
    for (const asset of assets) terminal.print(`asset ${asset}`);
    for (const agent of agents) terminal.print(`agent ${agent}`);
  }
  for (const draft of drafts)
    terminal.note(`The draft of ${draft} is not exported: applied again it would be published.`);
};

type Failure = Extract<GatewayResult<never>, { readonly ok: false }>['refusal'];

/** Ends an export in the middle; caught above. */
class ExportAborted extends Error {
  constructor(readonly refusal: Failure) {
    super('the export broke off');
  }
}

const fetchStorage = async ({ context, gateway, team }: Export, staging: string, chosen: SelectedStorage) => {
  const { collection, storage, definition } = chosen;
  const folder = join(staging, chosen.folder);
  mkdirSync(folder);
  writeFileSync(join(folder, storageDefinitionFile), printStorageDefinition(definition));
  const answer = await gateway.stream(exportElements, { team, collection, storage });
  if (!answer.ok) throw new ExportAborted(answer.refusal);
  const bar = context.terminal.openBar(`${collection}/${storage}`, chosen.elements);
  try {
    const bytes = failOnBrokenStream(gateway, answer.value);
    return await writeElementFiles(folder, normaliseDefinition(definition), bytes, bar.advance);
  } finally {
    bar.close();
  }
};

/** The same bytes; when they break off, that is a refusal. */
const failOnBrokenStream = async function* (
  gateway: Gateway,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  for (;;) {
    const piece = await pieces.next().catch((error: unknown) => {
      throw new ExportAborted(gateway.refusalOf(error));
    });
    if (piece.done) return;
    yield piece.value;
  }
};

/** In the order of the workspace that is there already, then as the gateway lists them. */
const storagesOf = ({ root, team, options }: Export, chosen: readonly SelectedStorage[]): readonly string[] => {
  const exported = chosen.map(({ collection, storage }) => `${collection}/${storage}`);
  const before = readWorkspaceDocument(root);
  const known = before?.team === team ? (before.storages ?? []) : [];
  const kept = known.filter((address) => options.storage !== undefined || exported.includes(address));
  return [...kept, ...exported.filter((address) => !kept.includes(address))];
};
