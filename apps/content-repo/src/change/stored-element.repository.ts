/**
 * An element with the heads of its versions, and everything that one version says, read inside a change.
 * Refuses: what was deleted, unless it is asked for by its name.
 */
import type { StoredRelation, StoredVersion, VersionHead } from '@tessera/content-model';
import { storageKey, type ChangeScope } from './change-scope.js';

export type StoredHead = VersionHead & { readonly createdAt: Date; readonly revision: string };

export type StoredElement = {
  readonly elementId: string;
  readonly facet: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly creationId: string;
  readonly parentId: string | null;
  readonly key: string | null;
  readonly treePath: string | null;
  /** By number, the oldest first; at least one. */
  readonly heads: readonly StoredHead[];
};

type HeadJson = Omit<StoredHead, 'createdAt'> & { readonly createdAt: string };

/** `id`: of an element or of one of its versions. */
export const findStoredElement = async (scope: ChangeScope, id: string): Promise<StoredElement | undefined> => {
  const { rows } = await scope.client.query<Omit<StoredElement, 'heads'> & { readonly heads: readonly HeadJson[] }>({
    name: 'change_find_element',
    text: `
      with wanted as materialized (
        select $3::uuid as element_id
        union all
        select element_id from content_repo.element_version
        where tenant = $1 and storage_id = $2::uuid and version_id = $3::uuid)
      select e.element_id::text as "elementId", e.facet, e.type, e.stereotype, e.creation_id::text as "creationId",
        e.parent_id::text as "parentId", e.key, e.tree_path as "treePath", (
          select json_agg(json_build_object('versionId', v.version_id, 'major', v.major, 'minor', v.minor,
            'state', v.state, 'createdAt', v.created_at, 'revision', v.revision::text) order by v.major, v.minor)
          from content_repo.element_version v
          where v.tenant = $1 and v.storage_id = $2::uuid and v.element_id = e.element_id) as heads
      from wanted
      join content_repo.element e on e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = wanted.element_id
      where e.deleted_at is null`,
    values: [...storageKey(scope), id],
  });
  const [row] = rows;
  return row && { ...row, heads: row.heads.map((head) => ({ ...head, createdAt: new Date(head.createdAt) })) };
};

/** Everything that a version says; undefined when it is gone. */
export const readStoredVersion = async (scope: ChangeScope, versionId: string): Promise<StoredVersion | undefined> => {
  const { rows } = await scope.client.query<StoredVersion>({
    name: 'change_read_version',
    text: `
      select v.attributes, ${relationsSql('v.version_id')} as relations, (
          select coalesce(json_agg(json_build_object('contentId', c.content_id, 'key', c.key, 'position', c.position,
            'creationId', c.creation_id, 'type', c.type, 'stereotype', c.stereotype, 'state', c.state,
            'attributes', c.attributes, 'relations', ${relationsSql('c.content_id')}) order by c.position), '[]')
          from content_repo.content_element c
          where c.tenant = $1 and c.storage_id = $2::uuid and c.version_id = v.version_id) as content
      from content_repo.element_version v
      where v.tenant = $1 and v.storage_id = $2::uuid and v.version_id = $3::uuid`,
    values: [...storageKey(scope), versionId],
  });
  return rows[0];
};

const relationsSql = (owner: string): string => `(
  select coalesce(json_agg(json_build_object('relation', r.relation, 'targetId', r.target_id)
    order by r.relation, r.position), '[]')
  from content_repo.relation r where r.tenant = $1 and r.storage_id = $2::uuid and r.owner_id = ${owner})`;

export const countChildren = async (scope: ChangeScope, { facet, elementId }: StoredElement): Promise<number> => {
  const { rows } = await scope.client.query<{ children: string }>({
    name: 'change_count_children',
    text: `select count(*) as children from content_repo.element
      where tenant = $1 and storage_id = $2::uuid and facet = $3 and parent_id = $4::uuid and deleted_at is null`,
    values: [...storageKey(scope), facet, elementId],
  });
  return Number(rows[0]?.children ?? 0);
};

export type VersionUpdate = {
  readonly versionId: string;
  readonly major: number;
  readonly minor: number;
  readonly state: string;
  readonly attributes: object;
  readonly changedAt: Date;
};

export const updateVersion = async (scope: ChangeScope, update: VersionUpdate): Promise<void> => {
  const { versionId, major, minor, state, attributes, changedAt } = update;
  await scope.client.query({
    name: 'change_update_version',
    text: `update content_repo.element_version
      set major = $4, minor = $5, state = $6, attributes = $7, changed_at = $8,
        revision = current_setting('app.change')::bigint
      where tenant = $1 and storage_id = $2::uuid and version_id = $3::uuid`,
    values: [...storageKey(scope), versionId, major, minor, state, JSON.stringify(attributes), changedAt],
  });
};

/** The element was changed by this change, in one of its versions or its place. */
export const touchElement = async (scope: ChangeScope, elementId: string): Promise<void> => {
  await scope.client.query({
    name: 'change_touch_element',
    text: `update content_repo.element set revision = current_setting('app.change')::bigint
      where tenant = $1 and storage_id = $2::uuid and element_id = $3::uuid`,
    values: [...storageKey(scope), elementId],
  });
};

/** All relations of a version or a content element become these. */
export const replaceRelations = async (
  scope: ChangeScope,
  ownerId: string,
  relations: readonly StoredRelation[],
): Promise<void> => {
  await scope.client.query({
    name: 'change_replace_relations',
    text: `
      with given as (
        select relation, "targetId", row_number() over (partition by relation order by place) - 1 as position
        from rows from (json_to_recordset($4::json) as (relation text, "targetId" uuid)) with ordinality
          as listed(relation, "targetId", place)),
      gone as (
        delete from content_repo.relation r where r.tenant = $1 and r.storage_id = $2::uuid and r.owner_id = $3::uuid
          and not exists (select from given where given.relation = r.relation and given.position = r.position))
      insert into content_repo.relation (tenant, storage_id, owner_id, relation, position, target_id)
      select $1, $2::uuid, $3::uuid, relation, position, "targetId" from given
      on conflict (tenant, storage_id, owner_id, relation, position) do update
        set target_id = excluded.target_id, target_version_id = null`,
    values: [...storageKey(scope), ownerId, JSON.stringify(relations)],
  });
};
