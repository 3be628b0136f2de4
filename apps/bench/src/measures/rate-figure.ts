import { median, medianRatio } from '../statistics.js';
import type { Figure } from './bench.js';
import type { Measured } from './rounds.js';

const rates = (rounds: readonly Measured[]) => rounds.map(({ requestsPerSecond }) => requestsPerSecond);
const p99 = (rounds: readonly Measured[]): string => median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1);

export const rateFigure = (
  what: string,
  product: readonly Measured[],
  floor: readonly Measured[],
  atLeast?: number,
): Figure => {
  const ratio = medianRatio(rates(product), rates(floor));
  return {
    what: `${what}: rate, product / floor`,
    ...(atLeast !== undefined && { target: `>= ${atLeast}`, holds: ratio >= atLeast }),
    actual: `${ratio.toFixed(2)} (${median(rates(product)).toFixed(1)} / ${median(rates(floor)).toFixed(1)} a second; p99 ${p99(product)} / ${p99(floor)} ms)`,
  };
};
