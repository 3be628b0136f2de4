/** Inserts an element behind its siblings. Refuses: to check whether it may stand there. */
import { storageKey, type ChangeScope } from './change-scope.js';

export type ElementToInsert = {
  readonly elementId: string;
  readonly key?: string | undefined;
  readonly facet: string;
  readonly type: string;
  readonly stereotype?: string | undefined;
  readonly creationId: string;
  readonly parentId?: string | undefined;
};

/**
 * The highest position of a child, or of a root where the parent is null; null where there was none. Each case looks into
 * the index of its own: by `is not distinct from`, and by a maximum over what is null, the whole facet would be read.
 */
export const lastPositionSql = (facet: string, parent: string): string => `
  case when ${parent} is null then (
    select s.position from content_repo.element s
    where s.tenant = $1 and s.storage_id = $2::uuid and s.facet = ${facet} and s.parent_id is null
    order by s.parent_id desc, s.position desc limit 1)
  else (
    select max(s.position) from content_repo.element s
    where s.tenant = $1 and s.storage_id = $2::uuid and s.facet = ${facet} and s.parent_id = ${parent}) end`;

/** A position is not given again while an element that was deleted may come back to it. */
export const nextPositionSql = (facet: string, parent: string): string =>
  `coalesce((${lastPositionSql(facet, parent)}) + 1, 0)`;

/** Eight hex digits behind the path of the parent; the same as treeSegment of libs/content-model. */
export const pathSql = (parent: string, position: string): string => `
  coalesce((select p.tree_path from content_repo.element p
    where p.tenant = $1 and p.storage_id = $2::uuid and p.element_id = ${parent}), '') || lpad(to_hex(${position}), 8, '0')`;

/** False when there is an element of that id or key already, be it deleted. */
export const insertElement = async (scope: ChangeScope, element: ElementToInsert): Promise<boolean> => {
  const { elementId, key, facet, type, stereotype, creationId, parentId } = element;
  const { rowCount } = await scope.client.query({
    name: 'change_insert_element',
    text: `
      with place as materialized (select ${nextPositionSql('$5', '$9::uuid')} as position)
      insert into content_repo.element
        (tenant, storage_id, element_id, key, facet, type, stereotype, creation_id, parent_id, position, tree_path)
      select $1, $2::uuid, $3::uuid, $4, $5, $6, $7, $8::uuid, $9::uuid, place.position, ${pathSql('$9::uuid', 'place.position')}
      from place
      on conflict do nothing`,
    values: [
      ...storageKey(scope),
      elementId,
      key ?? null,
      facet,
      type,
      stereotype ?? null,
      creationId,
      parentId ?? null,
    ],
  });
  return rowCount === 1;
};
