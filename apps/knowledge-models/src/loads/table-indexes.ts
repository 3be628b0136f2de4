/**
 * Indexes for what models ask of tables that are loaded already: made in the background, while queries go on, after a
 * publication and when a process first reads what a team has, since a version before may not have made them. The next load
 * makes all of them anew. None is dropped, and no caller notices; without an index answers are slow and right. Pages that a
 * load, or a backup that came back, left unsettled are settled here as well: until then indexes alone answer nothing.
 */
import { Injectable, Logger } from '@nestjs/common';
import type { TableDefinition } from '@tessera/contracts/knowledge-models';
import { runInTenantTransactionOn, type PoolClient } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { DataSource, type EntityManager } from 'typeorm';
import { Catalogs } from '../catalog/catalogs.js';
import { readTableColumns, stagingTableMarker } from '../database/columns.repository.js';
import { Pools } from '../database.module.js';
import {
  createIndex,
  isGenerationSettled,
  readIndexes,
  vacuumTableGeneration,
  type ExistingIndex,
  type PhysicalTable,
} from './generation.js';
import { findTable, ensureTeamSchema, type TableKey } from './load.repository.js';
import { requiredIndexName, determineRequiredIndexes, type TableUsage } from './required-indexes.js';
import { referencesOver } from './orphans.js';
import { TableLocks } from './table-locks.js';
import { collectTableUsage } from './table-usage.js';

/** A team loads its tables one after the other: what has to be made is made after the last. */
const pauseMs = 2_000;
/** A team that never pauses waits no longer than this. */
const pausesMs = 60_000;
/** A statement that kept pages from being settled may take as long. */
const settleAgainMs = 60_000;

@Injectable()
export class TableIndexes {
  readonly #logger = new Logger('Indexes');
  /** One team after the other: whoever loads should not wait for connections when many teams are looked at. */
  #looking: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Map<string, { readonly timer: NodeJS.Timeout; readonly latestMs: number }>();

  constructor(
    private readonly source: DataSource,
    private readonly pools: Pools,
    private readonly catalogs: Catalogs,
    private readonly locks: TableLocks,
  ) {
    catalogs.onFirstRead((team) => this.ensure(team));
  }

  /** What the published models do with the table at this moment. */
  async usageOf({ team, schema, table }: TableKey): Promise<TableUsage> {
    const { models } = await this.catalogs.of(team);
    return collectTableUsage(await models.whole(), schema, table);
  }

  /** The references of the published models from and to the table, as far as both tables were loaded, and where its schema is. */
  async referencesOver({ team, schema, table }: TableKey) {
    const { models, schemas, tables } = await this.catalogs.of(team);
    const isLoaded = (id: string): boolean => (tables.get(`${schema}.${id}`)?.dataVersion ?? '0') !== '0';
    const read = [...(await models.whole()).values()].map(({ checked }) => checked.model);
    const references = referencesOver(read, { schema, table });
    return {
      physical: schemas.get(schema)?.physical ?? '',
      references: references.filter(({ from, to }) => isLoaded(from.table) && isLoaded(to.table)),
    };
  }

  /** Makes what is missing in the tables of the team once its loads and publications pause; what goes wrong is logged. */
  ensure(team: string): void {
    const waiting = this.#waiting.get(team);
    if (waiting && performance.now() > waiting.latestMs) return;
    if (waiting) return void waiting.timer.refresh();
    const timer = setTimeout(() => {
      this.#waiting.delete(team);
      this.#ensureNow(team);
    }, pauseMs).unref();
    this.#waiting.set(team, { timer, latestMs: performance.now() + pausesMs });
  }

  #ensureNow(team: string): void {
    this.#looking = this.#looking
      .then(async () => {
        for (const key of await this.#incomplete(team)) this.#logged(team, this.ensureTable(key));
      })
      .catch((error: unknown) => this.#warn(team, error));
  }

  #logged(team: string, work: Promise<void>): void {
    work.catch((error: unknown) => this.#warn(team, error));
  }

  #warn(team: string, error: unknown): void {
    if (!this.locks.isStopping) this.#logger.warn(`Indexes of the team ${team} were not made.`, error);
  }

  async #incomplete(team: string): Promise<readonly TableKey[]> {
    if (this.locks.isStopping) return [];
    const { tables } = await this.catalogs.of(team);
    const incomplete: TableKey[] = [];
    for (const [name, { dataVersion }] of tables) {
      const [schema = '', table = ''] = name.split('.');
      const key = { team, schema, table };
      if (dataVersion !== '0' && !(await this.#isComplete(key))) incomplete.push(key);
    }
    return incomplete;
  }

  /** Does not take the lock of the table when there is nothing to do. */
  async ensureTable(key: TableKey): Promise<void> {
    if (await this.#isComplete(key)) return;
    await this.locks.hold(key, async (manager, client) => {
      // Models may have changed until the lock was free. A second connection may be more than the team has.
      const found = await runInTenantTransactionOn(client, key.team, () => loadedTable(manager, client, key));
      for (const { name, index, table } of await this.#missing(key, found))
        await createIndex(client, table, name, index);
      if (!found || found.isSettled) return;
      await vacuumTableGeneration(client, found.table);
      if (!(await isGenerationSettled(client, found.table)))
        setTimeout(() => this.ensure(key.team), settleAgainMs).unref();
    });
  }

  async #isComplete(key: TableKey): Promise<boolean> {
    const found = await runInTenantEntityTransaction(
      this.source,
      key.team,
      (manager, client) => loadedTable(manager, client, key),
      {
        pool: this.pools.loads,
      },
    );
    return !found || (found.isSettled && (await this.#missing(key, found)).length === 0);
  }

  async #missing(key: TableKey, found: LoadedTable | undefined) {
    if (!found) return [];
    const columns = await readTableColumns(this.pools.light, key);
    const isThere = (id: string): boolean => columns?.has(id) ?? false;
    const usage = await this.usageOf(key);
    const trigrams = new Set(found.indexes.flatMap((index) => index.trigrams));
    const searches = usage.searches.filter((column) => !trigrams.has(column));
    return determineRequiredIndexes(found.definition, { ...usage, searches })
      .filter((index) => !index.isUnique && [...index.columns.map(({ id }) => id), ...index.include].every(isThere))
      .map((index) => ({ index, start: `${requiredIndexName(key.table, index)}${stagingTableMarker}` }))
      .filter(({ start }) => !found.indexes.some(({ name }) => name.startsWith(start)))
      .map(({ index, start }) => ({ index, name: `${start}${found.dataVersion}`, table: found.table }));
  }
}

type LoadedTable = {
  readonly definition: TableDefinition;
  readonly dataVersion: string;
  readonly table: PhysicalTable;
  readonly indexes: readonly ExistingIndex[];
  readonly isSettled: boolean;
};

/** Undefined for a table that is not there, or was never loaded. */
const loadedTable = async (
  manager: EntityManager,
  client: PoolClient,
  key: TableKey,
): Promise<LoadedTable | undefined> => {
  const found = await findTable(manager, key);
  if (!found || found.dataVersion === '0') return undefined;
  const { physical } = await ensureTeamSchema(client, key);
  const table = { physical, name: key.table };
  const indexes = await readIndexes(client, table);
  return { ...found, table, indexes, isSettled: await isGenerationSettled(client, table) };
};
