/** One element by its id, 16 connections: rate, latency and processor time against the floor. */
import { median, medianRatio } from '../statistics.js';
import type { Bench, Figure, ComparisonSideName } from './bench.js';
import { type RoundResult, describeProcessorTime, type Rounds, runRounds } from './rounds.js';

const connections = 16;
const rateRatioMin = 0.4;
const rateRatioAim = 0.45;
const latencyRatioMax = 5;

const sides = ['floor', 'storedFloor', 'gateway'] as const;
const floorNames = { floor: 'floor on rows', storedFloor: 'floor on stored text' } as const;

export const measureElementById = async (bench: Bench): Promise<readonly Figure[]> => {
  const rounds = await runRounds(bench, sides, {
    paths: bench.subject.elementPaths,
    connections,
    warmUpRequests: 20_000,
  });
  return [
    ...rateFigures(rounds, 'floor'),
    ...rateFigures(rounds, 'storedFloor'),
    ...sides.map((side) => processorFigure(rounds, side)),
  ];
};

const pick = (rounds: Rounds, side: ComparisonSideName, value: (measured: RoundResult) => number): readonly number[] =>
  rounds[side].map(value);

const rateFigures = (rounds: Rounds, floor: keyof typeof floorNames): readonly Figure[] => {
  const rate = (side: ComparisonSideName) => pick(rounds, side, ({ requestsPerSecond }) => requestsPerSecond);
  const p99 = (side: ComparisonSideName) => pick(rounds, side, ({ p99Ms }) => p99Ms);
  const p50 = (side: ComparisonSideName): string => median(pick(rounds, side, ({ p50Ms }) => p50Ms)).toFixed(1);
  const rateRatio = medianRatio(rate('gateway'), rate(floor));
  const latencyRatio = medianRatio(p99('gateway'), p99(floor));
  return [
    {
      what: `Element by id: rate, product / ${floorNames[floor]}`,
      target: `>= ${rateRatioMin.toFixed(2)}`,
      aim: rateRatioAim.toFixed(2),
      actual: `${rateRatio.toFixed(2)} (${median(rate('gateway')).toFixed(0)} / ${median(rate(floor)).toFixed(0)} a second)`,
      holds: rateRatio >= rateRatioMin,
    },
    {
      what: `Element by id: p99, product / ${floorNames[floor]}`,
      target: `< ${latencyRatioMax}`,
      actual: `${latencyRatio.toFixed(1)} (${median(p99('gateway')).toFixed(1)} / ${median(p99(floor)).toFixed(1)} ms; p50 ${p50('gateway')} / ${p50(floor)} ms)`,
      holds: latencyRatio < latencyRatioMax,
    },
  ];
};

const processorFigure = (rounds: Rounds, side: (typeof sides)[number]): Figure => ({
  what: `Element by id: processor time a request, ${side === 'gateway' ? 'product' : floorNames[side]}`,
  actual: describeProcessorTime(rounds[side]),
});
