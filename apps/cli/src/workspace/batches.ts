/**
 * Packs elements, in order, into request bodies of at most the allowed size. JSON from files is passed on unchanged.
 */
import { maxStagedElements } from '@tessera/contracts/content-repo';
import { readElements } from './read-elements.js';

/**
 * Keeps the elements of YAML files as JSON from check to import, up to a fixed size: parsing YAML is slow and takes
 * much memory. JSON Lines are read again instead.
 */
export const maxCachedTextLength = 32_000_000;

export class ElementTextCache {
  readonly #texts = new Map<string, string[]>();
  readonly #given = new Set<string>();
  #room = maxCachedTextLength;

  add(file: string, text: string): void {
    const texts = this.#texts.get(file) ?? [];
    if (this.#given.has(file) && texts.length === 0) return;
    this.#given.add(file);
    this.#room -= text.length;
    texts.push(text);
    if (this.#room >= 0) this.#texts.set(file, texts);
    else this.#forget(file, texts);
  }

  /** All of the file or nothing. */
  of(file: string): readonly string[] | undefined {
    return this.#texts.get(file);
  }

  #forget(file: string, texts: readonly string[]): void {
    for (const { length } of texts) this.#room += length;
    this.#texts.delete(file);
  }
}

export const maxElementBatchBytes = 900_000;

export type ElementBatch = { readonly firstOrdinal: number; readonly count: number; readonly json: string };

/** The elements of checked files as JSON. Throws when the files have changed since. */
export const readElementTexts = async function* (
  root: string,
  files: readonly string[],
  kept: ElementTextCache,
): AsyncGenerator<string> {
  for (const file of files) {
    const texts = kept.of(file);
    if (texts) {
      yield* texts;
      continue;
    }
    for await (const read of readElements(root, [file])) {
      if (read.kind === 'fault') throw new FilesChangedError(read.file);
      yield read.json();
    }
  }
};

export const splitIntoBatches = async function* (elements: AsyncIterable<string>): AsyncGenerator<ElementBatch> {
  let firstOrdinal = 0;
  let texts: string[] = [];
  let bytes = 0;
  const take = (): ElementBatch => {
    const json = `{"firstOrdinal":${firstOrdinal},"elements":[${texts.join(',')}]}`;
    const batch = { firstOrdinal, count: texts.length, json };
    firstOrdinal += texts.length;
    texts = [];
    bytes = 0;
    return batch;
  };
  for await (const text of elements) {
    const more = Buffer.byteLength(text) + 1;
    if (texts.length > 0 && (bytes + more > maxElementBatchBytes || texts.length === maxStagedElements)) yield take();
    texts.push(text);
    bytes += more;
  }
  if (texts.length > 0) yield take();
};

export class FilesChangedError extends Error {
  constructor(readonly file: string) {
    super(`${file} was changed while it was applied.`);
  }
}
