/**
 * The commit of a load, under the lock of its table: the rows that stay, the indexes, the swap. Every step may be
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
import { fitStagedRows, type FittedLoad } from './fit-generation.js';
import {
  createIndex,
  dropTableGeneration,
  findDuplicates,
  hasOlderQueries,
  isGenerationSettled,
  isLockHeld,
  generationIndexName,
  readSnapshotXmax,
  vacuumTableGeneration,
  mergedTableFor,
  stagingTableFor,
  type PhysicalTable,
} from './generation.js';
import { putInPlace } from './kept-generations.js';
import { describeKey } from './load-columns.js';
import {
  findLoad,
  findTable,
  whereLoad,
  ensureTeamSchema,
  incrementDataVersion,
  rejectLoad,
  type LoadKey,
  type LoadRow,
  type PhysicalSchema,
  type TableKey,
} from './load.repository.js';
import { findMissingValues, mergeRows } from './merge-rows.js';
import { determineRequiredIndexes, type RequiredIndex, type TableUsage } from './required-indexes.js';

export type CommitRequest = {
  readonly key: LoadKey;
  /** Who requested it. */
  readonly by: { readonly subject: string; readonly requestId: string };
  readonly usage: TableUsage;
  /** Of the generation that is read. */
  readonly current: ReadonlyMap<string, DatabaseColumn> | undefined;
  /** Generations that are kept behind the one in place. */
  readonly historyMax: number;
};

type Commit = CommitRequest & {
  readonly manager: EntityManager;
  readonly client: PoolClient;
  readonly load: LoadRow;
  readonly place: PhysicalSchema;
  readonly staging: PhysicalTable;
  /** The table that will be read: the rows of the load, or all of the table with them. */
  readonly generation: PhysicalTable;
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
  const { place } = opened;
  const staging = stagingTableFor(place, key);
  const fitted = await runInTenantTransactionOn(client, key.team, () =>
    fitLoad(manager, client, key, staging, opened.load),
  );
  const load = { ...opened.load, options: fitted.options };
  const generation = load.options.mode === 'replace' ? staging : mergedTableFor(place, key);
  const commit = { ...order, load, place, manager, client, staging, generation };
  const faults = fitted.faults.length > 0 ? fitted.faults : await prepareGeneration(commit);
  if (faults.length === 0) return swapPatiently(client, key, place, () => swapNow(commit));
  await runInTenantTransactionOn(client, key.team, () => rejectLoadAndDropRows(manager, client, key, place, faults));
  return false;
};

/** In a transaction: the rows of the load and its options by the definition of its table as it is now. */
const fitLoad = async (
  manager: EntityManager,
  client: PoolClient,
  key: LoadKey,
  staging: PhysicalTable,
  { options }: LoadRow,
): Promise<FittedLoad> => {
  const found = await findTable(manager, key);
  return found ? fitStagedRows(client, staging, options, found.definition) : { options, faults: [] };
};

/** In a transaction; nothing happens to a load that has ended. */
export const rejectLoadAndDropRows = async (
  manager: EntityManager,
  client: PoolClient,
  key: LoadKey,
  place: PhysicalSchema,
  faults: readonly LoadFault[],
): Promise<void> => {
  if (await rejectLoad(manager, key, faults)) await dropLoadedRows(client, key, place);
};

/** In a transaction: what the load has made and what is not read. */
export const dropLoadedRows = async (client: PoolClient, key: LoadKey, place: PhysicalSchema): Promise<void> => {
  await dropTableGeneration(client, stagingTableFor(place, key));
  await dropTableGeneration(client, mergedTableFor(place, key));
};

const prepareGeneration = async (commit: Commit): Promise<readonly LoadFault[]> => {
  const { client, key, load, place, generation, usage } = commit;
  const faults = load.options.mode === 'replace' ? [] : await mergeWithTable(commit);
  if (faults.length > 0) return faults;
  const tooFew = await findShrinking(commit);
  if (tooFew.length > 0) return tooFew;
  const moment = await readSnapshotXmax(client);
  // Nothing was fast before the first generation: it is read before `TableIndexes` has made what searches need.
  const searches = commit.current ? usage.searches : [];
  for (const index of determineRequiredIndexes(load.options.definition, { ...usage, searches })) {
    const name = generationIndexName(key.table, index, key.loadId);
    const refused = await catchFaults(
      async () => {
        await createIndex(client, generation, name, index);
        return [];
      },
      indexFaults(commit, index),
    );
    if (refused.length > 0) return refused;
  }
  // Neither settling nor the swap waits for what is made of the rows that go.
  await cancelMakings(client, { physical: place.physical, name: key.table });
  await settleGeneration(client, generation, moment);
  return [];
};

/** Under the lock of the table no other load puts a generation in place between these steps. */
const mergeWithTable = (commit: Commit): Promise<readonly LoadFault[]> =>
  catchFaults(
    () => runInTenantTransactionOn(commit.client, commit.key.team, () => mergeRows(commit)),
    ({ code, column }) =>
      code === notNullViolation && column !== undefined ? findMissingValues(commit, column) : undefined,
  );

/** Other loads may have brought rows since the commit was asked for. */
const findShrinking = ({ manager, client, key }: Commit): Promise<readonly LoadFault[]> =>
  runInTenantTransactionOn(client, key.team, async () => {
    const [load, table] = [await findLoad(manager, key), await findTable(manager, key)];
    const message = load && table && describeShrinking(table.rows, rowsAfter(load), load.options.rowsMin);
    return message === undefined ? [] : [{ message, rule: 'LOAD_TOO_FEW_ROWS' }];
  });

/** Undefined when the table may have so many rows afterwards. */
export const describeShrinking = (before: number, after: number, rowsMin: number | undefined): string | undefined => {
  if (after >= (rowsMin ?? before / 2)) return undefined;
  return rowsMin === undefined
    ? `the table has ${before} rows and would have ${after}, fewer than half; load all rows, or allow it to shrink`
    : `the table would have ${after} rows, and rowsMin is ${rowsMin}; load all rows`;
};

const rowsAfter = ({ rowCount, appendedRows }: LoadRow): number => (rowCount ?? 0) + (appendedRows ?? 0);

const settlingsMax = 3;

/**
 * A query that began after the look for older ones may see as much as the oldest transaction of all databases, and keep pages from being
 * settled. So may the making of a rollup, which takes longer than a load should wait: `TableIndexes` settles them behind it.
 */
const settleGeneration = async (client: PoolClient, generation: PhysicalTable, moment: string): Promise<void> => {
  for (let settling = 0; settling < settlingsMax; settling += 1) {
    await waitForOlderQueries(client, moment);
    await vacuumTableGeneration(client, generation);
    if ((await isGenerationSettled(client, generation)) || (await hasMakings(client))) return;
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

const duplicatesMax = 10;

const indexFaults =
  ({ client, generation }: Commit, index: RequiredIndex): FaultMapper =>
  async ({ code }) => {
    const columns = index.columns.map(({ id }) => id);
    const [only, ...others] = columns;
    const column = others.length === 0 && only !== undefined ? { column: only } : {};
    if (code === tooLongForIndex)
      return [{ ...column, message: `a value of ${columns.join(', ')} is too long for an index (about 2,700 bytes)` }];
    if (code !== uniqueViolation) return undefined;
    const duplicates = await findDuplicates(client, generation, columns, duplicatesMax);
    return duplicates.map(({ values, rows }) => ({
      ...column,
      message: `${rows} rows have the key ${describeKey(columns, values)}`,
    }));
  };

const lockTimeoutMinMs = 100;
const lockTimeoutMaxMs = 5_000;
/** About ten minutes. */
const attemptsMax = 60;

/** One transaction that takes the place of a generation. Waits for queries that run, first for short moments, since all that come meanwhile wait as well. */
export const swapPatiently = async <T>(
  client: PoolClient,
  key: TableKey,
  place: PhysicalSchema,
  work: () => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    const lockTimeoutMs = Math.min(lockTimeoutMinMs * 2 ** (attempt - 1), lockTimeoutMaxMs);
    try {
      // One that was begun since.
      await cancelMakings(client, { physical: place.physical, name: key.table });
      return await runInTenantTransactionOn(client, key.team, work, { lockTimeoutMs });
    } catch (error) {
      if (!isLockHeld(error) || attempt === attemptsMax) throw error;
      await sleep(lockTimeoutMs);
    }
  }
};

const swapNow = async ({ manager, client, key, by, place, generation, historyMax }: Commit): Promise<boolean> => {
  const load = await findLoad(manager, key, 'update');
  if (load?.state !== 'committing') return false;
  const rows = rowsAfter(load);
  // Before the table: readers wait for that one, and should not wait for a publication as well.
  await versionedModelDefinitions.lockTeam(client, key.team);
  const whole: LoadRow = { ...load, options: { ...load.options, mode: 'replace' } };
  const { faults } = await fitLoad(manager, client, key, generation, whole);
  if (faults.length > 0) {
    await rejectLoadAndDropRows(manager, client, key, place, faults);
    return false;
  }
  await versionedModelDefinitions.raiseRevision(client, key.team);
  await putInPlace(manager, client, key, { place, next: generation, historyMax });
  await dropLoadedRows(client, key, place);
  const dataVersion = await incrementDataVersion(client, key, { rows, loadedBy: by.subject });
  const committed = { state: 'committed', dataVersion: String(dataVersion), rowCount: String(rows) };
  await manager.update(TableLoad, whereLoad(key), committed);
  const data = { schema: key.schema, table: key.table, dataVersion, rows };
  await writeEvents(client, key.team, [{ event: tableLoaded, ...by, data }]);
  return true;
};
