/** Reads what a request to write names, and writes elements, many in one statement. */
import type { ExistingElement, ElementTreePosition } from '@tessera/content-model';
import { type ChangeScope, storageKey } from '../change/change.repository.js';
import { type NewElement, lastPositionSql } from '../change/element-rows.repository.js';

/** Elements by their ids, deleted ones too; of `parentIds` also everything above them. */
export const findExistingElements = async (
  scope: ChangeScope,
  ids: readonly string[],
  parentIds: readonly string[],
): Promise<ReadonlyMap<string, ExistingElement>> => {
  if (ids.length + parentIds.length === 0) return new Map();
  const { rows } = await scope.client.query<ExistingElement>({
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
export const generateElementIds = async (scope: ChangeScope, count: number): Promise<readonly string[]> => {
  if (count === 0) return [];
  const { rows } = await scope.client.query<{ id: string }>({
    name: 'writing_make_ids',
    text: `select uuidv7()::text as id from generate_series(1, $1::integer)`,
    values: [count],
  });
  return rows.map(({ id }) => id);
};

const rowParameters = (scope: ChangeScope, rows: readonly object[]): readonly unknown[] => [
  ...storageKey(scope),
  JSON.stringify(rows),
];

/** Without a place; they get it by updateElementTreePositions. */
export const insertElements = async (scope: ChangeScope, elements: readonly NewElement[]): Promise<void> => {
  if (elements.length === 0) return;
  await scope.client.query({
    name: 'writing_insert_elements',
    text: `
      insert into content_repo.element
        (tenant, storage_id, element_id, key, facet, type, stereotype, creation_id, parent_id, position)
      select $1, $2::uuid, "elementId", key, facet, type, stereotype, "creationId", "parentId", 0
      from json_to_recordset($3::json) as given ("elementId" uuid, key text, facet text, type text, stereotype text,
        "creationId" uuid, "parentId" uuid)`,
    values: [...rowParameters(scope, elements)],
  });
};

type ElementUpdate = { readonly elementId: string; readonly stereotype: string | null };

export const updateElements = async (scope: ChangeScope, elements: readonly ElementUpdate[]): Promise<void> => {
  if (elements.length === 0) return;
  await scope.client.query({
    name: 'writing_update_elements',
    text: `
      update content_repo.element e
      set stereotype = given.stereotype, revision = current_setting('app.change')::bigint
      from json_to_recordset($3::json) as given ("elementId" uuid, stereotype text)
      where e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = given."elementId"`,
    values: [...rowParameters(scope, elements)],
  });
};

/** Content elements only; their relations are those of owners. */
export const removeContent = async (scope: ChangeScope, versionIds: readonly string[]): Promise<void> => {
  if (versionIds.length === 0) return;
  await scope.client.query({
    name: 'writing_remove_content',
    text: `delete from content_repo.content_element
      where tenant = $1 and storage_id = $2::uuid and version_id = any($3::uuid[])`,
    values: [...storageKey(scope), versionIds],
  });
};

/** Their places, and the paths that follow from these. */
export const updateElementTreePositions = async (
  scope: ChangeScope,
  places: readonly ElementTreePosition[],
): Promise<void> => {
  if (places.length === 0) return;
  await scope.client.query({
    name: 'writing_place_elements',
    text: `
      update content_repo.element e
      set parent_id = given."parentId", position = given.position, tree_path = given.path
      from json_to_recordset($3::json) as given ("elementId" uuid, "parentId" uuid, position integer, path text)
      where e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = given."elementId"`,
    values: [...rowParameters(scope, places)],
  });
};

/**
 * The paths of all that stands below these elements, which are in their places already, and of the renditions of all of
 * them. What was deleted moves along. A segment is eight hex digits; the same as formatTreeSegment of libs/content-model.
 */
export const updateDescendantPaths = async (
  scope: ChangeScope,
  facet: string,
  moved: readonly ElementTreePosition[],
): Promise<void> => {
  if (moved.length === 0) return;
  await withNestedLoopsOnly(scope, () =>
    scope.client.query({
      name: 'writing_arrange_paths',
      text: `
        with recursive below as (
          select "elementId" as element_id, path collate "C" as path
          from json_to_recordset($3::json) as given ("elementId" uuid, path text)
          union
          select e.element_id, (below.path || lpad(to_hex(e.position), 8, '0')) collate "C"
          from below
          join content_repo.element e on e.tenant = $1 and e.storage_id = $2::uuid and e.facet = $4
            and e.parent_id = below.element_id),
        moved as (
          update content_repo.element e set tree_path = below.path from below
          where e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = below.element_id
          returning e.element_id, e.parent_id, e.tree_path)
        update content_repo.rendition r
        set parent_id = moved.parent_id, tree_path = case when r.tree_path is not null then moved.tree_path end
        from moved
        where r.tenant = $1 and r.storage_id = $2::uuid and r.element_id = moved.element_id
          and (r.tree_path is not null or r.parent_id is distinct from moved.parent_id)`,
      values: [...rowParameters(scope, moved), facet],
    }),
  );
};

/** Nobody knows how much stands below an element; PostgreSQL would expect thousands and read the whole storage for one. */
const withNestedLoopsOnly = async ({ client }: ChangeScope, send: () => Promise<unknown>): Promise<void> => {
  await Promise.all([
    client.query('set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_seqscan = off'),
    send(),
    client.query('set local enable_hashjoin = on; set local enable_mergejoin = on; set local enable_seqscan = on'),
  ]);
};
