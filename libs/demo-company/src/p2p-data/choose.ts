/**
 * Chance with exact figures: how many of a growing number are due, and which ones. Never use logarithms or powers here:
 * their last digit differs from machine to machine.
 */
import type { RandomSource } from '../seeded.js';

/** `part` of each `of`, counted over all calls: after 1,000 seen, 42 of 1000 are exactly 42 given. */
export type Quota = {
  /** How many of `count` more are due; fewer when not so many are `available`: the rest is due in the next call. */
  readonly take: (count: number, available?: number) => number;
  /** The most of `count` that can be taken in when only `available` of them can be given. */
  readonly fitting: (count: number, available: number) => number;
};

export const createQuota = (part: number, of: number): Quota => {
  let seen = 0;
  let given = 0;
  const due = (count: number): number => Math.round((part * (seen + count)) / of) - given;
  return {
    take: (count, available = count) => {
      const taken = Math.min(due(count), available);
      seen += count;
      given += taken;
      return taken;
    },
    fitting: (count, available) => {
      let fitting = count;
      while (fitting > 0 && due(fitting) > available) fitting -= 1;
      return fitting;
    },
  };
};

/** Exactly `count` of them (or all), each the likelier the larger its weight. */
export const chooseDistinct = <Item>(
  draw: RandomSource,
  items: readonly Item[],
  count: number,
  weightOf: (item: Item) => number = () => 1,
): ReadonlySet<Item> => {
  if (count <= 0) return new Set();
  if (count >= items.length) return new Set(items);
  const keys = Float64Array.from(items, (item) => draw.fraction() / weightOf(item));
  const limit = Float64Array.from(keys).sort()[count - 1] ?? 0;
  const chosen = new Set<Item>();
  items.forEach((item, index) => {
    if (chosen.size < count && (keys[index] ?? Infinity) <= limit) chosen.add(item);
  });
  return chosen;
};

/** One of a list by shares in percent. */
export const pickByShare = <Item extends { readonly share: number }>(
  draw: RandomSource,
  items: readonly Item[],
): Item => {
  let left = draw.fraction() * items.reduce((sum, { share }) => sum + share, 0);
  for (const item of items) {
    left -= item.share;
    if (left < 0) return item;
  }
  return draw.pick(items);
};
