/**
 * Numbers that look random and are the same on every machine: each id has a stream of its own, so that an element does
 * not change because another one was added. Never use it for anything that must not be guessed.
 */
const seed = 42;

export type RandomSource = {
  /** From 0 to below 1. */
  readonly fraction: () => number;
  /** From `smallest` to `largest`, both included. */
  readonly whole: (smallest: number, largest: number) => number;
  readonly chance: (probability: number) => boolean;
  /** One of a list that is not empty. */
  readonly pick: <Item>(list: readonly Item[]) => Item;
};

/** FNV-1a, 32 bits. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
};

export const createRandomSource = (id: string): RandomSource => {
  let state = hashOf(id);
  // Mulberry32: small, fast, and good enough for figures in a demo.
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (smallest: number, largest: number): number =>
    smallest + Math.floor(fraction() * (largest - smallest + 1));
  return {
    fraction,
    whole,
    chance: (probability) => fraction() < probability,
    pick: (list) => {
      const item = list[whole(0, list.length - 1)];
      if (item === undefined) throw new Error(`Nothing to pick for "${id}".`);
      return item;
    },
  };
};
