/**
 * "Did you mean": the nearest right name for a wrong one.
 * Refuses: guesses that are further away than a third of the word.
 */

/** The candidate with the smallest edit distance to `wrong`, when it is near enough to be a misspelling; case is ignored. */
export const nearestName = (wrong: string, candidates: Iterable<string>): string | undefined => {
  const word = wrong.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
};

/** Damerau-Levenshtein (adjacent swaps count as one); `limit` or more is answered as `limit`. */
const editDistance = (left: string, right: string, limit: number): number => {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] ?? limit) + 1,
        (current[column - 1] ?? limit) + 1,
        (last[column - 1] ?? limit) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        cost = Math.min(cost, (beforeLast[column - 2] ?? limit) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return Math.min(last[right.length] ?? limit, limit);
};
