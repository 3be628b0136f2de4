/**
 * Reads the elements of a storage's files in the order of applying. JSON Lines are streamed; YAML files are read whole,
 * one at a time. Two reads give the same ordinals. What cannot be read is returned as a fault.
 */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseWith } from '@tessera/content-model';
import { findNodeAt, findFaultOffset, type Position } from '../files/positioned-node.js';
import { parseJsonPositions } from '../files/json-positions.js';
import { splitLines } from '../files/split-lines.js';
import { readYamlDocument, type YamlDocument } from '../files/yaml-text.js';
import { formatFaultMessage } from './fault-list.js';
import { parseLeniently } from './parse-leniently.js';
import { ElementsDocument } from './workspace-document.js';

export const maxYamlBytes = 8 * 1024 * 1024;
/** What the request that stages a single element has room for. */
export const maxElementBytes = 1024 * 1024 - 256;

export type ParsedElement = {
  readonly kind: 'element';
  /** From 0, over all files of the storage. */
  readonly ordinal: number;
  readonly file: string;
  readonly value: unknown;
  /** Its JSON text; of JSON Lines as in the file. */
  readonly json: () => string;
  /** Where its faults are; costs a second look at its text. */
  readonly place: (path: string, message: string) => Position;
  /** The same, for what YAML takes as a number or a word. */
  readonly isBare: (path: string) => boolean;
};

type ReadFault = Position & { readonly kind: 'fault'; readonly file: string; readonly message: string };

export const readElements = async function* (
  root: string,
  files: readonly string[],
): AsyncGenerator<ParsedElement | ReadFault> {
  let ordinal = 0;
  for (const file of files) {
    const pieces = file.endsWith('.jsonl') ? readJsonLines(root, file) : readYamlElements(root, file);
    for await (const piece of pieces)
      yield piece.kind === 'fault' ? { ...piece, file } : { ...piece, file, ordinal: ordinal++ };
  }
};

type Piece = Omit<ParsedElement, 'ordinal' | 'file'> | Omit<ReadFault, 'file'>;

const readJsonLines = async function* (root: string, file: string): AsyncGenerator<Piece> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  for await (const { number: line, bytes } of splitLines(createReadStream(join(root, file)), maxElementBytes)) {
    const fault = (column: number, message: string): Piece => ({ kind: 'fault', line, column, message });
    if (!bytes) {
      yield fault(1, `is longer than ${maxElementBytes} bytes, which is the most that an element may have`);
      continue;
    }
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      yield fault(1, 'is not UTF-8');
      continue;
    }
    if (text.trim() !== '') yield readLine(text, line);
  }
};

const readLine = (text: string, line: number): Piece => {
  try {
    const value: unknown = JSON.parse(text);
    return {
      kind: 'element',
      value,
      json: () => text,
      place: (path, message) => {
        const placed = parseJsonPositions(text);
        return { line, column: 1 + (placed.ok ? findFaultOffset(placed.node, path, message) : placed.offset) };
      },
      isBare: () => false,
    };
  } catch {
    const placed = parseJsonPositions(text);
    const message = placed.ok ? 'is not JSON' : `is not JSON: expected ${placed.expected}`;
    return { kind: 'fault', line, column: placed.ok ? 1 : placed.offset + 1, message };
  }
};

const readYamlElements = function* (root: string, file: string): Generator<Piece> {
  const start = { line: 1, column: 1 };
  if (statSync(join(root, file)).size > maxYamlBytes) {
    const message = `is larger than ${maxYamlBytes / 1024 / 1024} MB; put the elements into a file that ends in .elements.jsonl, one a line`;
    yield { kind: 'fault', ...start, message };
    return;
  }
  const yaml = readYamlDocument(readFileSync(join(root, file), 'utf8'));
  for (const fault of yaml.faults) yield { kind: 'fault', ...fault };
  if (yaml.faults.length > 0) return;
  const frame = parseLeniently(yaml.value, (value) => parseWith(ElementsDocument, value, file));
  for (const fault of frame.faults)
    yield { kind: 'fault', ...yaml.placeOf(fault.path, fault.message), message: formatFaultMessage(fault) };
  for (const [index, value] of (frame.value?.elements ?? []).entries()) yield yamlElement(yaml, index, value);
};

const yamlElement = (yaml: YamlDocument, index: number, value: unknown): Piece => {
  const within = (path: string): string => (path === '' ? `elements.${index}` : `elements.${index}.${path}`);
  return {
    kind: 'element',
    value,
    json: () => JSON.stringify(value),
    place: (path, message) => yaml.placeOf(within(path), message),
    isBare: (path) => {
      const node = findNodeAt(yaml.root(), within(path));
      return node?.kind === 'scalar' && node.bare;
    },
  };
};
