/**
 * Product and floor in turn, round by round, so that whatever else the machine does hits both; who begins changes.
 */
import type { LoadOrder, LoadResult } from '../load/load-order.js';
import { withCpu } from '../processes.js';
import { median } from '../statistics.js';
import { type KnowledgeBench, countedProcesses, type SideName } from './bench.js';

export type Measured = LoadResult & {
  /** Processor microseconds per request, by process. */
  readonly cpuUs: Readonly<Record<string, number>>;
};

export type Rounds = Readonly<Record<SideName, readonly Measured[]>>;

type SideOrder = Pick<LoadOrder, 'paths' | 'connections' | 'durationMs' | 'requestsMax' | 'once' | 'method'>;

export type RoundOrder = Pick<SideOrder, 'connections' | 'once'> & {
  /** Of all rounds, or of each: 0 for what comes before anything counts. */
  readonly paths: readonly string[] | ((round: number) => readonly string[]);
  /** Asked of each side before anything counts: a process that was just started runs code that is not compiled yet. */
  readonly warmUpRequests: number;
};

const warmUpMaxMs = 60_000;

export const measureSide = async (bench: KnowledgeBench, side: SideName, order: SideOrder): Promise<Measured> => {
  const { origin, headers, prefix } = bench.sides[side];
  const paths = order.paths.map((path) => prefix + path);
  const { value, cpuMs } = await withCpu(
    () => countedProcesses(bench),
    () => bench.generator.send({ ...order, origin, headers, paths }),
  );
  const cpuUs = Object.fromEntries(
    Object.entries(cpuMs).map(([name, spent]) => [name, (spent * 1_000) / Math.max(1, value.requests)]),
  );
  return { ...value, cpuUs };
};

export const runRounds = async (
  bench: KnowledgeBench,
  sides: readonly SideName[],
  { warmUpRequests, paths, ...order }: RoundOrder,
): Promise<Rounds> => {
  const results: Record<SideName, Measured[]> = { gateway: [], floor: [], storedFloor: [], countingFloor: [] };
  const orderOf = (round: number) => ({ ...order, paths: typeof paths === 'function' ? paths(round) : paths });
  for (const side of sides)
    await measureSide(bench, side, { ...orderOf(0), durationMs: warmUpMaxMs, requestsMax: warmUpRequests });
  for (let round = 1; round <= bench.rounds; round++)
    for (const side of round % 2 === 1 ? sides : sides.toReversed())
      results[side].push(await measureSide(bench, side, { ...orderOf(round), durationMs: bench.sideMs }));
  return results;
};

/** Processor time per request of every process that had a part in it; the load generator's is not in the sum. */
export const processorTimeOf = (measured: readonly Measured[]): string => {
  const spent = Object.keys(measured[0]?.cpuUs ?? {})
    .map((name) => ({ name, us: median(measured.map(({ cpuUs }) => cpuUs[name] ?? 0)) }))
    .filter(({ us }) => us >= 1);
  const total = spent.filter(({ name }) => name !== 'load generator').reduce((sum, { us }) => sum + us, 0);
  return `${total.toFixed(0)} us (${spent.map(({ name, us }) => `${name} ${us.toFixed(0)}`).join(', ')})`;
};
