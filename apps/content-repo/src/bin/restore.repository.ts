/** What brings an element or a version back from the bin; one statement a function. */
import type { VersionHead } from '@tessera/content-model';
import { type ChangeScope, storageKey } from '../change/change.repository.js';
import { nextPositionSql, treePathSql } from '../change/element-rows.repository.js';

export type DeletedElement = {
  readonly elementId: string;
  readonly facet: string;
  readonly type: string;
  readonly parentId: string | null;
  readonly parent: { readonly type: string; readonly facet: string; readonly isDeleted: boolean } | null;
};

export const findDeletedElement = async (
  scope: ChangeScope,
  elementId: string,
): Promise<DeletedElement | undefined> => {
  const { rows } = await scope.client.query<DeletedElement>(
    `select e.element_id::text as "elementId", e.facet, e.type, e.parent_id::text as "parentId",
       case when p.element_id is not null then
         json_build_object('type', p.type, 'facet', p.facet, 'isDeleted', p.deleted_at is not null) end as parent
     from content_repo.element e
     left join content_repo.element p on p.tenant = $1 and p.storage_id = $2::uuid and p.element_id = e.parent_id
     where e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = $3::uuid and e.deleted_at is not null`,
    [...storageKey(scope), elementId],
  );
  return rows[0];
};

/** Where it was; behind its siblings when another element stands there by now. */
export const unmarkDeleted = async (scope: ChangeScope, elementId: string): Promise<void> => {
  await scope.client.query(
    `with place as materialized (
       select e.parent_id, case when ${isTakenSql('s.parent_id = e.parent_id')}
           or e.parent_id is null and ${isTakenSql('s.parent_id is null')}
         then ${nextPositionSql('e.facet', 'e.parent_id')} else e.position end as position
       from content_repo.element e where e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = $3::uuid)
     update content_repo.element e set deleted_at = null, revision = current_setting('app.change')::bigint,
       position = place.position, tree_path = ${treePathSql('place.parent_id', 'place.position')}
     from place
     where e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = $3::uuid`,
    [...storageKey(scope), elementId],
  );
};

/** Each case by the index of siblings. */
const isTakenSql = (isSibling: string): string => `exists (
  select from content_repo.element s
  where s.tenant = $1 and s.storage_id = $2::uuid and s.facet = e.facet and ${isSibling} and s.position = e.position
    and s.element_id <> e.element_id and s.deleted_at is null)`;

export type DeletedVersion = VersionHead & { readonly elementId: string };

export const findDeletedVersion = async (
  scope: ChangeScope,
  versionId: string,
): Promise<DeletedVersion | undefined> => {
  const { rows } = await scope.client.query<DeletedVersion>(
    `select element_id::text as "elementId", version_id::text as "versionId", document #>> '{version,state}' as state,
       (document #> '{version,major}')::integer as major, (document #> '{version,minor}')::integer as minor
     from content_repo.deleted_version where tenant = $1 and storage_id = $2::uuid and version_id = $3::uuid`,
    [...storageKey(scope), versionId],
  );
  return rows[0];
};

/** The version with its content and their relations, but for those to what has been purged. */
export const restoreVersionFromBin = async (scope: ChangeScope, versionId: string): Promise<void> => {
  await scope.client.query(
    `with binned as (
       delete from content_repo.deleted_version where tenant = $1 and storage_id = $2::uuid and version_id = $3::uuid
       returning document),
     versions as (
       insert into content_repo.element_version
         (tenant, storage_id, version_id, element_id, major, minor, state, attributes, created_at, changed_at)
       select $1, $2::uuid, v.version_id, v.element_id, v.major, v.minor, v.state, v.attributes, v.created_at, v.changed_at
       from binned, jsonb_populate_record(null::content_repo.element_version, document -> 'version') v),
     contents as (
       insert into content_repo.content_element
       select c.* from binned, jsonb_populate_recordset(null::content_repo.content_element, document -> 'content') c)
     insert into content_repo.relation
     select r.* from binned, jsonb_populate_recordset(null::content_repo.relation, document -> 'relations') r
     where exists (
       select from content_repo.element t where t.tenant = $1 and t.storage_id = $2::uuid and t.element_id = r.target_id)`,
    [...storageKey(scope), versionId],
  );
};

export const findVersionIds = async (scope: ChangeScope, elementId: string): Promise<readonly string[]> => {
  const { rows } = await scope.client.query<{ version_id: string }>(
    `select version_id::text from content_repo.element_version
     where tenant = $1 and storage_id = $2::uuid and element_id = $3::uuid`,
    [...storageKey(scope), elementId],
  );
  return rows.map(({ version_id }) => version_id);
};
