/**
 * Runs the statements of prepared queries where their model's tables are: from the cache when nothing has changed, once for all
 * who wait for the same, and in pieces when it is much. A page never holds a connection while it waits for another.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { CompiledQuery, CompiledStatement } from '@tessera/knowledge-model';
import {
  copyAsTeam,
  type CsvPieces,
  readTeamRowsInBatches,
  type TeamRows,
  type TeamStatement,
  type TextRow,
} from '@tessera/persistence';
import { CancellableSingleFlight } from '../cache/cancellable-single-flight.js';
import { cachedDigestOf, ResultCache, type CachedTextRows, type SerializedRows } from '../cache/result-cache.js';
import { GroupEngines } from './group-engines.js';
import { HeavyStatementLimiter } from './heavy-statements.js';
import { ColumnsChangedError, isTableMissing, isUnfit } from './query-failure.js';
import type { PreparedQuery, PreparedStatement, QuerySource } from './query-preparer.js';
import { serializeRows, type RowFormat } from './row-format.js';
import { maxReadMs, createRowStream, type RowStream } from './row-stream.js';
import { StatementCosts, textDigestOf } from './statement-costs.js';

type PageOptions = {
  /** The number of rows before the page; not known when it begins behind a row. */
  readonly offset: number | undefined;
  /** Of the statement; the format may write fewer. */
  readonly pageSize: number;
  readonly format: RowFormat;
  /** More rows do not count, over all pages. */
  readonly totalMax?: number;
};

type PageRows = SerializedRows | RowStream;

export type QueryPage = {
  readonly rows: PageRows;
  /** Digits. */
  readonly total: string;
};

type CountableQuery = Pick<CompiledQuery, 'rows' | 'count' | 'columns'>;

/** Who is first with a stream has it; `rows` may have gone since. */
type OpenRows = { readonly kind: 'open'; readonly rows: TeamRows; isTaken: boolean };

/** Values that are held of one query at once; four times as many hold the event loop for some 70 ms where few do for 20. */
const batchValues = 5_000;
const batchRowsMin = 50;

/** Whether a page comes in batches, which keep their connection until they are read. */
const isStreamed = (format: RowFormat): boolean => format.rowsMax > batchRowsOf(format);

const batchRowsOf = ({ width }: RowFormat): number =>
  Math.max(batchRowsMin, Math.floor(batchValues / Math.max(1, width)));

/** Injection token of the observer of queries that went to a database: the seconds until their first rows. */
export const queryDurationToken = Symbol('query duration');

type SendStatement<Rows> = (pool: QuerySource['pool'], statement: TeamStatement) => Promise<Rows>;

@Injectable()
export class QueryRunner {
  readonly #pages = new CancellableSingleFlight<SerializedRows | OpenRows>();
  readonly #texts = new CancellableSingleFlight<CachedTextRows>();

  constructor(
    private readonly cache: ResultCache,
    private readonly heavy: HeavyStatementLimiter,
    private readonly engines: GroupEngines,
    private readonly costs: StatementCosts,
    @Inject(queryDurationToken) private readonly observe: (seconds: number) => void,
  ) {}

  /** The rows of a page as bytes. Rejects with the error of pg. */
  async page(statement: PreparedStatement, format: RowFormat, signal: AbortSignal): Promise<PageRows> {
    const key = keyOf(statement, format);
    const known = this.cache.rows(key);
    if (known) return known;
    const opened = await this.#pages.join(key, signal, (shared) => this.#openPage(key, statement, format, shared));
    if (opened.kind === 'rows') return opened;
    const isFirst = !opened.isTaken;
    opened.isTaken = true;
    const rows = isFirst ? opened.rows : await this.#open(statement, format, signal);
    return this.#stream(key, rows, format, signal);
  }

  /** All rows as texts; for statements that answer few. Rejects with the error of pg. */
  async texts(statement: PreparedStatement, signal: AbortSignal): Promise<readonly TextRow[]> {
    const key = keyOf(statement);
    const known = this.cache.texts(key);
    if (known) return known.rows;
    const { rows } = await this.#texts.join(key, signal, (shared) => this.#readTexts(key, statement, shared));
    return rows;
  }

  /** What `texts` answers from the cache; undefined when it is not there. */
  cachedTexts(statement: PreparedStatement): readonly TextRow[] | undefined {
    return this.cache.texts(keyOf(statement))?.rows;
  }

  /**
   * A page with the number of all rows. The count runs beside the rows when both have to be read; not beside groups, which it would
   * compute once more, and before rows that stream, since these keep their connection. It is not read when the rows show it.
   * Rejects with the error of pg.
   */
  async pageWithTotal(
    query: PreparedQuery<CountableQuery>,
    options: PageOptions,
    signal: AbortSignal,
  ): Promise<QueryPage> {
    const { compiled, prepareStatement } = query;
    // NaN is less than no total.
    const { format, offset = Number.NaN, pageSize, totalMax = Number.MAX_SAFE_INTEGER } = options;
    const [rowsStatement, countStatement] = [prepareStatement(compiled.rows), prepareStatement(compiled.count)];
    const known = this.cachedTexts(countStatement);
    const count = (): Promise<readonly TextRow[]> => this.texts(countStatement, signal);
    if (isStreamed(format)) {
      const total = capTotal(totalIn(known ?? (await count())), options);
      return { rows: await this.page(rowsStatement, format, signal), total };
    }
    const isGrouped = compiled.columns.some(({ aggregation }) => aggregation);
    // The rows will say whether there are as many as count.
    const isLast = offset + pageSize >= totalMax;
    const beside = known || isGrouped || isLast ? undefined : count();
    // Whether it failed matters only when it is needed.
    beside?.catch(() => undefined);
    const rows = await this.page(rowsStatement, format, signal);
    if (rows.kind === 'rows' && offset + rows.count >= totalMax) return { rows, total: String(totalMax) };
    const fromRows = totalFromRows(rows, options);
    if (fromRows !== undefined && !known) this.cache.set(keyOf(countStatement), { kind: 'texts', rows: [[fromRows]] });
    return { rows, total: capTotal(fromRows ?? totalIn(known ?? (await (beside ?? count()))), options) };
  }

  /** How many rows there are, none of them read. */
  async total(
    { compiled, prepareStatement }: PreparedQuery<Pick<CompiledQuery, 'count'>>,
    options: Pick<PageOptions, 'totalMax'>,
    signal: AbortSignal,
  ): Promise<string> {
    return capTotal(totalIn(await this.texts(prepareStatement(compiled.count), signal)), options);
  }

  async #openPage(key: string, statement: PreparedStatement, format: RowFormat, signal: AbortSignal) {
    const rows = await this.#open(statement, format, signal);
    if (rows.hasMore) return { kind: 'open' as const, rows, isTaken: false };
    return this.#keep(key, serializeRows(rows.first, format));
  }

  async #readTexts(key: string, statement: PreparedStatement, signal: AbortSignal): Promise<CachedTextRows> {
    const { first } = await this.#send(statement, undefined, signal);
    const texts: CachedTextRows = { kind: 'texts', rows: first };
    this.cache.set(key, texts);
    return texts;
  }

  #open(statement: PreparedStatement, format: RowFormat, signal: AbortSignal): Promise<TeamRows> {
    return this.#send(statement, isStreamed(format) ? batchRowsOf(format) : undefined, signal);
  }

  /** All rows as the CSV of COPY; neither taken from the cache nor kept. Rejects with the error of pg. */
  async copy(prepared: PreparedStatement, signal: AbortSignal): Promise<CsvPieces> {
    const onEnd = await this.heavy.acquireCopy(prepared.source.team, signal);
    try {
      return await this.#admit(prepared, signal, (pool, statement) =>
        copyAsTeam(pool, { ...statement, timeoutMs: maxReadMs, onEnd }, signal),
      );
    } catch (error) {
      onEnd();
      throw error;
    }
  }

  async #send(prepared: PreparedStatement, batchRows: number | undefined, signal: AbortSignal): Promise<TeamRows> {
    const read = (statement: CompiledStatement): Promise<TeamRows> =>
      this.#admit({ ...prepared, statement }, signal, (pool, admitted) =>
        readTeamRowsInBatches(pool, { ...admitted, batchRows }, signal),
      );
    const replacement = await this.engines.replace(prepared, signal);
    if (!replacement) return read(prepared.statement);
    try {
      return await read(replacement);
    } catch (error) {
      // A rollup may go while a question waits for its turn.
      if (!isTableMissing(error)) throw error;
      this.engines.lookForRollups(prepared);
      return read(prepared.statement);
    }
  }

  /** Resolves when the first rows are there. */
  async #admit<Rows>(prepared: PreparedStatement, signal: AbortSignal, send: SendStatement<Rows>): Promise<Rows> {
    try {
      return await this.#sendInTurn(prepared, signal, send);
    } catch (error) {
      const { forgetReading } = prepared.source;
      if (!forgetReading || !isUnfit(error)) throw error;
      forgetReading();
      throw new ColumnsChangedError('The columns are others than before.', { cause: error });
    }
  }

  async #sendInTurn<Rows>(prepared: PreparedStatement, signal: AbortSignal, send: SendStatement<Rows>): Promise<Rows> {
    const { source, settings, statement } = prepared;
    const { text, values } = statement;
    const { pool, role, team } = source;
    const digest = textDigestOf(statement);
    const estimate = async () => (await this.costs.of(prepared, signal)).total;
    const release = await this.heavy.acquire({ team, digest, estimate }, signal);
    const startMs = performance.now();
    try {
      const tookMs = (ms: number): void => this.heavy.recordDuration(digest, ms);
      const allSettings = { ...settings, ...this.heavy.settings() };
      return await send(pool, { text, values, settings: allSettings, team, tookMs, ...(role && { role }) });
    } finally {
      release();
      this.observe((performance.now() - startMs) / 1000);
    }
  }

  #stream(key: string, rows: TeamRows, format: RowFormat, signal: AbortSignal): RowStream {
    const { cache } = this;
    return createRowStream(rows, format, signal, {
      keeps: (bytes) => cache.keeps(bytes),
      keep: (pieces, end) => void this.#keep(key, { kind: 'rows', bytes: Buffer.concat(pieces), ...end }),
    });
  }

  #keep(key: string, written: SerializedRows): SerializedRows {
    this.cache.set(key, written);
    return written;
  }
}

/** All that a result depends on; the format where it is written. */
const keyOf = ({ source, statement, settings, dataVersions, viewKey }: PreparedStatement, format?: RowFormat): string =>
  JSON.stringify([
    source.team,
    source.schema,
    textDigestOf(statement),
    cachedDigestOf(statement.values, () => statement.values),
    settings,
    [dataVersions, viewKey],
    format?.key,
  ]);

/** A page that is not full, and not empty behind others, is the last. */
const totalFromRows = (rows: PageRows, { offset, pageSize }: PageOptions): string | undefined => {
  if (
    offset === undefined ||
    rows.kind === 'stream' ||
    rows.hasMore ||
    rows.count >= pageSize ||
    (rows.count === 0 && offset > 0)
  )
    return undefined;
  return String(offset + rows.count);
};

const capTotal = (total: string, { totalMax = Number.MAX_SAFE_INTEGER }: Pick<PageOptions, 'totalMax'>): string =>
  Number(total) > totalMax ? String(totalMax) : total;

const totalIn = ([row]: readonly TextRow[]): string => row?.[0] ?? '0';
