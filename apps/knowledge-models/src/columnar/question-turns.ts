/**
 * Lets questions in to an engine of columns: so many at once, shared fairly among teams, each about tables of one team. Tells how each
 * ended.
 */
import { KeyedQueue, QueueRefusal } from '@tessera/fair-queue';
import { type ColumnarQuery, ColumnarRefusal, type ColumnarRefusalReason } from '@tessera/knowledge-model';

export type QuestionTurnsOptions = {
  readonly concurrency: number;
  readonly waitMs?: number;
  /** Told of each question: `answered`, `cancelled` or why PostgreSQL answers, and how long it took with its wait. */
  readonly onAsked: (outcome: string, seconds: number) => void;
};

/** Of what the engine says; undefined for what is not its own. */
export type FindRefusalReason = (error: unknown) => ColumnarRefusalReason | undefined;

const turnWaitMs = 8_000;

export class QuestionTurns {
  readonly #queue: KeyedQueue;

  constructor(
    private readonly options: QuestionTurnsOptions,
    private readonly reasonOf: FindRefusalReason,
  ) {
    this.#queue = new KeyedQueue({ limit: options.concurrency });
  }

  /** Rejects with `ColumnarRefusal`, or with the reason of the signal when it was aborted. */
  async ask<T>(query: ColumnarQuery, signal: AbortSignal, work: (team: string) => Promise<T>): Promise<T> {
    const startMs = performance.now();
    let outcome = 'cancelled';
    try {
      const answer = await this.#inTurn(query, signal, work);
      outcome = 'answered';
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      const refusal = this.#toRefusal(error);
      outcome = refusal.reason;
      throw refusal;
    } finally {
      this.options.onAsked(outcome, (performance.now() - startMs) / 1000);
    }
  }

  async #inTurn<T>(query: ColumnarQuery, signal: AbortSignal, work: (team: string) => Promise<T>): Promise<T> {
    const team = teamOf(query);
    const endTurn = await this.#queue.acquire(team, { signal, timeoutMs: this.options.waitMs ?? turnWaitMs });
    try {
      return await work(team);
    } finally {
      endTurn();
    }
  }

  #toRefusal(error: unknown): ColumnarRefusal {
    if (error instanceof ColumnarRefusal) return error;
    if (error instanceof QueueRefusal) return new ColumnarRefusal('busy');
    const reason = this.reasonOf(error);
    // What an engine says may hold values of rows.
    if (reason !== undefined) return new ColumnarRefusal(reason);
    return new ColumnarRefusal('failed', error instanceof Error ? error.name : undefined);
  }
}

/** All tables of a question are those of one team. */
const teamOf = ({ sources }: ColumnarQuery): string => {
  const [team, ...others] = new Set(sources.map(({ table }) => table.team));
  if (team === undefined || others.length > 0)
    throw new ColumnarRefusal('failed', 'A question is about tables of one team.');
  return team;
};
