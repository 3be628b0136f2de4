/** Asks a ClickHouse cluster: each question with its time and its memory, and only of tables of the team that asks. */
import {
  ColumnarRefusal,
  printClickhouse,
  readClickhouseGroups,
  type ColumnarGroups,
  type ColumnarQuery,
  type ColumnarReader,
} from '@tessera/knowledge-model';
import { type ClickhouseConnection, ClickhouseFailure } from './clickhouse.repository.js';
import type { ClickhouseTables } from './clickhouse-tables.js';
import { QuestionTurns, type QuestionTurnsOptions } from './question-turns.js';

export type ClickhouseReaderOptions = QuestionTurnsOptions & {
  readonly connection: Pick<ClickhouseConnection, 'select'>;
  readonly tables: Pick<ClickhouseTables, 'source' | 'doubt'>;
  readonly timeoutMs: number;
  /** Of each question, on the server. */
  readonly memoryBytes: number;
};

type AskOptions = Parameters<ColumnarReader['ask']>[1];

/** Of one answer. */
const charactersMax = 16 * 1024 * 1024;

export class ClickhouseReader implements ColumnarReader {
  readonly engine = 'clickhouse';
  readonly #turns: QuestionTurns;

  constructor(private readonly options: ClickhouseReaderOptions) {
    this.#turns = new QuestionTurns(options, (error) =>
      error instanceof ClickhouseFailure ? error.reason : undefined,
    );
  }

  ask(query: ColumnarQuery, asked: AskOptions): Promise<ColumnarGroups> {
    return this.#turns.ask(query, asked.signal, () => this.#ask(query, asked));
  }

  async #ask(query: ColumnarQuery, { groupsMax, signal }: AskOptions): Promise<ColumnarGroups> {
    const { connection, tables, timeoutMs, memoryBytes } = this.options;
    const sources = query.sources.map(({ table }) => {
      const source = tables.source(table);
      if (!source) throw new ColumnarRefusal('no-table');
      return source;
    });
    const { text, values } = printClickhouse(query, sources, groupsMax);
    const options = { signal, timeoutMs, memoryBytes, charactersMax };
    const rows = await connection.select(text, values, options).catch((error: unknown) => {
      if (error instanceof ClickhouseFailure && error.reason === 'no-table')
        for (const { table } of query.sources) tables.doubt(table);
      throw error;
    });
    const groups = readClickhouseGroups(query, sources, rows);
    if (groups.rows > groupsMax) throw new ColumnarRefusal('too-many-groups');
    return groups;
  }
}
