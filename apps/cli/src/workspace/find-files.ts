/**
 * Which files of a folder belong to its workspace, in the order in which they are read.
 * Refuses: to read them, and to pass over a file that looks like one of a storage's but has no name that is read.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const workspaceFile = 'workspace.yaml';
export const definitionFile = 'storage.yaml';
export const contentFolder = 'content';

export type StorageFiles = {
  /** Of the workspace: `content/p2p`. */
  readonly folder: string;
  readonly definition: string;
  /** Of the workspace, by name. */
  readonly elements: readonly string[];
};

export type FoundFiles = {
  readonly storages: readonly StorageFiles[];
  /** Files that are missing or that nobody would read. */
  readonly faults: readonly { readonly file: string; readonly message: string }[];
};

export const isElementsFile = (name: string): boolean => /\.elements\.ya?ml$|\.jsonl$/.test(name);

/** Paths are those of the workspace, with `/`. */
export const findFiles = (root: string): FoundFiles => {
  const folders = entriesOf(join(root, contentFolder)).filter((entry) => entry.isDirectory() && isVisible(entry));
  const found = folders.map(({ name }) => findStorageFiles(root, `${contentFolder}/${name}`));
  return {
    storages: found.flatMap(({ storage }) => storage ?? []),
    faults: found.flatMap(({ faults }) => faults),
  };
};

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Sorted by name; empty when there is no such folder. */
export const entriesOf = (folder: string): readonly Dirent[] =>
  isFolder(folder)
    ? readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1))
    : [];

export const isVisible = ({ name }: Dirent): boolean => !name.startsWith('.');

const findStorageFiles = (root: string, folder: string) => {
  const names = entriesOf(join(root, folder))
    .filter((entry) => !entry.isDirectory() && isVisible(entry))
    .map(({ name }) => name);
  const faults = names
    .filter((name) => looksLikeOurs(name) && name !== definitionFile && !isElementsFile(name))
    .map((name) => ({
      file: `${folder}/${name}`,
      message: `is not read: expected ${definitionFile}, a name that ends in .elements.yaml, or one that ends in .elements.jsonl`,
    }));
  if (!names.includes(definitionFile))
    return {
      faults: [
        ...faults,
        { file: `${folder}/${definitionFile}`, message: 'is missing: every folder of content has one' },
      ],
    };
  const elements = names.filter(isElementsFile).map((name) => `${folder}/${name}`);
  return { faults, storage: { folder, definition: `${folder}/${definitionFile}`, elements } };
};

const looksLikeOurs = (name: string): boolean => /\.(?:ya?ml|json|jsonl|ndjson)$/i.test(name);
