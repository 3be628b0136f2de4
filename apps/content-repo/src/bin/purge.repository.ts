/** What a purge looks for and ends; one statement a function. Never ends what was not deleted. */
import type pg from 'pg';
import { type ChangeScope, storageKey } from '../change/change.repository.js';

type PurgeCandidates = {
  readonly elementId: string;
  /** Null when the whole element goes. */
  readonly versionId: string | null;
  readonly facet: string;
  readonly deletedAt: Date;
};

/** The oldest first, children before their parents; an element waits for children that may not go yet. */
export const findPurgeCandidates = async (
  scope: ChangeScope,
  { deletedUntil, rowsMax }: { readonly deletedUntil: Date; readonly rowsMax: number },
): Promise<readonly PurgeCandidates[]> => {
  const { rows } = await scope.client.query<PurgeCandidates>(
    `(select e.element_id::text as "elementId", null as "versionId", e.facet, e.deleted_at as "deletedAt"
      from content_repo.element e
      where e.tenant = $1 and e.storage_id = $2::uuid and e.deleted_at <= $3 and not exists (
        select from content_repo.element c
        where c.tenant = $1 and c.storage_id = $2::uuid and c.facet = e.facet and c.parent_id = e.element_id
          and (c.deleted_at is null or c.deleted_at > $3))
      order by e.deleted_at, length(e.tree_path) desc, e.element_id limit $4)
     union all
     (select d.element_id::text, d.version_id::text, e.facet, d.deleted_at
      from content_repo.deleted_version d
      join content_repo.element e on e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = d.element_id
      where d.tenant = $1 and d.storage_id = $2::uuid and d.deleted_at <= $3
      order by d.deleted_at, d.version_id limit $4)`,
    [...storageKey(scope), deletedUntil, rowsMax],
  );
  return rows;
};

/** With their versions, content and bin, all relations of theirs and to them, and what was shown of them once. */
export const purgeElements = async (scope: ChangeScope, elementIds: readonly string[]): Promise<void> => {
  await scope.client.query(
    `with ended as materialized (
       select version_id from content_repo.element_version
       where tenant = $1 and storage_id = $2::uuid and element_id = any($3::uuid[])),
     unrelated as (
       delete from content_repo.relation where tenant = $1 and storage_id = $2::uuid and owner_id in (
         select version_id from ended
         union all
         select c.content_id from content_repo.content_element c join ended on ended.version_id = c.version_id
         where c.tenant = $1 and c.storage_id = $2::uuid)),
     forgotten as (
       delete from content_repo.rendition_history
       where tenant = $1 and storage_id = $2::uuid and element_id = any($3::uuid[]))
     delete from content_repo.element
     where tenant = $1 and storage_id = $2::uuid and element_id = any($3::uuid[]) and deleted_at is not null`,
    [...storageKey(scope), elementIds],
  );
};

/** What was shown of a version stays as long as the element has a version of the same identifier again. */
export const purgeVersions = async (scope: ChangeScope, versionIds: readonly string[]): Promise<void> => {
  await scope.client.query(
    `with forgotten as (
       delete from content_repo.rendition_history h
       where h.tenant = $1 and h.storage_id = $2::uuid and h.version_id = any($3::uuid[]) and not exists (
         select from content_repo.element_version v
         where v.tenant = $1 and v.storage_id = $2::uuid and v.version_id = h.version_id))
     delete from content_repo.deleted_version
     where tenant = $1 and storage_id = $2::uuid and version_id = any($3::uuid[])`,
    [...storageKey(scope), versionIds],
  );
};

/** Only one of all replicas has the turn, as long as its transaction lasts. */
export const tryAcquirePurgeLock = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ mine: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('content purge', 1)) as mine`,
  );
  return rows[0]?.mine === true;
};

export type StorageWithDeleted = { readonly team: string; readonly collection: string; readonly storage: string };

/** Of all teams, by the one function that may look at them. */
export const findStoragesWithDeleted = async (
  client: pg.ClientBase,
  olderThanDays: number,
): Promise<readonly StorageWithDeleted[]> => {
  const { rows } = await client.query<StorageWithDeleted>(
    `select tenant as team, collection_name as collection, storage_name as storage
     from content_repo.storages_with_deleted(now() - make_interval(days => $1)) order by 1, 2, 3`,
    [olderThanDays],
  );
  return rows;
};
