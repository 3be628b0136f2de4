import { describe, expect, it } from '@jest/globals';
import { drawFor } from './seeded.js';

describe('a seeded random number', () => {
  it('gives each id the same figures each time, and other ids other ones', () => {
    const figures = (id: string) => {
      const draw = drawFor(id);
      return Array.from({ length: 5 }, () => draw.whole(1, 1_000));
    };
    expect(figures('p2p')).toEqual([962, 986, 856, 121, 568]);
    expect(figures('p2p')).toEqual(figures('p2p'));
    expect(figures('p2q')).not.toEqual(figures('p2p'));
  });

  it('reaches both ends and keeps its shares', () => {
    const draw = drawFor('shares');
    const drawn = Array.from({ length: 10_000 }, () => draw.whole(1, 6));
    for (const side of [1, 2, 3, 4, 5, 6]) {
      const share = drawn.filter((one) => one === side).length / drawn.length;
      expect(Math.abs(share - 1 / 6)).toBeLessThan(0.02);
    }
    const hits = Array.from({ length: 10_000 }, () => draw.chance(0.25)).filter(Boolean).length;
    expect(Math.abs(hits / 10_000 - 0.25)).toBeLessThan(0.02);
  });

  it('picks only what is there', () => {
    const draw = drawFor('picks');
    expect(new Set(Array.from({ length: 100 }, () => draw.pick(['a', 'b'])))).toEqual(new Set(['a', 'b']));
    expect(() => draw.pick([])).toThrow('Nothing to pick for "picks".');
  });
});
