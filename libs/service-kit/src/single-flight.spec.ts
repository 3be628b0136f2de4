import { describe, expect, it } from '@jest/globals';
import { SingleFlight } from './single-flight.js';

/** Work that ends when the spec says so. */
const open = () => {
  const begun: { readonly key: string; readonly end: PromiseWithResolvers<number> }[] = [];
  const work = new SingleFlight((key) => {
    const end = Promise.withResolvers<number>();
    begun.push({ key, end });
    return end.promise;
  });
  const keys = () => begun.map(({ key }) => key);
  const end = (index: number): void => begun[index]?.end.resolve(index);
  const fail = (index: number): void => begun[index]?.end.reject(new Error('away'));
  return { work, keys, end, fail };
};

describe('SingleFlight', () => {
  it('starts work at once, and starts it once more for all calls made while it ran', async () => {
    const { work, keys, end } = open();
    const first = work.run('a');
    const others = [work.run('a'), work.run('a')];
    expect(keys()).toEqual(['a']);
    end(0);
    expect(await first).toBe(0);
    await Promise.resolve();
    expect(keys()).toEqual(['a', 'a']);
    end(1);
    expect(await Promise.all(others)).toEqual([1, 1]);
  });

  it('does not share work that has ended or has another key', async () => {
    const { work, keys, end } = open();
    for (const index of [0, 1]) {
      const asked = work.run('a');
      end(index);
      expect(await asked).toBe(index);
    }
    void work.run('b');
    void work.run('c');
    expect(keys()).toEqual(['a', 'a', 'b', 'c']);
  });

  it('rejects every call that shared failed work, and not later calls', async () => {
    const { work, end, fail } = open();
    const first = work.run('a');
    const next = work.run('a');
    fail(0);
    await expect(first).rejects.toThrow('away');
    end(1);
    await expect(next).resolves.toBe(1);
  });

  it('combines calls made before the work starts when configured to', async () => {
    const gathering = Promise.withResolvers<void>();
    const begun: string[] = [];
    const work = new SingleFlight(
      async (key) => {
        begun.push(key);
        return begun.length;
      },
      { gather: () => gathering.promise },
    );
    const asked = [work.run('a'), work.run('a')];
    expect(begun).toEqual([]);
    gathering.resolve();
    expect(await Promise.all([...asked])).toEqual([1, 1]);
    expect(await work.run('a')).toBe(2);
  });
});
