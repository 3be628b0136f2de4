/**
 * Workspaces of the storages that the benchmark writes to: processes that differ only in their identity, and the users
 * that writes name.
 */
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
export const storagePathOf = ({ storage }: Pick<BenchStorage, 'storage'>): string =>
  `/${benchCollection}/${storage}/_api/rest`;

const cultures = [1033, 1031] as const;
const allCultures = (english: string, german: string) => ({ '1033': english, '1031': german });

const definitionOf = ({ storage }: Pick<BenchStorage, 'storage'>): object => ({
  kind: 'Storage',
  collection: benchCollection,
  id: storage,
  title: 'What the benchmark writes to',
  cultures,
  defaultCulture: 1033,
  facets: [
    { name: benchFacet, displayNames: allCultures('Processes', 'Prozesse') },
    { name: 'users', displayNames: allCultures('Users', 'Benutzer') },
  ],
  types: [
    { name: 'user', facet: 'users', displayNames: allCultures('User', 'Benutzer'), attributes: [{ name: 'name' }] },
    {
      name: 'process',
      facet: benchFacet,
      displayNames: allCultures('Process', 'Prozess'),
      versioned: true,
      attributes: [
        { name: 'name', localised: true, mandatory: true, mandatoryCultures: [1033] },
        { name: 'description', localised: true },
      ],
      states: ['inProcess', 'released', 'requestToExpire', 'expired'],
      transitions: [
        { from: 'inProcess', to: 'released' },
        { from: 'released', to: 'requestToExpire' },
        { from: 'requestToExpire', to: 'released' },
      ],
      childTypes: ['process'],
      contentTypes: ['symbol'],
    },
    {
      name: 'symbol',
      facet: benchFacet,
      displayNames: allCultures('Symbol', 'Symbol'),
      attributes: [{ name: 'name', localised: true }, { name: 'description' }],
    },
  ],
  relations: [
    { name: 'owner', from: ['process'], to: ['user'], many: false },
    { name: 'represents', from: ['symbol'], to: ['process'] },
  ],
  userType: 'user',
});

const keyOf = (index: number): string => `process-${index}`;

/** The elements in the order of their tree; every symbol represents the first two processes. */
export const generateElements = function* (storage: BenchStorage): Generator<object> {
  const { elements, contentOfEach, underEachRoot } = storage;
  const content = Array.from({ length: contentOfEach }, (_, index) => ({
    id: `symbol-${index}`,
    type: 'symbol',
    attributes: {
      name: allCultures(`Check step ${index}`, `Schritt ${index} prüfen`),
      description: 'A step in the diagram, with what has to be done in it and who does it.',
    },
    relations: { represents: [keyOf(0), keyOf(1)] },
  }));
  for (let index = 0; index < elements; index++) {
    const root = underEachRoot === undefined ? index : index - (index % underEachRoot);
    yield {
      id: keyOf(index),
      type: 'process',
      ...(root !== index && { parent: keyOf(root) }),
      version: '1.0',
      state: 'released',
      attributes: {
        name: allCultures('Check the invoice', 'Rechnung prüfen'),
        description: allCultures(
          'From its receipt to the release of the payment.',
          'Vom Eingang bis zur Freigabe der Zahlung.',
        ),
      },
      relations: { owner: ['owner'] },
      ...(content.length > 0 && { content }),
    };
  }
};

/** Writes the workspace into the folder, which is made. */
export const writeBenchWorkspace = async (folder: string, storage: BenchStorage): Promise<void> => {
  const content = join(folder, 'content', storage.storage);
  mkdirSync(content, { recursive: true });
  // JSON is YAML as well.
  const workspace = { kind: 'Workspace', team: storage.team, name: storage.teamName };
  const storages = [`${benchCollection}/${storage.storage}`];
  writeFileSync(join(folder, 'workspace.yaml'), JSON.stringify({ ...workspace, storages }));
  writeFileSync(join(content, 'storage.yaml'), JSON.stringify(definitionOf(storage)));
  const owner = { id: 'owner', type: 'user', attributes: { name: 'Owner' } };
  writeFileSync(join(content, 'users.elements.jsonl'), `${JSON.stringify(owner)}\n`);
  const file = createWriteStream(join(content, `${benchFacet}.elements.jsonl`));
  for (const element of generateElements(storage))
    if (!file.write(`${JSON.stringify(element)}\n`)) await once(file, 'drain');
  file.end();
  await once(file, 'finish');
};
