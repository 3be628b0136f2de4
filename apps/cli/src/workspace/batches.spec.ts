import { afterEach, describe, expect, it } from '@jest/globals';
import { maxStagedElements } from '@tessera/contracts/content-repo';
import { createTestFolder, processesText, type TestFolder } from '../testing/test-workspace.js';
import {
  maxElementBatchBytes,
  splitIntoBatches,
  FilesChangedError,
  readElementTexts,
  type ElementBatch,
  ElementTextCache,
  maxCachedTextLength,
} from './batches.js';

const gather = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const texts = async function* (list: Iterable<string>): AsyncGenerator<string> {
  for (const text of list) yield await Promise.resolve(text);
};

const batches = (list: Iterable<string>): Promise<readonly ElementBatch[]> => gather(splitIntoBatches(texts(list)));

describe('splitIntoBatches', () => {
  it('returns each element once, in order', async () => {
    const [only, ...more] = await batches(['{"id":"a"}', '{"id":"b"}']);
    expect(more).toEqual([]);
    expect(only?.count).toBe(2);
    expect(JSON.parse(only?.json ?? '')).toEqual({ firstOrdinal: 0, elements: [{ id: 'a' }, { id: 'b' }] });
  });

  it('keeps each batch below the request size in bytes', async () => {
    const element = JSON.stringify({ id: 'ü'.repeat(60_000) });
    const found = await batches(Array.from({ length: 20 }, () => element));
    expect(found.map(({ firstOrdinal, count }) => [firstOrdinal, count])).toEqual([
      [0, 7],
      [7, 7],
      [14, 6],
    ]);
    for (const { json } of found) expect(Buffer.byteLength(json)).toBeLessThan(maxElementBatchBytes + 100);
  });

  it('keeps each batch below the element limit of a request', async () => {
    const found = await batches(Array.from({ length: maxStagedElements + 1 }, () => '{}'));
    expect(found.map(({ count }) => count)).toEqual([maxStagedElements, 1]);
  });

  it('returns no batch without elements', async () => {
    expect(await batches([])).toEqual([]);
  });

  it('puts a large element into its own batch', async () => {
    const large = JSON.stringify({ id: 'x'.repeat(maxElementBatchBytes + 1_000) });
    expect((await batches(['{}', large, '{}'])).map(({ count }) => count)).toEqual([1, 1, 1]);
  });
});

describe('readElementTexts', () => {
  let folder: TestFolder;
  afterEach(() => folder.remove());

  it('reads from the cache, or from the files when a text is not cached', async () => {
    folder = createTestFolder({ 'b.jsonl': '{"id":"b"}\n\n{"id":"c"}\n' });
    const kept = new ElementTextCache();
    kept.add('a.elements.yaml', '{"id":"a"}');
    expect(await gather(readElementTexts(folder.path, ['a.elements.yaml', 'b.jsonl'], kept))).toEqual([
      '{"id":"a"}',
      '{"id":"b"}',
      '{"id":"c"}',
    ]);
  });

  it('throws when a file has become invalid since the check', async () => {
    folder = createTestFolder({ 'a.elements.yaml': processesText, 'b.jsonl': '{"id":' });
    await expect(
      gather(readElementTexts(folder.path, ['a.elements.yaml', 'b.jsonl'], new ElementTextCache())),
    ).rejects.toThrow(new FilesChangedError('b.jsonl'));
  });
});

describe('ElementTextCache', () => {
  it('caches a file completely or not at all, within one size limit for all files', () => {
    const kept = new ElementTextCache();
    const half = 'x'.repeat(maxCachedTextLength / 2);
    for (const [file, text] of [
      ['a', half],
      ['b', half],
      ['b', 'y'],
      ['b', 'z'],
      ['c', half],
    ] as const)
      kept.add(file, text);
    expect(kept.of('a')).toEqual([half]);
    expect(kept.of('b')).toBe(undefined);
    expect(kept.of('c')).toEqual([half]);
  });
});
