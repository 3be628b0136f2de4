/**
 * Orders siblings and gives every element its path. What the import holds stands in the order of its files, what it
 * does not hold, or the API has moved elsewhere, stays behind it in the order it had. What was deleted keeps a place
 * among its siblings, to which it can come back.
 */
import { storageKey } from '../change/change.repository.js';
import type { ImportScope } from './imports.repository.js';

type Arrangement = {
  /** Elements whose path is another than before, new ones among them. */
  readonly moved: number;
  /** Elements that no root leads to: they stand in a circle, or under something that is not there. */
  readonly unreached: number;
};

export const arrangeTree = async (scope: ImportScope): Promise<Arrangement> => {
  await scope.client.query(positionsText, [...storageKey(scope), scope.importId]);
  const { rows } = await scope.client.query<{ moved: string; unreached: string }>(pathsText, [...storageKey(scope)]);
  return { moved: Number(rows[0]?.moved ?? 0), unreached: Number(rows[0]?.unreached ?? 0) };
};

const isAtImportedPlaceSql = `(
  e.revision = e.applied_revision
  or e.parent_id is null and staged.document ->> 'parent' is null
  or exists (
    select from content_repo.element p where p.tenant = $1 and p.storage_id = $2 and p.element_id = e.parent_id
      and (p.key = staged.document ->> 'parent' or p.element_id::text = lower(staged.document ->> 'parent'))))`;

const positionsText = `
  with placed as (
    select e.element_id,
      row_number() over (
        partition by e.facet, e.parent_id
        order by case when ${isAtImportedPlaceSql} then staged.ordinal end nulls last, e.position, e.element_id
      ) - 1 as place
    from content_repo.element e
    left join content_repo.import_element staged
      on staged.tenant = e.tenant and staged.import_id = $3 and staged.element_id = e.element_id
    where e.tenant = $1 and e.storage_id = $2
  )
  update content_repo.element e set position = placed.place
  from placed
  where e.tenant = $1 and e.storage_id = $2 and e.element_id = placed.element_id and e.position <> placed.place`;

/** A path is eight hex digits per level; the same as formatTreeSegment of libs/content-model. */
export const elementTreeSql = `
  tree as (
    select e.element_id, e.facet, lpad(to_hex(e.position), 8, '0') collate "C" as path
    from content_repo.element e
    where e.tenant = $1 and e.storage_id = $2 and e.parent_id is null and e.deleted_at is null
    union all
    select e.element_id, e.facet, (tree.path || lpad(to_hex(e.position), 8, '0')) collate "C"
    from tree
    join content_repo.element e on e.tenant = $1 and e.storage_id = $2 and e.facet = tree.facet
      and e.parent_id = tree.element_id and e.deleted_at is null
  )`;

const pathsText = `
  with recursive ${elementTreeSql}, moved as (
    update content_repo.element e set tree_path = tree.path
    from tree
    where e.tenant = $1 and e.storage_id = $2 and e.element_id = tree.element_id and e.tree_path is distinct from tree.path
    returning 1
  )
  select (select count(*) from moved) as moved,
    (select count(*) from content_repo.element e where e.tenant = $1 and e.storage_id = $2 and e.deleted_at is null)
      - (select count(*) from tree) as unreached`;
