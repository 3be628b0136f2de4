/**
 * The commit of a load, under the lock of its table: the old rows when it appends, the indexes, the swap. Every step may be
 * begun again after one that was cut off. Never changes what is read before everything is ready, and keeps nothing of a load
 * that does not fit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { tableLoaded, type LoadFault } from '@tessera/contracts/knowledge-models';
import type { DatabaseColumn } from '@tessera/knowledge-model';
import { runInTenantTransactionOn, writeEvents, type PoolClient } from '@tessera/persistence';
import { TableLoad } from '@tessera/persistence/knowledge-models';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { cancelMakings, hasMakings } from '../database/makings.repository.js';
import { versionedModelDefinitions } from '../definitions/definitions.repository.js';
import { appendRows, isAppendOutdated, removeAppendedRows } from './append-rows.js';
import {
  createIndex,
  dropTableGeneration,
  findDuplicates,
  hasOlderQueries,
  isGenerationSettled,
  generationIndexName,
  readSnapshotXmax,
  replaceWithStaging,
  vacuumTableGeneration,
  stagingTableFor,
  type PhysicalTable,
} from './generation.js';
import { toLoadColumns } from './load-columns.js';
import {
  findLoad,
  whereLoad,
  ensureTeamSchema,
  incrementDataVersion,
  rejectLoad,
  type LoadKey,
  type LoadRow,
  type PhysicalSchema,
} from './load.repository.js';
import { determineRequiredIndexes, type RequiredIndex, type TableUsage } from './required-indexes.js';
import { quoteShortened } from './check-value-text.js';

export type CommitRequest = {
  readonly key: LoadKey;
  /** Who requested it. */
  readonly by: { readonly subject: string; readonly requestId: string };
  readonly usage: TableUsage;
  /** Of the generation that is read. */
  readonly current: ReadonlyMap<string, DatabaseColumn> | undefined;
};

type Commit = CommitRequest & {
  readonly manager: EntityManager;
  readonly client: PoolClient;
  readonly load: LoadRow;
  readonly place: PhysicalSchema;
  readonly staging: PhysicalTable;
};

/** Whether the table has another generation now; not when the load was refused, or has ended before. */
export const commitTableGeneration = async (
  manager: EntityManager,
  client: PoolClient,
  order: CommitRequest,
): Promise<boolean> => {
  const { key } = order;
  const opened = await runInTenantTransactionOn(client, key.team, async () => {
    const load = await findLoad(manager, key);
    return load?.state === 'committing' ? { load, place: await ensureTeamSchema(client, key) } : undefined;
  });
  if (!opened) return false;
  const commit = { ...order, ...opened, manager, client, staging: stagingTableFor(opened.place, key) };
  const faults = await prepareGeneration(commit);
  if (faults.length === 0) return swapGeneration(commit);
  await runInTenantTransactionOn(client, key.team, () =>
    rejectLoadAndDropStaging(manager, client, key, commit.staging, faults),
  );
  return false;
};

/** In a transaction; nothing happens to a load that has ended. */
export const rejectLoadAndDropStaging = async (
  manager: EntityManager,
  client: PoolClient,
  key: LoadKey,
  staging: PhysicalTable,
  faults: readonly LoadFault[],
): Promise<void> => {
  if (await rejectLoad(manager, key, faults)) await dropTableGeneration(client, staging);
};

const prepareGeneration = async (commit: Commit): Promise<readonly LoadFault[]> => {
  const { client, key, load, place, staging, usage } = commit;
  const { definition, mode } = load.options;
  const faults = mode === 'replace' ? [] : await appendToTable(commit);
  if (faults.length > 0) return faults;
  const moment = await readSnapshotXmax(client);
  // Nothing was fast before the first generation: it is read before `TableIndexes` has made what searches need.
  const searches = commit.current ? usage.searches : [];
  for (const index of determineRequiredIndexes(definition, { ...usage, searches })) {
    const name = generationIndexName(key.table, index, key.loadId);
    const refused = await catchFaults(
      async () => {
        await createIndex(client, staging, name, index);
        return [];
      },
      indexFaults(commit, index),
    );
    if (refused.length > 0) return refused;
  }
  // Neither settling nor the swap waits for what is made of the rows that go.
  await cancelMakings(client, { physical: place.physical, name: key.table });
  await settleGeneration(client, staging, moment);
  return [];
};

/** Under the lock of the table no other load puts a generation in place between these steps. */
const appendToTable = async (commit: Commit): Promise<readonly LoadFault[]> => {
  const { client, key, load, staging } = commit;
  const asTeam = <T>(work: () => Promise<T>): Promise<T> => runInTenantTransactionOn(client, key.team, work);
  let { appendedVersion } = load;
  if (await asTeam(() => isAppendOutdated(commit))) {
    const faults = await asTeam(() => removeAppendedRows(commit));
    if (faults.length > 0) return faults;
    appendedVersion = null;
    // The next copy has the place of the one that went.
    await vacuumTableGeneration(client, staging);
  }
  const columns = toLoadColumns(load.options.definition);
  const appending = { ...commit, load: { ...load, appendedVersion }, columns };
  return catchFaults(() => asTeam(() => appendRows(appending)), missingValueFaults);
};

const settlingsMax = 3;

/**
 * A query that began after the look for older ones may see as much as the oldest transaction of all databases, and keep pages from being
 * settled. So may the making of a rollup, which takes longer than a load should wait: `TableIndexes` settles them behind it.
 */
const settleGeneration = async (client: PoolClient, staging: PhysicalTable, moment: string): Promise<void> => {
  for (let settling = 0; settling < settlingsMax; settling += 1) {
    await waitForOlderQueries(client, moment);
    await vacuumTableGeneration(client, staging);
    if ((await isGenerationSettled(client, staging)) || (await hasMakings(client))) return;
  }
};

const pollMs = 20;
/** About ten seconds. No query lasts longer; what does is no query, and nobody waits for it. */
const pollsMax = 500;

/** While queries of callers go on that were begun before the last batch, its pages cannot be settled. */
const waitForOlderQueries = async (client: PoolClient, moment: string): Promise<void> => {
  for (let poll = 0; poll < pollsMax && (await hasOlderQueries(client, moment)); poll += 1) await sleep(pollMs);
};

type FaultMapper = (
  error: pg.DatabaseError,
) => readonly LoadFault[] | Promise<readonly LoadFault[] | undefined> | undefined;

/** What PostgreSQL has against the rows; everything else is thrown on. */
const catchFaults = async (
  work: () => Promise<readonly LoadFault[]>,
  faultsOf: FaultMapper,
): Promise<readonly LoadFault[]> => {
  try {
    return await work();
  } catch (error) {
    const faults = error instanceof pg.DatabaseError ? await faultsOf(error) : undefined;
    if (faults) return faults;
    throw error;
  }
};

const notNullViolation = '23502';
const uniqueViolation = '23505';
const tooLongForIndex = '54000';
const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

const missingValueFaults: FaultMapper = ({ code, column }) =>
  code === notNullViolation && column !== undefined
    ? [{ column, message: 'rows that are there have no value; load all rows without appending' }]
    : undefined;

const duplicatesMax = 10;

const indexFaults =
  ({ client, staging }: Commit, index: RequiredIndex): FaultMapper =>
  async ({ code }) => {
    const columns = index.columns.map(({ id }) => id);
    const [only, ...others] = columns;
    const column = others.length === 0 && only !== undefined ? { column: only } : {};
    if (code === tooLongForIndex)
      return [{ ...column, message: `a value of ${columns.join(', ')} is too long for an index (about 2,700 bytes)` }];
    if (code !== uniqueViolation) return undefined;
    const duplicates = await findDuplicates(client, staging, columns, duplicatesMax);
    return duplicates.map(({ values, rows }) => ({
      ...column,
      message: `${rows} rows have the key ${columns.map((id, at) => `${id} ${quoteShortened(values[at] ?? '')}`).join(', ')}`,
    }));
  };

const lockTimeoutMinMs = 100;
const lockTimeoutMaxMs = 5_000;
/** About ten minutes. */
const attemptsMax = 60;

/** Waits for queries that run, first for short moments, since all that come meanwhile wait as well. */
const swapGeneration = async (commit: Commit): Promise<boolean> => {
  const { client, key, place } = commit;
  for (let attempt = 1; ; attempt += 1) {
    const lockTimeoutMs = Math.min(lockTimeoutMinMs * 2 ** (attempt - 1), lockTimeoutMaxMs);
    try {
      // One that was begun since.
      await cancelMakings(client, { physical: place.physical, name: key.table });
      return await runInTenantTransactionOn(client, key.team, () => swapNow(commit), { lockTimeoutMs });
    } catch (error) {
      const isBusy =
        error instanceof pg.DatabaseError && [lockNotAvailable, deadlockDetected].includes(error.code ?? '');
      if (!isBusy || attempt === attemptsMax) throw error;
      await sleep(lockTimeoutMs);
    }
  }
};

const swapNow = async ({ manager, client, key, by, place, staging }: Commit): Promise<boolean> => {
  const load = await findLoad(manager, key, 'update');
  if (load?.state !== 'committing') return false;
  const rows = (load.rowCount ?? 0) + (load.appendedRows ?? 0);
  // Before the table: readers wait for that one, and should not wait for a publication as well.
  await versionedModelDefinitions.lockTeam(client, key.team);
  await versionedModelDefinitions.raiseRevision(client, key.team);
  await replaceWithStaging(client, staging, { name: key.table, role: place.role });
  const dataVersion = await incrementDataVersion(client, key, { rows, loadedBy: by.subject });
  const committed = { state: 'committed', dataVersion: String(dataVersion), rowCount: String(rows) };
  await manager.update(TableLoad, whereLoad(key), committed);
  const data = { schema: key.schema, table: key.table, dataVersion, rows };
  await writeEvents(client, key.team, [{ event: tableLoaded, ...by, data }]);
  return true;
};
