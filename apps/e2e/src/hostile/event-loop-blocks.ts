/** Counts event loop blocks of more than 50 ms in all processes, from the product's own metric. */
import type { RunningProduct } from '../product.js';

type LoopBlocks = {
  /** Since the processes began. */
  readonly count: number;
  /** By service, for who looks for the reason. */
  readonly seconds: Readonly<Record<string, number>>;
};

const line = (name: string): RegExp => new RegExp(`^tessera_event_loop_hold_seconds_${name} ([0-9.e+-]+)$`, 'm');

export const readEventLoopBlocks = async (product: RunningProduct): Promise<LoopBlocks> => {
  const ports = Object.entries(await product.managementPorts());
  const read = await Promise.all(
    ports.flatMap(([service, each]) =>
      each.map(async (port) => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        const figure = (name: string): number => Number(line(name).exec(text)?.[1] ?? 0);
        const all = figure(`count\\{service="${service}"\\}`);
        return {
          service,
          count: all - figure(`bucket\\{le="0.05",service="${service}"\\}`),
          seconds: figure(`sum\\{service="${service}"\\}`),
        };
      }),
    ),
  );
  const seconds: Record<string, number> = {};
  for (const each of read) seconds[each.service] = (seconds[each.service] ?? 0) + each.seconds;
  return { count: read.reduce((sum, { count }) => sum + count, 0), seconds };
};

/** What was held longer than 50 ms between two readings, by service and sum of all holds in milliseconds. */
export const describeNewEventLoopBlocks = (before: LoopBlocks, after: LoopBlocks): string | undefined => {
  if (after.count <= before.count) return undefined;
  const grown = Object.entries(after.seconds).map(
    ([service, seconds]) => [service, Math.round((seconds - (before.seconds[service] ?? 0)) * 1_000)] as const,
  );
  return grown
    .filter(([, ms]) => ms > 50)
    .map(([service, ms]) => `${service} ${ms} ms`)
    .join(', ');
};
