import { describe, expect, it } from '@jest/globals';
import { readDataSearch, readLoadSearch, readModelSearch, readTableSearch } from './-search.js';

describe('an address of the area', () => {
  it('holds what is seen', () => {
    const data = { tab: 'models', find: 'item', sort: 'rows', direction: 'descending' };
    expect(readDataSearch(data)).toEqual(data);
    expect(readTableSearch({ tab: 'loads' })).toEqual({ tab: 'loads' });
    for (const mode of ['replace', 'append', 'upsert', 'delete'])
      expect(readLoadSearch({ table: 'p2p.item', mode })).toEqual({ table: 'p2p.item', mode });
    const model = { tab: 'compare', from: 2, to: 'draft', version: 'published' };
    expect(readModelSearch(model)).toEqual(model);
  });

  it('may look for what looks like a number', () => {
    expect(readDataSearch({ find: 2026 })).toEqual({ find: '2026' });
  });

  it('is left alone where it is not understood', () => {
    const odd = {
      tab: '<b>',
      find: {},
      sort: 'x',
      direction: 1,
      table: [],
      mode: 'drop',
      from: -1,
      to: 1.5,
      version: 'x',
    };
    for (const read of [readDataSearch, readTableSearch, readLoadSearch, readModelSearch])
      expect(read(odd)).toEqual({});
  });
});
