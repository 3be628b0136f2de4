/**
 * Writes rows that are only added to, those of a team together: at once for who waits for a row, or in batches after the answer,
 * which are kept until PostgreSQL has them. Only the kill of the process loses them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { toLoggableReason } from '@tessera/failures';

type WaitingRow<Row> = { readonly row: Row; readonly resolve: () => void; readonly reject: (reason: unknown) => void };

type DeferredRow<Row> = { readonly row: Row; readonly bytes: number };

/** Rows of a team whose answers have gone. */
type DeferredRows<Row> = {
  readonly rows: DeferredRow<Row>[];
  timer: NodeJS.Timeout | undefined;
  /** Rows of the next statement: fewer after one that failed, since it may have been too large. */
  batchMax: number;
  isFailing: boolean;
  /** The end of the last write that was begun; never rejects. */
  written: Promise<void>;
};

/** Of one statement. */
const insertedRowsMax = 500;
const insertedBytesMax = 1024 * 1024;
/** From an answer to the write of its row, and from a write that failed to the next. */
const delayMs = 500;
/** Of all teams. */
const deferredRowsMax = 10_000;
const deferredBytesMax = 16 * 1024 * 1024;
const smallRowBytes = 500;
/** How long a replica that stops goes on trying. */
const stopMs = 2_000;
const stopPauseMs = 100;

type BatchedRowsOptions<Row> = {
  /** What a row is, as the log says it: `calls`. */
  readonly what: string;
  /** May be repeated after an error that leaves open whether the rows are there. */
  readonly insert: (team: string, rows: readonly Row[]) => Promise<void>;
  /** About how much a row needs, of which no single one is large; some 500 when it is left out. */
  readonly bytesOf?: (row: Row) => number;
  /** Whether an answer may go without its row rather than wait for one. */
  readonly mayBeRefused?: boolean;
};

export class BatchedRows<Row> implements BeforeApplicationShutdown {
  readonly #logger = new Logger('BatchedRows');
  /** By team, while one of its statements runs. */
  readonly #waiting = new Map<string, WaitingRow<Row>[]>();
  readonly #deferred = new Map<string, DeferredRows<Row>>();
  #deferredCount = 0;
  #deferredBytes = 0;
  #isStopping = false;

  constructor(private readonly options: BatchedRowsOptions<Row>) {}

  /** Resolves when the row is there; rejects with the error of PostgreSQL. One statement takes what gathered during the last. */
  add(team: string, row: Row): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(team);
      if (waiting) waiting.push({ row, resolve, reject });
      else void this.#writeWaiting(team, [{ row, resolve, reject }]);
    });
  }

  /**
   * Resolves at once; the row is written within a second. As `add` when the replica stops, while the last write of the team failed and
   * while as many rows wait as may; rejects at once in the last two cases when rows may be refused.
   */
  defer(team: string, row: Row): Promise<void> {
    const known = this.#deferred.get(team);
    const isFull = this.#deferredCount >= deferredRowsMax || this.#deferredBytes >= deferredBytesMax;
    const isBehind = known?.isFailing || isFull;
    const { what, mayBeRefused, bytesOf = () => smallRowBytes } = this.options;
    if (isBehind && mayBeRefused) return Promise.reject(new Error(`Earlier ${what} could not be written yet.`));
    if (this.#isStopping || isBehind) return this.add(team, row);
    const deferred = known ?? {
      ...{ rows: [], timer: undefined, batchMax: insertedRowsMax, isFailing: false, written: Promise.resolve() },
    };
    this.#deferred.set(team, deferred);
    const bytes = bytesOf(row);
    this.#deferredCount++;
    this.#deferredBytes += bytes;
    if (deferred.rows.push({ row, bytes }) === insertedRowsMax) this.flush(team).catch(() => undefined);
    else this.#schedule(team, deferred);
    return Promise.resolve();
  }

  /** Resolves when all rows of the team are written that were deferred before; rejects with the error of PostgreSQL. */
  async flush(team: string): Promise<void> {
    const deferred = this.#deferred.get(team);
    if (!deferred) return;
    const writing = deferred.written.then(() => this.#writeDeferred(team, deferred));
    deferred.written = writing.catch(() => undefined);
    await writing;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    const untilMs = performance.now() + stopMs;
    for (;;) {
      await Promise.allSettled([...this.#deferred.keys()].map((team) => this.flush(team)));
      if (this.#deferredCount === 0) return;
      if (performance.now() > untilMs) break;
      await sleep(stopPauseMs);
    }
    this.#logger.error(`${this.#deferredCount} ${this.options.what} could not be written.`);
  }

  async #writeWaiting(team: string, waiting: WaitingRow<Row>[]): Promise<void> {
    this.#waiting.set(team, waiting);
    while (waiting.length > 0) {
      const entries = waiting.splice(0, insertedRowsMax);
      const rows = entries.map(({ row }) => row);
      await this.options.insert(team, rows).then(
        () => entries.forEach(({ resolve }) => resolve()),
        (error: unknown) => entries.forEach(({ reject }) => reject(error)),
      );
    }
    this.#waiting.delete(team);
  }

  #schedule(team: string, deferred: DeferredRows<Row>): void {
    if (this.#isStopping) return;
    deferred.timer ??= setTimeout(() => void this.flush(team).catch(() => undefined), delayMs);
  }

  /** What comes meanwhile waits for the next write, so that batches stay large. */
  async #writeDeferred(team: string, deferred: DeferredRows<Row>): Promise<void> {
    const { rows } = deferred;
    clearTimeout(deferred.timer);
    deferred.timer = undefined;
    let batch: readonly DeferredRow<Row>[] = [];
    try {
      for (let left = rows.length; left > 0; left -= batch.length) {
        batch = takeBatch(rows, Math.min(left, deferred.batchMax));
        await this.options.insert(
          team,
          batch.map(({ row }) => row),
        );
        rows.splice(0, batch.length);
        this.#deferredCount -= batch.length;
        this.#deferredBytes -= sizeOf(batch);
        deferred.batchMax = Math.min(2 * deferred.batchMax, insertedRowsMax);
      }
    } catch (error) {
      if (!deferred.isFailing)
        this.#logger.warn(
          `Rows (${this.options.what}) could not be written and are tried again: ${toLoggableReason(error)}`,
        );
      deferred.isFailing = true;
      deferred.batchMax = Math.max(1, Math.floor(batch.length / 2));
      this.#schedule(team, deferred);
      throw error;
    }
    deferred.isFailing = false;
    if (rows.length === 0 && this.#deferred.get(team) === deferred) this.#deferred.delete(team);
  }
}

const sizeOf = (rows: readonly DeferredRow<unknown>[]): number => rows.reduce((size, { bytes }) => size + bytes, 0);

/** The first rows, one at least. */
const takeBatch = <Row>(rows: readonly DeferredRow<Row>[], rowsMax: number): readonly DeferredRow<Row>[] => {
  let [size, count] = [rows[0]?.bytes ?? 0, 1];
  while (count < rowsMax && size + (rows[count]?.bytes ?? 0) <= insertedBytesMax) size += rows[count++]?.bytes ?? 0;
  return rows.slice(0, count);
};
