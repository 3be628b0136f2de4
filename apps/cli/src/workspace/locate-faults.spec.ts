import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Fault } from '@tessera/failures';
import { createTestFolder, testFiles, type TestFolder } from '../testing/test-workspace.js';
import { formatFaultLine, FaultList } from './fault-list.js';
import { findFiles } from './find-files.js';
import { locateImportFaults } from './locate-faults.js';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder({
    ...testFiles,
    'content/house/more.elements.jsonl': '{"id":"bob","type":"user"}\n\n{"id":"carl","type":"user"}\n',
  });
});
afterEach(() => folder.remove());

const place = async (places: readonly (readonly [string, string])[], firstOrdinal?: number) => {
  const [files] = findFiles(folder.path).storages;
  if (!files) throw new Error('the test workspace has no storage');
  const faultList = new FaultList();
  const faults = places.map(([where, path]): Fault => ({ in: where, path, message: 'x' }));
  const others = await locateImportFaults(folder.path, files, faultList, faults, firstOrdinal);
  return {
    placed: faultList.sorted().map(formatFaultLine),
    others: others.map(({ in: where, path }) => [where, path]),
  };
};

describe('a fault from the server', () => {
  it('is located by the ordinal of its element over all files', async () => {
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

  it('in a request is located relative to the first element of the batch', async () => {
    expect((await place([['body', 'elements.1.id']], 2)).placed).toEqual([
      'content/house/processes.elements.yaml:13:9 x',
    ]);
  });

  it('in the definition is located in the definition file, whether reported against the definition or the request body', async () => {
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

  it('is returned unlocated when it belongs to no file, and dropped when its element is unknown', async () => {
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
