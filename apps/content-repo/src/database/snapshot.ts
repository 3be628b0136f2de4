/**
 * One consistent state of the database for as long as an answer is being written: REPEATABLE READ, READ ONLY, on one
 * connection. `close` gives it back; while a statement runs it cuts it, so that PostgreSQL stops working for nobody.
 * Statements run one after the other: on a pipelined connection they are sent at once, on another they queue. FETCH rather
 * than a portal of its own, since other statements (large rows, references) are read between two batches.
 */
import type { ByteReply } from '@tessera/contracts';
import { type Result, succeed } from '@tessera/failures';
import { jsonContentType, type OperationContext } from '@tessera/messaging';
import {
  type NamedStatement,
  openTenantTransaction,
  mapDatabaseErrors,
  RequestAbandonedError,
} from '@tessera/persistence';
import type pg from 'pg';
import { currentTables, type TenantReader } from './tenant-reader.js';

type CursorStatement = { readonly text: string; readonly values: readonly unknown[] };

type RowCursor<Row> = {
  /** The next rows, at most `rowsMax`; none at the end. */
  readonly fetch: (rowsMax: number) => Promise<readonly Row[]>;
};

export type Snapshot = TenantReader & {
  /** `Row` names the columns as the statement does. */
  readonly openCursor: <Row extends object>(statement: CursorStatement) => RowCursor<Row>;
  /** Idempotent; never rejects. */
  readonly close: () => Promise<void>;
};

/**
 * Rows stream in the order of an index. Without statistics (a storage that was just imported) the planner would rather
 * read everything, sort it on disk and only then answer the first row. The few rows of an ordered list inside a row are
 * sorted where they are gathered; in index order the whole facet would be read for them.
 */
const readInIndexOrder = { enable_sort: 'off', enable_presorted_aggregate: 'off' };

/** Closes by itself when `signal` aborts. Rejects with the error of pg when there is no connection, or with `RequestAbandonedError`. */
export const openSnapshot = async (pool: pg.Pool, tenant: string, signal: AbortSignal): Promise<Snapshot> => {
  const transaction = await openTenantTransaction(pool, tenant, {
    kind: 'snapshot',
    signal,
    settings: readInIndexOrder,
  });
  let last: Promise<unknown> = Promise.resolve();
  let running = 0;
  let cursors = 0;
  let closed = false;

  const send = async <Row extends object>(statement: pg.QueryConfig): Promise<readonly Row[]> => {
    if (closed) throw new RequestAbandonedError();
    const { rows } = await transaction.client.query<Row>(statement);
    return rows;
  };
  const query = <Row extends object>(statement: pg.QueryConfig): Promise<readonly Row[]> => {
    const turn = transaction.client.pipeline ? send<Row>(statement) : last.then(() => send<Row>(statement));
    running++;
    const counted = turn.finally(() => running--);
    last = counted.catch(() => undefined);
    return counted;
  };

  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    signal.removeEventListener('abort', onAbort);
    if (running > 0) transaction.abandon(new RequestAbandonedError());
    else await transaction.rollback().catch(() => undefined);
  };
  const onAbort = (): void => void close();
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) await close();

  return {
    tenant,
    tables: currentTables,
    read: <Row extends object>({ name, text, values }: NamedStatement) =>
      query<Row>({ name, text, values: [...values] }),
    openCursor: <Row extends object>({ text, values }: CursorStatement) => {
      const name = `rows_${++cursors}`;
      const declared = query({ text: `declare ${name} no scroll cursor for ${text}`, values: [...values] });
      return {
        // What goes wrong at the declaration is the failure of what is fetched behind it.
        fetch: async (rowsMax) => {
          const fetching = query<Row>({ text: `fetch forward ${Math.trunc(rowsMax)} from ${name}` });
          const [, rows] = await Promise.all([declared, fetching]);
          return rows;
        },
      };
    },
    close,
  };
};

export type StreamedReply = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces: AsyncIterator<Uint8Array, void, undefined>;
};

/** Runs `work` in a snapshot as the caller's team and streams what it answers; what is whole already goes out as it is. */
export const streamFromSnapshot = (
  pool: pg.Pool,
  context: OperationContext,
  work: (snapshot: Snapshot) => Promise<Result<ByteReply | StreamedReply>>,
): Promise<Result<ByteReply>> =>
  mapDatabaseErrors(async () => {
    const snapshot = await openSnapshot(pool, context.caller.team, context.signal);
    let reply: Result<ByteReply | StreamedReply>;
    try {
      reply = await work(snapshot);
    } catch (error) {
      await snapshot.close();
      throw error;
    }
    if (!reply.ok) {
      await snapshot.close();
      return reply;
    }
    const { value } = reply;
    if (!('pieces' in value)) {
      await snapshot.close();
      return succeed(value);
    }
    const { headers, pieces } = value;
    const body = closeAtEnd(pieces, snapshot);
    return succeed({ contentType: jsonContentType, ...(headers && { headers }), body });
  });

const closeAtEnd = (
  pieces: StreamedReply['pieces'],
  snapshot: Snapshot,
): AsyncIterable<Uint8Array> & AsyncIterator<Uint8Array, void> => ({
  [Symbol.asyncIterator]() {
    return this;
  },
  async next() {
    try {
      const step = await pieces.next();
      if (!step.done) return step;
    } catch (error) {
      await snapshot.close();
      throw error;
    }
    await snapshot.close();
    return { done: true, value: undefined };
  },
  async return() {
    await Promise.all([snapshot.close(), pieces.return?.()]);
    return { done: true, value: undefined };
  },
});
