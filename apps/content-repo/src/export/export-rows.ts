/**
 * What an export reads: elements by a cursor in the order of the files, what belongs to a batch by one statement each.
 */
import type { StoredAttributes } from '@tessera/content-model';
import type pg from 'pg';

type ExportScope = { readonly client: pg.ClientBase; readonly tenant: string; readonly storageId: string };

export type ElementRow = {
  readonly element_id: string;
  readonly id: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly parent: string | null;
  readonly creation: string | null;
};

export type VersionRow = {
  readonly version_id: string;
  readonly element_id: string;
  readonly version: string;
  readonly state: string;
  readonly attributes: StoredAttributes;
  readonly created_at: Date;
  readonly changed_at: Date;
};

export type ContentRow = {
  readonly version_id: string;
  readonly content_id: string;
  readonly id: string;
  readonly creation_id: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly state: string;
  readonly attributes: StoredAttributes;
};

export type RelationRow = { readonly owner_id: string; readonly relation: string; readonly target: string };

/** Everything of a batch of elements, by the element, version or content element that it belongs to. */
export type ElementPartRows = {
  readonly versions: ReadonlyMap<string, readonly VersionRow[]>;
  readonly content: ReadonlyMap<string, readonly ContentRow[]>;
  readonly relations: ReadonlyMap<string, readonly RelationRow[]>;
};

const elementsText = `
  select e.element_id, coalesce(e.key, e.element_id::text) as id, e.type, e.stereotype,
    coalesce(p.key, e.parent_id::text) as parent,
    case when e.creation_id <> e.element_id then coalesce(o.key, e.creation_id::text) end as creation
  from content_repo.element e
  left join content_repo.element p on p.tenant = e.tenant and p.storage_id = e.storage_id and p.element_id = e.parent_id
  left join content_repo.element o on o.tenant = e.tenant and o.storage_id = e.storage_id and o.element_id = e.creation_id
  where e.tenant = $1 and e.storage_id = $2`;

const cursorText = `
  declare exported no scroll cursor for ${elementsText} and e.deleted_at is null
  order by array_position($3::text[], e.facet), e.tree_path, e.element_id`;

export const openElementCursor = async (scope: ExportScope, facets: readonly string[]): Promise<void> => {
  await scope.client.query(cursorText, [scope.tenant, scope.storageId, facets]);
};

/** The next elements; none at the end. */
export const fetchElementRows = async ({ client }: ExportScope, rowsMax: number): Promise<readonly ElementRow[]> => {
  const { rows } = await client.query<ElementRow>(`fetch forward ${Math.trunc(rowsMax)} from exported`);
  return rows;
};

/** Those of these ids, deleted ones too, in no order. */
export const readElementRows = async (
  scope: ExportScope,
  elements: readonly string[],
): Promise<readonly ElementRow[]> => {
  const { rows } = await scope.client.query<ElementRow>({
    name: 'export_elements',
    text: `${elementsText} and e.element_id = any($3::uuid[])`,
    values: [scope.tenant, scope.storageId, elements],
  });
  return rows;
};

export const readElementParts = async (scope: ExportScope, elements: readonly string[]): Promise<ElementPartRows> => {
  const versions = await readVersions(scope, elements);
  const content = await readContent(
    scope,
    versions.map(({ version_id }) => version_id),
  );
  const owners = [...versions.map(({ version_id }) => version_id), ...content.map(({ content_id }) => content_id)];
  return {
    versions: Map.groupBy(versions, ({ element_id }) => element_id),
    content: Map.groupBy(content, ({ version_id }) => version_id),
    relations: Map.groupBy(await readRelations(scope, owners), ({ owner_id }) => owner_id),
  };
};

const readVersions = async (scope: ExportScope, elements: readonly string[]): Promise<readonly VersionRow[]> => {
  const { rows } = await scope.client.query<VersionRow>({
    name: 'export_versions',
    text: `select version_id, element_id, major || '.' || minor as version, state, attributes, created_at, changed_at
      from content_repo.element_version where tenant = $1 and storage_id = $2 and element_id = any($3::uuid[])
      order by element_id, major, minor`,
    values: [scope.tenant, scope.storageId, elements],
  });
  return rows;
};

const readContent = async (scope: ExportScope, versions: readonly string[]): Promise<readonly ContentRow[]> => {
  const { rows } = await scope.client.query<ContentRow>({
    name: 'export_content',
    text: `select version_id, content_id, coalesce(key, content_id::text) as id, creation_id, type, stereotype, state, attributes
      from content_repo.content_element where tenant = $1 and storage_id = $2 and version_id = any($3::uuid[])
      order by version_id, position`,
    values: [scope.tenant, scope.storageId, versions],
  });
  return rows;
};

const readRelations = async (scope: ExportScope, owners: readonly string[]): Promise<readonly RelationRow[]> => {
  const { rows } = await scope.client.query<RelationRow>({
    name: 'export_relations',
    text: `select r.owner_id, r.relation, coalesce(t.key, t.element_id::text) as target
      from content_repo.relation r
      join content_repo.element t on t.tenant = r.tenant and t.storage_id = r.storage_id and t.element_id = r.target_id
      where r.tenant = $1 and r.storage_id = $2 and r.owner_id = any($3::uuid[]) and t.deleted_at is null
      order by r.owner_id, r.relation, r.position`,
    values: [scope.tenant, scope.storageId, owners],
  });
  return rows;
};
