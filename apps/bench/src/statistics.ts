/** Medians, percentiles and ratios. No means: one bad round can move them. */

const ascending = (values: readonly number[]): readonly number[] => [...values].sort((left, right) => left - right);

/** The middle value, or the mean of the two in the middle; NaN of none. */
export const median = (values: readonly number[]): number => {
  const sorted = ascending(values);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (upper + lower) / 2;
};

/** The smallest value that `share` (0 to 1) of all values do not exceed; NaN of none. */
export const percentile = (values: readonly number[] | Float64Array, share: number): number => {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
};

/** What two series of the same rounds have to each other: round by round, then the median, so that a slow minute hits both. */
export const medianRatio = (over: readonly number[], under: readonly number[]): number =>
  median(over.map((value, round) => value / (under[round] ?? NaN)));
