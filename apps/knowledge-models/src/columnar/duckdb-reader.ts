/**
 * Asks the columnar engine in the process beside the service: as many questions at once as the machine has processors, shared fairly
 * among teams, each with its time, and only of files of the team that asks.
 */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { KeyedQueue, QueueRefusal } from '@tessera/fair-queue';
import {
  ColumnarRefusal,
  printDuckdb,
  readDuckdbGroups,
  type ColumnarGroups,
  type ColumnarQuery,
  type ColumnarReader,
  type ColumnarRefusalReason,
} from '@tessera/knowledge-model';
import type { ColumnarFiles } from './columnar-files.js';
import { EngineFailure, type EngineProcess } from './engine-process.js';
import { generationTable } from './engine/engine-messages.js';

export type DuckdbReaderOptions = {
  readonly engine: EngineProcess;
  readonly files: Pick<ColumnarFiles, 'open'>;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly waitMs?: number;
  /** Told of each question: `answered`, `cancelled` or why PostgreSQL answers, and how long it took with its wait. */
  readonly onAsked: (outcome: string, seconds: number) => void;
};

type AskOptions = Parameters<ColumnarReader['ask']>[1];

const turnWaitMs = 8_000;
const groupsAtOnce = 1_000;
/** Characters of one answer. */
const charactersMax = 16 * 1024 * 1024;

const refusalReasons: Readonly<Record<EngineFailure['reason'], ColumnarRefusalReason>> = {
  'too-many-groups': 'too-many-groups',
  'out-of-memory': 'out-of-memory',
  'disk-full': 'out-of-memory',
  timeout: 'timeout',
  ended: 'engine-ended',
  cancelled: 'failed',
  failed: 'failed',
};

export class DuckdbReader implements ColumnarReader {
  readonly engine = 'duckdb';
  readonly #queue: KeyedQueue;

  constructor(private readonly options: DuckdbReaderOptions) {
    this.#queue = new KeyedQueue({ limit: options.concurrency });
  }

  async ask(query: ColumnarQuery, asked: AskOptions): Promise<ColumnarGroups> {
    const startMs = performance.now();
    let outcome = 'cancelled';
    try {
      const groups = await this.#askInTurn(query, asked);
      outcome = 'answered';
      return groups;
    } catch (error) {
      asked.signal.throwIfAborted();
      const refusal = toRefusal(error);
      outcome = refusal.reason;
      throw refusal;
    } finally {
      this.options.onAsked(outcome, (performance.now() - startMs) / 1000);
    }
  }

  async #askInTurn(query: ColumnarQuery, { groupsMax, signal }: AskOptions): Promise<ColumnarGroups> {
    const { files, engine, timeoutMs, waitMs = turnWaitMs } = this.options;
    const team = teamOf(query);
    const endTurn = await this.#queue.acquire(team, { signal, timeoutMs: waitMs });
    const opened: NonNullable<ReturnType<ColumnarFiles['open']>>[] = [];
    try {
      for (const { table } of query.sources) {
        const found = files.open(table);
        if (!found) throw new ColumnarRefusal('no-table');
        opened.push(found);
      }
      const attached = opened.map(({ file }) => file);
      const names = attached.map(({ name }) => `${name}.${generationTable}`);
      const columns = [...query.keys, ...query.aggregates].map((): (string | null)[] => []);
      const command = { kind: 'ask', team, files: attached, ...printDuckdb(query, names, groupsMax) } as const;
      await engine.run(
        { ...command, rowsMax: groupsMax, charactersMax },
        {
          signal,
          timeoutMs,
          onRows: (piece) => columns.forEach((cells, place) => cells.push(...(piece[place] ?? []))),
        },
      );
      // The pieces of many groups were taken in one turn of the event loop.
      if ((columns[0]?.length ?? 0) > groupsAtOnce) await eventLoopTurn();
      return readDuckdbGroups(query, columns);
    } finally {
      for (const { close } of opened) close();
      endTurn();
    }
  }
}

/** All tables of a question are those of one team. */
const teamOf = ({ sources }: ColumnarQuery): string => {
  const [team, ...others] = new Set(sources.map(({ table }) => table.team));
  if (team === undefined || others.length > 0)
    throw new ColumnarRefusal('failed', 'A question is about tables of one team.');
  return team;
};

const toRefusal = (error: unknown): ColumnarRefusal => {
  if (error instanceof ColumnarRefusal) return error;
  if (error instanceof QueueRefusal) return new ColumnarRefusal('busy');
  // What the engine says may hold values of rows.
  if (error instanceof EngineFailure) return new ColumnarRefusal(refusalReasons[error.reason]);
  return new ColumnarRefusal('failed', error instanceof Error ? error.name : undefined);
};
