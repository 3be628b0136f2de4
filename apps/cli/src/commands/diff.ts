/**
 * `tessera diff DIR`: what apply would change, and what that would break. Refuses: to change anything, and to compare
 * elements of content, of which there may be millions.
 */
import { listStorages } from '@tessera/contracts/content-repo';
import { exitCodes, type ExitCode } from '../exit-code.js';
import type { Gateway } from '../gateway/gateway.js';
import { checkWorkspace } from '../workspace/check-workspace.js';
import type { CheckedStorage } from '../workspace/check-storage.js';
import { isFolder } from '../workspace/find-files.js';
import { compareAssets, type ComparedAsset } from './compare-assets.js';
import { misuse, refuse, reportFaults, withGateway, type CommandContext, type JsonOption } from './command.js';
import { appliedLine, changeLine, definitionName, sendData, type AppliedData } from './definitions.js';

export type DiffOptions = JsonOption & {
  /** Ends with `faults` when something would change, as git does. */
  readonly exitCode?: boolean;
};

type StorageDifference = { readonly storage: string; readonly state: 'created' | 'not compared' };

export const diff = async (context: CommandContext, folder: string, options: DiffOptions): Promise<ExitCode> => {
  const { json = false } = options;
  if (!isFolder(folder)) return misuse(context, `"${folder}" is no folder.`);
  const checked = await checkWorkspace(folder);
  const { book, workspace, storages } = checked;
  if (book.count > 0 || !workspace) return reportFaults(context, book, json);
  return withGateway(context, async (gateway) => {
    const { team } = workspace;
    const ofContent = await compareStorages(context, gateway, team, storages);
    if (typeof ofContent === 'number') return ofContent;
    const data = await sendData(context, gateway, { team, definitions: checked.definitions.data, mode: 'check' }, json);
    if (typeof data === 'number') return data;
    const assets = await compareAssets(context, gateway, { team, checked, json });
    if (typeof assets === 'number') return assets;
    const definitions = [...data.definitions, ...assets];
    if (json)
      context.terminal.print(JSON.stringify({ storages: ofContent, definitions, breaks: data.breaks }, null, 2));
    else tell(context, { storages: ofContent, definitions, breaks: data.breaks });
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
  if (!listed.ok) return refuse(context, listed.refusal);
  const known = new Set(listed.value.storages.map(({ collection, storage }) => `${collection}/${storage}`));
  return storages.map(({ definition: { collection, id } }) => {
    const storage = `${collection}/${id}`;
    return { storage, state: known.has(storage) ? 'not compared' : 'created' };
  });
};

type Differences = {
  readonly storages: readonly StorageDifference[];
  readonly definitions: readonly (AppliedData['definitions'][number] | ComparedAsset)[];
  readonly breaks: AppliedData['breaks'];
};

const tell = ({ terminal }: CommandContext, { storages, definitions, breaks }: Differences): void => {
  for (const { storage, state } of storages) terminal.print(`storage ${storage}: ${state}`);
  for (const definition of definitions) {
    if (definition.state === 'not compared') {
      const name = definitionName(definition);
      terminal.print(`${name}: not compared, since it names what is applied before it and is not there yet`);
      continue;
    }
    terminal.print(appliedLine(definition));
    for (const change of definition.changes) terminal.print(changeLine(change));
  }
  for (const { id, message } of breaks) terminal.print(`! knowledge model ${id} would not fit any more: ${message}`);
};
