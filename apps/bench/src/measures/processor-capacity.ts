/**
 * How many requests a second one processor of each process would answer; the smallest number is the bottleneck.
 * Processes with next to no share are left out.
 */

/** Of all the time that a request takes. */
const smallestShare = 0.02;

type Capacity = { readonly name: string; readonly requestsPerSecond: number };

/** By processor microseconds a request; what is busy first comes first. */
export const capacitiesOf = (cpuUs: Readonly<Record<string, number>>): readonly Capacity[] => {
  const costs = Object.entries(cpuUs).map(([name, us]) => ({ name, us }));
  const total = costs.reduce((sum, { us }) => sum + us, 0);
  return costs
    .filter(({ us }) => us > total * smallestShare)
    .sort((left, right) => right.us - left.us)
    .map(({ name, us }) => ({ name, requestsPerSecond: 1_000_000 / us }));
};

export const describeCapacities = (capacities: readonly Capacity[]): string =>
  `${capacities.map(({ name, requestsPerSecond }) => `${name} ${requestsPerSecond.toFixed(0)}`).join(', ')} a second; first: ${capacities[0]?.name ?? 'nothing'}`;
