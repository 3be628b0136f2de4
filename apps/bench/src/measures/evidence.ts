/** What `Prefer: evidence` adds to the processor time of questions that nobody asked before, of all processes together. */
import { median, medianRatio } from '../statistics.js';
import type { Figure, KnowledgeBench } from './bench.js';
import { compareSides, describeProcessorTime, type RoundResult } from './rounds.js';
import { kpisByPlantUrl, salesPageUrl } from './sales-queries.js';

/** Of the processor time without evidence. */
const ratioMax = 1.05;

type Question = {
  readonly what: string;
  /** No number is asked twice. */
  readonly url: (number: number) => string;
  readonly ofRound: number;
  readonly connections: number;
  readonly warmUpRequests: number;
};

const questions: readonly Question[] = [
  {
    what: 'Page of 50 without a total',
    url: (number) => salesPageUrl(100 + Math.floor(number / 40) / 1_000, number % 40, 'nototal'),
    ...{ ofRound: 24_000, connections: 16, warmUpRequests: 4_000 },
  },
  {
    what: 'KPIs by plant',
    url: (number) => kpisByPlantUrl(number / 1_000),
    ...{ ofRound: 2_000, connections: 2, warmUpRequests: 20 },
  },
];

export const measureEvidence = async (bench: KnowledgeBench): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const question of questions) figures.push(...(await measureQuestion(bench, question)));
  return figures;
};

const measureQuestion = async (
  bench: KnowledgeBench,
  { what, url, ofRound, connections, warmUpRequests }: Question,
): Promise<readonly Figure[]> => {
  /** `turn`: 0 without, 1 with evidence, so that both have questions of their own. */
  const orderOf = (turn: number, headers: Readonly<Record<string, string>>) => (round: number) => ({
    paths: Array.from({ length: ofRound }, (_, index) => url((2 * round + turn) * ofRound + index)),
    ...{ connections, headers, once: true },
  });
  const contestants = [
    { side: 'gateway', order: orderOf(0, {}) },
    { side: 'gateway', order: orderOf(1, { prefer: 'evidence' }) },
  ] as const;
  const [plain = [], kept = []] = await compareSides(bench, contestants, warmUpRequests);
  const ratio = medianRatio(kept.map(processorTimeOf), plain.map(processorTimeOf));
  return [
    {
      what: `${what}, none asked twice: processor time, with evidence / without`,
      target: `<= ${ratioMax}`,
      actual: `${ratio.toFixed(3)} (median ${median(kept.map(processorTimeOf)).toFixed(0)} / ${median(plain.map(processorTimeOf)).toFixed(0)} us)`,
      holds: ratio <= ratioMax,
    },
    { what: `${what}: processor time, with evidence`, actual: describeProcessorTime(kept) },
    { what: `${what}: processor time, without`, actual: describeProcessorTime(plain) },
  ];
};

/** Of the product: microseconds of a request. */
const processorTimeOf = ({ cpuUs }: RoundResult): number =>
  Object.entries(cpuUs).reduce(
    (sum, [name, us]) => (name === 'load generator' || name === 'floor' ? sum : sum + us),
    0,
  );
