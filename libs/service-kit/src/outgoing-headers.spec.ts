import { describe, expect, it } from '@jest/globals';
import { headerFaults } from './outgoing-headers.js';

describe('headers that a definition gives', () => {
  it('may be any that are for the other side', () => {
    expect(headerFaults({ Authorization: 'Bearer {secret:KEY}', 'X-Team': 'a', Cookie: '' })).toEqual([]);
  });

  it('are not those of the platform, none twice and nothing that cannot be sent', () => {
    expect(headerFaults({ HOST: 'a', 'X-A': 'ü', 'x-a': 'b' })).toEqual([
      ['HOST', 'the header HOST is set by the platform'],
      ['X-A', 'expected printable ASCII characters'],
      ['x-a', 'is there twice'],
    ]);
  });
});
