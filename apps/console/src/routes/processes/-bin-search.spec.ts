import { describe, expect, it } from '@jest/globals';
import { readBinSearch } from './-bin-search.js';

describe('the address of the bin', () => {
  it('names a storage by its collection and itself', () => {
    expect(readBinSearch({ storage: 'meridian/p2p' })).toEqual({ storage: 'meridian/p2p' });
  });

  it.each([undefined, 7, '', 'meridian', 'a/b/c', '/p2p', 'meridian/', `a/${'b'.repeat(65)}`])(
    'leaves %j out',
    (storage) => {
      expect(readBinSearch({ storage })).toEqual({});
    },
  );
});
