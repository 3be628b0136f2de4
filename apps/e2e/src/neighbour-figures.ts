/** Latencies beside attacks, in figures and as table rows. */
import type { ProductMetrics } from './hostile/service-metrics.js';
import type { OverloadAttackResult, QuietTeamResult } from './neighbour-instructions.js';

export type Latencies = QuietTeamResult['latenciesMs'];

/** The smallest value that `share` (0 to 1) of all values do not exceed; NaN of none. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
};

const allLatencies = (latencies: Latencies): readonly number[] => Object.values(latencies).flat();

export const p99Of = (latencies: Latencies): number => percentile(allLatencies(latencies), 0.99);

export const mergeLatencies = (left: Latencies, right: Latencies): Latencies =>
  Object.fromEntries(Object.keys(right).map((name) => [name, [...(left[name] ?? []), ...(right[name] ?? [])]]));

export type AttackRun = {
  readonly name: string;
  readonly attack: OverloadAttackResult;
  readonly quiet: QuietTeamResult;
  /** Of a process without a credential. */
  readonly anonymous: QuietTeamResult;
  /** In milliseconds by service, while the attack lasted and what it left. */
  readonly longestBlocks: Readonly<Record<string, number>>;
  /** Of all services, behind the attack. */
  readonly residentBytes: number;
  /** From the end of the attack until all was as quick as before. */
  readonly recoveredMs: number;
  /** What was still not as before when nobody waited any longer. */
  readonly unrecovered: readonly string[];
};

const cell = (latencies: Latencies): string => {
  const values = allLatencies(latencies);
  return [percentile(values, 0.5), percentile(values, 0.99), Math.max(...values)]
    .map((ms) => Math.round(ms))
    .join(' / ');
};

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`;

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('');

const attackHead = [
  ...['attack', 'its answers', 'failed', 'quiet team', 'without a credential'],
  ...['longest holds', 'memory', 'calm again'],
];

/** In Markdown; `calm` are the latencies without an attack. */
export const renderAttackTable = (
  calm: { readonly quiet: Latencies; readonly anonymous: Latencies },
  runs: readonly AttackRun[],
): string =>
  table(attackHead, [
    ['none', '', 0, cell(calm.quiet), cell(calm.anonymous), '', '', ''],
    ...runs.map(({ name, attack, quiet, anonymous, longestBlocks, residentBytes, recoveredMs }) => {
      const statuses = Object.entries(attack.statuses).map(([status, count]) => `${count} x ${status}`);
      const blocks = Object.entries(longestBlocks).map(([service, ms]) => `${service} ${ms}`);
      return [
        ...[name, statuses.join(', ') || 'none', quiet.failures.length + anonymous.failures.length],
        ...[cell(quiet.latenciesMs), cell(anonymous.latenciesMs), blocks.join(', ')],
        ...[megabytes(residentBytes), `${(recoveredMs / 1_000).toFixed(1)} s`],
      ];
    }),
  ]);

/** In Markdown: memory in megabytes before all attacks and after them. */
export const renderMemoryTable = (before: ProductMetrics, after: ProductMetrics): string =>
  table(
    ['service', 'heap before', 'heap after', 'resident before', 'resident after'],
    Object.entries(after).map(([service, { heapBytes, residentBytes }]) => [
      service,
      megabytes(before[service]?.heapBytes ?? NaN),
      megabytes(heapBytes),
      megabytes(before[service]?.residentBytes ?? NaN),
      megabytes(residentBytes),
    ]),
  );
