/** Runs a load and prints its result, or every fault with its line. */
import type { LoadFault, LoadMode, OrphanedReferences, TableDefinition } from '@tessera/contracts/knowledge-models';
import { reportFailure, type CommandContext } from '../commands/command.js';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { openGateway, type Gateway } from '../gateway/gateway.js';
import { formatCount, ratePerSecond } from '../terminal/terminal.js';
import type { LoadSource } from './load-source.js';
import { loadTable, type CommitOptions } from './load-table.js';

type LoadRequest = {
  readonly team: string;
  readonly table: TableDefinition;
  readonly source: LoadSource;
  readonly mode: LoadMode;
  readonly commit: CommitOptions;
  readonly staged: (bytes: number, rows: number) => void;
  /** Called before anything is printed. */
  readonly ended?: () => void;
  readonly json: boolean;
};

export type LoadedTable = {
  readonly table: string;
  /** What the file had. */
  readonly rows: number;
  /** The rows that the table has, when some of it stayed. */
  readonly tableRows?: number;
  readonly dataVersion?: number;
  readonly seconds: number;
  /** Absent when there are none. */
  readonly orphans?: readonly OrphanedReferences[];
};

/** The result of the load, or an exit code after its faults were printed. */
export const runLoad = async (
  context: CommandContext,
  gateway: Gateway,
  { team, table, source, mode, commit, staged, ended, json }: LoadRequest,
): Promise<LoadedTable | ExitCode> => {
  const began = Date.now();
  // An interrupted load is cancelled by a request of its own.
  const closing = openGateway(context.configuration, new AbortController().signal);
  const { format, delimiter, null: nullText } = source;
  let sent = 0;
  const stagedHere: LoadRequest['staged'] = (bytes, rows) => {
    sent += rows;
    staged(bytes, rows);
  };
  const end = await loadTable(gateway, closing.ok ? closing.value : gateway, {
    ...{ team, table, format, delimiter, null: nullText, mode, commit, staged: stagedHere },
    bytes: source.bytes(),
    hasHeader: source.hasHeader && format === 'csv',
    stopping: context.stopping,
  });
  ended?.();
  const name = `${table.schema}.${table.id}`;
  switch (end.kind) {
    case 'loaded': {
      const { rows, dataVersion, orphans } = end.status;
      const seconds = (Date.now() - began) / 1_000;
      const counts = mode !== 'replace' ? { rows: sent, tableRows: rows } : { rows };
      return {
        table: name,
        ...counts,
        seconds,
        ...(dataVersion !== undefined && { dataVersion }),
        ...(orphans && { orphans }),
      };
    }
    case 'faults':
      printFaults(context, source.name, end.faults, json);
      context.terminal.note(`Nothing was loaded into ${name}.`);
      return exitCodes.faults;
    case 'refused':
      context.terminal.note(`Nothing was loaded into ${name}.`);
      return reportFailure(context, end.refusal);
  }
};

const printFaults = ({ terminal }: CommandContext, file: string, faults: readonly LoadFault[], json: boolean): void => {
  if (json) {
    const placed = faults.map((fault) => ({ file, ...fault }));
    terminal.print(JSON.stringify({ faults: placed, count: faults.length }, null, 2));
    return;
  }
  for (const fault of faults) terminal.print(loadFaultLine(file, fault));
};

/** `tables/po_item.csv:12: column net_amount: "x" is not a number` */
const loadFaultLine = (file: string, { line, column, message }: LoadFault): string =>
  [line === undefined ? file : `${file}:${line}`, ...(column === undefined ? [] : [`column ${column}`]), message].join(
    ': ',
  );

/** In the order in which they were put in place. What a later load has looked at again is told by that one alone. */
export const printLoadedTables = ({ terminal }: CommandContext, tables: readonly LoadedTable[]): void => {
  for (const table of tables) terminal.print(formatLoadedTable(table));
  tables.forEach(({ table, orphans = [] }, at) => {
    const later = new Set(tables.slice(at + 1).map((loaded) => loaded.table));
    const [schema] = table.split('.');
    for (const found of orphans)
      if (![found.from, found.to].some((id) => later.has(`${schema}.${id}`))) terminal.print(formatOrphans(found));
  });
};

/** `! 3 rows of po_item lead to no purchase_order: order_no "A", "B", "C"` */
const formatOrphans = ({ from, columns, to, rows, values }: OrphanedReferences): string => {
  const shown = values.map((value) => `"${value.join(' ')}"`).join(', ');
  return `! ${rowCount(rows)} of ${from} ${rows === 1 ? 'leads' : 'lead'} to no ${to}: ${columns.join(' ')} ${shown}`;
};

/** `p2p.po_item: 62,000 rows in 1.2 s (51,667 rows/s), data version 3` */
const formatLoadedTable = ({ table, rows, tableRows, seconds, dataVersion }: LoadedTable): string => {
  const version = dataVersion === undefined ? '' : `, data version ${dataVersion}`;
  const inAll = tableRows === undefined ? '' : `; the table has ${rowCount(tableRows)}`;
  return `${table}: ${rowCount(rows)} in ${seconds.toFixed(1)} s (${formatCount(ratePerSecond(rows, seconds * 1_000))} rows/s)${version}${inAll}`;
};

const rowCount = (rows: number): string => `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`;
