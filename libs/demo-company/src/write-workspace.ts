/**
 * Writes a workspace folder in the canonical layout, the same bytes that an export of it gives: small facets as YAML,
 * large ones as JSON Lines, written while they are made.
 */
import { mkdir, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  toCanonicalDefinition,
  toCanonicalElement,
  printAgent,
  printAsset,
  printStorageDefinition,
  printElementLine,
  printElements,
  printKnowledgeModel,
  printTable,
  printWorkspace,
  maxYamlElements,
} from '@tessera/content-model';
import type { ElementDocument } from '@tessera/contracts';
import type { AgentDefinition } from '@tessera/contracts/agents';
import type { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import type { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import type { DemoStorage } from './demo-storage.js';

export type DemoDefinitions = {
  readonly models?: readonly KnowledgeModelDefinition[];
  readonly tables?: readonly TableDefinition[];
  readonly assets?: readonly AgentToolsAssetDefinition[];
  readonly agents?: readonly AgentDefinition[];
};

export type DemoWorkspace = DemoDefinitions & {
  readonly team: string;
  readonly name: string;
  readonly storage: DemoStorage;
};

/** Replaces the folder; what was there before is gone. */
export const writeWorkspace = async (folder: string, workspace: DemoWorkspace): Promise<void> => {
  const { team, name, storage } = workspace;
  const { collection, id } = storage.definition;
  const content = join(folder, 'content', id);
  await rm(folder, { recursive: true, force: true });
  await mkdir(content, { recursive: true });
  await writeFile(
    join(folder, 'workspace.yaml'),
    printWorkspace({ kind: 'Workspace', team, name, storages: [`${collection}/${id}`] }),
  );
  await writeFile(join(content, 'storage.yaml'), printStorageDefinition(toCanonicalDefinition(storage.definition)));
  for (const [facet, elements] of storage.elements)
    await writeElements(join(content, `${facet}.elements`), canonicalElements(storage, elements));
  await writeDefinitions(folder, workspace);
};

type DemoDrafts = DemoDefinitions & Pick<DemoWorkspace, 'team' | 'name'>;

/** Replaces the folder by a workspace of definitions alone, which are applied as drafts. */
export const writeDraftWorkspace = async (folder: string, drafts: DemoDrafts): Promise<void> => {
  const { team, name } = drafts;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'workspace.yaml'), printWorkspace({ kind: 'Workspace', team, name, storages: [] }));
  await writeDefinitions(folder, drafts);
};

const writeDefinitions = async (
  folder: string,
  { models = [], tables = [], assets = [], agents = [] }: DemoDefinitions,
): Promise<void> => {
  const files = [
    ...models.map((model) => [`knowledge-models/${model.id}.km.yaml`, printKnowledgeModel(model)] as const),
    ...tables.map((table) => [`tables/${table.id}.table.yaml`, printTable(table)] as const),
    ...assets.map((asset) => [`tools/${asset.id}.asset.yaml`, printAsset(asset)] as const),
    ...agents.map((agent) => [`agents/${agent.id}.agent.yaml`, printAgent(agent)] as const),
  ];
  for (const [path, text] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
};

const canonicalElements = function* (
  storage: DemoStorage,
  elements: Iterable<ElementDocument>,
): Generator<ElementDocument, undefined> {
  for (const element of elements) yield toCanonicalElement(storage.model, element);
};

/** `path` without its ending, which the count decides. */
const writeElements = async (path: string, elements: Iterator<ElementDocument, undefined>): Promise<void> => {
  const first: ElementDocument[] = [];
  let next = elements.next();
  for (; !next.done && first.length < maxYamlElements; next = elements.next()) first.push(next.value);
  if (next.done) {
    if (first.length > 0) await writeFile(`${path}.yaml`, printElements(first));
    return;
  }
  const file = await open(`${path}.jsonl`, 'w');
  try {
    await writeLines(file, first.map(printElementLine).join('') + printElementLine(next.value), elements);
  } finally {
    await file.close();
  }
};

const chunkLength = 1_000_000;

const writeLines = async (
  file: FileHandle,
  before: string,
  elements: Iterator<ElementDocument, undefined>,
): Promise<void> => {
  let chunk = before;
  for (let next = elements.next(); !next.done; next = elements.next()) {
    chunk += printElementLine(next.value);
    if (chunk.length < chunkLength) continue;
    await file.write(chunk);
    chunk = '';
  }
  await file.write(chunk);
};
