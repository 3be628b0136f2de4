import { describe, expect, it } from '@jest/globals';
import { inTurns } from './in-turns.js';

describe('work in turns', () => {
  it('is done so many at a time, and answered in its order', async () => {
    const begun: { readonly item: number; readonly end: () => void }[] = [];
    const all = inTurns(
      [5, 4, 3, 2, 1],
      2,
      (item) => new Promise<number>((end) => begun.push({ item, end: () => end(item) })),
    );
    const endLast = async (): Promise<void> => {
      begun.at(-1)?.end();
      await new Promise(setImmediate);
    };
    expect(begun.map(({ item }) => item)).toEqual([5, 4]);
    for (let count = 3; count <= 5; count++) {
      await endLast();
      expect(begun).toHaveLength(count);
    }
    for (const { end } of begun) end();
    expect(await all).toEqual([5, 4, 3, 2, 1]);
  });

  it('is nothing for nothing', async () => {
    expect(await inTurns([], 3, () => Promise.reject(new Error('begun')))).toEqual([]);
  });

  it('ends with the first that fails, and begins no other', async () => {
    const begun: number[] = [];
    const failing = inTurns([1, 2, 3, 4, 5, 6], 2, async (item) => {
      begun.push(item);
      await Promise.resolve();
      if (item === 1) throw new Error('away');
    });
    await expect(failing).rejects.toThrow('away');
    await new Promise(setImmediate);
    expect(begun.length).toBeLessThan(5);
  });
});
