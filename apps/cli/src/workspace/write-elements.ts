/**
 * Writes streamed elements as canonical files: YAML for a facet of ordinary size, JSON Lines for a large one. Memory
 * holds at most one YAML file.
 */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseElementDocument,
  printElements,
  findType,
  maxYamlElements,
  type StorageModel,
} from '@tessera/content-model';
import type { ElementDocument } from '@tessera/contracts';
import { splitLines } from '../files/split-lines.js';
import { maxYamlBytes } from './read-elements.js';

/** Longer than any element that an import can have brought. */
const lineBytesMax = 64 * 1024 * 1024;
/** YAML takes more room than JSON; the file stays below what is read again. */
const bufferedBytesMax = maxYamlBytes / 4;
const chunkBytes = 256 * 1024;

export class UnreadableExportError extends Error {}

type WrittenElements = { readonly elements: number; readonly files: readonly string[] };

/** Facets come one after the other; each becomes a file in `folder`. */
export const writeElementFiles = async (
  folder: string,
  model: StorageModel,
  lines: AsyncIterable<Uint8Array>,
  written: (elements: number) => void,
): Promise<WrittenElements> => {
  const files: string[] = [];
  let elements = 0;
  let current: FacetFile | undefined;
  const finish = (): void => {
    if (current) files.push(current.close());
    current = undefined;
  };
  try {
    for await (const { bytes } of splitLines(lines, lineBytesMax)) {
      const { document, facet } = readLine(model, bytes);
      if (current?.facet !== facet) {
        finish();
        if (files.some((file) => file.startsWith(`${facet}.elements.`)))
          throw new UnreadableExportError('the facets did not come one after the other');
        current = new FacetFile(folder, facet);
      }
      current?.add(document, bytes);
      elements++;
      written(1);
    }
    finish();
  } finally {
    current?.abandon();
  }
  return { elements, files };
};

const decoder = new TextDecoder('utf-8', { fatal: true });

const readLine = (model: StorageModel, bytes: Uint8Array | undefined) => {
  if (!bytes) throw new UnreadableExportError('an element is longer than can be read');
  const parsed = parseElementDocument(valueOf(bytes));
  const type = parsed.ok ? findType(model, parsed.value.type) : undefined;
  if (!parsed.ok || !type) throw new UnreadableExportError('a line of the export is not an element of the storage');
  return { document: parsed.value, facet: type.facet, bytes };
};

/** Undefined for what is no JSON. */
const valueOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
};

class FacetFile {
  readonly #elements: ElementDocument[] = [];
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #descriptor: number | undefined;

  constructor(
    private readonly folder: string,
    readonly facet: string,
  ) {}

  add(document: ElementDocument, bytes: Uint8Array | undefined): void {
    if (!bytes) return;
    this.#chunks.push(bytes, lineFeed);
    this.#bytes += bytes.length + 1;
    if (this.#descriptor !== undefined) {
      if (this.#bytes >= chunkBytes) this.#flush(this.#descriptor);
      return;
    }
    this.#elements.push(document);
    if (this.#elements.length <= maxYamlElements && this.#bytes <= bufferedBytesMax) return;
    this.#elements.length = 0;
    this.#descriptor = openSync(join(this.folder, this.#name('jsonl')), 'w');
    this.#flush(this.#descriptor);
  }

  /** The name of the file. */
  close(): string {
    if (this.#descriptor === undefined) {
      writeFileSync(join(this.folder, this.#name('yaml')), printElements(this.#elements));
      return this.#name('yaml');
    }
    this.#flush(this.#descriptor);
    this.abandon();
    return this.#name('jsonl');
  }

  abandon(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #flush(descriptor: number): void {
    const whole = Buffer.concat(this.#chunks);
    for (let at = 0; at < whole.length;) at += writeSync(descriptor, whole, at);
    this.#chunks = [];
    this.#bytes = 0;
  }

  #name(ending: string): string {
    return `${this.facet}.elements.${ending}`;
  }
}

const lineFeed = Buffer.from('\n');
