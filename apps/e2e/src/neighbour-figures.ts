/** The quiet team's latencies, in figures and as table rows. */
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
  /** From the end of the attack until all was as quick as before. */
  readonly recoveredMs: number;
};

const cell = (values: readonly number[]): string =>
  [percentile(values, 0.5), percentile(values, 0.99), Math.max(...values)].map((ms) => Math.round(ms)).join(' / ');

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`;

/** In Markdown. */
export const renderAttackTable = (calm: Latencies, trials: readonly AttackRun[]): string => {
  const names = Object.keys(calm);
  const latencyCells = (latencies: Latencies): readonly string[] => [
    cell(allLatencies(latencies)),
    ...names.map((name) => cell(latencies[name] ?? [])),
  ];
  const head = ['attack', 'its answers', 'requests', 'failed', 'all', ...names, 'calm again'];
  return [
    row(head),
    row(head.map(() => '---')),
    row(['none', '', allLatencies(calm).length, 0, ...latencyCells(calm), '']),
    ...trials.map(({ name, attack, quiet, recoveredMs }) => {
      const statuses = Object.entries(attack.statuses).map(([status, count]) => `${count} x ${status}`);
      const { latenciesMs, failures } = quiet;
      const requestCount = [allLatencies(latenciesMs).length, failures.length];
      const figures = statuses.join(', ') || 'none';
      return row([
        name,
        figures,
        ...requestCount,
        ...latencyCells(latenciesMs),
        `${(recoveredMs / 1_000).toFixed(1)} s`,
      ]);
    }),
  ].join('');
};
