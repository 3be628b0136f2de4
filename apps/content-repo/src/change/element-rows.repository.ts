/** Inserts and removes the rows of elements, versions, content and relations; one statement a function. */
import type { ContentRow, RelationRow, VersionRow } from '@tessera/content-model';
import { type ChangeScope, storageKey } from './change.repository.js';

export type NewElement = {
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

/** Eight hex digits behind the path of the parent; the same as formatTreeSegment of libs/content-model. */
export const treePathSql = (parent: string, position: string): string => `
  coalesce((select p.tree_path from content_repo.element p
    where p.tenant = $1 and p.storage_id = $2::uuid and p.element_id = ${parent}), '') || lpad(to_hex(${position}), 8, '0')`;

/** False when there is an element of that id or key already, be it deleted. */
export const insertElement = async (scope: ChangeScope, element: NewElement): Promise<boolean> => {
  const { elementId, key, facet, type, stereotype, creationId, parentId } = element;
  const { rowCount } = await scope.client.query({
    name: 'change_insert_element',
    text: `
      with place as materialized (select ${nextPositionSql('$5', '$9::uuid')} as position)
      insert into content_repo.element
        (tenant, storage_id, element_id, key, facet, type, stereotype, creation_id, parent_id, position, tree_path)
      select $1, $2::uuid, $3::uuid, $4, $5, $6, $7, $8::uuid, $9::uuid, place.position, ${treePathSql('$9::uuid', 'place.position')}
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

type RowsToInsert = {
  readonly versions: readonly VersionRow[];
  readonly content: readonly ContentRow[];
  readonly relations: readonly RelationRow[];
};

export const insertVersions = async (
  scope: ChangeScope,
  { versions, content, relations }: RowsToInsert,
): Promise<void> => {
  await Promise.all([
    insertRows(scope, 'insert_versions', versionsText, versions),
    insertRows(scope, 'insert_content', contentText, content),
    insertRows(scope, 'insert_relations', relationsText, relations),
  ]);
};

const versionsText = `
  insert into content_repo.element_version
    (tenant, storage_id, version_id, element_id, major, minor, state, attributes, created_at, changed_at)
  select $1, $2, "versionId", "elementId", major, minor, state, attributes, "createdAt", "changedAt"
  from json_to_recordset($3::json) as given ("versionId" uuid, "elementId" uuid, major integer, minor integer,
    state text, attributes jsonb, "createdAt" timestamptz, "changedAt" timestamptz)`;

const contentText = `
  insert into content_repo.content_element
    (tenant, storage_id, content_id, version_id, key, position, creation_id, type, stereotype, state, attributes)
  select $1, $2, "contentId", "versionId", key, position, "creationId", type, stereotype, state, attributes
  from json_to_recordset($3::json) as given ("contentId" uuid, "versionId" uuid, key text, position integer,
    "creationId" uuid, type text, stereotype text, state text, attributes jsonb)`;

const relationsText = `
  insert into content_repo.relation (tenant, storage_id, owner_id, relation, position, target_id)
  select $1, $2, "ownerId", relation, position, "targetId"
  from json_to_recordset($3::json) as given ("ownerId" uuid, relation text, position integer, "targetId" uuid)`;

/** Rows as one JSON parameter, `$3`; nothing is sent when there are none. */
export const insertRows = async (
  scope: ChangeScope,
  name: string,
  text: string,
  rows: readonly object[],
): Promise<void> => {
  if (rows.length === 0) return;
  await scope.client.query({ name, text, values: [...storageKey(scope), JSON.stringify(rows)] });
};

/** A relation of an owner, or all of them when none is named. */
export type RelationSelector = Pick<RelationRow, 'ownerId'> & { readonly relation?: string };

export const removeRelations = async (scope: ChangeScope, owned: readonly RelationSelector[]): Promise<void> => {
  if (owned.length === 0) return;
  const owners = owned.map(({ ownerId }) => ownerId);
  const whole = owned.flatMap(({ ownerId, relation }) => (relation === undefined ? [ownerId] : []));
  await scope.client.query({
    name: 'change_remove_relations',
    // By owners first: joined with a list of unknown length, every relation of the storage would be read.
    text: `
      delete from content_repo.relation r
      where r.tenant = $1 and r.storage_id = $2::uuid and r.owner_id = any($3::uuid[])
        and ((r.owner_id, r.relation) in (select * from unnest($3::uuid[], $4::text[])) or r.owner_id = any($5::uuid[]))`,
    values: [...storageKey(scope), owners, owned.map(({ relation }) => relation ?? null), whole],
  });
};
