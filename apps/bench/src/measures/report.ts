/** The report of a facet of 10,000 elements: duration against the floor, event loop blocks, and memory. */
import { measureMemoryGrowth } from '../processes.js';
import { median, medianRatio } from '../statistics.js';
import { type Bench, type Figure, pidOf } from './bench.js';
import { describeBlock, runRounds } from './rounds.js';

const freshRatioMax = 0.7;
const againRatioMax = 0.35;
const blockMaxMs = 50;
const growthMaxMb = 64;
const slowClients = 4;
const slowBytesPerSecond = 5_000_000;
const slowMs = 12_000;
/** The processes that a report passes through. */
const bytesInFlight = ['gateway', 'content-repo'] as const;
/** A process that does nothing meanwhile: what it is held up, the machine holds up. */
const idle = 'knowledge-models';

/** Memory first: what fast clients have made a process keep would hide what slow ones make it grow. */
export const measureReportRequests = async (bench: Bench): Promise<readonly Figure[]> => {
  const memory = await measureMemory(bench);
  const { reportPath } = bench.subject;
  const fresh: Asked = { how: 'never asked before', paths: freshPaths(reportPath), ratioMax: freshRatioMax };
  const again: Asked = { how: 'asked again', paths: () => [reportPath], ratioMax: againRatioMax };
  return [
    ...(await measureTime(bench, fresh, 1)),
    ...(await measureTime(bench, fresh, 4)),
    ...(await measureTime(bench, again, 1)),
    ...(await measureTime(bench, again, 4)),
    ...memory,
  ];
};

type Asked = {
  readonly how: string;
  readonly paths: (round: number) => readonly string[];
  readonly ratioMax: number;
};

const parts = ['attributes', 'related', 'children', 'content', 'displayNames', 'stereotype'] as const;
const reportsOfRound = 240;

/** The same report by other names: what is kept of one is not found for another. */
const freshPaths =
  (reportPath: string) =>
  (round: number): readonly string[] =>
    Array.from(
      { length: reportsOfRound },
      (_, index) => `${reportPath}?$resources=${orderOf(parts, round * reportsOfRound + index).join()}`,
    );

/** The parts in the order with this number. */
const orderOf = (of: readonly string[], number: number): readonly string[] => {
  const [first] = of.slice(number % of.length);
  if (first === undefined) return [];
  const rest = of.filter((part) => part !== first);
  return [first, ...orderOf(rest, Math.floor(number / of.length))];
};

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const measureTime = async (
  bench: Bench,
  { how, paths, ratioMax }: Asked,
  connections: number,
): Promise<readonly Figure[]> => {
  const blockOf = async (service: string) => ({
    service,
    block: await bench.product.longestBlock(pidOf(bench.product, service)),
  });
  for (const service of [...bytesInFlight, idle]) await blockOf(service);
  const rounds = await runRounds(bench, ['floor', 'gateway'], {
    ...{ paths, connections },
    warmUpRequests: 3 * connections,
  });
  const blocks = await Promise.all(bytesInFlight.map(blockOf));
  const { block: idleBlock } = await blockOf(idle);
  const times = (side: 'gateway' | 'floor') => rounds[side].map(({ p50Ms }) => p50Ms);
  const ratio = medianRatio(times('gateway'), times('floor'));
  const [first] = rounds.gateway;
  const longest = Math.max(...blocks.map(({ block }) => block?.longestWorkMs ?? NaN));
  const clients = connections === 1 ? 'one client' : `${connections} clients`;
  return [
    {
      what: `Report of ${bench.subject.elements} elements (${megabytes((first?.bytes ?? 0) / (first?.requests ?? 1))}), ${how}, ${clients}: time, product / floor`,
      target: `<= ${ratioMax}`,
      actual: `${ratio.toFixed(2)} (${median(times('gateway')).toFixed(0)} / ${median(times('floor')).toFixed(0)} ms)`,
      holds: ratio <= ratioMax,
    },
    {
      what: `Report, ${how}, ${clients}: longest block of an event loop, in time of its processor (by the clock)`,
      target: `<= ${blockMaxMs} ms`,
      actual: [...blocks, { service: 'an idle process', block: idleBlock }]
        .map(({ service, block }) => `${service} ${describeBlock(block)}`)
        .join(', '),
      ...(!Number.isNaN(longest) && { holds: longest <= blockMaxMs }),
    },
  ];
};

const measureMemory = async (bench: Bench): Promise<readonly Figure[]> => {
  const { product, generator, sides, subject } = bench;
  const pids = Object.fromEntries(bytesInFlight.map((service) => [service, pidOf(product, service)]));
  const { value, growthMb, peakMb } = await measureMemoryGrowth(pids, () =>
    generator.send({
      ...sides.gateway,
      paths: [subject.reportPath],
      connections: slowClients,
      durationMs: slowMs,
      bytesPerSecond: slowBytesPerSecond,
    }),
  );
  return bytesInFlight.map((service) => ({
    what: `Report, ${slowClients} clients at 5 MB/s (${value.requests} reports): growth of ${service}`,
    target: `< ${growthMaxMb} MB`,
    actual: `${(growthMb[service] ?? 0).toFixed(0)} MB (to ${(peakMb[service] ?? 0).toFixed(0)} MB)`,
    holds: (growthMb[service] ?? 0) < growthMaxMb,
  }));
};
