/**
 * Speaks to ClickHouse by its client, which only this file knows. Never tells what the server says of a statement: it may hold values
 * of rows.
 */
import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { clickhouseCsv, type ColumnarRefusalReason } from '@tessera/knowledge-model';

/** The message names an error of the server or of the network, and holds no value. */
export class ClickhouseFailure extends Error {
  constructor(
    readonly reason: ColumnarRefusalReason,
    message: string,
  ) {
    super(message);
    this.name = 'ClickhouseFailure';
  }
}

export type ClickhouseConnectionOptions = {
  /** With user, password and database. */
  readonly url: string;
  readonly connectionsMax: number;
};

export type StatementOptions = {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** On the server, whose own limit holds when it is absent. */
  readonly memoryBytes?: number;
};

export type TextRows = readonly (readonly (string | null)[])[];

/** Numbers of errors by which the server says why, rather than that something is wrong with the statement. */
const reasonsByCode: Readonly<Record<string, ColumnarRefusalReason>> = {
  // UNKNOWN_TABLE, TABLE_IS_DROPPED, UNKNOWN_DATABASE
  ...{ 60: 'no-table', 218: 'no-table', 81: 'no-table' },
  // TIMEOUT_EXCEEDED, TOO_SLOW
  ...{ 159: 'timeout', 160: 'timeout' },
  // TOO_MANY_SIMULTANEOUS_QUERIES, NO_FREE_CONNECTION
  ...{ 202: 'busy', 203: 'busy' },
  // MEMORY_LIMIT_EXCEEDED, NOT_ENOUGH_SPACE
  ...{ 241: 'out-of-memory', 243: 'out-of-memory' },
};

/** An insert has ended when its rows are there, and two equal blocks of rows are two. */
const wholeInsert = { async_insert: 0, insert_deduplicate: 0 } as const;

const rowsFormat = 'JSONCompactEachRow';

export class ClickhouseConnection {
  #client: Promise<ClickHouseClient> | undefined;

  constructor(private readonly options: ClickhouseConnectionOptions) {}

  /**
   * Rows of texts; `values` are those of the parameters `p0`, `p1` and so on. Rejects with `ClickhouseFailure`, with
   * `too-many-groups` when the answer has more characters, or with the reason of the signal.
   */
  select(
    text: string,
    values: readonly string[],
    { charactersMax, ...options }: StatementOptions & { readonly charactersMax: number },
  ): Promise<TextRows> {
    return this.#run(options, async (client, signal) => {
      const result = await client.query({
        query: text,
        format: rowsFormat,
        query_params: Object.fromEntries(values.map((value, place) => [`p${place}`, value])),
        abort_signal: signal,
        clickhouse_settings: {
          ...limitsOf(options),
          // An error behind the first rows would else be a part of the answer.
          wait_end_of_query: 1,
          cancel_http_readonly_queries_on_client_close: 1,
        },
      });
      try {
        const rows: (readonly (string | null)[])[] = [];
        let characters = 0;
        for await (const pieces of result.stream<unknown>())
          for (const piece of pieces) {
            signal.throwIfAborted();
            characters += piece.text.length;
            if (characters > charactersMax) throw new ClickhouseFailure('too-many-groups', 'The answer is too long.');
            rows.push(textsOf(piece.json()));
          }
        return rows;
      } finally {
        result.close();
      }
    });
  }

  /** A statement without an answer. Rejects as `select` does. */
  async execute(text: string, options: StatementOptions): Promise<void> {
    await this.#run(options, (client, signal) =>
      client.command({ query: text, abort_signal: signal, clickhouse_settings: limitsOf(options) }),
    );
  }

  /** `csv`: as COPY of PostgreSQL writes it. Rejects as `select` does, or with what the rows reject with. */
  async insert(table: string, csv: AsyncIterable<Uint8Array>, options: StatementOptions): Promise<void> {
    // One that fails while its bytes are sent would have no more to say than that the connection ended.
    let failure: unknown;
    const rows = Readable.from(
      rethrow(csv, (error) => (failure = error)),
      { objectMode: false },
    );
    await this.#run(options, (client, signal) =>
      client.insert({
        table,
        values: rows,
        format: 'CSV',
        abort_signal: signal,
        clickhouse_settings: { ...limitsOf(options), ...clickhouseCsv, ...wholeInsert },
      }),
    ).catch((error: unknown) => {
      rows.destroy();
      throw failure ?? error;
    });
  }

  async close(): Promise<void> {
    await (await this.#client)?.close();
  }

  async #run<T>(
    { signal, timeoutMs }: StatementOptions,
    work: (client: ClickHouseClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      this.#client ??= openClient(this.options);
      return await work(await this.#client, AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw new ClickhouseFailure('timeout', 'It took too long.');
      throw toFailure(error);
    }
  }
}

const limitsOf = ({ timeoutMs, memoryBytes }: StatementOptions) => ({
  max_execution_time: Math.ceil(timeoutMs / 1000),
  ...(memoryBytes !== undefined && { max_memory_usage: String(memoryBytes) }),
});

/** Loaded when it is first needed: services without a cluster start without it. */
const openClient = async ({ url, connectionsMax }: ClickhouseConnectionOptions): Promise<ClickHouseClient> => {
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
  return createClient({
    url,
    application: 'tessera',
    // What it writes holds statements.
    log: { level: ClickHouseLogLevel.OFF },
    max_open_connections: connectionsMax,
    // Each statement has a time of its own.
    request_timeout: maxTimeoutMs,
    // An address has less room than a list of values needs.
    use_multipart_params: true,
  });
};

/** What timers take. */
const maxTimeoutMs = 2 ** 31 - 1;

const rethrow = async function* (
  pieces: AsyncIterable<Uint8Array>,
  failed: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    failed(error);
    throw error;
  }
};

const textsOf = (row: unknown): readonly (string | null)[] => {
  if (!Array.isArray(row)) throw new ClickhouseFailure('failed', 'A row of the answer is no list.');
  return row.map((cell: unknown) => {
    if (cell === null || typeof cell === 'string') return cell;
    throw new ClickhouseFailure('failed', 'A value of the answer is no text.');
  });
};

const toFailure = (error: unknown): Error => {
  if (error instanceof ClickhouseFailure) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const type = error instanceof Error && 'type' in error ? String(error.type) : '';
  if (code !== undefined && /^\d+$/.test(code))
    return new ClickhouseFailure(reasonsByCode[code] ?? 'failed', `The server refused: ${code} ${type}`.trim());
  return new ClickhouseFailure('engine-ended', `The server was not reached: ${code ?? 'no answer of its own'}.`);
};
