import { describe, expect, it } from '@jest/globals';
import { findHeaderFaults } from './outgoing-headers.js';

describe('headers of a definition', () => {
  it('may be any header meant for the server', () => {
    expect(findHeaderFaults({ Authorization: 'Bearer {secret:KEY}', 'X-Team': 'a', Cookie: '' })).toEqual([]);
  });

  it('may not be reserved, duplicate or invalid', () => {
    expect(findHeaderFaults({ HOST: 'a', 'X-A': 'ü', 'x-a': 'b' })).toEqual([
      ['HOST', 'the header HOST is set by the platform'],
      ['X-A', 'expected printable ASCII characters'],
      ['x-a', 'is there twice'],
    ]);
  });
});
