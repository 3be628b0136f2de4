/**
 * Reads a folder as a workspace: its document, its storages in the order of applying, its definitions, and every fault
 * of them all.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWith } from '@tessera/content-model';
import { findNearestName } from '@tessera/failures';
import { readYamlDocument } from '../files/yaml-text.js';
import { checkDefinitions, type CheckedDefinitions } from './check-definitions.js';
import { checkElements, readStorageDefinition, type CheckedStorage } from './check-storage.js';
import { FaultList } from './fault-list.js';
import { findFiles, isFile, workspaceFile, type StorageFiles } from './find-files.js';
import { parseLeniently } from './parse-leniently.js';
import { Workspace } from './workspace-document.js';

export type CheckedWorkspace = {
  readonly root: string;
  readonly faultList: FaultList;
  /** Both only as far as they could be read. */
  readonly workspace?: Workspace;
  readonly storages: readonly CheckedStorage[];
  readonly definitions: CheckedDefinitions;
};

export const checkWorkspace = async (root: string): Promise<CheckedWorkspace> => {
  const faultList = new FaultList();
  const found = findFiles(root);
  for (const { file, message } of found.faults) faultList.add(file, { line: 1, column: 1 }, message);
  const read = readWorkspace(root, faultList);
  const storages: CheckedStorage[] = [];
  const first = new Map<string, string>();
  for (const files of found.storages) {
    const readable = readStorageDefinition({ root, files, faultList });
    const { definition } = readable;
    const address = definition && `${definition.collection}/${definition.id}`;
    const earlier = address === undefined ? undefined : first.get(address);
    if (earlier !== undefined)
      faultList.add(
        files.definition,
        { line: 1, column: 1 },
        `the storage "${address}" is defined in ${earlier} as well`,
      );
    if (address !== undefined) first.set(address, earlier ?? files.definition);
    const partial = address !== undefined && (read?.workspace?.partial ?? []).includes(address);
    const held = await checkElements({ root, files, faultList }, readable, partial);
    if (definition) storages.push({ files, definition, ...held });
  }
  if (read?.workspace) checkListed(faultList, read, found.storages, [...first.keys()], [...first.values()]);
  return {
    root,
    faultList,
    ...(read?.workspace && { workspace: read.workspace }),
    storages: inOrder(storages, read?.workspace?.storages),
    definitions: checkDefinitions({ root, found, faultList }),
  };
};

type ReadWorkspace = {
  readonly workspace: Workspace | undefined;
  readonly place: (path: string, message: string) => { readonly line: number; readonly column: number };
};

const readWorkspace = (root: string, faultList: FaultList): ReadWorkspace | undefined => {
  const start = { line: 1, column: 1 };
  if (!isFile(join(root, workspaceFile))) {
    faultList.add(workspaceFile, start, 'is missing: a workspace has one, with kind, team and name');
    return undefined;
  }
  const yaml = readYamlDocument(readFileSync(join(root, workspaceFile), 'utf8'));
  for (const fault of yaml.faults) faultList.add(workspaceFile, fault, fault.message);
  if (yaml.faults.length > 0) return undefined;
  const { value, faults } = parseLeniently(yaml.value, (given) => parseWith(Workspace, given, workspaceFile));
  for (const fault of faults) faultList.addOf(workspaceFile, yaml.placeOf, fault);
  return { workspace: value, place: yaml.placeOf };
};

/** What the workspace lists and what lies in its folders have to be the same. */
const checkListed = (
  faultList: FaultList,
  { workspace, place }: ReadWorkspace,
  folders: readonly StorageFiles[],
  addresses: readonly string[],
  files: readonly string[],
): void => {
  const readable = addresses.length === folders.length;
  for (const member of ['storages', 'partial'] as const)
    (workspace?.[member] ?? []).forEach((address, index, list) => {
      const path = `${member}.${index}`;
      const add = (message: string): void => faultList.add(workspaceFile, place(path, message), message);
      if (list.indexOf(address) !== index) add(`"${address}" is listed twice`);
      else if (!addresses.includes(address) && readable) {
        const suggestion = findNearestName(address, addresses);
        add(`no folder of content defines "${address}"${suggestion ? `; did you mean "${suggestion}"?` : ''}`);
      }
    });
  const listed = workspace?.storages;
  if (!listed) return;
  addresses.forEach((address, index) => {
    if (listed.includes(address)) return;
    const message = `"${address}" is not listed among the storages of ${workspaceFile}`;
    faultList.add(files[index] ?? workspaceFile, { line: 1, column: 1 }, message);
  });
};

const inOrder = (
  storages: readonly CheckedStorage[],
  listed: readonly string[] | undefined,
): readonly CheckedStorage[] => {
  const place = ({ definition }: CheckedStorage): number =>
    listed?.indexOf(`${definition.collection}/${definition.id}`) ?? 0;
  return [...storages].sort((left, right) => place(left) - place(right));
};
