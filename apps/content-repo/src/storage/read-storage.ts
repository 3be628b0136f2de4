/**
 * One read of one storage in one snapshot, of now or of the instant in `asOf`: the tables are as they were then, the
 * definition is that of now.
 */
import type { ByteReply } from '@tessera/contracts';
import { fail, type Result } from '@tessera/failures';
import type { OperationContext } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import type pg from 'pg';
import { type Snapshot, type StreamedReply, streamFromSnapshot } from '../database/snapshot.js';
import { historicalTables, createPoolReader } from '../database/tenant-reader.js';
import { type ConditionalRequest, contentNotFound, etagOf } from '../replies.js';
import { waitForChangesUntil, pinReadsToInstant, readInstantPosition } from './change-at.repository.js';
import { type StorageDefinitions, type StorageNames, type CurrentStorage, toEtagState } from './storage-definitions.js';

export type StorageRequest = StorageNames & ConditionalRequest & { readonly asOf?: string | undefined };

export type StorageReadContext = {
  readonly snapshot: Snapshot;
  readonly storage: CurrentStorage;
  /**
   * Of the answer; `revision` of the version that was read, none for what is more than one. Also of an earlier state it
   * names the last change: a purge ends what is told of the past.
   */
  readonly etag: (revision?: string) => string;
};

type ReadWork = (reading: StorageReadContext) => Promise<Result<ByteReply | StreamedReply>>;

type StorageSource = {
  /** For the snapshot. */
  readonly pool: pg.Pool;
  /** For what is asked before it. */
  readonly light: pg.Pool;
  readonly definitions: StorageDefinitions;
};

export const readStorage = (
  { pool, light, definitions }: StorageSource,
  request: StorageRequest,
  context: OperationContext,
  work: ReadWork,
): Promise<Result<ByteReply>> =>
  mapDatabaseErrors(async () => {
    const instant = request.asOf === undefined ? undefined : instantOf(request.asOf);
    const early = instant && (await futureInstantFailure(light, definitions, request, context, instant));
    if (early) return early;
    return streamFromSnapshot(pool, context, async (snapshot) => {
      const storage = await definitions.find(snapshot, request);
      if (!storage.ok) return storage;
      const state = toEtagState(storage.value);
      if (instant && !(await pinReadsToInstant(snapshot, state.storageId, instant))) return contentNotFound;
      return work({
        snapshot: instant ? { ...snapshot, tables: historicalTables } : snapshot,
        storage: storage.value,
        etag: (revision) => etagOf({ ...state, revision }, request, context.publicUrl),
      });
    });
  });

/** Whole milliseconds, as changes have them. Without a zone it is UTC. */
const instantOf = (text: string): Date => new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);

/** Resolves to nothing when all changes up to the instant are committed, before the snapshot is taken. */
const futureInstantFailure = async (
  pool: pg.Pool,
  definitions: StorageDefinitions,
  request: StorageRequest,
  { caller }: OperationContext,
  instant: Date,
): Promise<ReturnType<typeof fail> | undefined> => {
  const reader = createPoolReader(pool, caller.team);
  const storage = await definitions.find(reader, request);
  if (!storage.ok) return storage;
  const { age, now } = await readInstantPosition(reader, instant);
  if (age === 'future') {
    const message = `is still to come; the server's time is ${now}.`;
    const faults = [{ in: 'query', path: 'asOf', message, rule: 'future' }] as const;
    return fail('GENERAL_PARAMETER_ILLEGAL', 'The request has a fault.', { faults });
  }
  if (age === 'young') await waitForChangesUntil(reader, storage.value.storageId, instant);
  return undefined;
};
