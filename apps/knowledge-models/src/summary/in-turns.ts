/**
 * Several pieces of work, a few of them at a time, so that one caller does not take every connection.
 * Refuses: to begin another piece once one has failed.
 */
export const inTurns = async <Item, Value>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> => {
  const values = new Map<number, Value>();
  const entries = items.entries();
  let hasFailed = false;
  const turn = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (hasFailed) return;
      values.set(index, await work(item));
    }
  };
  const turns = Array.from({ length: atOnce }, () =>
    turn().catch((error: unknown) => {
      hasFailed = true;
      throw error;
    }),
  );
  await Promise.all(turns);
  return [...values].toSorted(([left], [right]) => left - right).map(([, value]) => value);
};
