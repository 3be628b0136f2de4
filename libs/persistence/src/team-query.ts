/**
 * One statement whose text a caller shaped, run as the role of a team, read-only, in one round trip. Rows are the texts
 * that PostgreSQL sends, not parsed; what is large comes in batches, the next while the one before is used.
 * Refuses: writing, settings that outlive the statement, and to work on for a reader that has left.
 */
import pg from 'pg';
import { acquireFairly } from './acquire-fairly.js';
import { ReaderGone } from './database-failure.js';
import { more, sendNothing, sendSettings, type LocalSettings } from './local-settings.js';
import { PreparedStatements, StatementNames } from './statement-names.js';
import { isFatal } from './tenant-query.js';

type TextValue = string | number | boolean | null;

export type TeamStatement = {
  /** Who reads; the role of the connection when absent, for a database of somebody else. */
  readonly role?: string;
  /** Whose share of the connections it takes. */
  readonly team: string;
  readonly text: string;
  /** A list is one parameter, an array. */
  readonly values: readonly (TextValue | readonly TextValue[])[];
  /** Further settings, for this statement only. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Rows of a batch; all rows are one batch when absent, which alone may be read by several workers of PostgreSQL. */
  readonly batchRows?: number | undefined;
  /** Told how long it ran until its first rows or its error, without the wait for a connection; not told of what was never sent. */
  readonly tookMs?: (ms: number) => void;
};

/** By column; null where there is no value. */
export type TextRow = readonly (string | null)[];

export type TeamRows = {
  readonly first: readonly TextRow[];
  /** Whether there may be more rows than the first. */
  readonly hasMore: boolean;
  /** The next rows; none at the end. Rejects with the error of pg, or with `ReaderGone` after it was closed. */
  readonly next: () => Promise<readonly TextRow[]>;
  /** The reader leaves: nothing is read any more. Harmless at the end. */
  readonly close: () => void;
};

/** Texts of this process that are prepared, and how many of them each connection keeps. */
const statementsMax = 300;
const names = new StatementNames(statementsMax);
const preparedOn = new WeakMap<pg.Connection, PreparedStatements>();

/** The portal of rows that come in batches; the unnamed one is used between them. */
const portal = 'rows';

/** `E`, its length, the portal, the number of rows; the types of pg take no number. */
const executeRows = (rowsMax: number): Buffer => {
  const message = Buffer.from(`E....${portal}\0....`, 'latin1');
  message.writeInt32BE(message.length - 1, 1);
  message.writeInt32BE(rowsMax, message.length - 4);
  return message;
};

/** What is held of one query at once. */
const batchBytesMax = 64 * 1024 * 1024;

/** A batch does not fit into memory that was meant for it. */
export class RowsTooLarge extends Error {
  constructor() {
    super(`Rows of more than ${batchBytesMax} bytes were to be held at once.`);
  }
}

/** `settings`: the answer to them is awaited; `idle`: PostgreSQL waits until the next rows are asked for. */
type Phase = 'settings' | 'reading' | 'idle' | 'ended';

class TeamQuery {
  readonly #statement: TeamStatement;
  readonly #name: string | undefined;
  readonly #release: (error?: Error) => void;
  #phase: Phase = 'settings';
  #connection: pg.Connection | undefined;
  #prepared: PreparedStatements | undefined;
  #isConfirmed = false;
  /** Whether the next answer is that to the small statement behind a batch. */
  #isBehindBatch = false;
  #rows: TextRow[] = [];
  #bytes = 0;
  #error: Error | undefined;
  #asked: PromiseWithResolvers<readonly TextRow[]> | undefined;

  constructor(statement: TeamStatement, name: string | undefined, release: (error?: Error) => void) {
    this.#statement = statement;
    this.#name = name;
    this.#release = release;
  }

  /** pg puts a clock around it that ends a query nobody answers; it stands still once this is called. */
  callback: (error?: Error) => void = () => undefined;

  /** For its span, which tells the first word. */
  get text(): string {
    return this.#statement.text;
  }

  /** The rows of a batch when all of them are there. */
  batch(): Promise<readonly TextRow[]> {
    const asked = Promise.withResolvers<readonly TextRow[]>();
    this.#asked = asked;
    this.#deliver();
    return asked.promise;
  }

  get hasMore(): boolean {
    return this.#phase !== 'ended' || this.#rows.length > 0;
  }

  /** Between two batches the connection stays good; in the middle of one only its end ends the work of PostgreSQL. */
  close(error: Error = new ReaderGone()): void {
    if (this.#phase === 'ended') return;
    const isIdle = this.#phase === 'idle';
    this.#end(error);
    if (isIdle) this.#connection?.sync();
    this.#release(isIdle || !this.#connection ? undefined : error);
  }

  /** Answers the error by which pg goes on to the next query, when the reader left while this one waited for its turn. */
  submit(connection: pg.Connection): Error | null {
    if (this.#phase === 'ended') return new ReaderGone();
    this.#connection = connection;
    const { role, text, values, settings = {}, batchRows } = this.#statement;
    connection.stream.cork();
    const asRole: LocalSettings = role === undefined ? [] : [['role', role]];
    sendSettings(connection, [...Object.entries(settings), ['transaction_read_only', 'on'], ...asRole]);
    this.#prepare(connection, text);
    const bound = { statement: this.#name ?? '', values: values.map(textOf) };
    if (batchRows === undefined) {
      connection.bind(bound, more);
      connection.execute(null, more);
      connection.sync();
    } else {
      connection.bind({ ...bound, portal }, more);
      this.#execute(connection, batchRows);
    }
    connection.stream.uncork();
    return null;
  }

  #prepare(connection: pg.Connection, text: string): void {
    if (this.#name === undefined) return connection.parse({ name: '', text, types: [] }, more);
    this.#prepared = preparedOn.get(connection) ?? new PreparedStatements(statementsMax);
    preparedOn.set(connection, this.#prepared);
    const closing = this.#prepared.use(this.#name);
    if (!closing) return;
    for (const name of closing) connection.close({ type: 'S', name }, more);
    connection.parse({ name: this.#name, text, types: [] }, more);
  }

  /**
   * The clock of `statement_timeout` goes on while a batch is used, and stops when a statement has ended: so one of
   * nothing goes behind each batch, and each has the whole time for itself.
   */
  #execute(connection: pg.Connection, batchRows: number): void {
    connection.stream.cork();
    connection.stream.write(executeRows(batchRows));
    sendNothing(connection);
    connection.flush();
    connection.stream.uncork();
  }

  handleDataRow({ fields, length }: { readonly fields: TextRow; readonly length: number }): void {
    if (this.#phase === 'ended') return;
    this.#rows.push(fields);
    this.#bytes += length;
    if (this.#bytes > batchBytesMax) this.close(new RowsTooLarge());
  }

  handlePortalSuspended(): void {
    if (this.#phase === 'ended') return;
    this.#isBehindBatch = true;
    this.#phase = 'idle';
    this.#deliver();
  }

  handleCommandComplete(): void {
    if (this.#phase === 'ended') return;
    if (this.#phase === 'settings') {
      this.#phase = 'reading';
      return;
    }
    if (this.#isBehindBatch) {
      this.#isBehindBatch = false;
      return;
    }
    if (this.#statement.batchRows !== undefined) this.#connection?.sync();
    this.#end();
    this.#release();
  }

  handleError(error: Error): void {
    if (this.#phase === 'ended') return;
    if (this.#name !== undefined && isStale(error)) this.#prepared?.doubt(this.#name);
    if (this.#statement.batchRows !== undefined) this.#connection?.sync();
    this.#end(error);
    this.#release(isFatal(error) ? error : undefined);
  }

  handleReadyForQuery(): void {
    // Everything was said when the statement ended; the connection is the pool's again.
  }

  #end(error?: Error): void {
    this.#phase = 'ended';
    this.#error = error;
    if (error) this.#rows = [];
    this.#deliver();
  }

  /** Gives what was asked for, and asks PostgreSQL for the next rows while these are used. */
  #deliver(): void {
    if (this.#phase === 'settings' || this.#phase === 'reading') return;
    this.callback(this.#error);
    if (!this.#error) this.#confirm();
    if (!this.#asked) return;
    const { resolve, reject } = this.#asked;
    this.#asked = undefined;
    if (this.#error) return reject(this.#error);
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    if (this.#phase === 'idle' && this.#connection) {
      this.#phase = 'reading';
      this.#execute(this.#connection, this.#statement.batchRows ?? 0);
    }
    resolve(rows);
  }

  #confirm(): void {
    if (this.#isConfirmed || this.#name === undefined) return;
    this.#isConfirmed = true;
    this.#prepared?.confirm(this.#name);
  }
}

/**
 * Resolves with the first rows. Rejects with the error of pg; `databaseFailure` tells whether it is an outage. While
 * `signal` aborts, the query ends in PostgreSQL as well.
 */
export const readAsTeam = async (pool: pg.Pool, statement: TeamStatement, signal: AbortSignal): Promise<TeamRows> => {
  try {
    return await attempt(pool, statement, signal, names.nameFor(statement.text));
  } catch (error) {
    // Another generation of a table has come between: what was prepared for the one before is not tried again.
    if (error instanceof Error && isStale(error) && !signal.aborted) return attempt(pool, statement, signal, undefined);
    throw error;
  }
};

const attempt = async (
  pool: pg.Pool,
  statement: TeamStatement,
  signal: AbortSignal,
  name: string | undefined,
): Promise<TeamRows> => {
  const { client, release } = await acquireFairly(pool, statement.team, signal);
  const onAbort = (): void => query.close();
  const query = new TeamQuery(statement, name, (error) => {
    signal.removeEventListener('abort', onAbort);
    release(error);
  });
  signal.addEventListener('abort', onAbort);
  const batch = query.batch();
  const sentMs = signal.aborted ? undefined : performance.now();
  if (sentMs === undefined) query.close();
  else client.query(query);
  const first = await batch.finally(() => {
    if (sentMs !== undefined) statement.tookMs?.(performance.now() - sentMs);
  });
  return {
    first,
    hasMore: query.hasMore,
    next: () => query.batch(),
    close: () => query.close(),
  };
};

/** SQLSTATE of what is not there, or not as it was when the statement was prepared. */
const staleStates = new Set(['0A000', '26000', '42P01', '42703']);
const isStale = (error: Error): boolean =>
  error instanceof pg.DatabaseError &&
  (staleStates.has(error.code ?? '') || error.message.startsWith('could not open relation'));

/** As PostgreSQL reads a value in text format; a list is an array literal. */
const textOf = (value: TextValue | readonly TextValue[]): string | null => {
  if (value === null) return null;
  if (typeof value !== 'object') return String(value);
  return `{${value.map((item) => (item === null ? 'null' : `"${String(item).replaceAll(/["\\]/g, '\\$&')}"`)).join(',')}}`;
};
