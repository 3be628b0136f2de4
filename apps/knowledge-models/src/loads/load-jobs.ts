/**
 * Commits that run in this process, some of them longer than a request may last. One that dies with its process has changed
 * nothing that is read; whoever asks for the load again, here or in another replica, makes it go on. Never begins a commit
 * of a load twice.
 */
import { Inject, Injectable, Logger } from '@nestjs/common';
import { waitForReplicas } from '@tessera/definitions';
import { TableLoad } from '@tessera/persistence/knowledge-models';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { EventPublishTrigger, settingsToken } from '@tessera/service-kit';
import { DataSource } from 'typeorm';
import { readTableColumns } from '../database/columns.repository.js';
import { Pools } from '../database.module.js';
import { commitTableGeneration, type CommitRequest } from './commit-generation.js';
import type { Settings } from '../settings.js';
import { whereLoad, type LoadKey } from './load.repository.js';
import { findOrphans } from './orphans.js';
import { TableIndexes } from './table-indexes.js';
import { TableLocks } from './table-locks.js';

@Injectable()
export class LoadJobs {
  readonly #logger = new Logger('Load');
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    private readonly pools: Pools,
    private readonly events: EventPublishTrigger,
    private readonly indexes: TableIndexes,
    private readonly locks: TableLocks,
    private readonly source: DataSource,
    @Inject(settingsToken) private readonly settings: Pick<Settings, 'LOAD_HISTORY'>,
  ) {}

  isRunning({ loadId }: LoadKey): boolean {
    return this.#running.has(loadId);
  }

  /** Resolves when the commit has ended, or when `waitMs` are over and it goes on; rejects when it could not be done. */
  async run(key: LoadKey, by: CommitRequest['by'], waitMs: number): Promise<void> {
    const job = this.#running.get(key.loadId) ?? this.#start(key, by);
    const { promise: patience, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    try {
      await Promise.race([job, patience]);
    } finally {
      clearTimeout(timer);
    }
  }

  #start(key: LoadKey, by: CommitRequest['by']): Promise<void> {
    const job = this.#commit(key, by).finally(() => this.#running.delete(key.loadId));
    this.#running.set(key.loadId, job);
    // Whoever waits hears of it; this line is for the time when nobody does any more.
    job.catch((error: unknown) => this.#logger.warn(`The commit of load ${key.loadId} failed.`, error));
    return job;
  }

  async #commit(key: LoadKey, by: CommitRequest['by']): Promise<void> {
    const startedMs = Date.now();
    const isDone = await this.locks.hold(key, async (manager, client) => {
      const usage = await this.indexes.usageOf(key);
      const current = await readTableColumns(this.pools.light, key);
      const historyMax = this.settings.LOAD_HISTORY;
      return commitTableGeneration(manager, client, { key, by, usage, current, historyMax });
    });
    if (!isDone) return;
    this.events.wake();
    const { team, schema, table, loadId } = key;
    this.#logger.log(`Load ${loadId} of ${schema}.${table} was put in place in ${Date.now() - startedMs} ms.`);
    // Models may have been published while it was at work, and what was read before does not have its rows.
    await waitForReplicas();
    await this.#tellOrphans(key);
    this.indexes.ensure(team);
  }

  /** The commit stands, whatever comes of this. */
  async #tellOrphans(key: LoadKey): Promise<void> {
    try {
      const { physical, references } = await this.indexes.referencesOver(key);
      const orphans = await findOrphans(this.pools.loads, key, physical, references);
      if (orphans.length === 0) return;
      await runInTenantEntityTransaction(this.source, key.team, (manager) =>
        manager.update(TableLoad, whereLoad(key), { orphans }),
      );
    } catch (error) {
      this.#logger.warn(`The references of load ${key.loadId} were not looked at.`, error);
    }
  }
}
