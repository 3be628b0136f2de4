/**
 * A statement that travels with its settings (the tenant or the role of a team) in one flight up to one Sync, which PostgreSQL
 * runs as one implicit transaction: one round trip, and the settings end with it. Never a setting that outlives its statement.
 * It is a `Submittable` of pg, as the cursors of pg-cursor are, since pg's own pipelines and cursors take half as much
 * processor time again (docs/decisions/0002-tenant-in-one-round-trip.md); tenant-statement.spec.ts fails when pg changes.
 */
import pg from 'pg';
import type { Release } from '@tessera/fair-queue';
import { acquireConnectionFairly, acquireConnectionSlot, connectionQueueOf } from './acquire-fairly.js';
import { RequestAbandonedError } from './database-failure.js';
import { PreparedStatements, StatementNameCache } from './statement-names.js';

export type NamedStatement = {
  /** Unique for its text; prepared once per connection. */
  readonly name: string;
  readonly text: string;
  /** A list is one parameter, an array; an object is JSON. */
  readonly values: readonly unknown[];
};

export type TeamStatement = {
  /** Who reads; the role of the connection when absent, for a database of somebody else. */
  readonly role?: string;
  /** Whose share of the connections it takes. */
  readonly team: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Further settings, for this statement only. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Rows of a batch; all rows are one batch when absent, which alone may be read by several workers of PostgreSQL. */
  readonly batchRows?: number | undefined;
  /** Called with how long it ran until its first rows or its error, without the wait for a connection; not when it was never sent. */
  readonly tookMs?: (ms: number) => void;
};

/** By column; null where there is no value. */
export type TextRow = readonly (string | null)[];

export type TeamRows = {
  readonly first: readonly TextRow[];
  /** Whether there may be more rows than the first. */
  readonly hasMore: boolean;
  /** The next rows; none at the end. Rejects with the error of pg, or with `RequestAbandonedError` after it was closed. */
  readonly next: () => Promise<readonly TextRow[]>;
  /** The reader leaves: nothing is read any more. Harmless at the end. */
  readonly close: () => void;
};

/** What is held of one query of a team at once. */
const batchBytesMax = 64 * 1024 * 1024;

/** A batch does not fit into memory that was meant for it. */
export class RowsTooLargeError extends Error {
  constructor() {
    super(`Rows of more than ${batchBytesMax} bytes were to be held at once.`);
  }
}

/** Texts of teams that this process prepares, and how many statements each connection keeps. */
const statementsMax = 300;
const statementNames = new StatementNameCache(statementsMax);
const preparedOn = new WeakMap<pg.Connection, PreparedStatements>();

/** The portal of rows that come in batches; the unnamed one is used between them. */
const batchPortal = 'rows';

/** pg ignores this argument of its methods; their types require it. */
const unusedArgument = true;

type Statement<Row> = {
  readonly settings: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly values: readonly unknown[];
  /** Under which it is prepared; absent: it is not. Never a name that pg gives to a statement of its own. */
  readonly preparedName: string | undefined;
  /** For its span. pg would take a member `name` for that of a statement that it has prepared itself. */
  readonly statementName?: string;
  readonly batchRows?: number | undefined;
  readonly bytesMax?: number;
  readonly format: RowFormat<Row>;
};

/** What becomes of the texts of a row. Columns are described where rows name them. */
type RowFormat<Row> = {
  readonly isDescribed: boolean;
  readonly rowOf: (texts: TextRow, columns: readonly Column[]) => Row;
};
type Column = { readonly name: string; readonly parse: (text: string) => unknown };

const textRows: RowFormat<TextRow> = { isDescribed: false, rowOf: (texts) => texts };

const namedRows = <Row extends object>(): RowFormat<Row> => ({
  isDescribed: true,
  rowOf: (texts, columns) => {
    const row: Record<string, unknown> = {};
    columns.forEach(({ name, parse }, index) => {
      const text = texts[index] ?? null;
      row[name] = text === null ? null : parse(text);
    });
    return row as Row;
  },
});

/** `settings`: the answer to them is awaited; `idle`: PostgreSQL waits until the next rows are asked for. */
type Phase = 'settings' | 'reading' | 'idle' | 'ended';

/** Its `handle` methods are called by pg's client with what PostgreSQL answers. */
export class PipelinedStatement<Row> implements pg.Submittable {
  readonly #statement: Statement<Row>;
  readonly #release: (error?: Error) => void;
  #phase: Phase = 'settings';
  #connection: pg.Connection | undefined;
  #prepared: PreparedStatements | undefined;
  /** What counts as prepared once PostgreSQL has answered without an error. */
  readonly #unconfirmed: string[] = [];
  /** Whether the next answer is that to the small statement behind a batch. */
  #isBehindBatch = false;
  #columns: readonly Column[] = [];
  #rows: Row[] = [];
  #bytes = 0;
  #error: Error | undefined;
  #pending: PromiseWithResolvers<readonly Row[]> | undefined;

  constructor(statement: Statement<Row>, release: (error?: Error) => void) {
    this.#statement = statement;
    this.#release = release;
  }

  /** pg starts a timer that ends a query nobody answers, and puts a call that stops it in here. */
  callback: (error?: Error) => void = () => undefined;

  /** For its span, which has the first word. */
  get text(): string {
    return this.#statement.text;
  }

  get statementName(): string | undefined {
    return this.#statement.statementName;
  }

  /** The rows of a batch when all of them are there. */
  batch(): Promise<readonly Row[]> {
    const pending = Promise.withResolvers<readonly Row[]>();
    this.#pending = pending;
    this.#deliver();
    return pending.promise;
  }

  get hasMore(): boolean {
    return this.#phase !== 'ended' || this.#rows.length > 0;
  }

  /** Between two batches the connection stays good; in the middle of one only its end ends the work of PostgreSQL. */
  close(error: Error = new RequestAbandonedError()): void {
    if (this.#phase === 'ended') return;
    const isIdle = this.#phase === 'idle';
    this.#end(error);
    if (isIdle) this.#connection?.sync();
    this.#release(isIdle || !this.#connection ? undefined : error);
  }

  /** Answers the error by which pg goes on to the next query, when the reader left while this one waited for its turn. */
  submit(connection: pg.Connection): Error | null {
    if (this.#phase === 'ended') return new RequestAbandonedError();
    this.#connection = connection;
    this.#prepared = preparedOn.get(connection) ?? new PreparedStatements(statementsMax);
    preparedOn.set(connection, this.#prepared);
    const { settings, text, values, preparedName, batchRows, format } = this.#statement;
    // One write, as pg does for queries of its own.
    connection.stream.cork();
    this.#run(connection, `set_local_${settings.length}`, () => setSettingsSql(settings.length), settings.flat());
    if (preparedName === undefined) connection.parse({ name: '', text, types: [] }, unusedArgument);
    else this.#prepare(connection, preparedName, () => text);
    const bound = { statement: preparedName ?? '', values: values.map(toParameterText) };
    if (batchRows === undefined) {
      connection.bind(bound, unusedArgument);
      if (format.isDescribed) connection.describe({ type: 'P' }, unusedArgument);
      connection.execute(null, unusedArgument);
      connection.sync();
    } else {
      connection.bind({ ...bound, portal: batchPortal }, unusedArgument);
      this.#executeBatch(connection, batchRows);
    }
    connection.stream.uncork();
    return null;
  }

  /** A small statement without rows, which PostgreSQL answers with one CommandComplete. */
  #run(connection: pg.Connection, name: string, text: () => string, values: string[]): void {
    this.#prepare(connection, name, text);
    connection.bind({ statement: name, values }, unusedArgument);
    connection.execute(null, unusedArgument);
  }

  #prepare(connection: pg.Connection, name: string, text: () => string): void {
    const closing = this.#prepared?.use(name);
    if (!closing) return;
    for (const closed of closing) connection.close({ type: 'S', name: closed }, unusedArgument);
    connection.parse({ name, text: text(), types: [] }, unusedArgument);
    this.#unconfirmed.push(name);
  }

  /**
   * The clock of `statement_timeout` goes on while a batch is used, and stops when a statement has ended: so one of
   * nothing goes behind each batch, and each has the whole time for itself.
   */
  #executeBatch(connection: pg.Connection, batchRows: number): void {
    connection.stream.cork();
    // The types of pg want a text here; it is written as a number.
    connection.execute({ portal: batchPortal, rows: String(batchRows) }, unusedArgument);
    this.#run(connection, 'nothing', () => 'select where false', []);
    connection.flush();
    connection.stream.uncork();
  }

  handleRowDescription({
    fields,
  }: {
    readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: pg.types.getTypeParser(dataTypeID, 'text') as Column['parse'],
    }));
  }

  handleDataRow({ fields, length }: { readonly fields: TextRow; readonly length: number }): void {
    if (this.#phase === 'ended') return;
    const { format, bytesMax = Infinity } = this.#statement;
    this.#rows.push(format.rowOf(fields, this.#columns));
    this.#bytes += length;
    if (this.#bytes > bytesMax) this.close(new RowsTooLargeError());
  }

  handlePortalSuspended(): void {
    if (this.#phase === 'ended') return;
    this.#isBehindBatch = true;
    this.#phase = 'idle';
    this.#deliver();
  }

  handleCommandComplete(): void {
    if (this.#phase === 'settings') this.#phase = 'reading';
    else if (this.#isBehindBatch) this.#isBehindBatch = false;
    else if (this.#phase !== 'ended' && this.#statement.batchRows !== undefined) {
      this.#connection?.sync();
      this.#end();
      this.#release();
    }
  }

  /** What is not read in batches ends here: only now is it committed. */
  handleReadyForQuery(): void {
    if (this.#phase === 'ended') return;
    this.#end();
    this.#release();
  }

  handleError(error: Error): void {
    if (this.#phase === 'ended') return;
    const { preparedName, batchRows } = this.#statement;
    if (preparedName !== undefined && isStale(error)) this.#prepared?.unconfirm(preparedName);
    if (batchRows !== undefined) this.#connection?.sync();
    this.#end(error);
    this.#release(isFatalError(error) ? error : undefined);
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
    if (!this.#error) for (const name of this.#unconfirmed.splice(0)) this.#prepared?.confirm(name);
    if (!this.#pending) return;
    const { resolve, reject } = this.#pending;
    this.#pending = undefined;
    if (this.#error) return reject(this.#error);
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    if (this.#phase === 'idle' && this.#connection) {
      this.#phase = 'reading';
      this.#executeBatch(this.#connection, this.#statement.batchRows ?? 0);
    }
    resolve(rows);
  }
}

/** By how many settings it makes; `or`, since all have to be made and none gives null. */
export const setSettingsSql = (count: number): string =>
  `select where ${Array.from({ length: count }, (_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true) is null`).join(' or ')}`;

/**
 * Begins a transaction and runs its first statement in one flight. A query of pg's own, since a pipelined connection takes no
 * other; `begin` goes before it, up to the same Sync. When it rejects, it is unknown whether the transaction was begun.
 */
export const beginTransactionWithStatement = (
  client: pg.ClientBase,
  begin: string,
  first: NamedStatement,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query({ ...first, values: [...first.values] }, (error) => (error ? reject(error) : resolve()));
    const { submit } = query;
    query.submit = (connection) => {
      connection.stream.cork();
      connection.parse({ name: '', text: begin, types: [] }, unusedArgument);
      connection.bind({ statement: '', values: [] }, unusedArgument);
      connection.execute(null, unusedArgument);
      const refusal = submit.call(query, connection);
      connection.stream.uncork();
      return refusal;
    };
    client.query(query);
  });

/**
 * The rows of a statement, whose columns `Row` names as the statement does, read as `tenant` on a connection of the tenant's
 * share. Rejects with the error of pg; `toOutageFailure` tells whether it is an outage.
 */
export const readAsTenant = <Row extends object>(
  pool: pg.Pool,
  tenant: string,
  statement: NamedStatement,
): Promise<readonly Row[]> => {
  const endTurn = connectionQueueOf(pool).tryAcquire(tenant);
  const send = (held: Release): Promise<readonly Row[]> => sendAsTenant(pool, tenant, statement, held);
  return endTurn ? send(endTurn) : acquireConnectionSlot(pool, tenant).then(send);
};

const sendAsTenant = <Row extends object>(
  pool: pg.Pool,
  tenant: string,
  { name, text, values }: NamedStatement,
  endTurn: Release,
): Promise<readonly Row[]> =>
  new Promise((resolve, reject) => {
    pool.connect((connectError, client, release) => {
      if (connectError || !client) {
        endTurn();
        return reject(connectError ?? new Error('The pool gave no connection.'));
      }
      const settings = [['app.tenant', tenant]] as const;
      const query = new PipelinedStatement(
        { settings, text, values, preparedName: `t_${name}`, statementName: name, format: namedRows<Row>() },
        (error) => {
          release(error);
          endTurn();
        },
      );
      query.batch().then(resolve, reject);
      client.query(query);
    });
  });

/**
 * Resolves with the first rows. Rejects with the error of pg; `toOutageFailure` tells whether it is an outage. While
 * `signal` aborts, the query ends in PostgreSQL as well.
 */
export const readTeamRowsInBatches = async (
  pool: pg.Pool,
  statement: TeamStatement,
  signal: AbortSignal,
): Promise<TeamRows> => {
  try {
    return await sendAsTeam(pool, statement, signal, statementNames.nameFor(statement.text));
  } catch (error) {
    // Another generation of a table has come between: what was prepared for the one before is not tried again.
    if (error instanceof Error && isStale(error) && !signal.aborted)
      return sendAsTeam(pool, statement, signal, undefined);
    throw error;
  }
};

const sendAsTeam = async (
  pool: pg.Pool,
  { role, team, text, values, settings = {}, batchRows, tookMs }: TeamStatement,
  signal: AbortSignal,
  preparedName: string | undefined,
): Promise<TeamRows> => {
  const { client, release } = await acquireConnectionFairly(pool, team, signal);
  const onAbort = (): void => query.close();
  const asRole = role === undefined ? [] : [['role', role] as const];
  const local = [...Object.entries(settings), ['transaction_read_only', 'on'] as const, ...asRole];
  const query = new PipelinedStatement(
    { settings: local, text, values, preparedName, batchRows, bytesMax: batchBytesMax, format: textRows },
    (error) => {
      signal.removeEventListener('abort', onAbort);
      release(error);
    },
  );
  signal.addEventListener('abort', onAbort);
  const batch = query.batch();
  const sentMs = signal.aborted ? undefined : performance.now();
  if (sentMs === undefined) query.close();
  else client.query(query);
  const first = await batch.finally(() => {
    if (sentMs !== undefined) tookMs?.(performance.now() - sentMs);
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

/**
 * A failed statement leaves a usable connection behind; anything else does not, nor does a connection that does not have a
 * statement which was prepared on it.
 */
export const isFatalError = (error: Error): boolean =>
  !(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.code === '26000';

/** As PostgreSQL reads a value in text format. */
export const toParameterText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `{${value.map(arrayElementText).join(',')}}`;
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : JSON.stringify(value);
};

const arrayElementText = (item: unknown): string => {
  const text = toParameterText(item);
  if (text === null || Array.isArray(item)) return text ?? 'null';
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
};
