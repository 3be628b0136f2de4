/**
 * All rows of a statement as the CSV of COPY, in pieces: several times as fast as rows that pg makes, since nothing looks into
 * them. COPY takes no parameters, so the values travel as settings of its transaction; never as a part of its text. Lines end
 * as RFC 4180 has it.
 */
import type pg from 'pg';
import { acquireConnectionFairly } from './acquire-fairly.js';
import { RequestAbandonedError } from './database-failure.js';
import { isFatalError, toParameterText, setSettingsSql, type TeamStatement } from './tenant-statement.js';

export type TeamCopyStatement = Omit<TeamStatement, 'batchRows'> & {
  /** PostgreSQL ends it then, and a reader that has not taken everything. */
  readonly timeoutMs: number;
  /**
   * With more that waits for the reader PostgreSQL waits, so that one turn of the event loop takes little more from a socket that is full:
   * 128 KiB when absent.
   */
  readonly waitingBytesMax?: number;
  /** Told when its connection is free again. */
  readonly onEnd?: () => void;
};

export type CsvPieces = AsyncIterableIterator<Uint8Array>;

const pieceBytes = 60 * 1024;
const usualWaitingBytesMax = 128 * 1024;

const [lineFeed, carriageReturn] = [10, 13];

/** pg starts a timer that ends a query nobody answers, and puts a call that stops it in `callback`. */
class CopyStatement implements pg.Submittable {
  readonly #text: string;
  readonly #settings: readonly string[];
  readonly #release: (error?: Error) => void;
  readonly #waitingBytesMax: number;
  #connection: pg.Connection | undefined;
  #state: 'running' | 'ended' = 'running';
  #error: Error | undefined;
  #piece = Buffer.allocUnsafe(pieceBytes);
  #filled = 0;
  #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  #isPaused = false;
  #reader: PromiseWithResolvers<void> | undefined;

  constructor(
    text: string,
    settings: readonly (readonly [string, string])[],
    waitingBytesMax: number,
    release: (error?: Error) => void,
  ) {
    this.#text = text;
    this.#settings = settings.flat();
    this.#waitingBytesMax = waitingBytesMax;
    this.#release = release;
  }

  callback: (error?: Error) => void = () => undefined;

  /** For its span. */
  get text(): string {
    return this.#text;
  }

  submit(connection: pg.Connection): Error | null {
    if (this.#state === 'ended') return new RequestAbandonedError();
    this.#connection = connection;
    connection.stream.cork();
    this.#run(connection, setSettingsSql(this.#settings.length / 2), [...this.#settings]);
    this.#run(connection, this.#text, []);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  #run(connection: pg.Connection, text: string, values: string[]): void {
    connection.parse({ name: '', text, types: [] }, true);
    connection.bind({ values }, true);
    connection.execute(null, true);
  }

  /** The next piece, or undefined behind the last. Rejects with the error of pg, or with `RequestAbandonedError` after it was closed. */
  async next(): Promise<Uint8Array | undefined> {
    while (this.#pieces.length === 0 && this.#state === 'running') {
      this.#reader ??= Promise.withResolvers();
      await this.#reader.promise;
    }
    if (this.#error) throw this.#error;
    const piece = this.#pieces.shift();
    this.#waitingBytes -= piece?.length ?? 0;
    if (this.#isPaused && this.#waitingBytes < this.#waitingBytesMax / 2) this.#pause(false);
    return piece;
  }

  /** In the middle of a COPY only the end of the connection ends the work of PostgreSQL. */
  close(error: Error = new RequestAbandonedError()): void {
    if (this.#state === 'ended') return;
    this.#end(error);
    this.#release(this.#connection ? error : undefined);
  }

  /** One line; its bytes belong to the connection. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#state === 'ended') return;
    const lineBytes = chunk.length + 1;
    if (this.#filled + lineBytes > this.#piece.length) this.#cut(lineBytes);
    chunk.copy(this.#piece, this.#filled);
    this.#filled += lineBytes;
    this.#piece[this.#filled - 2] = carriageReturn;
    this.#piece[this.#filled - 1] = lineFeed;
  }

  handleCommandComplete(): void {
    // Settings are complete before COPY is; both end here.
  }

  handleReadyForQuery(): void {
    if (this.#state === 'ended') return;
    this.#cut(0);
    this.#end();
    this.#release();
  }

  handleError(error: Error): void {
    if (this.#state === 'ended') return;
    this.#end(error);
    this.#release(isFatalError(error) ? error : undefined);
  }

  #cut(nextBytes: number): void {
    if (this.#filled > 0) {
      this.#pieces.push(this.#piece.subarray(0, this.#filled));
      this.#waitingBytes += this.#filled;
      this.#piece = Buffer.allocUnsafe(Math.max(pieceBytes, nextBytes));
      this.#filled = 0;
      this.callback();
      this.#wakeReader();
      if (!this.#isPaused && this.#waitingBytes > this.#waitingBytesMax) this.#pause(true);
    } else if (nextBytes > this.#piece.length) this.#piece = Buffer.allocUnsafe(nextBytes);
  }

  #pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (isPaused) this.#connection?.stream.pause();
    else this.#connection?.stream.resume();
  }

  #end(error?: Error): void {
    this.#state = 'ended';
    this.#error = error;
    if (error) this.#pieces = [];
    this.callback(error);
    this.#wakeReader();
  }

  #wakeReader(): void {
    this.#reader?.resolve();
    this.#reader = undefined;
  }
}

/**
 * Resolves with the lines when the first are there. Rejects with the error of pg; `toOutageFailure` tells whether it is an
 * outage. The reader leaves by `return`, or by the signal.
 */
export const copyAsTeam = async (
  pool: pg.Pool,
  {
    role,
    team,
    text,
    values,
    settings = {},
    timeoutMs,
    tookMs,
    waitingBytesMax = usualWaitingBytesMax,
    onEnd,
  }: TeamCopyStatement,
  signal: AbortSignal,
): Promise<CsvPieces> => {
  const { client, release } = await acquireConnectionFairly(pool, team, signal);
  const asRole = role === undefined ? [] : [['role', role] as const];
  const local = [
    ...Object.entries(settings),
    ...values.flatMap((value, index) => {
      const setting = toParameterText(value);
      return setting === null ? [] : [[settingName(index + 1), setting] as const];
    }),
    ...[['statement_timeout', String(timeoutMs)] as const, ['transaction_read_only', 'on'] as const],
    ...asRole,
  ];
  const close = (): void => copy.close();
  const timer = setTimeout(close, timeoutMs).unref();
  const copy = new CopyStatement(copyText(text, values), local, waitingBytesMax, (error) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', close);
    release(error);
    onEnd?.();
  });
  signal.addEventListener('abort', close);
  const sentMs = performance.now();
  if (signal.aborted) copy.close();
  else client.query(copy);
  const first = await copy.next().finally(() => tookMs?.(performance.now() - sentMs));
  return piecesOf(copy, first);
};

const piecesOf = (copy: CopyStatement, first: Uint8Array | undefined): CsvPieces => {
  let before = first;
  const step = (value: Uint8Array | undefined): IteratorResult<Uint8Array, undefined> =>
    value === undefined ? { done: true, value } : { done: false, value };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => {
      const given = before;
      before = undefined;
      return step(given ?? (await copy.next()));
    },
    return: () => {
      copy.close();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
};

const settingName = (parameter: number | string): string => `tessera.p${parameter}`;

/** Names and texts in quotes, which are left as they are, and parameters. */
const quotedOrParameter = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)/g;

/** Each value is read once, as a parameter is: settings themselves are read for every row. */
const copyText = (text: string, values: readonly unknown[]): string =>
  `copy (${text.replaceAll(quotedOrParameter, (found, parameter: string | undefined) => {
    if (parameter === undefined) return found;
    const value = values[Number(parameter) - 1];
    return value === null || value === undefined ? 'null' : `(select current_setting('${settingName(parameter)}'))`;
  })}) to stdout (format csv)`;
