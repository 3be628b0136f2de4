/**
 * The PostgreSQL databases beside the platform's own that models may read: each with a small pool of its own, read-only, for
 * the teams that the operator has named. For other teams such a database does not exist.
 */
import type { OnApplicationShutdown } from '@nestjs/common';
import type { DatabaseReading, ReadableSchema } from '@tessera/knowledge-model';
import { createPool, type Pool } from '@tessera/persistence';
import { readOnlySessionSettings } from '../database.module.js';
import type { ExternalDatabase } from '../settings.js';
import { readDatabaseReading, readExternalSchema } from './columns.repository.js';
import { DatabaseReadings } from './database-readings.js';

type ExternalSource = {
  readonly pool: Pool;
  /** Another one whenever answers from before are too old. */
  readonly freshness: string;
  /** How columns are read, as old as answers may be. Rejects with the error of pg. */
  readonly readingOf: (schema: string, tables: readonly string[]) => Promise<DatabaseReading>;
  /** After a statement that did not fit the columns. */
  readonly forgetReading: (schema: string, tables: readonly string[]) => void;
};

type ExternalOptions = {
  readonly statementTimeoutMs: number;
  /** The name alone: errors of connections hold addresses. */
  readonly onIdleError: (database: string) => void;
  readonly nowMs?: () => number;
};

export class ExternalDatabases implements OnApplicationShutdown {
  readonly #databases: ReadonlyMap<string, ExternalDatabase>;
  readonly #options: ExternalOptions;
  readonly #pools = new Map<string, Pool>();
  readonly #readings = new DatabaseReadings();

  constructor(databases: Readonly<Record<string, ExternalDatabase>>, options: ExternalOptions) {
    this.#databases = new Map(Object.entries(databases));
    this.#options = options;
  }

  /** Whether models of the team may read it. */
  has(name: string, team: string): boolean {
    return this.#databases.get(name)?.teams.includes(team) ?? false;
  }

  /** Those that models of the team may read, for a hint. */
  namesFor(team: string): readonly string[] {
    return [...this.#databases.keys()].filter((name) => this.has(name, team));
  }

  find(name: string, team: string): ExternalSource | undefined {
    const database = this.#databases.get(name);
    if (!database || !this.has(name, team)) return undefined;
    const nowMs = this.#options.nowMs?.() ?? Date.now();
    const freshness = String(Math.floor(nowMs / (database.freshnessSeconds * 1000)));
    const pool = this.#poolOf(name, database);
    return {
      pool,
      freshness,
      readingOf: (schema, tables) =>
        this.#readings.of(JSON.stringify([name, schema, tables]), freshness, () =>
          readDatabaseReading(pool, schema, tables),
        ),
      forgetReading: (schema, tables) => this.#readings.forget(JSON.stringify([name, schema, tables])),
    };
  }

  /** These tables of one of its schemas, as they are now; undefined when it cannot be reached. */
  async readSchema(
    {
      database,
      schema,
      tables,
    }: Readonly<Record<'database' | 'schema', string>> & { readonly tables: readonly string[] },
    team: string,
  ): Promise<ReadableSchema | undefined> {
    const source = this.find(database, team);
    return source && readExternalSchema(source.pool, schema, tables).catch(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([...this.#pools.values()].map((pool) => pool.end()));
  }

  #poolOf(name: string, { url, connectionsMax }: ExternalDatabase): Pool {
    const known = this.#pools.get(name);
    if (known) return known;
    const { statementTimeoutMs, onIdleError } = this.#options;
    const pool = createPool({
      url,
      applicationName: 'tessera-knowledge-models',
      connectionsMax,
      statementTimeoutMs,
      connectTimeoutMs: 5_000,
      settings: readOnlySessionSettings,
      onIdleError: () => onIdleError(name),
    });
    this.#pools.set(name, pool);
    return pool;
  }
}
