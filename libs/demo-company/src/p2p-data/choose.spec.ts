import { describe, expect, it } from '@jest/globals';
import { createRandomSource } from '../seeded.js';
import { chooseDistinct, pickByShare, createQuota } from './choose.js';

describe('a proportional quota', () => {
  it('keeps its share of the total in steps of any size', () => {
    const quota = createQuota(42, 1000);
    const given = [1, 99, 400, 500, 0, 3_000].map((count) => quota.take(count));
    expect(given).toEqual([0, 4, 17, 21, 0, 126]);
  });

  it('carries over the part that was not available', () => {
    const quota = createQuota(1, 10);
    expect([quota.take(100, 3), quota.take(100), quota.take(100, 50)]).toEqual([3, 17, 10]);
  });

  it('returns for how many items the available amount is enough', () => {
    const quota = createQuota(11, 100);
    expect([quota.fitting(100, 11), quota.fitting(100, 2), quota.fitting(100, 0)]).toEqual([100, 22, 4]);
    expect(quota.take(22, 2)).toBe(2);
    expect([quota.fitting(5, 0), quota.fitting(5, 1)]).toEqual([0, 5]);
  });
});

describe('a random choice', () => {
  const items = Array.from({ length: 1_000 }, (_, value) => ({ value }));

  it('yields exactly the requested number, the same each time', () => {
    const chosen = chooseDistinct(createRandomSource('choice'), items, 123);
    expect(chosen.size).toBe(123);
    expect(chooseDistinct(createRandomSource('choice'), items, 123)).toEqual(chosen);
    expect(chooseDistinct(createRandomSource('another'), items, 123)).not.toEqual(chosen);
    expect(chooseDistinct(createRandomSource('choice'), items, 0).size).toBe(0);
    expect(chooseDistinct(createRandomSource('choice'), items, 2_000).size).toBe(1_000);
  });

  it('prefers items with more weight', () => {
    const chosen = [...chooseDistinct(createRandomSource('weights'), items, 100, ({ value }) => (value < 100 ? 9 : 1))];
    const heavy = chosen.filter(({ value }) => value < 100).length;
    expect(heavy).toBeGreaterThan(35);
    expect(heavy).toBeLessThan(65);
  });

  it('of one item follows the shares, and never picks an item with share 0', () => {
    const draw = createRandomSource('shares');
    const options = [
      { name: 'usual', share: 3 },
      { name: 'rare', share: 1 },
      { name: 'never', share: 0 },
    ];
    const names = Array.from({ length: 4_000 }, () => pickByShare(draw, options).name);
    expect(Math.abs(names.filter((name) => name === 'rare').length - 1_000)).toBeLessThan(100);
    expect(names).not.toContain('never');
  });
});
