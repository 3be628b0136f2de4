import { afterEach, describe, expect, it } from '@jest/globals';
import { stagedElementsMax } from '@tessera/contracts/content-repo';
import { makeFolder, processesText, type TestFolder } from '../testing/test-workspace.js';
import { batchBytesMax, batchesOf, FilesChanged, readTexts, type Batch, KeptTexts, keptLengthMax } from './batches.js';

const gather = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const texts = async function* (list: Iterable<string>): AsyncGenerator<string> {
  for (const text of list) yield await Promise.resolve(text);
};

const batches = (list: Iterable<string>): Promise<readonly Batch[]> => gather(batchesOf(texts(list)));

describe('batchesOf', () => {
  it('returns the elements in order, each once', async () => {
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
    for (const { json } of found) expect(Buffer.byteLength(json)).toBeLessThan(batchBytesMax + 100);
  });

  it('keeps each batch below the element limit of a request', async () => {
    const found = await batches(Array.from({ length: stagedElementsMax + 1 }, () => '{}'));
    expect(found.map(({ count }) => count)).toEqual([stagedElementsMax, 1]);
  });

  it('returns no batch without elements', async () => {
    expect(await batches([])).toEqual([]);
  });

  it('puts a large element into its own batch', async () => {
    const large = JSON.stringify({ id: 'x'.repeat(batchBytesMax + 1_000) });
    expect((await batches(['{}', large, '{}'])).map(({ count }) => count)).toEqual([1, 1, 1]);
  });
});

describe('readTexts', () => {
  let folder: TestFolder;
  afterEach(() => folder.remove());

  it('reads from the kept texts, else from the files', async () => {
    folder = makeFolder({ 'b.jsonl': '{"id":"b"}\n\n{"id":"c"}\n' });
    const kept = new KeptTexts();
    kept.add('a.elements.yaml', '{"id":"a"}');
    expect(await gather(readTexts(folder.path, ['a.elements.yaml', 'b.jsonl'], kept))).toEqual([
      '{"id":"a"}',
      '{"id":"b"}',
      '{"id":"c"}',
    ]);
  });

  it('throws when a file has become unreadable since the check', async () => {
    folder = makeFolder({ 'a.elements.yaml': processesText, 'b.jsonl': '{"id":' });
    await expect(gather(readTexts(folder.path, ['a.elements.yaml', 'b.jsonl'], new KeptTexts()))).rejects.toThrow(
      new FilesChanged('b.jsonl'),
    );
  });
});

describe('KeptTexts', () => {
  it('keeps a whole file or nothing, within one bound for all files', () => {
    const kept = new KeptTexts();
    const half = 'x'.repeat(keptLengthMax / 2);
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
