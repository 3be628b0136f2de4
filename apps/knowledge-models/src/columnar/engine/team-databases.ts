/**
 * The databases that the process of the engine has open: one a team, in memory, with files of that team attached to be read.
 * Once they are attached, nothing else of the machine can be reached and no setting changed. The least recently asked are closed.
 */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AttachedFile, EngineOptions } from './engine-messages.js';

type TeamDatabase = {
  readonly instance: DuckDBInstance;
  /** Paths by name. */
  readonly files: ReadonlyMap<string, string>;
  users: number;
  isRetired: boolean;
};

export class TeamDatabases {
  /** The least recently asked first. */
  readonly #open = new Map<string, TeamDatabase>();
  #opening: Promise<unknown> = Promise.resolve();
  #opened = 0;

  constructor(private readonly options: EngineOptions) {}

  /** Runs `work` on a connection of its own. Rejects with what DuckDB says. */
  async use<T>(
    team: string,
    files: readonly AttachedFile[],
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    const database = await this.#find(team, files);
    try {
      const connection = await database.instance.connect();
      try {
        return await work(connection);
      } finally {
        connection.closeSync();
      }
    } finally {
      database.users -= 1;
      this.#closeIfUnused(database);
    }
  }

  /** One after the other: two questions of a team open one database. */
  async #find(team: string, files: readonly AttachedFile[]): Promise<TeamDatabase> {
    const before = this.#opening;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#opening = promise;
    await before;
    try {
      const known = this.#open.get(team);
      const database =
        known && files.every(({ name }) => known.files.has(name)) ? known : await this.#openFor(team, files, known);
      database.users += 1;
      this.#open.delete(team);
      this.#open.set(team, database);
      this.#closeOldest();
      return database;
    } finally {
      resolve();
    }
  }

  async #openFor(team: string, files: readonly AttachedFile[], known: TeamDatabase | undefined): Promise<TeamDatabase> {
    const kept = [...(known?.files ?? [])].filter(([, path]) => existsSync(path));
    const all = new Map([...kept, ...files.map(({ name, path }) => [name, path] as const)]);
    if (known) this.#retire(team, known);
    // Before the next one takes its memory.
    while (this.#open.size >= this.options.databasesMax && this.#retireOldestUnused());
    const instance = await openDatabase(this.options, all, `database-${(this.#opened += 1)}`);
    return { instance, files: all, users: 0, isRetired: false };
  }

  #closeOldest(): void {
    while (this.#open.size > this.options.databasesMax && this.#retireOldestUnused());
  }

  /** Whether there was one. */
  #retireOldestUnused(): boolean {
    for (const [team, database] of this.#open)
      if (database.users === 0) {
        this.#retire(team, database);
        return true;
      }
    return false;
  }

  #retire(team: string, database: TeamDatabase): void {
    this.#open.delete(team);
    database.isRetired = true;
    this.#closeIfUnused(database);
  }

  #closeIfUnused(database: TeamDatabase): void {
    if (database.isRetired && database.users === 0) database.instance.closeSync();
  }
}

/** Of every database. */
export const databaseSettings = (
  { memoryBytes, temporaryBytes, threads }: Omit<EngineOptions, 'databasesMax'>,
  temporaryFolder: string,
) => ({
  threads: String(threads),
  memory_limit: `${memoryBytes}B`,
  temp_directory: temporaryFolder,
  max_temp_directory_size: `${temporaryBytes}B`,
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
});

const openDatabase = async (
  options: EngineOptions,
  files: ReadonlyMap<string, string>,
  name: string,
): Promise<DuckDBInstance> => {
  const instance = await DuckDBInstance.create(
    ':memory:',
    databaseSettings(options, join(options.temporaryFolder, name)),
  );
  try {
    const connection = await instance.connect();
    for (const [file, path] of files) await connection.run(`attach ${quoteText(path)} as ${file} (read_only)`);
    await connection.run("set global TimeZone = 'UTC'");
    await connection.run('set enable_external_access = false');
    await connection.run('set lock_configuration = true');
    connection.closeSync();
    return instance;
  } catch (error) {
    instance.closeSync();
    throw error;
  }
};

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
