/**
 * The text of workspace files in the canonical layout: YAML with cultures as numbers and short lists on one line, or one
 * JSON document a line. Refuses: to decide what is in them (canonical.ts) and to touch files.
 */
import type { ElementDocument, StorageDefinition } from '@tessera/contracts';
import { Document, isMap, isScalar, visit, type YAMLSeq } from 'yaml';

/** With more elements than this a facet is a file of JSON Lines. */
export const yamlElementsMax = 1_000;

export type WorkspaceDocument = {
  readonly kind: 'Workspace';
  readonly team: string;
  readonly name: string;
  /** `collection/storage`, in the order in which they are applied. */
  readonly storages: readonly string[];
};

export const printWorkspace = (workspace: WorkspaceDocument): string =>
  printYaml({ kind: 'Workspace', team: workspace.team, name: workspace.name, storages: workspace.storages });

export const printDefinition = (definition: StorageDefinition): string => printYaml(definition);

export const printElements = (elements: readonly ElementDocument[]): string =>
  printYaml({ kind: 'Elements', elements });

export const printElementLine = (element: ElementDocument): string => `${JSON.stringify(element)}\n`;

const lineWidth = 110;

const printYaml = (value: unknown): string => {
  const document = new Document(numberedCultures(value));
  visit(document, {
    Seq: (_, list) => {
      if (isShort(list)) list.flow = true;
    },
    Pair: (_, pair) => {
      if (isMap(pair.value) && pair.value.items.length === 0) pair.value.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
};

const isShort = (list: YAMLSeq): boolean =>
  list.items.every((item) => isScalar(item)) &&
  list.items.reduce<number>((length, item) => length + (isScalar(item) ? String(item.value).length + 2 : 0), 0) <
    lineWidth;

/** Objects keyed by cultures as maps with numeric keys, so that they print without quotes. */
const numberedCultures = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(numberedCultures);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length > 0 && members.every(([name]) => /^[1-9]\d{0,4}$/.test(name)))
    return new Map(members.map(([name, member]) => [Number(name), numberedCultures(member)]));
  return Object.fromEntries(members.map(([name, member]) => [name, numberedCultures(member)]));
};
