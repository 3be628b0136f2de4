/**
 * Workspaces of the storages that the benchmark writes to: processes that differ only in their identity, and the user
 * that writes name.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder, writeLines } from './run-tessera.js';

type BenchStorage = {
  readonly team: string;
  readonly teamName: string;
  /** Of the collection `bench`. */
  readonly storage: string;
  /** Processes, every one released. */
  readonly elements: number;
  readonly contentOfEach: number;
  /** Processes under each root; without it all are roots. */
  readonly underEachRoot?: number;
};

export const benchCollection = 'bench';
export const benchFacet = 'processes';

const both = (english: string, german: string) => ({ '1033': english, '1031': german });
const keyOf = (index: number): string => `process-${index}`;

/** The elements in the order of their tree; every symbol represents the first two processes. */
const linesOf = function* ({ elements, contentOfEach, underEachRoot = 1 }: BenchStorage): Generator<string> {
  const content = Array.from({ length: contentOfEach }, (_, index) => ({
    id: `symbol-${index}`,
    type: 'symbol',
    attributes: {
      name: both(`Check step ${index}`, `Schritt ${index} prüfen`),
      description: 'A step in the diagram, with what has to be done in it and who does it.',
    },
    relations: { represents: [keyOf(0), keyOf(1)] },
  }));
  for (let index = 0; index < elements; index++) {
    const root = index - (index % underEachRoot);
    yield JSON.stringify({
      id: keyOf(index),
      type: 'process',
      ...(root !== index && { parent: keyOf(root) }),
      version: '1.0',
      state: 'released',
      attributes: {
        name: both('Check the invoice', 'Rechnung prüfen'),
        description: both(
          'From its receipt to the release of the payment.',
          'Vom Eingang bis zur Freigabe der Zahlung.',
        ),
      },
      relations: { owner: ['owner'] },
      ...(content.length > 0 && { content }),
    });
  }
};

/** Writes the workspace into the folder. */
export const writeBenchWorkspace = async (folder: string, bench: BenchStorage): Promise<void> => {
  const { team, teamName: name, storage } = bench;
  const content = join(folder, 'content', storage);
  mkdirSync(content, { recursive: true });
  // JSON is YAML as well.
  const workspace = { kind: 'Workspace', team, name, storages: [`${benchCollection}/${storage}`] };
  writeFileSync(join(folder, 'workspace.yaml'), JSON.stringify(workspace));
  const definition = readFileSync(join(benchFolder, 'workspace-content', 'storage.yaml'), 'utf8');
  writeFileSync(join(content, 'storage.yaml'), definition.replace('$STORAGE', storage));
  const owner = { id: 'owner', type: 'user', attributes: { name: 'Owner' } };
  writeFileSync(join(content, 'users.elements.jsonl'), `${JSON.stringify(owner)}\n`);
  await writeLines(join(content, `${benchFacet}.elements.jsonl`), linesOf(bench));
};
