/**
 * What PostgreSQL estimates that a statement costs, and by which indexes it would be answered. Never answers the rest of the
 * plan, whose conditions hold values.
 */
import type { CompiledStatement } from '@tessera/knowledge-model';
import { readTeamRowsInBatches } from '@tessera/persistence';
import { z } from 'zod';
import type { QuerySource } from './query-preparer.js';

export type QueryCost = {
  readonly total: number;
  readonly rows: number;
  readonly indexes: readonly string[];
  readonly scans: readonly TableScan[];
};

/** How a table is read: all of it, or so many rows that an index finds, all workers together. */
type TableScan = { readonly table: string; readonly isWhole: boolean; readonly rows: number };

const PlanNode = z.object({
  'Node Type': z.string(),
  'Total Cost': z.number(),
  'Plan Rows': z.number(),
  'Index Name': z.string().optional(),
  'Relation Name': z.string().optional(),
  'Parallel Aware': z.boolean().optional(),
  'Workers Planned': z.number().optional(),
  get Plans() {
    return z.array(PlanNode).optional();
  },
});
const ExplainOutput = z.tuple([z.object({ Plan: PlanNode })]);

/** Rejects with the error of pg. */
export const readQueryCost = async (
  { pool, role, team }: QuerySource,
  { text, values }: CompiledStatement,
  settings: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<QueryCost> => {
  const asked = `explain (format json) ${text}`;
  const statement = { text: asked, values, settings, team, ...(role && { role }) };
  const { first } = await readTeamRowsInBatches(pool, statement, signal);
  const [{ Plan: plan }] = ExplainOutput.parse(JSON.parse(first.map(([line]) => line).join('\n')));
  return {
    total: plan['Total Cost'],
    rows: plan['Plan Rows'],
    indexes: [...new Set(indexesIn(plan))].sort(),
    scans: scansIn(plan),
  };
};

const indexesIn = (node: z.output<typeof PlanNode>): readonly string[] => [
  ...(node['Index Name'] === undefined ? [] : [node['Index Name']]),
  ...(node.Plans ?? []).flatMap(indexesIn),
];

const scansIn = (node: z.output<typeof PlanNode>, workers = 0): readonly TableScan[] => {
  const table = node['Relation Name'];
  const rows = node['Plan Rows'] * (node['Parallel Aware'] ? processesOf(workers) : 1);
  const scan = { isWhole: node['Node Type'] === 'Seq Scan', rows: Math.round(rows) };
  const below = (node.Plans ?? []).flatMap((part) => scansIn(part, node['Workers Planned'] ?? workers));
  return [...(table === undefined ? [] : [{ table, ...scan }]), ...below];
};

/** PostgreSQL says how many rows one of them reads, and expects the leader to have less time for that the more workers it serves. */
const processesOf = (workers: number): number => workers + Math.max(0, 1 - 0.3 * workers);
