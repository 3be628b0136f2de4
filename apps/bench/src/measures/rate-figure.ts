/** How many requests a second two sides answered, and their ratio. Refuses: other figures. */
import { median, medianRatio } from '../statistics.js';
import type { Figure, SideName } from './bench.js';
import type { Rounds } from './rounds.js';

const rateOf = (rounds: Rounds, side: SideName) => rounds[side].map(({ requestsPerSecond }) => requestsPerSecond);

export const rateFigure = (
  what: string,
  rounds: Rounds,
  [over, under]: readonly [SideName, SideName],
  atLeast?: number,
): Figure => {
  const [own, floor] = [rateOf(rounds, over), rateOf(rounds, under)];
  const ratio = medianRatio(own, floor);
  return {
    what: `${what}: rate, product / floor`,
    ...(atLeast !== undefined && { target: `>= ${atLeast}`, holds: ratio >= atLeast }),
    actual: `${ratio.toFixed(2)} (${median(own).toFixed(1)} / ${median(floor).toFixed(1)} a second; p99 ${median(rounds[over].map(({ p99Ms }) => p99Ms)).toFixed(1)} / ${median(rounds[under].map(({ p99Ms }) => p99Ms)).toFixed(1)} ms)`,
  };
};
