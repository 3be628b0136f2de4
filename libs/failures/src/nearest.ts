/**
 * "Did you mean": the nearest known name for a wrong one, at most a third of the word away. The time is bounded, since callers
 * may have made up both the word and the names.
 */

/** Cells of tables of distances, some two milliseconds of them. Names behind are not compared. */
const workMax = 150_000;
/** Counting the letters of a name takes as long as so many cells. */
const lettersWork = 40;

/** The candidate with the smallest edit distance to `wrong`, when it is near enough to be a misspelling; case is ignored. */
export const findNearestName = (wrong: string, candidates: Iterable<string>): string | undefined => {
  const word = wrong.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  let work = 0;
  for (const candidate of candidates) {
    // Another case of a letter may be longer, but not by much.
    if (work > workMax || Math.abs(candidate.length - word.length) > 2 * bestDistance) continue;
    const name = candidate.toLowerCase();
    const isFar = isFurther(word, name, bestDistance);
    work += isFar ? lettersWork : word.length * name.length;
    if (isFar) continue;
    const distance = tableDistance(word, name, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
};

type Row = readonly number[];

/** Damerau-Levenshtein (adjacent swaps count as one); `limit` or more is answered as `limit`. */
export const editDistance = (left: string, right: string, limit: number): number =>
  isFurther(left, right, limit) ? limit : tableDistance(left, right, limit);

/** Whether lengths or letters alone tell that the distance is `limit` or more. */
const isFurther = (left: string, right: string, limit: number): boolean =>
  Math.abs(left.length - right.length) >= limit || letterCountDifference(left, right) >= limit;

const tableDistance = (left: string, right: string, limit: number): number => {
  let beforeLast: Row = [];
  let last: Row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = nextRow({ left, right, row, limit }, last, beforeLast);
    if (!current) return limit;
    beforeLast = last;
    last = current;
  }
  return Math.min(last[right.length] ?? limit, limit);
};

type Place = { readonly left: string; readonly right: string; readonly row: number; readonly limit: number };

/** What is `limit` or more off the diagonal is that far away already. Undefined when everything is. */
const nextRow = ({ left, right, row, limit }: Place, last: Row, beforeLast: Row): Row | undefined => {
  const current = new Array<number>(right.length + 1).fill(limit);
  current[0] = Math.min(row, limit);
  let least = current[0];
  const end = Math.min(right.length, row + limit - 1);
  for (let column = Math.max(1, row - limit + 1); column <= end; column++) {
    const same = left[row - 1] === right[column - 1];
    let cost = Math.min(
      (last[column] ?? limit) + 1,
      (current[column - 1] ?? limit) + 1,
      (last[column - 1] ?? limit) + (same ? 0 : 1),
    );
    if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
      cost = Math.min(cost, (beforeLast[column - 2] ?? limit) + 1);
    current[column] = cost;
    if (cost < least) least = cost;
  }
  // A swap goes back two rows, so one that is near enough may still come of the row before.
  return least < limit || Math.min(...last) < limit ? current : undefined;
};

/** How many letters one of them has that the other has not, wherever they stand: no distance is smaller. */
const letterCountDifference = (left: string, right: string): number => {
  const counts = new Int32Array(128);
  for (let at = 0; at < left.length; at++) addToCount(counts, left, at, 1);
  for (let at = 0; at < right.length; at++) addToCount(counts, right, at, -1);
  let [more, less] = [0, 0];
  for (const count of counts) {
    more += Math.max(count, 0);
    less += Math.max(-count, 0);
  }
  return Math.max(more, less);
};

/** Letters that share a place only make the number smaller. */
const addToCount = (counts: Int32Array, text: string, at: number, by: 1 | -1): void => {
  const place = text.charCodeAt(at) & 127;
  counts[place] = (counts[place] ?? 0) + by;
};
