/**
 * Finds the files of a workspace in the order in which they are read. A file that looks like one of them but has a
 * wrong name is a fault.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

export const workspaceFile = 'workspace.yaml';
export const storageDefinitionFile = 'storage.yaml';
export const contentFolder = 'content';

const looksLikeElements = /\.(?:ya?ml|json|jsonl|ndjson)$/i;

/** Where definitions lie, in the order in which they are applied. `ours`: what else in the folder would be one. */
const definitionFiles = {
  /** JSON Lines are rows there. */
  tables: { folder: 'tables', ending: '.table.yaml', ours: /\.(?:ya?ml|json)$/i },
  models: { folder: 'knowledge-models', ending: '.km.yaml', ours: looksLikeElements },
  assets: { folder: 'tools', ending: '.asset.yaml', ours: looksLikeElements },
  agents: { folder: 'agents', ending: '.agent.yaml', ours: looksLikeElements },
} as const;

type DefinitionFileKind = keyof typeof definitionFiles;

export const tablesFolder = definitionFiles.tables.folder;

/** Of the workspace: `tables/po_item.table.yaml`. */
export const definitionPath = (kind: DefinitionFileKind, name: string): string => {
  const { folder, ending } = definitionFiles[kind];
  return `${folder}/${name}${ending}`;
};

export type StorageFiles = {
  /** Of the workspace: `content/p2p`. */
  readonly folder: string;
  readonly definition: string;
  /** Of the workspace, by name. */
  readonly elements: readonly string[];
};

export type FoundFiles = {
  readonly storages: readonly StorageFiles[];
  /** Of the workspace, by name. */
  readonly definitions: Readonly<Record<DefinitionFileKind, readonly string[]>>;
  /** Faults: missing files, and files whose names are never read. */
  readonly faults: readonly { readonly file: string; readonly message: string }[];
};

export const isElementsFile = (name: string): boolean => /\.elements\.ya?ml$|\.jsonl$/.test(name);

/** Paths are those of the workspace, with `/`. */
export const findFiles = (root: string): FoundFiles => {
  const folders = listFolderEntries(join(root, contentFolder)).filter(
    (entry) => entry.isDirectory() && isVisible(entry),
  );
  const found = folders.map(({ name }) => findStorageFiles(root, `${contentFolder}/${name}`));
  const [tables, models, assets, agents] = [
    findDefinitions(root, 'tables'),
    findDefinitions(root, 'models'),
    findDefinitions(root, 'assets'),
    findDefinitions(root, 'agents'),
  ];
  return {
    storages: found.flatMap(({ storage }) => storage ?? []),
    definitions: { tables: tables.files, models: models.files, assets: assets.files, agents: agents.files },
    faults: [...found, tables, models, assets, agents].flatMap(({ faults }) => faults).concat(strayFiles(root)),
  };
};

type FoundDefinitions = { readonly files: readonly string[]; readonly faults: FoundFiles['faults'] };

const findDefinitions = (root: string, kind: DefinitionFileKind): FoundDefinitions => {
  const { folder, ending, ours } = definitionFiles[kind];
  const names = filesBelow(root, folder);
  const files = names.filter((name) => name.endsWith(ending) && isDirectlyIn(folder, name));
  const others = names.filter((name) => !files.includes(name) && ours.test(name));
  const message = `is not read: expected a name that ends in ${ending}, directly in ${folder}`;
  return { files, faults: others.map((file) => ({ file, message })) };
};

/** Definitions beside workspace.yaml, and in folders that are none of a workspace: their names are misspelt. */
const strayFiles = (root: string): FoundFiles['faults'] =>
  listFolderEntries(root).flatMap((entry) => {
    if (!entry.isDirectory()) return strayFile(entry.name, entry.name);
    return isVisible(entry) && !readFolders.has(entry.name) ? filesOfStrayFolder(root, entry.name) : [];
  });

const readFolders: ReadonlySet<string> = new Set([
  contentFolder,
  ...Object.values(definitionFiles).map(({ folder }) => folder),
]);

const filesOfStrayFolder = (root: string, folder: string): FoundFiles['faults'] => {
  const entries = listFolderEntries(join(root, folder));
  if (entries.some(({ name }) => name === workspaceFile)) return [];
  return entries.flatMap((entry) => {
    if (!entry.isDirectory()) return strayFile(`${folder}/${entry.name}`, entry.name);
    const file = `${folder}/${entry.name}/${storageDefinitionFile}`;
    return isFile(join(root, file)) ? [{ file, message: belongsInto(`${contentFolder}/${entry.name}`) }] : [];
  });
};

const strayFile = (file: string, name: string): FoundFiles['faults'] => {
  const kind = Object.values(definitionFiles).find(({ ending }) => name.endsWith(ending));
  return kind ? [{ file, message: belongsInto(kind.folder) }] : [];
};

const belongsInto = (folder: string): string => `is not read: it belongs into the folder ${folder}`;

const isDirectlyIn = (folder: string, path: string): boolean => dirname(path) === folder;

/** Of the workspace, at any depth, by name. */
const filesBelow = (root: string, folder: string): readonly string[] =>
  isFolder(join(root, folder))
    ? readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length).split(sep).filter(Boolean).join('/'))
        .filter((path) => !/(?:^|\/)\./.test(path))
        .sort()
    : [];

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Sorted by name; empty when there is no such folder. */
export const listFolderEntries = (folder: string): readonly Dirent[] =>
  isFolder(folder)
    ? readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1))
    : [];

export const isVisible = ({ name }: Dirent): boolean => !name.startsWith('.');

const findStorageFiles = (root: string, folder: string) => {
  const names = listFolderEntries(join(root, folder))
    .filter((entry) => !entry.isDirectory() && isVisible(entry))
    .map(({ name }) => name);
  const faults = names
    .filter((name) => looksLikeElements.test(name) && name !== storageDefinitionFile && !isElementsFile(name))
    .map((name) => ({
      file: `${folder}/${name}`,
      message: `is not read: expected ${storageDefinitionFile}, a name that ends in .elements.yaml, or one that ends in .elements.jsonl`,
    }));
  if (!names.includes(storageDefinitionFile))
    return {
      faults: [
        ...faults,
        { file: `${folder}/${storageDefinitionFile}`, message: 'is missing: every folder of content has one' },
      ],
    };
  const elements = names.filter(isElementsFile).map((name) => `${folder}/${name}`);
  return { faults, storage: { folder, definition: `${folder}/${storageDefinitionFile}`, elements } };
};
