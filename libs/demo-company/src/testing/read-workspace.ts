/**
 * Reads a workspace folder back for the specs: documents with the faults of their shape, what refers to what, trees.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  normaliseDefinition,
  parseStorageDefinition,
  parseElementDocument,
  type StorageModel,
} from '@tessera/content-model';
import type { ElementDocument, StorageDefinition } from '@tessera/contracts';
import { parse } from 'yaml';

export type TestWorkspace = {
  readonly faults: readonly unknown[];
  readonly definition: StorageDefinition;
  readonly model: StorageModel;
  readonly facets: ReadonlyMap<string, readonly ElementDocument[]>;
  readonly elements: readonly ElementDocument[];
  readonly byId: ReadonlyMap<string, ElementDocument>;
};

const documentsIn = async (file: string): Promise<readonly unknown[]> => {
  const text = await readFile(file, 'utf8');
  if (file.endsWith('.jsonl'))
    return text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  const { kind, elements } = parse(text);
  return kind === 'Elements' ? elements : [`${file} is of the kind ${kind}`];
};

export const readWorkspace = async (folder: string): Promise<TestWorkspace> => {
  const content = join(folder, 'content', 'p2p');
  const definition = parseStorageDefinition(parse(await readFile(join(content, 'storage.yaml'), 'utf8')));
  if (!definition.ok) throw new Error(JSON.stringify(definition.faults));
  const faults: unknown[] = [];
  const facets = new Map<string, readonly ElementDocument[]>();
  for (const file of (await readdir(content)).filter((name) => name.includes('.elements.'))) {
    const parsed = (await documentsIn(join(content, file))).map(parseElementDocument);
    faults.push(...parsed.flatMap((result) => (result.ok ? [] : result.faults)));
    facets.set(
      file.slice(0, file.indexOf('.')),
      parsed.flatMap((result) => (result.ok ? [result.value] : [])),
    );
  }
  const elements = [...facets.values()].flat();
  const byId = new Map(elements.map((element) => [element.id, element]));
  return { faults, definition: definition.value, model: normaliseDefinition(definition.value), facets, elements, byId };
};

/** What an element says in any version and its content. */
export const collectRelations = (
  element: ElementDocument,
): readonly { readonly from: string; readonly relation: string; readonly target: string }[] =>
  (element.versions ?? [element]).flatMap((version) =>
    [version, ...(version.content ?? [])].flatMap(({ relations = {} }) =>
      Object.entries(relations).flatMap(([relation, targets]) =>
        targets.map((target) => ({ from: element.id, relation, target })),
      ),
    ),
  );

/** Elements that do not follow their parent or an earlier descendant of it, or may not stand under it. */
export const findTreeFaults = ({ model, facets, byId }: TestWorkspace): readonly string[] => {
  const faults: string[] = [];
  for (const [facet, elements] of facets) {
    const path: string[] = [];
    for (const { id, type, parent } of elements) {
      while (path.length > 0 && path.at(-1) !== parent) path.pop();
      if (path.at(-1) !== parent) faults.push(`${id} does not follow ${parent}`);
      path.push(id);
      const above = parent === undefined ? undefined : byId.get(parent);
      const allowed = above && model.typeByName.get(above.type.toLowerCase())?.childTypes;
      if (parent !== undefined && !allowed?.includes(type)) faults.push(`${id} may not stand under ${parent}`);
      if (model.typeByName.get(type.toLowerCase())?.facet !== facet) faults.push(`${id} is not of the facet ${facet}`);
    }
  }
  return faults;
};

/** Path below the folder -> digest of the bytes. */
export const digestFiles = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digests = files.sort().map(async (path) => {
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    return [path.slice(folder.length + 1), digest] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
};
