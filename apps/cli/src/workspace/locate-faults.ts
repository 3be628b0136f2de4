/**
 * Places the server's faults in the files: the path of an element's fault begins with its ordinal. Faults without a
 * file are returned unchanged.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '@tessera/failures';
import { readYamlDocument } from '../files/yaml-text.js';
import { addLocatedFaults, type LocatedDefinition } from './check-definitions.js';
import { addElementFaults, addDefinitionFaults } from './check-storage.js';
import type { FaultList } from './fault-list.js';
import type { StorageFiles } from './find-files.js';
import { readElements } from './read-elements.js';

export const locateRequestFaults = (
  faultList: FaultList,
  definitions: readonly LocatedDefinition<unknown>[],
  faults: readonly Fault[],
): readonly Fault[] =>
  faults.filter((fault) => {
    const [, index, path = ''] = /^definitions\.(\d+)(?:\.(.*))?$/s.exec(fault.path) ?? [];
    const definition = index === undefined ? undefined : definitions[Number(index)];
    if (definition) addLocatedFaults(faultList, definition, [{ ...fault, path }]);
    return !definition;
  });

/** `firstOrdinal`: of the batch that was refused; then faults of the request's form count its elements from there. */
export const locateImportFaults = async (
  root: string,
  files: StorageFiles,
  faultList: FaultList,
  faults: readonly Fault[],
  firstOrdinal = 0,
): Promise<readonly Fault[]> => {
  const sorted = faults.map((fault) => ownerOf(fault, firstOrdinal));
  const ofDefinition = sorted.flatMap(({ kind, fault }) => (kind === 'definition' ? [fault] : []));
  if (ofDefinition.length > 0) {
    const yaml = readYamlDocument(readFileSync(join(root, files.definition), 'utf8'));
    addDefinitionFaults(faultList, files.definition, yaml, ofDefinition);
  }
  const byOrdinal = new Map<number, Fault[]>();
  for (const { ordinal, fault } of sorted)
    if (ordinal !== undefined) byOrdinal.set(ordinal, [...(byOrdinal.get(ordinal) ?? []), fault]);
  if (byOrdinal.size > 0) await locateElementFaults(root, files, faultList, byOrdinal);
  return sorted.flatMap(({ kind, fault }) => (kind === 'neither' ? [fault] : []));
};

const locateElementFaults = async (
  root: string,
  files: StorageFiles,
  faultList: FaultList,
  byOrdinal: Map<number, readonly Fault[]>,
): Promise<void> => {
  for await (const read of readElements(root, files.elements)) {
    const faults = read.kind === 'element' ? byOrdinal.get(read.ordinal) : undefined;
    if (read.kind === 'fault' || !faults) continue;
    addElementFaults(faultList, read, faults);
    byOrdinal.delete(read.ordinal);
    if (byOrdinal.size === 0) return;
  }
};

type Owner = {
  readonly kind: 'definition' | 'element' | 'neither';
  readonly ordinal?: number;
  /** With the path inside the document. */
  readonly fault: Fault;
};

const ownerOf = (fault: Fault, firstOrdinal: number): Owner => {
  const [, index, path = ''] =
    (fault.in === 'elements' ? /^(\d+)(?:\.(.*))?$/s : /^elements\.(\d+)(?:\.(.*))?$/s).exec(fault.path) ?? [];
  if (index !== undefined) {
    const ordinal = Number(index) + (fault.in === 'elements' ? 0 : firstOrdinal);
    return { kind: 'element', ordinal, fault: { ...fault, path } };
  }
  if (fault.in === 'definition') return { kind: 'definition', fault };
  if (/^definition(?:\.|$)/.test(fault.path))
    return { kind: 'definition', fault: { ...fault, path: fault.path.slice('definition.'.length) } };
  return { kind: 'neither', fault };
};
