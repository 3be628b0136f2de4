/**
 * Product and floor in turn, round by round, so that whatever else the machine does hits both; who begins changes.
 */
import type { LoadOrder, LoadResult } from '../load/load-order.js';
import { withCpu } from '../processes.js';
import { type Bench, countedProcesses, type SideName } from './bench.js';

export type Measured = LoadResult & {
  /** Processor microseconds per request, by process. */
  readonly cpuUs: Readonly<Record<string, number>>;
};

export type Rounds = Readonly<Record<SideName, readonly Measured[]>>;

export type RoundOrder = Pick<LoadOrder, 'paths' | 'connections'> & {
  /** Asked of each side before anything counts: a process that was just started runs code that is not compiled yet. */
  readonly warmUpRequests: number;
};

const warmUpMaxMs = 60_000;

type Length = Pick<LoadOrder, 'durationMs' | 'requestsMax'>;

const measureSide = async (bench: Bench, side: SideName, order: RoundOrder, length: Length): Promise<Measured> => {
  const { origin, headers, prefix } = bench.sides[side];
  const paths = order.paths.map((path) => prefix + path);
  const { value, cpuMs } = await withCpu(
    () => countedProcesses(bench),
    () => bench.generator.send({ origin, headers, paths, connections: order.connections, ...length }),
  );
  const cpuUs = Object.fromEntries(
    Object.entries(cpuMs).map(([name, spent]) => [name, (spent * 1_000) / Math.max(1, value.requests)]),
  );
  return { ...value, cpuUs };
};

export const runRounds = async (bench: Bench, sides: readonly SideName[], order: RoundOrder): Promise<Rounds> => {
  const results: Record<SideName, Measured[]> = { gateway: [], floor: [], storedFloor: [] };
  for (const side of sides)
    await measureSide(bench, side, order, { durationMs: warmUpMaxMs, requestsMax: order.warmUpRequests });
  for (let round = 0; round < bench.rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      results[side].push(await measureSide(bench, side, order, { durationMs: bench.sideMs }));
  return results;
};
