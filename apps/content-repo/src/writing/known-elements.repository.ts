/** What a request to write needs to know of elements that it only names, and of the places it fills. Refuses: to decide. */
import type { KnownElement } from '@tessera/content-model';
import { storageKey, type ChangeScope } from '../change/change-scope.js';
import { lastPositionSql } from '../change/insert-element.repository.js';

/** Elements by their ids, deleted ones too; of `parentIds` also everything above them. */
export const findKnownElements = async (
  scope: ChangeScope,
  ids: readonly string[],
  parentIds: readonly string[],
): Promise<ReadonlyMap<string, KnownElement>> => {
  if (ids.length + parentIds.length === 0) return new Map();
  const { rows } = await scope.client.query<KnownElement>({
    name: 'writing_known_elements',
    text: `
      with recursive above as (
        select element_id, parent_id from content_repo.element
        where tenant = $1 and storage_id = $2::uuid and element_id = any($4::uuid[])
        union
        select e.element_id, e.parent_id from above
        join content_repo.element e on e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = above.parent_id)
      select e.element_id::text as "elementId", e.facet, e.type, e.parent_id::text as "parentId",
        e.tree_path as "treePath", e.deleted_at is not null as "isDeleted"
      from content_repo.element e
      where e.tenant = $1 and e.storage_id = $2::uuid
        and e.element_id = any(array(select element_id from above union select unnest($3::uuid[])))`,
    values: [...storageKey(scope), ids, parentIds],
  });
  return new Map(rows.map((row) => [row.elementId, row]));
};

/** By parent (null for the roots of the facet), the highest position of a child, be it deleted: it may come back to it. */
export const findLastPositions = async (
  scope: ChangeScope,
  facet: string,
  parentIds: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, number>> => {
  const { rows } = await scope.client.query<{ parentId: string | null; position: number | null }>({
    name: 'writing_last_positions',
    text: `
      select wanted.parent_id::text as "parentId", ${lastPositionSql('$3', 'wanted.parent_id')} as position
      from unnest($4::uuid[]) as wanted(parent_id)`,
    values: [...storageKey(scope), facet, parentIds],
  });
  return new Map(rows.flatMap(({ parentId, position }) => (position === null ? [] : [[parentId, position] as const])));
};

/** Identifiers of elements that have no key. */
export const makeElementIds = async (scope: ChangeScope, count: number): Promise<readonly string[]> => {
  const { rows } = await scope.client.query<{ id: string }>({
    name: 'writing_make_ids',
    text: `select uuidv7()::text as id from generate_series(1, $1::integer)`,
    values: [count],
  });
  return rows.map(({ id }) => id);
};
