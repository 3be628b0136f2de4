/**
 * Checks the files of a storage: form, definition, each element and the elements together. The files are read once, and
 * a second time to find the positions of faults.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkDefinition,
  checkElement,
  normaliseDefinition,
  parseStorageDefinition,
  parseElementDocument,
  collectReferences,
} from '@tessera/content-model';
import type { ElementDocument, StorageDefinition } from '@tessera/contracts';
import type { Fault } from '@tessera/failures';
import { readYamlDocument, type YamlDocument } from '../files/yaml-text.js';
import { ElementTextCache } from './batches.js';
import { ElementIndex } from './element-index.js';
import { type FaultList, formatFaultMessage } from './fault-list.js';
import type { StorageFiles } from './find-files.js';
import { readElements, type ParsedElement } from './read-elements.js';
import { parseLeniently } from './parse-leniently.js';

export type CheckedStorage = {
  readonly files: StorageFiles;
  readonly definition: StorageDefinition;
  readonly elements: number;
  readonly kept: ElementTextCache;
};

type Check = { readonly root: string; readonly files: StorageFiles; readonly faultList: FaultList };
type StorageElements = { readonly elements: number; readonly kept: ElementTextCache };

type ReadDefinition = {
  /** As far as it can be read. */
  readonly definition: StorageDefinition | undefined;
  readonly hasFaults: boolean;
};

/** Its faults go into the faultList. */
export const readStorageDefinition = ({ root, files, faultList }: Check): ReadDefinition => {
  const file = files.definition;
  const yaml = readYamlDocument(readFileSync(join(root, file), 'utf8'));
  for (const fault of yaml.faults) faultList.add(file, fault, fault.message);
  if (yaml.faults.length > 0) return { definition: undefined, hasFaults: true };
  const { value, faults, asWritten } = parseLeniently(yaml.value, parseStorageDefinition);
  const all = [...faults, ...asWritten(value ? checkDefinition(value) : [])];
  addDefinitionFaults(faultList, file, yaml, all);
  return { definition: value, hasFaults: all.length > 0 };
};

export const addDefinitionFaults = (
  faultList: FaultList,
  file: string,
  yaml: YamlDocument,
  faults: readonly Fault[],
): void => {
  for (const fault of faults) faultList.addOf(file, yaml.placeOf, fault);
};

/** What the files hold. Without a definition only the form of the elements is checked. */
export const checkElements = async (
  check: Check,
  { definition, hasFaults }: ReadDefinition,
  partial: boolean,
): Promise<StorageElements> => {
  const { root, files, faultList } = check;
  const model = definition && normaliseDefinition(definition);
  const index = model && new ElementIndex(model, partial, !hasFaults);
  const kept = new ElementTextCache();
  let elements = 0;
  for await (const read of readElements(root, files.elements)) {
    if (read.kind === 'fault') {
      faultList.add(read.file, read, read.message);
      index?.expectMore();
      continue;
    }
    elements++;
    if (!read.file.endsWith('.jsonl')) kept.add(read.file, read.json());
    const { value, faults, asWritten } = parseLeniently(read.value, parseElementDocument);
    addElementFaults(faultList, read, [...faults, ...asWritten(value && model ? checkElement(model, value) : [])]);
    const named = value ?? namesOf(read.value);
    if (named) index?.add(read.ordinal, named);
    else index?.expectMore();
    if (value) index?.refer(value);
  }
  if (index) await checkReferences(check, index);
  return { elements, kept };
};

/** Puts the faults of an element into the faultList. */
export const addElementFaults = (faultList: FaultList, read: ParsedElement, faults: readonly Fault[]): void => {
  for (const { path, message } of faults) {
    if (faultList.room === 0) return faultList.countOnly(faults.length);
    const quotes = /^expected (?:string|a text)/.test(message) && read.isBare(path) ? '; put it in quotes' : '';
    faultList.add(read.file, read.place(path, message), `${formatFaultMessage({ path, message })}${quotes}`);
  }
};

const checkReferences = async ({ root, files, faultList }: Check, index: ElementIndex): Promise<void> => {
  index.unite();
  const twice = new Set(index.twice);
  const parents = new Set(index.wrongParents().map(({ ordinal }) => ordinal));
  const targets = index.hasWrongTargets;
  if (twice.size === 0 && parents.size === 0 && !targets) return;
  for await (const read of readElements(root, files.elements)) {
    if (read.kind === 'fault') continue;
    const named = namesOf(read.value);
    if (named && twice.has(read.ordinal))
      addElementFaults(faultList, read, [elementsFault('id', `the element "${named.id}" is given twice`)]);
    const wrong = named && parents.has(read.ordinal) ? index.wrongParent(named) : undefined;
    if (wrong !== undefined) addElementFaults(faultList, read, [elementsFault('parent', wrong)]);
    if (targets) addElementFaults(faultList, read, targetFaults(index, read.value));
  }
};

const targetFaults = (index: ElementIndex, document: unknown): readonly Fault[] => {
  const { value, asWritten } = parseLeniently(document, parseElementDocument);
  if (!value) return [];
  const faults = collectReferences(value).flatMap((reference) => {
    const wrong = index.wrongTarget(reference);
    return wrong === undefined ? [] : [elementsFault(reference.path, wrong)];
  });
  return asWritten(faults);
};

const elementsFault = (path: string, message: string): Fault => ({ in: 'elements', path, message });

type ElementReference = Pick<ElementDocument, 'id' | 'type' | 'parent'>;

/** Of an element with other faults, so that those that refer to it get none. */
const namesOf = (value: unknown): ElementReference | undefined => {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const id = keyOf(value.id);
  if (id === undefined) return undefined;
  const parent = 'parent' in value ? keyOf(value.parent) : undefined;
  return {
    id,
    type: ('type' in value ? keyOf(value.type) : undefined) ?? '',
    ...(parent !== undefined && { parent }),
  };
};

const keyOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
