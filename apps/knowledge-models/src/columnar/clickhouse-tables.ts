/**
 * The tables of a ClickHouse cluster that hold generations: one for each that is large enough, made by one replica, found by all of
 * them, dropped when no catalogue shows the generation any more. The comment of a table says which generation it is, and comes when it
 * is whole; without a comment it is never asked.
 */
import type { ClickhouseSource, ColumnarTable, ColumnarTableKey, ColumnarTables } from '@tessera/knowledge-model';
import { z } from 'zod';
import type { Pools } from '../database.module.js';
import { runInColumnarTurn } from './columnar.repository.js';
import type { ClickhouseConnection, StatementOptions } from './clickhouse.repository.js';
import { generationDescription, generationId, isGenerationId, jsonOf, tableOf } from './generation-identity.js';
import { makeGenerationTable } from './make-generation-table.js';
import {
  type MakingOutcome,
  type MakingSource,
  type StoredGeneration,
  StoredGenerations,
  type StoredGenerationsOptions,
} from './stored-generations.js';

export type ClickhouseTablesOptions = StoredGenerationsOptions & {
  readonly connection: ClickhouseConnection;
  readonly pools: Pick<Pools, 'light' | 'loads'>;
  readonly timeoutMs: number;
  /** A table that no catalogue shows stays so long: another replica may not know it yet. */
  readonly graceMs?: number;
};

/** Raised when tables of the version before cannot be read any more. */
const commentFormat = 1;

const generationComment = z.object({ format: z.literal(commentFormat), ...generationDescription.shape });

const usualGraceMs = 600_000;
const leftoverHours = 6;
const charactersMax = 256 * 1024 * 1024;
const namePrefix = 'tessera_';
const nameOf = (id: string): string => `${namePrefix}${id}`;
/** Another table of the database may begin with the prefix as well. */
const isOwnName = (name: string | null | undefined): name is string =>
  typeof name === 'string' && isGenerationId(name.slice(namePrefix.length));

const tablesText = `select name, comment from system.tables where database = currentDatabase() and startsWith(name, '${namePrefix}')`;
const whole = `comment != ''`;

export class ClickhouseTables implements ColumnarTables {
  readonly #generations: StoredGenerations<StoredGeneration>;
  /** By id: what is to be dropped. */
  readonly #retired = new Map<string, NodeJS.Timeout>();

  constructor(private readonly options: ClickhouseTablesOptions) {
    this.#generations = new StoredGenerations(options, {
      // After a backup came back nobody could tell it from another with its number.
      isStorable: ({ loadedAt }) => loadedAt !== null,
      open: () => this.#open(),
      look: (team) => this.#read(`${whole} and JSONExtractString(comment, 'team') = {p0:String}`, [team]),
      make: (source, use) => this.#make(source, use),
      retire: async (stored) => this.#dropLater(stored),
    });
  }

  get count(): number {
    return this.#generations.count;
  }

  find(key: ColumnarTableKey): ColumnarTable | undefined {
    return this.#generations.find(key)?.table;
  }

  /** How statements call it; undefined when there is none. */
  source(key: ColumnarTableKey): ClickhouseSource | undefined {
    const found = this.#generations.find(key);
    return found && { name: nameOf(found.id), rows: found.table.rows };
  }

  /** After the server did not know it: somebody else has dropped it, or it came back without it. */
  doubt(key: ColumnarTableKey): void {
    this.#generations.doubt(key);
  }

  /** Looks for the tables that are there, in the background. */
  start(): void {
    this.#generations.start();
  }

  /** Resolves when what the team should have is there, is being made elsewhere, or could not be made. */
  ensure(team: string): Promise<void> {
    return this.#generations.ensure(team);
  }

  /** What is being made is cut off and dropped. */
  async stop(): Promise<void> {
    for (const timer of this.#retired.values()) clearTimeout(timer);
    await this.#generations.stop();
  }

  get #statement(): StatementOptions {
    return { signal: this.#generations.signal, timeoutMs: this.options.timeoutMs };
  }

  async #open(): Promise<readonly StoredGeneration[]> {
    const { connection } = this.options;
    const leftovers = `${tablesText} and comment = '' and metadata_modification_time < now() - interval ${leftoverHours} hour`;
    for (const [name] of await connection.select(leftovers, [], { ...this.#statement, charactersMax }))
      if (isOwnName(name)) await connection.execute(`drop table if exists ${name}`, this.#statement);
    return this.#read(whole, []);
  }

  async #read(condition: string, values: readonly string[]): Promise<readonly StoredGeneration[]> {
    const text = `${tablesText} and ${condition}`;
    const rows = await this.options.connection.select(text, values, { ...this.#statement, charactersMax });
    return rows.flatMap(([name, comment]) => {
      const parsed = generationComment.safeParse(jsonOf(comment ?? ''));
      if (!parsed.success) return [];
      const id = generationId(parsed.data);
      return name === nameOf(id) ? [{ id, table: tableOf(parsed.data), loadedAt: parsed.data.loadedAt }] : [];
    });
  }

  #dropLater({ id, table }: StoredGeneration): void {
    if (this.#retired.has(id)) return;
    const timer = setTimeout(() => {
      this.#retired.delete(id);
      void this.#dropUnlessWanted(id, table.key.team).catch((error: unknown) =>
        this.#generations.warn('an old table by columns was not dropped', error, table.key.team, table.key.table),
      );
    }, this.options.graceMs ?? usualGraceMs);
    this.#retired.set(id, timer.unref());
  }

  async #dropUnlessWanted(id: string, team: string): Promise<void> {
    if ((await this.#generations.wanted(team)).has(id)) return;
    await this.options.connection.execute(`drop table if exists ${nameOf(id)}`, this.#statement);
  }

  async #make(source: MakingSource, use: (stored: StoredGeneration) => void): Promise<MakingOutcome> {
    const { pools, connection } = this.options;
    const id = generationId(source.identity);
    const { signal } = this.#generations;
    const outcome = await runInColumnarTurn(pools.loads, `table ${id}`, signal, async () => {
      // Between the look and the lock; it is found at the next look.
      const isThere = (await this.#read(`${whole} and name = {p0:String}`, [nameOf(id)])).length > 0;
      if (isThere) return 'awaited' as const;
      const stored = await makeGenerationTable(nameOf(id), source, connection, this.#statement);
      if (!stored) return 'outdated' as const;
      const { columns, omitted, rows } = stored;
      const description = { ...source.identity, columns: [...columns], omitted: [...omitted], rows };
      const comment = JSON.stringify({ format: commentFormat, ...description });
      await connection.execute(`alter table ${nameOf(id)} modify comment ${quoteText(comment)}`, this.#statement);
      use({ id, table: tableOf(description), loadedAt: source.identity.loadedAt });
      return 'made' as const;
    });
    return outcome ?? 'awaited';
  }
}

/** Comments take no parameters. */
const quoteText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
