import { describe, expect, it } from '@jest/globals';
import { idInBin, personOf } from './deleted-entry.js';

describe('an entry of the bin', () => {
  it('is restored by the id of the version when that was deleted alone', () => {
    expect(idInBin({ id: 'element', versionId: 'version' })).toBe('version');
    expect(idInBin({ id: 'element' })).toBe('element');
  });

  it('says who deleted it as people are called', () => {
    expect([personOf('member:paula.lindt'), personOf('key:demo'), personOf(undefined)]).toEqual([
      'paula.lindt',
      'key:demo',
      '',
    ]);
  });
});
