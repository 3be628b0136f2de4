/** Measures product and floor in alternating rounds, so that noise of the machine hits both. */
import type { RequestLoadOptions, RequestLoadResult } from '../load/send-load.js';
import { measureCpu } from '../processes.js';
import type { EventLoopBlock } from '../product/product.js';
import { median, medianRatio } from '../statistics.js';
import { type KnowledgeBench, getMeasuredProcesses, type ComparisonSideName, type Figure } from './bench.js';

const rates = (rounds: readonly RoundResult[]) => rounds.map(({ requestsPerSecond }) => requestsPerSecond);
const p99 = (rounds: readonly RoundResult[]): string => median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1);

export const createRateFigure = (
  what: string,
  product: readonly RoundResult[],
  floor: readonly RoundResult[],
  atLeast?: number,
): Figure => {
  const ratio = medianRatio(rates(product), rates(floor));
  return {
    what: `${what}: rate, product / floor`,
    ...(atLeast !== undefined && { target: `>= ${atLeast}`, holds: ratio >= atLeast }),
    actual: `${ratio.toFixed(2)} (${median(rates(product)).toFixed(1)} / ${median(rates(floor)).toFixed(1)} a second; p99 ${p99(product)} / ${p99(floor)} ms)`,
  };
};

export type RoundResult = RequestLoadResult & {
  /** Processor microseconds per request, by process. */
  readonly cpuUs: Readonly<Record<string, number>>;
};

export type Rounds = Readonly<Record<ComparisonSideName, readonly RoundResult[]>>;

type SideOrder = Pick<
  RequestLoadOptions,
  'paths' | 'bodies' | 'connections' | 'durationMs' | 'requestsMax' | 'once' | 'method'
> & {
  /** Beside those of the side. */
  readonly headers?: RequestLoadOptions['headers'];
};

/** The paths of a round; round 0 is the warm-up. */
export type SideRequestLoad = {
  readonly side: ComparisonSideName;
  readonly order: (round: number) => Omit<SideOrder, 'durationMs' | 'requestsMax'>;
};

type RoundOrder = Pick<SideOrder, 'connections' | 'once'> & {
  /** Of all rounds, or of each: 0 for what comes before anything counts. */
  readonly paths: readonly string[] | ((round: number) => readonly string[]);
  /** Asked of each side before anything counts: a process that was just started runs code that is not compiled yet. */
  readonly warmUpRequests: number;
};

const warmUpMaxMs = 60_000;

export const measureSide = async (
  bench: KnowledgeBench,
  side: ComparisonSideName,
  order: SideOrder,
): Promise<RoundResult> => {
  const { origin, headers, prefix } = bench.sides[side];
  const paths = order.paths.map((path) => prefix + path);
  const { value, cpuMs } = await measureCpu(
    () => getMeasuredProcesses(bench),
    () => bench.generator.send({ ...order, origin, headers: { ...headers, ...order.headers }, paths }),
  );
  const cpuUs = Object.fromEntries(
    Object.entries(cpuMs).map(([name, spent]) => [name, (spent * 1_000) / Math.max(1, value.requests)]),
  );
  return { ...value, cpuUs };
};

/** Answers what each contestant measured, in their order; `warmUpRequests` go to each before. */
export const compareSides = async (
  bench: KnowledgeBench,
  contestants: readonly SideRequestLoad[],
  warmUpRequests: number,
): Promise<readonly (readonly RoundResult[])[]> => {
  const measured = contestants.map((contestant) => ({ ...contestant, results: new Array<RoundResult>() }));
  for (const { side, order } of measured)
    await measureSide(bench, side, { ...order(0), durationMs: warmUpMaxMs, requestsMax: warmUpRequests });
  for (let round = 1; round <= bench.rounds; round++)
    for (const { side, order, results } of round % 2 === 1 ? measured : measured.toReversed())
      results.push(await measureSide(bench, side, { ...order(round), durationMs: bench.sideMs }));
  return measured.map(({ results }) => results);
};

/** The same questions to each side. */
export const runRounds = async (
  bench: KnowledgeBench,
  sides: readonly ComparisonSideName[],
  { warmUpRequests, paths, ...order }: RoundOrder,
): Promise<Rounds> => {
  const orderOf = (round: number) => ({ ...order, paths: typeof paths === 'function' ? paths(round) : paths });
  const contestants = sides.map((side) => ({ side, order: orderOf }));
  const results = await compareSides(bench, contestants, warmUpRequests);
  const of = (name: ComparisonSideName) => results[sides.indexOf(name)] ?? [];
  return {
    gateway: of('gateway'),
    floor: of('floor'),
    storedFloor: of('storedFloor'),
    countingFloor: of('countingFloor'),
  };
};

/** Processor time per request of every process that had a part in it; the load generator's is not in the sum. */
export const describeProcessorTime = (measured: readonly RoundResult[]): string => {
  const spent = Object.keys(measured[0]?.cpuUs ?? {})
    .map((name) => ({ name, us: median(measured.map(({ cpuUs }) => cpuUs[name] ?? 0)) }))
    .filter(({ us }) => us >= 1);
  const total = spent.filter(({ name }) => name !== 'load generator').reduce((sum, { us }) => sum + us, 0);
  return `${total.toFixed(0)} us (${spent.map(({ name, us }) => `${name} ${us.toFixed(0)}`).join(', ')})`;
};

/** Of an event loop: in time of its processor, and by the clock. */
export const describeBlock = (block: EventLoopBlock | undefined): string =>
  block === undefined ? 'not known' : `${block.longestWorkMs.toFixed(0)} ms (${block.longestMs.toFixed(0)})`;
