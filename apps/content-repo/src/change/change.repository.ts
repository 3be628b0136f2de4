/**
 * The first and the last statements of a change: the storage's row is locked, so that writers of one storage follow each
 * other; the change takes the next number and its instant; at the end it is recorded who did what.
 */
import type { StorageModel } from '@tessera/content-model';
import type pg from 'pg';

export type ChangeScope = {
  readonly client: pg.PoolClient;
  readonly tenant: string;
  readonly storageId: string;
  readonly model: StorageModel;
};

/** The first two parameters of every statement. */
export const storageKey = ({
  tenant,
  storageId,
}: Pick<ChangeScope, 'tenant' | 'storageId'>): readonly [string, string] => [tenant, storageId];

export type StorageNames = { readonly collectionId: string; readonly storageId: string };

export type LockedStorage = {
  readonly storageId: string;
  readonly revision: string;
  /** JSON text; null when the revision is the one that is known. */
  readonly definition: string | null;
};

/** Waits for the writers that are before this one; undefined when there is no such storage. */
export const lockStorageRow = async (
  client: pg.ClientBase,
  tenant: string,
  { collectionId, storageId }: StorageNames,
  knownRevision: string | undefined,
): Promise<LockedStorage | undefined> => {
  const { rows } = await client.query<LockedStorage>({
    name: 'change_lock_storage',
    text: `
      select storage_id::text as "storageId", revision::text,
        case when revision::text = $4 then null else definition::text end as definition
      from content_repo.storage where tenant = $1 and collection_name = $2 and storage_name = $3
      for no key update`,
    values: [tenant, collectionId, storageId, knownRevision ?? ''],
  });
  return rows[0];
};

export type ChangeStart = {
  /** Of the storage, without gaps but for changes that were given up. */
  readonly sequence: string;
  /** In whole milliseconds, later than that of every change before. */
  readonly changedAt: Date;
  /** A UUID v7 for what the change makes. */
  readonly newId: string;
};

/**
 * A reader as of an instant takes the same lock shared for a moment: then every change up to this instant is committed.
 * The lock comes before the instant, therefore a statement of its own behind the one that waits for other writers.
 */
export const startChange = async (
  client: pg.ClientBase,
  tenant: string,
  storageId: string,
  { hasNow }: { readonly hasNow: boolean },
): Promise<ChangeStart> => {
  const { rows } = await client.query<ChangeStart>({
    name: `change_start_${hasNow}`,
    text: `
      with locked as materialized (${hasNow ? storageClockLockSql('pg_advisory_xact_lock') : 'select'}), started as (
        update content_repo.storage set change_sequence = change_sequence + 1
          ${hasNow ? `, changed_at = ${nextInstantSql}` : ''}
        from locked where tenant = $1 and storage_id = $2::uuid
        returning change_sequence::text as sequence, changed_at)
      select sequence, changed_at as "changedAt", uuidv7()::text as "newId", set_config('app.change', sequence, true)
      from started`,
    values: [tenant, storageId],
  });
  return onlyRow(rows);
};

/** The instant of a change that began without one, since it takes long. */
export const updateChangedAt = async ({ client, ...scope }: ChangeScope): Promise<Date> => {
  const { rows } = await client.query<{ changedAt: Date }>(
    `with locked as materialized (${storageClockLockSql('pg_advisory_xact_lock')})
     update content_repo.storage set changed_at = ${nextInstantSql} from locked
     where tenant = $1 and storage_id = $2::uuid returning changed_at as "changedAt"`,
    [...storageKey(scope)],
  );
  return onlyRow(rows).changedAt;
};

/** `$1` tenant, `$2` storage. */
export const storageClockLockSql = (lock: 'pg_advisory_xact_lock' | 'pg_advisory_xact_lock_shared'): string =>
  `select ${lock}(hashtextextended('content clock ' || $1 || ' ' || $2, 1))`;

const nextInstantSql = `date_trunc('milliseconds', greatest(clock_timestamp(), changed_at + interval '1 millisecond'))`;

type ChangeAction =
  | 'created'
  | 'updated'
  | 'versionCreated'
  | 'transitioned'
  | 'deleted'
  | 'restored'
  | 'purged'
  | 'imported';

/** What was done to one element or version; `detail` has what the action needs to be understood. */
export type ChangeEntry = {
  readonly action: ChangeAction;
  readonly facet?: string;
  readonly elementId?: string;
  readonly versionId?: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

type ChangeRecord = {
  readonly sequence: string;
  readonly changedAt: Date;
  readonly operation: string;
  readonly subject: string;
  readonly requestId: string;
  readonly entries: readonly ChangeEntry[];
};

export const recordChange = async (scope: ChangeScope, record: ChangeRecord): Promise<void> => {
  const { sequence, changedAt, operation, subject, requestId, entries } = record;
  await scope.client.query({
    name: 'change_record',
    text: `
      with recorded as (
        insert into content_repo.change (tenant, storage_id, sequence, changed_at, operation, subject, request_id)
        values ($1, $2, $3, $4, $5, $6, $7) returning sequence)
      insert into content_repo.change_entry (tenant, storage_id, sequence, ordinal, action, element_id, version_id, detail)
      select $1, $2, recorded.sequence, given.ordinal, given.entry ->> 'action', (given.entry ->> 'elementId')::uuid,
        (given.entry ->> 'versionId')::uuid, given.entry -> 'detail'
      from recorded, jsonb_array_elements($8::jsonb) with ordinality as given(entry, ordinal)`,
    values: [...storageKey(scope), sequence, changedAt, operation, subject, requestId, JSON.stringify(entries)],
  });
};

const onlyRow = <Row>(rows: readonly Row[]): Row => {
  const [row] = rows;
  if (!row) throw new Error('The row of the storage that was locked is gone.');
  return row;
};
