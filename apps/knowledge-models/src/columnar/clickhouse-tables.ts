/**
 * The tables of a ClickHouse cluster that hold generations: one for each that is large enough, made by one replica, found by all of
 * them, dropped when no catalogue shows the generation any more. The comment of a table says of which installation and generation it is,
 * and comes when it is whole; without a comment it is never asked. Never drops a whole table of another installation.
 */
import { createHash, createHmac } from 'node:crypto';
import type { ClickhouseSource, ColumnarTable, ColumnarTableKey, ColumnarTables } from '@tessera/knowledge-model';
import type { Pool } from '@tessera/persistence';
import { z } from 'zod';
import type { Pools } from '../database.module.js';
import { readTokenKey } from '../odata/token-key.repository.js';
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
  /** A text that no other installation in this database of ClickHouse has. */
  readonly readInstallation?: () => Promise<string>;
  /** A table that no catalogue shows stays so long: another replica may not know it yet. */
  readonly graceMs?: number;
};

/** Raised when tables of the version before cannot be read any more. */
const commentFormat = 2;

const generationComment = z.object({
  format: z.literal(commentFormat),
  installation: z.string(),
  ...generationDescription.shape,
});

type StoredTable = StoredGeneration & { readonly name: string };

const usualGraceMs = 600_000;
const leftoverHours = 6;
const charactersMax = 256 * 1024 * 1024;
const namePrefix = 'tessera_';
const nameCharacters = 32;
/** Installations whose databases are copies of one may have the same generations. */
const nameOf = (installation: string, id: string): string =>
  `${namePrefix}${createHash('sha256')
    .update(JSON.stringify([installation, id]))
    .digest('hex')
    .slice(0, nameCharacters)}`;
/** Another table of the database may begin with the prefix as well. */
const isOwnName = (name: string | null | undefined): name is string =>
  typeof name === 'string' && isGenerationId(name.slice(namePrefix.length));

const tablesText = `select name, comment from system.tables where database = currentDatabase() and startsWith(name, '${namePrefix}')`;
const whole = `comment != ''`;

export class ClickhouseTables implements ColumnarTables {
  readonly #generations: StoredGenerations<StoredTable>;
  /** By id: what is to be dropped. */
  readonly #retired = new Map<string, NodeJS.Timeout>();
  #installation: Promise<string> | undefined;

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
    return found && { name: found.name, rows: found.table.rows };
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

  #readInstallation(): Promise<string> {
    const { pools, readInstallation = () => installationOf(pools.light) } = this.options;
    this.#installation ??= readInstallation().catch((error: unknown) => {
      this.#installation = undefined;
      throw error;
    });
    return this.#installation;
  }

  async #open(): Promise<readonly StoredTable[]> {
    const { connection } = this.options;
    const leftovers = `${tablesText} and comment = '' and metadata_modification_time < now() - interval ${leftoverHours} hour`;
    for (const [name] of await connection.select(leftovers, [], { ...this.#statement, charactersMax }))
      if (isOwnName(name)) await connection.execute(`drop table if exists ${name}`, this.#statement);
    return this.#read(whole, []);
  }

  async #read(condition: string, values: readonly string[]): Promise<readonly StoredTable[]> {
    const installation = await this.#readInstallation();
    const text = `${tablesText} and ${condition}`;
    const rows = await this.options.connection.select(text, values, { ...this.#statement, charactersMax });
    return rows.flatMap(([name, comment]) => {
      const parsed = generationComment.safeParse(jsonOf(comment ?? ''));
      if (!parsed.success || parsed.data.installation !== installation) return [];
      const id = generationId(parsed.data);
      if (name !== nameOf(installation, id)) return [];
      return [{ id, name, table: tableOf(parsed.data), loadedAt: parsed.data.loadedAt }];
    });
  }

  #dropLater({ id, name, table }: StoredTable): void {
    if (this.#retired.has(id)) return;
    const timer = setTimeout(() => {
      this.#retired.delete(id);
      void this.#dropUnlessWanted({ id, name, team: table.key.team }).catch((error: unknown) =>
        this.#generations.warn('an old table by columns was not dropped', error, table.key.team, table.key.table),
      );
    }, this.options.graceMs ?? usualGraceMs);
    this.#retired.set(id, timer.unref());
  }

  async #dropUnlessWanted({ id, name, team }: Record<'id' | 'name' | 'team', string>): Promise<void> {
    if ((await this.#generations.wanted(team)).has(id)) return;
    await this.options.connection.execute(`drop table if exists ${name}`, this.#statement);
  }

  async #make(source: MakingSource, use: (stored: StoredTable) => void): Promise<MakingOutcome> {
    const { pools, connection } = this.options;
    const installation = await this.#readInstallation();
    const id = generationId(source.identity);
    const name = nameOf(installation, id);
    const { signal } = this.#generations;
    const outcome = await runInColumnarTurn(pools.loads, `table ${id}`, signal, async () => {
      // Between the look and the lock; it is found at the next look.
      const isThere = (await this.#read(`${whole} and name = {p0:String}`, [name])).length > 0;
      if (isThere) return 'awaited' as const;
      const stored = await makeGenerationTable(name, source, connection, this.#statement);
      if (!stored) return 'outdated' as const;
      const { columns, omitted, rows } = stored;
      const description = { ...source.identity, columns: [...columns], omitted: [...omitted], rows };
      const comment = JSON.stringify({ format: commentFormat, installation, ...description });
      await connection.execute(`alter table ${name} modify comment ${quoteText(comment)}`, this.#statement);
      use({ id, name, table: tableOf(description), loadedAt: source.identity.loadedAt });
      return 'made' as const;
    });
    return outcome ?? 'awaited';
  }
}

/** Each database has another key, which no backup takes along. */
const installationOf = async (pool: Pool): Promise<string> =>
  createHmac('sha256', await readTokenKey(pool))
    .update('tables by columns')
    .digest('hex');

/** Comments take no parameters. */
const quoteText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
