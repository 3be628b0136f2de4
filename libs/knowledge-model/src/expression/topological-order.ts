/**
 * An order in which everything comes after what it needs. Fails on cycles and on chains so long that walking them would
 * overflow the stack.
 */
type TopologicalOrder = {
  readonly order: readonly string[];
  /** Each need leads to the next, the last to the first. */
  readonly circles: readonly (readonly string[])[];
  readonly tooLong: readonly string[];
};

const chainMax = 32;

/** Key -> the keys that it needs; needs that are no keys themselves are not looked at. */
export const sortTopologically = (needs: ReadonlyMap<string, readonly string[]>): TopologicalOrder => {
  const depths = new Map<string, number>();
  const waiting = new Map([...needs].map(([key, all]) => [key, new Set(all.filter((need) => needs.has(need)))]));
  const neededBy = new Map<string, string[]>();
  for (const [key, all] of waiting) for (const need of all) neededBy.set(need, [...(neededBy.get(need) ?? []), key]);
  const ready = [...waiting].flatMap(([key, all]) => (all.size === 0 ? [key] : []));
  for (const key of ready) {
    depths.set(key, 1 + Math.max(0, ...(needs.get(key) ?? []).map((need) => depths.get(need) ?? 0)));
    for (const next of neededBy.get(key) ?? []) {
      const left = waiting.get(next);
      left?.delete(key);
      if (left?.size === 0) ready.push(next);
    }
  }
  return {
    order: ready.filter((key) => (depths.get(key) ?? 0) <= chainMax),
    circles: circlesIn(new Map([...waiting].filter(([, all]) => all.size > 0))),
    tooLong: ready.filter((key) => depths.get(key) === chainMax + 1),
  };
};

/** Everything in `left` needs something in `left`, so following needs always ends in a circle. */
const circlesIn = (left: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] => {
  const circles: string[][] = [];
  const seen = new Set<string>();
  for (const start of left.keys()) {
    const way = new Set<string>();
    let key = start;
    while (!seen.has(key)) {
      seen.add(key);
      way.add(key);
      key = [...(left.get(key) ?? [])][0] ?? key;
    }
    const walked = [...way];
    if (way.has(key)) circles.push(walked.slice(walked.indexOf(key)));
  }
  return circles;
};
