/**
 * Makes the rendition of every version that has none, batch by batch, and moves the paths of those that have one.
 * The version that is shown for its element (the released one, else the newest) carries the element's path.
 * Refuses: to know how a version is written; renderVersion of libs/content-model does.
 */
import {
  renderVersion,
  type ContentToRender,
  type Reference,
  type References,
  type VersionToRender,
} from '@tessera/content-model';
import type { StoredAttributes } from '@tessera/content-model';
import { overAll, storageKey, type ImportScope } from './import-scope.js';

const batchRows = 250;

/** `moved`: whether the path of some element is another than before. */
export const renderPending = async (scope: ImportScope, moved: boolean): Promise<void> => {
  if (moved) await overAll(scope, () => scope.client.query(takeStalePathsText, [...storageKey(scope)]));
  await overAll(scope, () =>
    scope.client.query(`declare pending no scroll cursor for ${pendingText}`, [...storageKey(scope)]),
  );
  for (;;) {
    const { rows } = await scope.client.query<PendingRow>(`fetch forward ${batchRows} from pending`);
    if (rows.length === 0) break;
    await renderBatch(scope, rows);
  }
  await scope.client.query('close pending');
  if (moved) await overAll(scope, () => scope.client.query(givePathsText, [...storageKey(scope)]));
};

/** Forgets every rendition; the definition says something else about all of them. */
export const forgetRenditions = async (scope: ImportScope): Promise<void> => {
  await scope.client.query('delete from content_repo.rendition where tenant = $1 and storage_id = $2', [
    ...storageKey(scope),
  ]);
};

type PendingRow = {
  readonly version_id: string;
  readonly element_id: string;
  readonly parent_id: string | null;
  readonly creation_id: string;
  readonly facet: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly state: string;
  readonly attributes: StoredAttributes;
  readonly shown_path: string | null;
  readonly history: readonly { readonly versionId: string; readonly state: string }[] | null;
};

type ReferenceRow = {
  readonly owner_id: string;
  readonly relation: string;
  readonly facet: string;
  readonly element_id: string;
  readonly creation_id: string;
  readonly type: string;
};

type ContentRow = {
  readonly version_id: string;
  readonly content_id: string;
  readonly creation_id: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly state: string;
  readonly attributes: StoredAttributes;
};

/** The version that is shown for each element: the released one, else the newest. */
const shownText = `(
  select distinct on (w.element_id) w.element_id, w.version_id
  from content_repo.element_version w
  where w.tenant = $1 and w.storage_id = $2
  order by w.element_id, (w.state = 'released') desc, w.major desc, w.minor desc)`;

const historyText = `(
  select w.element_id,
    json_agg(json_build_object('versionId', w.version_id, 'state', w.state) order by w.major, w.minor) as history
  from content_repo.element_version w
  where w.tenant = $1 and w.storage_id = $2 and w.state in ('released', 'expired')
  group by w.element_id)`;

const pendingText = `
  select v.version_id, v.element_id, e.parent_id, e.creation_id, e.facet, e.type, e.stereotype, v.state, v.attributes,
    case when v.version_id = shown.version_id then e.tree_path end as shown_path, released.history
  from content_repo.element_version v
  join content_repo.element e on e.tenant = v.tenant and e.storage_id = v.storage_id and e.element_id = v.element_id
  join ${shownText} shown on shown.element_id = v.element_id
  left join ${historyText} released on released.element_id = v.element_id
  where v.tenant = $1 and v.storage_id = $2 and e.tenant = $1 and e.storage_id = $2 and e.deleted_at is null
    and not exists (
      select from content_repo.rendition r where r.tenant = $1 and r.storage_id = $2 and r.version_id = v.version_id)`;

const renderBatch = async (scope: ImportScope, pending: readonly PendingRow[]): Promise<void> => {
  const content = await readContent(
    scope,
    pending.map(({ version_id }) => version_id),
  );
  const owners = [...pending.map(({ version_id }) => version_id), ...content.map(({ content_id }) => content_id)];
  const references = await readReferences(scope, owners);
  const contentOf = Map.groupBy(content, ({ version_id }) => version_id);
  const rows = pending.map((row) => {
    const version = toRender(row, contentOf.get(row.version_id) ?? [], references);
    const { displayNames, ...texts } = renderVersion(scope.model, version);
    const { version_id, element_id, parent_id, facet, type } = row;
    return {
      version_id,
      element_id,
      parent_id,
      facet,
      type,
      tree_path: row.shown_path,
      display_names: displayNames,
      ...texts,
    };
  });
  await scope.client.query({
    name: 'import_insert_renditions',
    text: insertText,
    values: [...storageKey(scope), JSON.stringify(rows)],
  });
};

const toRender = (
  row: PendingRow,
  content: readonly ContentRow[],
  references: ReadonlyMap<string, readonly ReferenceRow[]>,
): VersionToRender => ({
  elementId: row.element_id,
  versionId: row.version_id,
  creationId: row.creation_id,
  facet: row.facet,
  type: row.type,
  stereotype: row.stereotype ?? undefined,
  state: row.state,
  attributes: row.attributes,
  references: { ...referencesOf(references.get(row.version_id)), ...releaseHistory(row) },
  content: content.map((element) => contentToRender(element, references.get(element.content_id))),
});

const releaseHistory = (row: PendingRow): References =>
  row.history
    ? {
        releaseHistory: row.history.map(({ versionId, state }) => ({
          facet: row.facet,
          elementId: row.element_id,
          creationId: row.creation_id,
          type: row.type,
          versionId,
          state,
        })),
      }
    : {};

const contentToRender = (row: ContentRow, references: readonly ReferenceRow[] | undefined): ContentToRender => ({
  contentId: row.content_id,
  creationId: row.creation_id,
  type: row.type,
  stereotype: row.stereotype ?? undefined,
  state: row.state,
  attributes: row.attributes,
  references: referencesOf(references),
});

const referencesOf = (rows: readonly ReferenceRow[] = []): References => {
  const references: Record<string, Reference[]> = {};
  for (const row of rows)
    (references[row.relation] ??= []).push({
      facet: row.facet,
      elementId: row.element_id,
      creationId: row.creation_id,
      type: row.type,
    });
  return references;
};

const readReferences = async (
  scope: ImportScope,
  owners: readonly string[],
): Promise<ReadonlyMap<string, readonly ReferenceRow[]>> => {
  const { rows } = await scope.client.query<ReferenceRow>({
    name: 'import_read_references',
    text: `select r.owner_id, r.relation, t.facet, t.element_id, t.creation_id, t.type
      from content_repo.relation r
      join content_repo.element t on t.tenant = r.tenant and t.storage_id = r.storage_id and t.element_id = r.target_id
      where r.tenant = $1 and r.storage_id = $2 and r.owner_id = any($3::uuid[]) and t.deleted_at is null
      order by r.owner_id, r.relation, r.position`,
    values: [...storageKey(scope), owners],
  });
  return Map.groupBy(rows, ({ owner_id }) => owner_id);
};

const readContent = async (scope: ImportScope, versions: readonly string[]): Promise<readonly ContentRow[]> => {
  const { rows } = await scope.client.query<ContentRow>({
    name: 'import_read_content',
    text: `select version_id, content_id, creation_id, type, stereotype, state, attributes
      from content_repo.content_element where tenant = $1 and storage_id = $2 and version_id = any($3::uuid[])
      order by version_id, position`,
    values: [...storageKey(scope), versions],
  });
  return rows;
};

const insertText = `
  insert into content_repo.rendition (tenant, storage_id, version_id, element_id, parent_id, facet, type, tree_path,
    identity, display_names, attributes, related, content)
  select $1, $2, version_id, element_id, parent_id, facet, type, tree_path, identity, display_names, attributes, related, content
  from json_to_recordset($3::json) as given (version_id uuid, element_id uuid, parent_id uuid, facet text, type text,
    tree_path text, identity text, display_names text, attributes text, related text, content text)`;

/** First all stale paths go, then the new ones come: the index of paths is checked row by row. */
const takeStalePathsText = `
  update content_repo.rendition r set tree_path = null
  from content_repo.element e
  where r.tenant = $1 and r.storage_id = $2 and r.tree_path is not null
    and e.tenant = r.tenant and e.storage_id = r.storage_id and e.element_id = r.element_id
    and r.tree_path is distinct from e.tree_path`;

const givePathsText = `
  update content_repo.rendition r set tree_path = e.tree_path
  from content_repo.element e
  join ${shownText} shown on shown.element_id = e.element_id
  where r.tenant = $1 and r.storage_id = $2 and r.tree_path is null and r.version_id = shown.version_id
    and e.tenant = $1 and e.storage_id = $2 and e.element_id = r.element_id
    and e.deleted_at is null and e.tree_path is not null`;
