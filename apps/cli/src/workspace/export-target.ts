/**
 * The folder of an export: whether it may be written to, and how the files get there. All files are complete in a
 * staging folder before the first is moved, so that an aborted export changes nothing. Never writes into a folder that
 * holds something else.
 */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  contentFolder,
  storageDefinitionFile,
  listFolderEntries,
  findFiles,
  isElementsFile,
  isFile,
  isVisible,
  workspaceFile,
} from './find-files.js';
import { readYamlDocument } from '../files/yaml-text.js';
import { Workspace } from './workspace-document.js';

/** The workspace of a folder, as far as it has one that can be read. */
export const readWorkspaceDocument = (root: string): Workspace | undefined => {
  const path = join(root, workspaceFile);
  if (!isFile(path)) return undefined;
  return Workspace.safeParse(readYamlDocument(readFileSync(path, 'utf8')).value).data;
};

type ExportedFolder = {
  /** Below `content`. */
  readonly folder: string;
  readonly facets: readonly string[];
};

/** The first thing in the way of an export, as a sentence; undefined when nothing is. */
export const findExportObstacle = (
  root: string,
  team: string,
  { facets, folder }: ExportedFolder,
): string | undefined => {
  const [first] = listFolderEntries(root).filter(isVisible);
  if (!first) return undefined;
  const workspace = readWorkspaceDocument(root);
  if (!workspace) return `it holds "${first.name}" and no workspace`;
  if (workspace.team !== team) return `it holds a workspace of the team "${workspace.team}"`;
  const foreign = elementFilesIn(root, folder).find((name) => !isExported(name, facets));
  return foreign === undefined
    ? undefined
    : `${contentFolder}/${folder}/${foreign} would stay beside the exported elements; --force removes it`;
};

/** A folder for the files while they are made. It has to be ended by one of its two functions. */
export const createStagingFolder = (root: string) => {
  const created = mkdirSync(root, { recursive: true });
  const folder = mkdtempSync(join(root, '.tessera-export-'));
  return {
    folder,
    /** Moves the files of a storage to their place; other elements that were there are gone. */
    placeStorage: (name: string, elements: readonly string[]): void => {
      const target = join(root, contentFolder, name);
      mkdirSync(target, { recursive: true });
      for (const file of [storageDefinitionFile, ...elements]) renameSync(join(folder, name, file), join(target, file));
      for (const file of elementFilesIn(root, name)) if (!elements.includes(file)) rmSync(join(target, file));
    },
    /** Texts by path; other definitions that were there are gone. */
    placeDefinitions: (files: ReadonlyMap<string, string>): void => {
      for (const [path, text] of files) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      for (const path of files.keys()) renameSync(join(folder, path), join(root, path));
      for (const path of findUnexportedDefinitions(root, [...files.keys()])) rmSync(join(root, path));
    },
    placeWorkspace: (): void => renameSync(join(folder, workspaceFile), join(root, workspaceFile)),
    remove: (): void => {
      rmSync(folder, { recursive: true, force: true });
      if (created !== undefined && listFolderEntries(root).length === 0) rmdirSync(root);
    },
  };
};

/** Files of definitions that an export does not write. */
export const findUnexportedDefinitions = (root: string, exported: readonly string[]): readonly string[] =>
  Object.values(findFiles(root).definitions)
    .flat()
    .filter((file) => !exported.includes(file));

const elementFilesIn = (root: string, folder: string): readonly string[] =>
  listFolderEntries(join(root, contentFolder, folder))
    .map(({ name }) => name)
    .filter(isElementsFile);

const isExported = (name: string, facets: readonly string[]): boolean =>
  facets.some((facet) => name === `${facet}.elements.yaml` || name === `${facet}.elements.jsonl`);
