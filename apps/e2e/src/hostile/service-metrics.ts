/** Figures from the metrics of the services: blocks of their event loops, in time of the processor, and their memory. */
import type { RunningProduct } from '../product.js';

type ServiceMetrics = {
  /** Blocks since the processes began, by the upper ends of their classes in milliseconds, each with all that are shorter. */
  readonly blocks: ReadonlyMap<number, number>;
  readonly blockedMs: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
};

export type ProductMetrics = Readonly<Record<string, ServiceMetrics>>;

/** Nothing that one request asks for may hold an event loop for longer. */
const blockMaxMs = 50;

const parseServiceMetrics = (texts: readonly string[]): ServiceMetrics => {
  const numbersOf = (name: string): readonly number[] =>
    texts.map((text) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0));
  const sum = (name: string): number => numbersOf(name).reduce((all, number) => all + number, 0);
  const blocks = new Map<number, number>();
  for (const text of texts)
    for (const [, end, count] of text.matchAll(
      /^tessera_event_loop_hold_seconds_bucket\{le="([^"]+)"[^}]*\} (\d+)$/gm,
    )) {
      const endMs = end === '+Inf' ? Number.POSITIVE_INFINITY : Math.round(Number(end) * 1_000);
      blocks.set(endMs, (blocks.get(endMs) ?? 0) + Number(count));
    }
  return {
    blocks,
    blockedMs: sum('tessera_event_loop_hold_seconds_sum') * 1_000,
    heapBytes: sum('nodejs_heap_size_used_bytes'),
    residentBytes: sum('process_resident_memory_bytes'),
  };
};

export const readProductMetrics = async (product: RunningProduct): Promise<ProductMetrics> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(await product.managementPorts()).map(async ([service, ports]) => {
        const texts = ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
        return [service, parseServiceMetrics(await Promise.all(texts))] as const;
      }),
    ),
  );

/** The longest new block by service, in milliseconds at most; services without one are left out. */
export const findLongestBlocks = (before: ProductMetrics, after: ProductMetrics): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(after).flatMap(([service, { blocks }]) => {
      let shorter = 0;
      let longestMs = 0;
      for (const [endMs, count] of [...blocks].toSorted(([left], [right]) => left - right)) {
        const grown = count - (before[service]?.blocks.get(endMs) ?? 0);
        if (grown > shorter) longestMs = endMs;
        shorter = grown;
      }
      return longestMs > 0 ? [[service, longestMs] as const] : [];
    }),
  );

/** Which services were blocked for too long between two readings, by the sum of their blocks; undefined when none was. */
export const describeNewEventLoopBlocks = (before: ProductMetrics, after: ProductMetrics): string | undefined => {
  const blocked = Object.entries(findLongestBlocks(before, after)).filter(([, ms]) => ms > blockMaxMs);
  if (blocked.length === 0) return undefined;
  return blocked
    .map(([service]) => {
      const ms = (after[service]?.blockedMs ?? 0) - (before[service]?.blockedMs ?? 0);
      return `${service} ${Math.round(ms)} ms`;
    })
    .join(', ');
};
