import { describe, expect, it } from '@jest/globals';
import { canCall, scopes } from './operation.js';

describe('a caller', () => {
  it('may call operations whose scope it has, and operations that need no scope', () => {
    expect(canCall({ scopes: ['content:read'] }, { scope: 'content:read' })).toBe(true);
    expect(canCall({ scopes: [] }, { scope: 'none' })).toBe(true);
  });

  it('may call no other operations, whatever further scopes it has', () => {
    for (const scope of scopes) {
      expect(canCall({ scopes: scopes.filter((other) => other !== scope) }, { scope })).toBe(false);
      expect(canCall({ scopes: [] }, { scope })).toBe(false);
    }
  });
});
