/**
 * Decisions of a random case, read one after the other from a list of numbers. Where the list is at its end, and for
 * smaller numbers, the choice is the simpler one, so that whoever makes the list shorter makes the case simpler.
 */
export type RandomChoices = {
  /** From 0; below `count`. */
  readonly below: (count: number) => number;
  readonly chance: (percent: number) => boolean;
  /** The simplest stands first. */
  readonly oneOf: <Item>(items: readonly [Item, ...Item[]] | readonly Item[]) => Item;
  /** Up to `most` items, each once, in any order. */
  readonly some: <Item>(items: readonly Item[], most: number) => readonly Item[];
};

export const createRandomChoices = (numbers: readonly number[]): RandomChoices => {
  let at = 0;
  const below = (count: number): number => (numbers[at++] ?? 0) % Math.max(1, count);
  const oneOf = <Item>(items: readonly Item[]): Item => {
    const [item] = items.slice(below(items.length));
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  };
  const some = <Item>(items: readonly Item[], most: number): readonly Item[] => {
    const left = [...items];
    const length = Math.min(below(most + 1), left.length);
    return Array.from({ length }, () => left.splice(below(left.length), 1)).flat();
  };
  return { below, chance: (percent) => 100 - below(100) <= percent, oneOf, some };
};
