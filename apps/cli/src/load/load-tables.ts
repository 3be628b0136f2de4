/** Loads the tables of a workspace that have files, several at a time. Starts no further one after a failure. */
import type { LoadMode, TableDefinition } from '@tessera/contracts/knowledge-models';
import type { CommandContext } from '../commands/command.js';
import type { ExitCode } from '../exit-code.js';
import type { Gateway } from '../gateway/gateway.js';
import type { CommitOptions } from './load-table.js';
import { resolveLoadSource, type LoadSource } from './load-source.js';
import { printLoadedTables, runLoad, type LoadedTable } from './run-load.js';

const parallelLoads = 2;

export type LoadTablesRequest = {
  readonly team: string;
  /** The folder of the workspace. */
  readonly root: string;
  readonly tables: readonly TableDefinition[];
  readonly mode: LoadMode;
  readonly commit: CommitOptions;
  readonly json: boolean;
};

type PlannedLoad = { readonly table: TableDefinition; readonly source: LoadSource };

export const loadTables = async (
  context: CommandContext,
  gateway: Gateway,
  { team, root, tables, mode, commit, json }: LoadTablesRequest,
): Promise<readonly LoadedTable[] | ExitCode> => {
  const waiting = largestFirst(tables.flatMap((table) => planLoad(table, root, context)));
  const bytes = waiting.reduce((sum, { source }) => sum + (source.size ?? 0), 0);
  const bar = context.terminal.openRowsBar('rows', bytes);
  const loaded: LoadedTable[] = [];
  let failed: ExitCode | undefined;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && failed === undefined; next = waiting.shift()) {
      const end = await runLoad(context, gateway, { team, ...next, mode, commit, staged: bar.advance, json });
      if (typeof end === 'number') failed ??= end;
      else loaded.push(end);
    }
  };
  try {
    await Promise.all(Array.from({ length: parallelLoads }, work));
  } finally {
    bar.close();
  }
  if (!json) printLoadedTables(context, loaded);
  return failed ?? loaded;
};

/** Nothing when its file is not there. */
const planLoad = (table: TableDefinition, root: string, { input }: CommandContext): readonly PlannedLoad[] => {
  const source = resolveLoadSource(table, root, {}, input);
  return typeof source === 'string' ? [] : [{ table, source }];
};

const largestFirst = (tables: readonly PlannedLoad[]): PlannedLoad[] =>
  tables.toSorted((left, right) => (right.source.size ?? 0) - (left.source.size ?? 0));
