/**
 * Runs compiled statements where their model's tables are: from the cache when nothing has changed, once for all who ask
 * the same at the same time, and in pieces when it is much.
 * Refuses: to keep what it does not know the age of, and to share a stream; each reader of much reads on its own.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { CompiledStatement } from '@tessera/knowledge-model';
import { readAsTeam, type TeamRows, type TextRow } from '@tessera/persistence';
import { CancellableSingleFlight } from '../cache/cancellable-single-flight.js';
import { digestOf, ResultCache, type Texts, type WrittenRows } from '../cache/result-cache.js';
import { queryCost } from './query-cost.repository.js';
import { HeavyStatements } from './heavy-statements.js';
import type { RowFormat } from './row-format.js';
import { rowStream, type RowStream } from './row-stream.js';
import type { Source } from './source-of.js';
import { wholeRows } from './row-format.js';

export type Question = {
  readonly source: Source;
  readonly statement: CompiledStatement;
  readonly settings: Readonly<Record<string, string>>;
  /** The versions of the data, and what the caller sees of the model. */
  readonly dependsOn: readonly string[];
};

/** Who is first with a stream has it; `rows` may have gone since. */
type Opened = { readonly kind: 'open'; readonly rows: TeamRows; isTaken: boolean };

/** Values that are held of one query at once; four times as many hold the event loop for some 70 ms where few do for 20. */
const batchValues = 5_000;
const batchRowsMin = 50;

/** Whether a page comes in batches, which keep their connection until they are read. */
export const isStreamed = (format: RowFormat): boolean => format.rowsMax > batchRowsOf(format);

const batchRowsOf = ({ width }: RowFormat): number =>
  Math.max(batchRowsMin, Math.floor(batchValues / Math.max(1, width)));

/** Injection token of what is told of each query that went to a database: the seconds until its first rows. */
export const queryDurationToken = Symbol('query duration');

@Injectable()
export class QueryRunner {
  readonly #pages = new CancellableSingleFlight<WrittenRows | Opened>();
  readonly #texts = new CancellableSingleFlight<Texts>();

  constructor(
    private readonly cache: ResultCache,
    private readonly heavy: HeavyStatements,
    @Inject(queryDurationToken) private readonly observe: (seconds: number) => void,
  ) {}

  /** The rows of a page as bytes. Rejects with the error of pg. */
  async page(question: Question, format: RowFormat, signal: AbortSignal): Promise<WrittenRows | RowStream> {
    const key = keyOf(question, format);
    const known = this.cache.rows(key);
    if (known) return known;
    const opened = await this.#pages.join(key, signal, (shared) => this.#openPage(key, question, format, shared));
    if (opened.kind === 'rows') return opened;
    const isFirst = !opened.isTaken;
    opened.isTaken = true;
    const rows = isFirst ? opened.rows : await this.#open(question, format, signal);
    return this.#stream(key, rows, format, signal);
  }

  /** All rows as texts; for statements that answer few. Rejects with the error of pg. */
  async texts(question: Question, signal: AbortSignal): Promise<readonly TextRow[]> {
    const key = keyOf(question);
    const known = this.cache.texts(key);
    if (known) return known.rows;
    const { rows } = await this.#texts.join(key, signal, (shared) => this.#readTexts(key, question, shared));
    return rows;
  }

  /** What `texts` would answer without asking; undefined when it would have to ask. */
  knownTexts(question: Question): readonly TextRow[] | undefined {
    return this.cache.texts(keyOf(question))?.rows;
  }

  /** What `texts` would answer, known from elsewhere. */
  learnTexts(question: Question, rows: readonly TextRow[]): void {
    this.cache.set(keyOf(question), { kind: 'texts', rows });
  }

  async #openPage(key: string, question: Question, format: RowFormat, signal: AbortSignal) {
    const rows = await this.#open(question, format, signal);
    if (rows.hasMore) return { kind: 'open' as const, rows, isTaken: false };
    return this.#keep(key, wholeRows(rows.first, format));
  }

  async #readTexts(key: string, question: Question, signal: AbortSignal): Promise<Texts> {
    const { first } = await this.#ask(question, undefined, signal);
    const texts: Texts = { kind: 'texts', rows: first };
    this.cache.set(key, texts);
    return texts;
  }

  #open(question: Question, format: RowFormat, signal: AbortSignal): Promise<TeamRows> {
    return this.#ask(question, isStreamed(format) ? batchRowsOf(format) : undefined, signal);
  }

  async #ask(question: Question, batchRows: number | undefined, signal: AbortSignal): Promise<TeamRows> {
    const { source, statement, settings } = question;
    const { text, values } = statement;
    const { pool, role, team } = source;
    const estimate = async () => (await queryCost(source, statement, settings, signal)).total;
    const endTurn = await this.heavy.turnOf({ team, text, estimate }, signal);
    const startMs = performance.now();
    try {
      const tookMs = (ms: number): void => this.heavy.tookMs(text, ms);
      const asked = { text, values, settings, batchRows, team, tookMs, ...(role && { role }) };
      return await readAsTeam(pool, asked, signal);
    } finally {
      endTurn();
      this.observe((performance.now() - startMs) / 1000);
    }
  }

  #stream(key: string, rows: TeamRows, format: RowFormat, signal: AbortSignal): RowStream {
    const { cache } = this;
    return rowStream(rows, format, signal, {
      keeps: (bytes) => cache.keeps(bytes),
      keep: (pieces, end) => void this.#keep(key, { kind: 'rows', bytes: Buffer.concat(pieces), ...end }),
    });
  }

  #keep(key: string, written: WrittenRows): WrittenRows {
    this.cache.set(key, written);
    return written;
  }
}

/** All that a result depends on; the format where it is written. */
const keyOf = ({ source, statement, settings, dependsOn }: Question, format?: RowFormat): string =>
  JSON.stringify([
    source.team,
    source.schema,
    digestOf(statement, () => [statement.text, statement.values]),
    settings,
    dependsOn,
    format?.key,
  ]);
