import { describe, expect, it } from '@jest/globals';
import { generateElements } from './bench-storage.js';

const storage = { team: 't', teamName: 'T', storage: 's', elements: 5, contentOfEach: 3 };

describe('a storage of the benchmark', () => {
  it('has elements that differ only in their ids', () => {
    const bodies = [...generateElements(storage)].map((element) => JSON.stringify({ ...element, id: 'same' }));
    expect(new Set(bodies).size).toBe(1);
  });

  it('nests elements under root elements when configured to', () => {
    const elements = [...generateElements({ ...storage, contentOfEach: 0, underEachRoot: 3 })];
    const roots = [undefined, 'process-0', 'process-0', undefined, 'process-3'];
    expect(elements.map((element) => ('parent' in element ? element.parent : undefined))).toEqual(roots);
  });
});
