/**
 * `tessera load [TABLE [FILE]]`: loads rows of a CSV or JSON Lines file into a table; without a table, into every table
 * that has a file.
 */
import {
  exportModelDefinitions,
  undoLoad,
  type LoadMode,
  type TableDefinition,
} from '@tessera/contracts/knowledge-models';
import type { RecordFormat } from '@tessera/contracts/record-files';
import { findNearestName } from '@tessera/failures';
import { exitCodes, type ExitCode } from '../exit-code.js';
import type { Gateway } from '../gateway/gateway.js';
import { resolveLoadSource } from '../load/load-source.js';
import type { CommitOptions } from '../load/load-table.js';
import { loadTables, type LoadTablesRequest } from '../load/load-tables.js';
import { printLoadedTables, runLoad } from '../load/run-load.js';
import { formatCount } from '../terminal/terminal.js';
import { readWorkspaceDocument } from '../workspace/export-target.js';
import { reportUsageError, reportFailure, withGateway, type CommandContext, type JsonOption } from './command.js';

export type LoadOptions = JsonOption & {
  readonly team?: string;
  /** At most one of these three. */
  readonly append?: boolean;
  readonly upsert?: boolean;
  readonly delete?: boolean;
  /** Alone with a table. */
  readonly undo?: boolean;
  readonly allowShrink?: boolean;
  readonly rowsMin?: string;
  readonly delimiter?: string;
  readonly null?: string;
  readonly format?: RecordFormat;
  /** Set when there is none. */
  readonly header?: boolean;
};

type LoadRequest = {
  readonly table: string | undefined;
  readonly file: string | undefined;
  /** The folder of the workspace, which names the team and has the files of tables. */
  readonly root: string;
  readonly options: LoadOptions;
};

export const loadCommand = (
  context: CommandContext,
  { table: name, file, root, options }: LoadRequest,
): Promise<ExitCode> | ExitCode => {
  const [mode = 'replace', otherMode] = keepingModes.filter((each) => options[each]);
  if (otherMode) return reportUsageError(context, `--${mode} and --${otherMode} exclude each other; give one of them.`);
  if (options.delete && file === undefined)
    return reportUsageError(context, '--delete needs a table and a file with the keys of the rows that go.');
  if (options.undo && (mode !== 'replace' || file !== undefined || name === undefined))
    return reportUsageError(context, '--undo takes a table, and neither a file nor another mode.');
  const commit = readCommitOptions(options);
  if (typeof commit === 'string') return reportUsageError(context, commit);
  const team = options.team ?? readWorkspaceDocument(root)?.team;
  if (team === undefined)
    return reportUsageError(context, `--team is needed: "${root}" holds no workspace that names one.`);
  return withGateway(context, async (gateway) => {
    const exported = await gateway.call(exportModelDefinitions, { team });
    if (!exported.ok) return reportFailure(context, exported.refusal);
    const tables = exported.value.tables.map(({ definition }) => definition);
    const { json = false } = options;
    if (name === undefined) return loadAll(context, gateway, { team, root, tables, mode, commit, json });
    const table = findTable(tables, name);
    if (typeof table === 'string') return reportUsageError(context, table);
    if (options.undo) return undo(context, gateway, { team, table }, json);
    return loadOne(context, gateway, { team, table, root, file, options, mode, commit });
  });
};

const undo = async (
  context: CommandContext,
  gateway: Gateway,
  { team, table }: { readonly team: string; readonly table: TableDefinition },
  json: boolean,
): Promise<ExitCode> => {
  const answer = await gateway.call(undoLoad, { team, schema: table.schema, table: table.id });
  if (!answer.ok) return reportFailure(context, answer.refusal);
  const { rows, dataVersion, kept } = answer.value;
  const said = `${table.schema}.${table.id}: has its ${formatCount(rows)} rows of before, data version ${dataVersion}; generations kept before it: ${kept}`;
  context.terminal.print(json ? JSON.stringify(answer.value, null, 2) : said);
  return exitCodes.done;
};

const keepingModes = ['append', 'upsert', 'delete'] as const satisfies readonly LoadMode[];

/** Or what is wrong with them, as a sentence. */
const readCommitOptions = ({ allowShrink, rowsMin }: LoadOptions): CommitOptions | string => {
  if (rowsMin === undefined) return { ...(allowShrink && { allowShrink }) };
  if (allowShrink) return '--allow-shrink and --rows-min exclude each other; give one of them.';
  return /^\d{1,15}$/.test(rowsMin) ? { rowsMin: Number(rowsMin) } : '--rows-min: expected a number of rows.';
};

type TableRequest = { readonly team: string; readonly table: TableDefinition } & Omit<LoadRequest, 'table'> &
  Pick<LoadTablesRequest, 'mode' | 'commit'>;

const loadOne = async (
  context: CommandContext,
  gateway: Gateway,
  { team, table, root, file, options, mode, commit }: TableRequest,
): Promise<ExitCode> => {
  const { format, delimiter, null: nullText, json = false } = options;
  const header = options.header === false ? false : undefined;
  const source = resolveLoadSource(table, root, { file, format, delimiter, null: nullText, header }, context.input);
  if (typeof source === 'string') return reportUsageError(context, `${source}.`);
  const bar = context.terminal.openRowsBar(`${table.schema}.${table.id}`, source.size);
  try {
    const [staged, ended] = [bar.advance, bar.close];
    const loaded = await runLoad(context, gateway, { team, table, source, mode, commit, staged, ended, json });
    if (typeof loaded === 'number') return loaded;
    if (json) context.terminal.print(JSON.stringify(loaded, null, 2));
    else printLoadedTables(context, [loaded]);
    return exitCodes.done;
  } finally {
    bar.close();
  }
};

const loadAll = async (context: CommandContext, gateway: Gateway, what: LoadTablesRequest): Promise<ExitCode> => {
  const loaded = await loadTables(context, gateway, what);
  if (typeof loaded === 'number') return loaded;
  if (loaded.length === 0) context.terminal.note('No table has a file here; there is nothing to load.');
  if (what.json) context.terminal.print(JSON.stringify({ loaded }, null, 2));
  return exitCodes.done;
};

/** By `schema.table`, or by `table` alone; else why none is meant. */
const findTable = (tables: readonly TableDefinition[], name: string): TableDefinition | string => {
  const nameOf = ({ schema, id }: TableDefinition): string => `${schema}.${id}`;
  const found = tables.filter((table) => nameOf(table) === name || table.id === name);
  const [first] = found;
  if (first && found.length === 1) return first;
  if (found.length > 1) return `"${name}" is one of ${found.map(nameOf).join(', ')}; name the schema too.`;
  const names = tables.flatMap((table) => [nameOf(table), table.id]);
  const suggestion = findNearestName(name, names);
  const hint = suggestion === undefined ? 'apply its definition first.' : `did you mean "${suggestion}"?`;
  return `the team has no table "${name}"; ${hint}`;
};
