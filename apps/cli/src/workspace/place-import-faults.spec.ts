import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Fault } from '@tessera/failures';
import { makeFolder, trialFiles, type TrialFolder } from '../testing/trial-workspace.js';
import { faultLine, FaultBook } from './fault-book.js';
import { findFiles } from './find-files.js';
import { placeImportFaults } from './place-import-faults.js';

let folder: TrialFolder;
beforeEach(() => {
  folder = makeFolder({
    ...trialFiles,
    'content/house/more.elements.jsonl': '{"id":"bob","type":"user"}\n\n{"id":"carl","type":"user"}\n',
  });
});
afterEach(() => folder.remove());

const place = async (faults: readonly (readonly [string, string])[], firstOrdinal?: number) => {
  const [files] = findFiles(folder.path).storages;
  if (!files) throw new Error('the trial workspace has no storage');
  const book = new FaultBook();
  const given = faults.map(([where, path]): Fault => ({ in: where, path, message: 'x' }));
  const others = await placeImportFaults(folder.path, files, book, given, firstOrdinal);
  return { placed: book.sorted().map(faultLine), others: others.map(({ in: where, path }) => [where, path]) };
};

describe('a fault that the server found', () => {
  it('is placed by the ordinal of its element over all files', async () => {
    const { placed, others } = await place([
      ['elements', '1.type'],
      ['elements', '0'],
      ['elements', '3.parent'],
      ['elements', '4.attributes.name'],
    ]);
    expect(placed).toEqual([
      'content/house/more.elements.jsonl:1:1 x',
      'content/house/more.elements.jsonl:3:21 x',
      'content/house/processes.elements.yaml:15:13 x',
      'content/house/users.elements.yaml:6:13 x',
    ]);
    expect(others).toEqual([]);
  });

  it('of a request counts from the first element of the batch', async () => {
    expect((await place([['body', 'elements.1.id']], 2)).placed).toEqual([
      'content/house/processes.elements.yaml:13:9 x',
    ]);
  });

  it('of the definition is placed there, however it is said', async () => {
    const { placed } = await place([
      ['definition', 'title'],
      ['body', 'definition.facets.1.name'],
      ['definition', ''],
    ]);
    expect(placed).toEqual([
      'content/house/storage.yaml:1:1 x',
      'content/house/storage.yaml:4:8 x',
      'content/house/storage.yaml:11:11 x',
    ]);
  });

  it('that belongs to no file, or to an element that is not there, is handed back or dropped', async () => {
    const { placed, others } = await place([
      ['path', 'team'],
      ['body', ''],
      ['elements', '99.id'],
    ]);
    expect(placed).toEqual([]);
    expect(others).toEqual([
      ['path', 'team'],
      ['body', ''],
    ]);
  });
});
