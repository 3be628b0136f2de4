/** Asks the columnar engine in the process beside the service: each question with its time, and only of files of the team that asks. */
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
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
import { QuestionTurns, type QuestionTurnsOptions } from './question-turns.js';

export type DuckdbReaderOptions = QuestionTurnsOptions & {
  readonly engine: EngineProcess;
  readonly files: Pick<ColumnarFiles, 'open' | 'doubt'>;
  readonly timeoutMs: number;
};

type AskOptions = Parameters<ColumnarReader['ask']>[1];

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
  readonly #turns: QuestionTurns;

  constructor(private readonly options: DuckdbReaderOptions) {
    this.#turns = new QuestionTurns(options, (error) =>
      error instanceof EngineFailure ? refusalReasons[error.reason] : undefined,
    );
  }

  ask(query: ColumnarQuery, asked: AskOptions): Promise<ColumnarGroups> {
    return this.#turns.ask(query, asked.signal, (team) => this.#ask(query, team, asked));
  }

  async #ask(query: ColumnarQuery, team: string, { groupsMax, signal }: AskOptions): Promise<ColumnarGroups> {
    const { files, engine, timeoutMs } = this.options;
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
    } catch (error) {
      if (error instanceof EngineFailure && error.reason === 'failed')
        for (const { table } of query.sources) files.doubt(table);
      throw error;
    } finally {
      for (const { close } of opened) close();
    }
  }
}
