/**
 * Loads a file into a table through the gateway: begin, stage batch by batch, commit. After any failure the load is
 * cancelled and the table keeps its rows. Memory holds a few batches.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestOf } from '@tessera/contracts';
import {
  beginLoad,
  cancelLoad,
  commitLoad,
  stageRows,
  type LoadFault,
  type LoadMode,
  type LoadStatus,
  type TableDefinition,
} from '@tessera/contracts/knowledge-models';
import {
  maxRecordBytes,
  splitRecords,
  type FileFault,
  type RecordBatch,
  type RecordFilePiece,
  type RecordFormat,
} from '@tessera/contracts/record-files';
import { createFaultList } from '@tessera/failures';
import { currentColumnName } from '@tessera/knowledge-model';
import type { Gateway } from '../gateway/gateway.js';
import type { RequestFailure } from '../gateway/request-failure.js';

const expectedHeader = 'expected a line with the names of the columns';

type ReadHeader =
  | { readonly ok: true; readonly columns: readonly string[] }
  | { readonly ok: false; readonly faults: readonly LoadFault[] };

const readHeader = (text: string, { table, delimiter, mode }: TableLoad): ReadHeader => {
  const titles = valuesOf(text.replace(/[\r\n]+$/, ''), delimiter).map((title) => title.trim());
  // A delimiter at the end of the line names nothing.
  const named = titles.slice(0, titles.findLastIndex((title) => title !== '') + 1);
  const names = named.map((name) => currentColumnName(table, name));
  if (names.length === 0) return { ok: false, faults: [{ line: 1, message: `is empty; ${expectedHeader}` }] };
  const key = table.primaryKey ?? [];
  const known = mode === 'delete' ? key : table.columns.map(({ id }) => id);
  const faults: LoadFault[] = names.flatMap((name, index) => {
    if (names.indexOf(name) !== index) return [{ line: 1, column: name, message: 'is named twice' }];
    return known.includes(name) ? [] : unknownColumn(table, name, known);
  });
  const isWhole = mode === 'replace' || mode === 'append';
  for (const { id, nullable } of table.columns)
    if (!names.includes(id) && (key.includes(id) || (isWhole && nullable === false)))
      faults.push({ line: 1, column: id, message: 'is not in the header, but every row needs a value' });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, columns: names };
};

const unknownColumn = ({ schema, id }: TableDefinition, name: string, known: readonly string[]): LoadFault[] => {
  const list = createFaultList('header');
  list.unknown([], `column of ${schema}.${id}`, name, known);
  return list.faults.map(({ message }) => ({ line: 1, message }));
};

/** Of one record, without its quotes. */
const valuesOf = (text: string, delimiter: string): readonly string[] => {
  const values = [''];
  let isOpen = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"' && isOpen && text[at + 1] === '"') at += 1;
    else if (character === '"') {
      isOpen = !isOpen;
      continue;
    } else if (character === delimiter && !isOpen) {
      values.push('');
      continue;
    }
    values[values.length - 1] += character;
  }
  return values;
};

/** How few rows the load may leave. */
export type CommitOptions = Pick<RequestOf<typeof commitLoad>['commit'], 'allowShrink' | 'rowsMin'>;

const describeFileFault = (fault: FileFault): LoadFault => ({ line: fault.line, message: messageOf(fault) });

const messageOf = (fault: FileFault): string => {
  switch (fault.fault) {
    case 'empty':
      return 'is empty; expected rows';
    case 'unclosedQuote':
      return 'a quote is opened here and never closed';
    case 'emptyLines':
      return 'many lines without values begin here; only the end of a file may have them';
    case 'compression':
      return 'the gzip of the file is damaged, cut off or of several parts; pack it again as one';
    case 'longRow': {
      const { openedAt } = fault;
      const quoted = openedAt === undefined ? '' : `; a quote is opened in line ${openedAt}, is it closed?`;
      return `is longer than the ${maxRecordBytes} bytes that a row may have${quoted}`;
    }
    case 'encoding': {
      const { encoding, byte, offset } = fault;
      const hex = byte.toString(16).toUpperCase().padStart(2, '0');
      return `is not ${encoding.toUpperCase()}: the byte 0x${hex} behind ${offset} bytes begins no character; save the file as UTF-8`;
    }
  }
};
type TableLoad = {
  readonly team: string;
  readonly table: TableDefinition;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly format: RecordFormat;
  readonly hasHeader: boolean;
  readonly delimiter: string;
  readonly null: string;
  readonly mode: LoadMode;
  readonly commit: CommitOptions;
  /** Hears how many more bytes and rows are staged. */
  readonly staged: (bytes: number, rows: number) => void;
  readonly stopping: AbortSignal;
};

type LoadResult =
  | { readonly kind: 'loaded'; readonly status: LoadStatus }
  | { readonly kind: 'faults'; readonly faults: readonly LoadFault[] }
  | { readonly kind: 'refused'; readonly refusal: RequestFailure };

type LoadKey = { readonly team: string; readonly schema: string; readonly table: string; readonly loadId: string };
type LoadFailure = Exclude<LoadResult, { readonly kind: 'loaded' }>;

const inFlightMax = 4;
const pollMs = 250;

/** `closing` cancels the load, also when the rest was interrupted. */
export const loadTable = async (gateway: Gateway, closing: Gateway, what: TableLoad): Promise<LoadResult> => {
  const pieces = splitRecords(what.bytes, what);
  const begun = await beginOneLoad(gateway, what, pieces);
  if (!('loadId' in begun)) return begun;
  let end: LoadResult | undefined;
  try {
    const staged = await stageAll(gateway, begun, pieces, what);
    const commit = { ...what.commit, ...staged };
    end = 'kind' in commit ? commit : await commitOneLoad(gateway, begun, commit, what.stopping);
    return end;
  } finally {
    // What cannot be cancelled any more is forgotten by the service after a day.
    if (end?.kind !== 'loaded') await closing.call(cancelLoad, begun).catch(() => undefined);
  }
};

const beginOneLoad = async (
  gateway: Gateway,
  what: TableLoad,
  pieces: AsyncGenerator<RecordFilePiece, undefined>,
): Promise<LoadKey | LoadFailure> => {
  const { team, table, format, delimiter, null: nullText, mode } = what;
  const names = { team, schema: table.schema, table: table.id };
  const header = what.hasHeader ? await readColumns(what, pieces) : undefined;
  if (header?.ok === false) return { kind: 'faults', faults: header.faults };
  const begun = await gateway.call(beginLoad, {
    ...names,
    begin: {
      ...{ format, delimiter, null: nullText, mode },
      ...(header && { columns: [...header.columns] }),
    },
  });
  return begun.ok ? { ...names, loadId: begun.value.loadId } : { kind: 'refused', refusal: begun.refusal };
};

const readColumns = async (what: TableLoad, pieces: AsyncGenerator<RecordFilePiece, undefined>) => {
  const { value: first } = await pieces.next();
  if (first?.kind === 'header') return readHeader(first.text, what);
  return { ok: false, faults: first?.kind === 'fault' ? [describeFileFault(first)] : [] } as const;
};

/** How many batches there were, or the first thing that went wrong. */
const stageAll = async (
  gateway: Gateway,
  key: LoadKey,
  pieces: AsyncIterable<RecordFilePiece>,
  { staged }: TableLoad,
): Promise<{ readonly batches: number } | LoadFailure> => {
  const inFlight = new Set<Promise<void>>();
  const failed: { readonly ordinal: number; readonly end: LoadFailure }[] = [];
  let batches = 0;
  const stage = async ({ firstLine, text, bytes }: RecordBatch, ordinal: number): Promise<void> => {
    const answer = await gateway.call(stageRows, { ...key, batch: { ordinal, firstLine, text } });
    if (answer.ok) staged(bytes, answer.value.rows);
    else failed.push({ ordinal, end: failureOf(answer.refusal) });
  };
  try {
    for await (const piece of pieces) {
      if (failed.length > 0) break;
      if (piece.kind === 'fault') {
        failed.push({ ordinal: batches, end: { kind: 'faults', faults: [describeFileFault(piece)] } });
        break;
      }
      if (piece.kind === 'header') continue;
      const sending = stage(piece, batches).finally(() => inFlight.delete(sending));
      batches += 1;
      inFlight.add(sending);
      if (inFlight.size >= inFlightMax) await Promise.race(inFlight);
    }
  } finally {
    await Promise.allSettled(inFlight);
  }
  // After a load is refused, other batches only get that answer.
  const reportedKind = failed.some(({ end }) => end.kind === 'faults') ? 'faults' : 'refused';
  const first = failed
    .filter(({ end }) => end.kind === reportedKind)
    .sort((left, right) => left.ordinal - right.ordinal)[0];
  return first?.end ?? { batches };
};

/** Faults of rows come with `<line>.<column>` as far as these are known. */
const failureOf = (refusal: RequestFailure): LoadFailure => {
  const rowFaults = refusal.kind === 'refused' ? refusal.problem.faults.filter((fault) => fault.in === 'rows') : [];
  const faults = rowFaults.map(({ path, message }): LoadFault => {
    const [, line, column] = /^(\d+)?\.?(.*)$/s.exec(path) ?? [];
    return { ...(line && { line: Number(line) }), ...(column && { column }), message };
  });
  return faults.length > 0 ? { kind: 'faults', faults } : { kind: 'refused', refusal };
};

/** Polls until the commit is done; a repeated commit does nothing twice. */
const commitOneLoad = async (
  gateway: Gateway,
  key: LoadKey,
  commit: RequestOf<typeof commitLoad>['commit'],
  stopping: AbortSignal,
): Promise<LoadResult> => {
  for (;;) {
    const answer = await gateway.call(commitLoad, { ...key, commit });
    if (!answer.ok) return failureOf(answer.refusal);
    const { state, faults = [] } = answer.value;
    if (state === 'committed') return { kind: 'loaded', status: answer.value };
    if (state === 'refused') return { kind: 'faults', faults };
    await sleep(pollMs, undefined, { signal: stopping }).catch(() => undefined);
  }
};
