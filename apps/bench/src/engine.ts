/**
 * The engine of all measures: it sends what a contest lists to each of its sides, in turns, and makes figures of the rounds.
 */
import type { Place } from './answers.js';
import type { ChildProcessHandle } from './child.js';
import { type LoadOptions, type LoadRequest, type LoadResult, sendLoad } from './load.js';
import { measureGrowth, type MemoryGrowth, type ProcessGroups, readResidentMb, startCpuClock } from './processes.js';
import type { Product } from './product/product.js';
import { median, medianRatio } from './statistics.js';

export type Bench = {
  readonly product: Product;
  readonly gateway: Place;
  readonly floor: Place;
  readonly floorProcess: Pick<ChildProcessHandle, 'pid'>;
  readonly rounds: number;
  /** Length of one side of one round. */
  readonly sideMs: number;
  readonly say: (text: string) => void;
};

/** One line of the result. */
export type Figure = {
  readonly what: string;
  readonly actual: string;
  /** The figure's target in words; a figure without one is only shown. */
  readonly target?: string;
  /** True when the target is met. */
  readonly holds?: boolean;
};

const targetPattern = /^(<=|>=|<) ([\d.]+)/;

/** A figure whose target, when it has one, begins with a comparison and a number. */
export const judge = (what: string, target: string | undefined, value: number, actual: string): Figure => {
  if (target === undefined) return { what, actual };
  const [, sign, bound] = targetPattern.exec(target) ?? [];
  if (bound === undefined) throw new Error(`No target: ${target}`);
  const holds = sign === '>=' ? value >= Number(bound) : sign === '<' ? value < Number(bound) : value <= Number(bound);
  return { what, target, actual, holds };
};

export type Sample = LoadResult & {
  /** Processor microseconds per request, by process. */
  readonly cpuUs: Readonly<Record<string, number>>;
};
export type Samples = readonly Sample[];

/** Round 0 is the warm-up. */
type Requests = readonly LoadRequest[] | ((round: number) => readonly LoadRequest[]);

export type Side = Pick<Place, 'origin'> &
  Partial<Place> & {
    /** A list is asked again and again; those of a round are asked once. */
    readonly requests: Requests;
  };

export type Contest = {
  readonly what: string;
  readonly clients: number;
  /** Requests to each side before anything counts: a process that was just started runs code that is not compiled yet. */
  readonly warmUp: number;
  readonly sides: Readonly<Record<string, Side>>;
  readonly figures: readonly Reading[];
};

/** Makes a figure of the rounds of a contest. */
export type Reading = (what: string, rounds: (side: string) => Samples) => Figure;

/** So many requests a round, none of them twice: each is made of a number of its own. */
export const numbered =
  (count: number, request: (number: number) => LoadRequest) =>
  (round: number): readonly LoadRequest[] =>
    Array.from({ length: count }, (_, index) => request(round * count + index));

/** The same requests to product and floor. */
export const toBoth = (
  { gateway, floor }: Pick<Bench, 'gateway' | 'floor'>,
  requests: Requests,
): Readonly<Record<'floor' | 'product', Side>> => ({
  floor: { ...floor, requests },
  product: { ...gateway, requests },
});

/** The processes whose time is counted: the product's, the floor's, and this one, which generates the load. */
const measuredProcesses = ({ product, floorProcess }: Bench): ProcessGroups => {
  const { launcher: _, ...services } = product.processes();
  return { ...services, floor: [floorProcess.pid] };
};

const loadName = 'load generator';

export const measureLoad = async (
  bench: Bench,
  { origin, headers = {}, prefix = '', requests }: Side,
  order: Pick<LoadOptions, 'clients' | 'durationMs' | 'requestsMax' | 'requestsPerSecond'>,
  round = 0,
): Promise<Sample> => {
  const listed = typeof requests === 'function' ? requests(round) : requests;
  const prefixed = listed.map((each) =>
    typeof each === 'string' ? prefix + each : { ...each, path: prefix + each.path },
  );
  const readCpuMs = startCpuClock(() => measuredProcesses(bench));
  const once = typeof requests === 'function';
  const result = await sendLoad({ ...order, origin, headers, once, requests: prefixed });
  const cpuMs = { ...readCpuMs(), [loadName]: result.ownCpuMs };
  const cpuUs = Object.entries(cpuMs).map(([name, spent]) => [name, (spent * 1_000) / result.requests] as const);
  return { ...result, cpuUs: Object.fromEntries(cpuUs) };
};

const warmUpMaxMs = 60_000;

/** Takes what each side measures in turns, so that noise of the machine hits all; who begins changes with the round. */
export const takeTurns = async <Result>(
  rounds: number,
  sides: Readonly<Record<string, (round: number) => Promise<Result>>>,
): Promise<(side: string) => readonly Result[]> => {
  const results = new Map(Object.keys(sides).map((name) => [name, new Array<Result>()]));
  const entries = Object.entries(sides);
  for (let round = 1; round <= rounds; round++)
    for (const [name, run] of round % 2 === 1 ? entries : entries.toReversed())
      results.get(name)?.push(await run(round));
  return (side) => results.get(side) ?? [];
};

export const runContest = async (bench: Bench, contest: Contest): Promise<readonly Figure[]> => {
  const { what, clients, warmUp, sides, figures } = contest;
  bench.say(`measuring: ${what}`);
  for (const side of Object.values(sides))
    await measureLoad(bench, side, { clients, durationMs: warmUpMaxMs, requestsMax: warmUp });
  const run = (side: Side) => (round: number) => measureLoad(bench, side, { clients, durationMs: bench.sideMs }, round);
  const turns = Object.entries(sides).map(([name, side]) => [name, run(side)] as const);
  const rounds = await takeTurns(bench.rounds, Object.fromEntries(turns));
  return figures.map((figure) => figure(what, rounds));
};

export const runContests = async (bench: Bench, contests: readonly Contest[]): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const contest of contests) figures.push(...(await runContest(bench, contest)));
  return figures;
};

/** One value of a round: how it is read and how it is told. */
type Metric = { readonly of: (sample: Sample) => number; readonly unit: string; readonly digits: number };

const medianOf = ({ of, digits }: Metric, samples: Samples): string => median(samples.map(of)).toFixed(digits);
export const rate: Metric = { of: ({ requestsPerSecond }) => requestsPerSecond, unit: ' a second', digits: 1 };
export const p99: Metric = { of: ({ p99Ms }) => p99Ms, unit: ' ms', digits: 1 };
export const time: Metric = { of: ({ p50Ms }) => p50Ms, unit: ' ms', digits: 2 };
export const bytes: Metric = {
  of: ({ bytes: count, seconds }) => count / seconds / 1_000_000,
  unit: ' MB a second',
  digits: 1,
};

/** Microseconds of a request in all processes of the product, PostgreSQL included. */
export const productTime: Metric = {
  of: ({ cpuUs }) =>
    Object.entries(cpuUs).reduce((sum, [name, us]) => (name === loadName || name === 'floor' ? sum : sum + us), 0),
  unit: ' us',
  digits: 0,
};

/** The values of one series to those of another, round by round. */
export const ratio = (
  what: string,
  target: string | undefined,
  [over, under]: readonly [readonly number[], readonly number[]],
  tell: (ratio: string) => string,
): Figure => {
  const value = medianRatio(over, under);
  return judge(what, target, value, tell(value.toFixed(2)));
};

/** One metric of two sides. */
export const compare =
  (
    suffix: string,
    metric: Metric,
    target: string | undefined,
    sides: readonly [string, string] = ['product', 'floor'],
  ): Reading =>
  (what, rounds) => {
    const [over, under] = sides.map(rounds);
    if (!over || !under) throw new Error(`No rounds of ${sides.join(' and ')}.`);
    const extra = metric === rate ? `; p99 ${medianOf(p99, over)} / ${medianOf(p99, under)} ms` : '';
    return ratio(
      what + suffix,
      target,
      [over.map(metric.of), under.map(metric.of)],
      (value) => `${value} (${medianOf(metric, over)} / ${medianOf(metric, under)}${metric.unit}${extra})`,
    );
  };

export const compareRates = (target: string, suffix = '', sides?: readonly [string, string]): Reading =>
  compare(`${suffix}: rate, product / floor`, rate, target, sides);

/** Processor time per request of every process that had a part in it; the load generator's is not in the sum. */
export const describeProcessorTime = (samples: readonly Pick<Sample, 'cpuUs'>[]): string => {
  const spent = Object.keys(samples[0]?.cpuUs ?? {})
    .map((name) => ({ name, us: median(samples.map(({ cpuUs }) => cpuUs[name] ?? 0)) }))
    .filter(({ us }) => us >= 1);
  const total = spent.filter(({ name }) => name !== loadName).reduce((sum, { us }) => sum + us, 0);
  return `${total.toFixed(0)} us (${spent.map(({ name, us }) => `${name} ${us.toFixed(0)}`).join(', ')})`;
};

export const processorTime =
  (side: string, suffix = `: processor time, ${side}`): Reading =>
  (what, rounds) => ({ what: what + suffix, actual: describeProcessorTime(rounds(side)) });

export const clientsText = (clients: number): string => (clients === 1 ? 'one client' : `${clients} clients`);

/** The one process of a service; a measured product has no replicas. */
export const pidOf = (product: Product, service: string): number => {
  const [pid] = product.processes()[service] ?? [];
  if (pid === undefined) throw new Error(`The product has no process ${service}.`);
  return pid;
};

/** How far services grow while `work` runs, and a figure for each of them. */
export const withGrowth = async <T>(
  product: Product,
  services: readonly string[],
  what: string,
  target: string,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly figures: readonly Figure[] }> => {
  const reads = services.map((service) => {
    const pid = pidOf(product, service);
    return [service, () => readResidentMb(pid)] as const;
  });
  const growth = await measureGrowth(Object.fromEntries(reads), work);
  return { value: growth.value, figures: growthFigures(what, target, services, growth) };
};

export const growthFigures = (
  what: string,
  target: string,
  names: readonly string[],
  { growthMb, peakMb }: Pick<MemoryGrowth<unknown>, 'growthMb' | 'peakMb'>,
): readonly Figure[] =>
  names.map((name) => {
    const [growth, peak] = [growthMb[name] ?? NaN, peakMb[name] ?? NaN];
    return judge(what.replace('%s', name), target, growth, `${growth.toFixed(0)} MB (to ${peak.toFixed(0)} MB)`);
  });

/**
 * The longest block of event loops while `work` runs, in time of their processors and by the clock; `idle` does nothing meanwhile: what it
 * is held up, the machine holds up.
 */
export const withBlocks = async <T>(
  product: Product,
  what: string,
  target: string,
  [services, idle]: readonly [readonly string[], string],
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly figure: Figure }> => {
  const read = (service: string) => product.longestBlock(pidOf(product, service));
  for (const service of [...services, idle]) await read(service);
  const value = await work();
  const blocks = await Promise.all([...services, idle].map(read));
  const told = blocks.map((block, index) => {
    const name = services[index] ?? 'an idle process';
    return block ? `${name} ${block.longestWorkMs.toFixed(0)} ms (${block.longestMs.toFixed(0)})` : `${name} not known`;
  });
  const longest = Math.max(...blocks.slice(0, services.length).map((block) => block?.longestWorkMs ?? NaN));
  const actual = told.join(', ');
  return { value, figure: Number.isNaN(longest) ? { what, target, actual } : judge(what, target, longest, actual) };
};
