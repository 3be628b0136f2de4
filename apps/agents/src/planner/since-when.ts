/**
 * Finds since when a figure is bad, and for which value. The limit is half way between the usual month (the median over all
 * values and months) and the worst one; a value stands out when every month up to the last is beyond it, two at least.
 */
export type MonthlyValue = { readonly label: string; readonly month: string; readonly value: number };

export type LimitCrossing = {
  readonly label: string;
  readonly since: string;
  /** It was so in the first month that there is. */
  readonly isFromBegin: boolean;
};

export type LimitCrossingReport = { readonly limit: number; readonly changes: readonly LimitCrossing[] };

const monthsMin = 2;

export const findLimitCrossings = (months: readonly MonthlyValue[], isWorseUp: boolean): LimitCrossingReport => {
  const sign = isWorseUp ? 1 : -1;
  const sorted = months.map(({ value }) => value * sign).toSorted((left, right) => left - right);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const limit = (usual + (sorted.at(-1) ?? 0)) / 2;
  const last = months
    .map(({ month }) => month)
    .toSorted()
    .at(-1);
  const series = Map.groupBy(months, ({ label }) => label);
  const changes = [...series].flatMap(([label, ofLabel]): readonly LimitCrossing[] => {
    const inOrder = ofLabel.toSorted((left, right) => (left.month < right.month ? -1 : 1));
    const good = inOrder.findLastIndex(({ value }) => value * sign <= limit);
    const bad = inOrder.slice(good + 1);
    const [first] = bad;
    if (!first || bad.length < monthsMin || inOrder.at(-1)?.month !== last) return [];
    return [{ label, since: first.month, isFromBegin: good < 0 }];
  });
  return { limit: limit * sign, changes };
};
