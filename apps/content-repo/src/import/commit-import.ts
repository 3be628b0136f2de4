/**
 * The transaction of a commit: everything that was staged takes effect, or nothing does. Steps in their order: lock,
 * store the definition, write what differs, order the trees, check the whole, render what changed, tell what was done.
 * Memory stays flat: staged documents are read by a cursor, renditions are made batch by batch. Never commits two
 * imports of one storage at once; the second waits.
 */
import { isDeepStrictEqual } from 'node:util';
import { toCanonicalDefinition, normaliseDefinition } from '@tessera/content-model';
import type { StorageDefinition } from '@tessera/contracts';
import { commitImport, storageImported } from '@tessera/contracts/content-repo';
import type { Fault } from '@tessera/failures';
import { writeEvents } from '@tessera/persistence';
import type pg from 'pg';
import { recordChange, updateChangedAt, startChange } from '../change/change.repository.js';
import { arrangeTree } from './arrange-tree.js';
import { findCycleFaults, maxReportedFaults, findParentFaults, findReferenceFaults } from './check-integrity.js';
import { findDefinitionInUseFaults } from './definition-in-use.js';
import {
  findImport,
  finishImport,
  type ImportKey,
  type ImportScope,
  type ImportTransaction,
  lockImport,
  lockStorage,
  runWithoutNestedLoops,
  type StoredImportStatus,
} from './imports.repository.js';
import { deleteAllRenditions, insertMissingRenditions } from './render-pending.js';
import { refreshPlannerStatistics } from './statistics.js';
import {
  addWriteResults,
  emptyWriteResult,
  type StagedDocument,
  writeElements,
  type WriteOptions,
  type WriteResult,
} from './write-elements.js';

const batchElements = 250;

/**
 * The outcome; `undefined` when there is no such import. A `refused` one left traces in the transaction: roll it back.
 * An import that has an outcome already answers it and changes nothing.
 */
export const commitImportInTransaction = async (
  { manager, client }: ImportTransaction,
  key: ImportKey,
  by: CommitAuthor,
  { overwrite = false }: CommitOptions = {},
): Promise<StoredImportStatus | undefined> => {
  await lockImport(client, key);
  const row = await findImport(manager, key);
  if (!row || row.outcome) return row?.outcome ?? undefined;
  await lockStorage(client, key);
  const stored = await storeDefinition(client, key, row.definition);
  const scope: ImportScope = {
    client,
    tenant: key.team,
    storageId: stored.storageId,
    importId: key.importId,
    model: normaliseDefinition(row.definition),
  };
  const written = await writeStaged(scope, { now: new Date(), overwrite });
  if (written.conflicts.length > 0) return { state: 'refused', faults: written.conflicts.slice(0, maxReportedFaults) };
  const { counts } = written;
  const { moved, unreached } = await runWithoutNestedLoops(scope, () => arrangeTree(scope));
  const faults = await runWithoutNestedLoops(scope, () =>
    faultsOf(scope, { unreached: unreached > 0, redefined: stored.redefined }),
  );
  if (faults.length > 0) return { state: 'refused', faults: faults.slice(0, maxReportedFaults) };
  if (stored.redefined) await deleteAllRenditions(scope);
  await insertMissingRenditions(scope, moved > 0);
  const outcome: StoredImportStatus = { state: 'committed', ...counts };
  if (!stored.isThere || stored.redefined || counts.created + counts.changed + moved > 0)
    await recordImport(scope, stored.sequence, written, by);
  await finishImport(manager, key, outcome);
  return outcome;
};

/** The change gets its instant at its end: it may have taken minutes, and readers as of an instant wait for those before it. */
const recordImport = async (
  scope: ImportScope,
  sequence: string,
  { counts, deleted }: WriteResult,
  by: CommitAuthor,
): Promise<void> => {
  const changedAt = await updateChangedAt(scope);
  const { created, changed, unchanged } = counts;
  const entries = [{ action: 'imported', detail: { importId: scope.importId, ...counts } } as const, ...deleted];
  await recordChange(scope, { sequence, changedAt, operation: commitImport.name, ...by, entries });
  const place = { collection: scope.model.collection, storage: scope.model.id };
  const data = { ...place, created, changed, unchanged, sequence };
  await writeEvents(scope.client, scope.tenant, [{ event: storageImported, ...by, data }]);
};

/** Who asked for the commit. */
export type CommitAuthor = { readonly subject: string; readonly requestId: string };

export type CommitOptions = {
  /** Whether files win over what was written over the API since they were applied. */
  readonly overwrite?: boolean | undefined;
};

type StoredStorage = {
  readonly storageId: string;
  /** The number of this change. */
  readonly sequence: string;
  readonly isThere: boolean;
  /** Whether it was there with another definition. */
  readonly redefined: boolean;
};

const storeDefinition = async (
  client: pg.PoolClient,
  { team, collection, storage }: ImportKey,
  definition: StorageDefinition,
): Promise<StoredStorage> => {
  const { rows } = await client.query<{ storage_id: string; definition: StorageDefinition }>(
    `select storage_id, definition from content_repo.storage
     where tenant = $1 and collection_name = $2 and storage_name = $3`,
    [team, collection, storage],
  );
  const [existing] = rows;
  const storageId = existing?.storage_id ?? (await insertStorage(client, { team, collection, storage }, definition));
  const { sequence } = await startChange(client, team, storageId, { hasNow: false });
  if (!existing) return { storageId, sequence, isThere: false, redefined: false };
  const redefined = !isDeepStrictEqual(toCanonicalDefinition(existing.definition), toCanonicalDefinition(definition));
  if (redefined)
    await client.query(
      `update content_repo.storage set definition = $3, revision = revision + 1 where tenant = $1 and storage_id = $2`,
      [team, storageId, JSON.stringify(definition)],
    );
  return { storageId, sequence, isThere: true, redefined };
};

const insertStorage = async (
  client: pg.PoolClient,
  { team, collection, storage }: Omit<ImportKey, 'importId'>,
  definition: StorageDefinition,
): Promise<string> => {
  const { rows } = await client.query<{ storage_id: string }>(
    `insert into content_repo.storage (tenant, storage_id, collection_name, storage_name, definition)
     values ($1, uuidv7(), $2, $3, $4) returning storage_id`,
    [team, collection, storage, JSON.stringify(definition)],
  );
  const [row] = rows;
  if (!row) throw new Error('The storage that was inserted came back without its id.');
  return row.storage_id;
};

/** Stops early when there are more conflicts than are told. */
const writeStaged = async (scope: ImportScope, options: WriteOptions): Promise<WriteResult> => {
  let written = emptyWriteResult;
  await scope.client.query(
    `declare staged no scroll cursor for
     select ordinal, document from content_repo.import_element where tenant = $1 and import_id = $2 order by ordinal`,
    [scope.tenant, scope.importId],
  );
  while (written.conflicts.length < maxReportedFaults) {
    const { rows } = await scope.client.query<StagedDocument>(`fetch forward ${batchElements} from staged`);
    if (rows.length === 0) break;
    const batch = rows.map(({ ordinal, document }) => ({ ordinal: Number(ordinal), document }));
    const before = written.counts.versions;
    written = addWriteResults(written, await writeElements(scope, batch, options));
    const { versions } = written.counts;
    if (before === 0 && versions > 0) await refreshPlannerStatistics(scope, 'element_version', versions);
  }
  await scope.client.query('close staged');
  return written;
};

const faultsOf = async (
  scope: ImportScope,
  { unreached, redefined }: { readonly unreached: boolean; readonly redefined: boolean },
): Promise<readonly Fault[]> => {
  const parents = await findParentFaults(scope);
  const circles = unreached && parents.length === 0 ? await findCycleFaults(scope) : [];
  const lost = redefined ? await findDefinitionInUseFaults(scope) : [];
  return [...lost, ...[...(await findReferenceFaults(scope)), ...parents, ...circles].sort(byOrdinal)];
};

const byOrdinal = (left: Fault, right: Fault): number =>
  Number.parseInt(left.path, 10) - Number.parseInt(right.path, 10);
