import { describe, expect, it } from '@jest/globals';
import { ResultCache } from './result-cache.js';

const rows = (bytes: number) => ({
  kind: 'rows' as const,
  bytes: Buffer.alloc(bytes),
  count: 1,
  hasMore: false,
  last: [],
});

describe('the result cache', () => {
  it('evicts the least recently used results beyond its size', () => {
    const cache = new ResultCache(100_000);
    for (let number = 0; number < 100; number++) {
      cache.set(`k${number}`, rows(4_000));
      cache.rows('k0');
    }
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
    expect(cache.bytes).toBeGreaterThan(90_000);
    expect(cache.rows('k0')).toBeDefined();
    expect(cache.rows('k1')).toBeUndefined();
    expect(cache.rows('k99')).toBeDefined();
  });

  it('does not keep a result larger than a sixteenth of the cache', () => {
    const cache = new ResultCache(160_000);
    cache.set('large', rows(10_001));
    cache.set('fits', rows(9_600));
    cache.set('texts', { kind: 'texts', rows: [['x'.repeat(5_000)]] });
    expect([cache.rows('large'), cache.texts('texts')]).toEqual([undefined, undefined]);
    expect(cache.rows('fits')).toBeDefined();
  });

  it('caches nothing with a size of 0 bytes', () => {
    const cache = new ResultCache(0);
    cache.set('k', rows(0));
    expect([cache.rows('k'), cache.bytes]).toEqual([undefined, 0]);
  });

  it('counts hits and misses', () => {
    const cache = new ResultCache(100_000);
    cache.texts('k');
    cache.set('k', { kind: 'texts', rows: [['1']] });
    cache.texts('k');
    cache.texts('k');
    expect([cache.hits, cache.misses]).toEqual([2, 1]);
  });
});
