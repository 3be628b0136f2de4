import { describe, expect, it } from '@jest/globals';
import { readElementSearch, readStorageSearch } from './-search.js';

describe('the address of a storage', () => {
  it('holds facet, view, opened nodes, what is looked for, language and moment', () => {
    const search = {
      facet: 'processes',
      view: 'landscape',
      open: 'a.b',
      find: 4711,
      culture: 1031,
      at: '2026-05-07T08:30:00Z',
    };
    expect(readStorageSearch(search)).toEqual({ ...search, find: '4711', at: '2026-05-07T08:30:00.000Z' });
  });

  it('leaves out what it does not understand', () => {
    expect(readStorageSearch({ facet: ['x'], view: '', open: {}, culture: 'German', at: 'now', other: 'x' })).toEqual(
      {},
    );
    expect(readStorageSearch({ culture: -1, find: 'x'.repeat(10_000) })).toEqual({});
  });
});

describe('the address of an element', () => {
  it('holds the tab, the version, what is compared and the model', () => {
    const search = { tab: 'versions', version: 'v2', from: 'v1', to: 'v2', model: 'p2p.base-km' } as const;
    expect(readElementSearch(search)).toEqual(search);
  });

  it('leaves out a tab that there is not', () => {
    expect(readElementSearch({ tab: 'elsewhere', culture: '1031' })).toEqual({ culture: 1031 });
  });
});
