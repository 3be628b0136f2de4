import { describe, expect, it } from '@jest/globals';
import { createRandomSource } from './seeded.js';

describe('a seeded random source', () => {
  it('returns the same numbers for the same id, and other numbers for another id', () => {
    const figures = (id: string) => {
      const draw = createRandomSource(id);
      return Array.from({ length: 5 }, () => draw.whole(1, 1_000));
    };
    expect(figures('p2p')).toEqual([962, 986, 856, 121, 568]);
    expect(figures('p2p')).toEqual(figures('p2p'));
    expect(figures('p2q')).not.toEqual(figures('p2p'));
  });

  it('reaches both ends of a range and follows probabilities', () => {
    const draw = createRandomSource('shares');
    const drawn = Array.from({ length: 10_000 }, () => draw.whole(1, 6));
    for (const side of [1, 2, 3, 4, 5, 6]) {
      const share = drawn.filter((one) => one === side).length / drawn.length;
      expect(Math.abs(share - 1 / 6)).toBeLessThan(0.02);
    }
    const hits = Array.from({ length: 10_000 }, () => draw.chance(0.25)).filter(Boolean).length;
    expect(Math.abs(hits / 10_000 - 0.25)).toBeLessThan(0.02);
  });

  it('picks only existing items, and throws for an empty list', () => {
    const draw = createRandomSource('picks');
    expect(new Set(Array.from({ length: 100 }, () => draw.pick(['a', 'b'])))).toEqual(new Set(['a', 'b']));
    expect(() => draw.pick([])).toThrow('Nothing to pick for "picks".');
  });
});
