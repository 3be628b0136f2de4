/** What a deletion writes; one statement a function. */
import { type ChangeScope, storageKey } from '../change/change.repository.js';

/** A draft leaves the tables as one document, from which it can be restored. */
export const moveVersionToBin = async (scope: ChangeScope, versionId: string, deletedAt: Date): Promise<void> => {
  await scope.client.query({
    name: 'deletion_bin_version',
    text: `
      insert into content_repo.deleted_version (tenant, storage_id, version_id, element_id, deleted_at, document)
      select v.tenant, v.storage_id, v.version_id, v.element_id, $4, jsonb_build_object(
        'version', to_jsonb(v),
        'content', (
          select coalesce(jsonb_agg(to_jsonb(c) order by c.position), '[]') from content_repo.content_element c
          where c.tenant = $1 and c.storage_id = $2::uuid and c.version_id = v.version_id),
        'relations', (
          select coalesce(jsonb_agg(to_jsonb(r)), '[]') from content_repo.relation r
          where r.tenant = $1 and r.storage_id = $2::uuid and r.owner_id = any(array(
            select v.version_id
            union all
            select c.content_id from content_repo.content_element c
            where c.tenant = $1 and c.storage_id = $2::uuid and c.version_id = v.version_id))))
      from content_repo.element_version v
      where v.tenant = $1 and v.storage_id = $2::uuid and v.version_id = $3::uuid
      on conflict (tenant, storage_id, version_id) do update
        set deleted_at = excluded.deleted_at, document = excluded.document`,
    values: [...storageKey(scope), versionId, deletedAt],
  });
};

/** The version with its content, its rendition and all their relations. */
export const removeVersion = async (scope: ChangeScope, versionId: string): Promise<void> => {
  await scope.client.query({
    name: 'deletion_remove_version',
    text: `
      with unrelated as (
        delete from content_repo.relation where tenant = $1 and storage_id = $2::uuid and owner_id in (
          select $3::uuid
          union all
          select content_id from content_repo.content_element
          where tenant = $1 and storage_id = $2::uuid and version_id = $3::uuid))
      delete from content_repo.element_version where tenant = $1 and storage_id = $2::uuid and version_id = $3::uuid`,
    values: [...storageKey(scope), versionId],
  });
};

/** The element stays in its table, but nothing shows it any more. */
export const markDeleted = async (scope: ChangeScope, elementId: string, deletedAt: Date): Promise<void> => {
  await scope.client.query({
    name: 'deletion_mark_element',
    text: `
      with hidden as (
        delete from content_repo.rendition where tenant = $1 and storage_id = $2::uuid and element_id = $3::uuid)
      update content_repo.element set deleted_at = $4, revision = current_setting('app.change')::bigint
      where tenant = $1 and storage_id = $2::uuid and element_id = $3::uuid`,
    values: [...storageKey(scope), elementId, deletedAt],
  });
};
