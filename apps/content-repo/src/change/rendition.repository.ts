/**
 * Makes the renditions of versions: reads what they show, in one statement for each kind, writes the text of each. The
 * version that is shown for its element (the released one, else the newest) carries the element's path.
 */
import {
  type ContentToRender,
  type ReferenceToRender,
  type ReferencesByRelation,
  renderVersion,
  type StoredAttributes,
  type VersionToRender,
} from '@tessera/content-model';
import { type ChangeScope, storageKey } from './change.repository.js';

export type VersionRow = {
  readonly version_id: string;
  readonly element_id: string;
  readonly parent_id: string | null;
  readonly creation_id: string;
  readonly facet: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly state: string;
  readonly major: number;
  readonly minor: number;
  /** The number of the change that wrote it. */
  readonly revision: string;
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
  readonly stereotype: string | null;
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

/**
 * Replaces the renditions of these versions; what was there stays in the history. Versions that are gone have none. All of
 * the old ones go first: an element has one path, which a version of the first batch may take over from one of the last.
 */
export const replaceRenditions = async (scope: ChangeScope, versionIds: readonly string[]): Promise<void> =>
  (await beginRenditionReplacement(scope, versionIds))();

/** Writes what was rendered; sent when it is called, so that what follows can be sent behind it without a wait. */
type InsertRenditions = () => Promise<void>;

/** As `replaceRenditions`, up to the last statement. */
export const beginRenditionReplacement = async (
  scope: ChangeScope,
  versionIds: readonly string[],
): Promise<InsertRenditions> => {
  if (versionIds.length === 0) return nothingToInsert;
  let [, insert] = await Promise.all([
    deleteRenditions(scope, versionIds),
    prepareRenditions(scope, versionIds.slice(0, versionsPerBatch)),
  ]);
  for (let from = versionsPerBatch; from < versionIds.length; from += versionsPerBatch) {
    const batch = versionIds.slice(from, from + versionsPerBatch);
    [, insert] = await Promise.all([insert(), prepareRenditions(scope, batch)]);
  }
  return insert;
};

const versionsPerBatch = 250;

const nothingToInsert: InsertRenditions = () => Promise.resolve();

const deleteRenditions = async (scope: ChangeScope, versionIds: readonly string[]): Promise<void> => {
  await scope.client.query({
    name: 'rendition_forget',
    text: `delete from content_repo.rendition where tenant = $1 and storage_id = $2 and version_id = any($3::uuid[])`,
    values: [...storageKey(scope), versionIds],
  });
};

/** Makes the renditions of a few versions that have none, since this change makes the versions. */
export const renderVersions = async (scope: ChangeScope, versionIds: readonly string[]): Promise<void> =>
  (await prepareRenditions(scope, versionIds))();

/** As `renderVersions`, up to the last statement. */
export const prepareRenditions = async (
  scope: ChangeScope,
  versionIds: readonly string[],
): Promise<InsertRenditions> => {
  const [{ rows }, content, references] = await Promise.all([
    scope.client.query<VersionRow>({
      name: 'versions_to_show',
      text: versionsToRenderText,
      values: [...storageKey(scope), versionIds],
    }),
    readContent(scope, versionIds),
    readReferences(scope, versionIds),
  ]);
  return rows.length === 0 ? nothingToInsert : renderTexts(scope, rows, content, references);
};

const versionsToRenderText = `
  select v.version_id, v.element_id, e.parent_id, e.creation_id, e.facet, e.type, e.stereotype, v.state, v.major, v.minor,
    v.revision::text, v.attributes,
    case when v.version_id = shown.version_id then e.tree_path end as shown_path, released.history
  from content_repo.element_version v
  join content_repo.element e on e.tenant = v.tenant and e.storage_id = v.storage_id and e.element_id = v.element_id
  cross join lateral (
    select w.version_id from content_repo.element_version w
    where w.tenant = $1 and w.storage_id = $2 and w.element_id = v.element_id
    order by (w.state = 'released') desc, w.major desc, w.minor desc limit 1) shown
  cross join lateral (
    select json_agg(json_build_object('versionId', w.version_id, 'state', w.state) order by w.major, w.minor) as history
    from content_repo.element_version w
    where w.tenant = $1 and w.storage_id = $2 and w.element_id = v.element_id and w.state in ('released', 'requestToExpire', 'expired')) released
  where v.tenant = $1 and v.storage_id = $2 and v.version_id = any($3::uuid[]) and e.deleted_at is null`;

/** For versions that have none. */
export const insertRenditions = async (scope: ChangeScope, pending: readonly VersionRow[]): Promise<void> => {
  const versions = pending.map(({ version_id }) => version_id);
  const [content, references] = await Promise.all([readContent(scope, versions), readReferences(scope, versions)]);
  await renderTexts(scope, pending, content, references)();
};

const renderTexts = (
  scope: ChangeScope,
  pending: readonly VersionRow[],
  content: readonly ContentRow[],
  references: ReadonlyMap<string, readonly ReferenceRow[]>,
): InsertRenditions => {
  const contentOf = Map.groupBy(content, ({ version_id }) => version_id);
  const rows = pending.map((row) => {
    const version = versionToRender(row, contentOf.get(row.version_id) ?? [], references);
    const { displayNames, ...texts } = renderVersion(scope.model, version);
    const { attributes: _attributes, shown_path, history: _history, creation_id: _creationId, ...columns } = row;
    return { ...columns, tree_path: shown_path, display_names: displayNames, ...texts };
  });
  const values = [...storageKey(scope), JSON.stringify(rows)];
  return async () => {
    await scope.client.query({ name: 'insert_renditions', text: insertText, values });
  };
};

const versionToRender = (
  row: VersionRow,
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

const releaseHistory = (row: VersionRow): ReferencesByRelation =>
  row.history
    ? {
        releaseHistory: row.history.map(({ versionId, state }) => ({
          facet: row.facet,
          elementId: row.element_id,
          creationId: row.creation_id,
          type: row.type,
          versionId,
          state,
          stereotype: row.stereotype ?? undefined,
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

const referencesOf = (rows: readonly ReferenceRow[] = []): ReferencesByRelation => {
  const references: Record<string, ReferenceToRender[]> = {};
  for (const row of rows)
    (references[row.relation] ??= []).push({
      facet: row.facet,
      elementId: row.element_id,
      creationId: row.creation_id,
      type: row.type,
      stereotype: row.stereotype ?? undefined,
    });
  return references;
};

/** The versions whose own relations, or those of their content, lead to one of the elements. */
export const findReferringVersionIds = async (
  scope: ChangeScope,
  elementIds: readonly string[],
): Promise<readonly string[]> => {
  if (elementIds.length === 0) return [];
  const { rows } = await scope.client.query<{ version_id: string }>({
    name: 'rendition_referrers',
    text: `
      select distinct coalesce(c.version_id, r.owner_id)::text as version_id
      from content_repo.relation r
      left join content_repo.content_element c
        on c.tenant = r.tenant and c.storage_id = r.storage_id and c.content_id = r.owner_id
      where r.tenant = $1 and r.storage_id = $2::uuid and r.target_id = any($3::uuid[])`,
    values: [...storageKey(scope), elementIds],
  });
  return rows.map(({ version_id }) => version_id);
};

/** By the id of their owner: a version of these, or an element of its content. */
const readReferences = async (
  scope: ChangeScope,
  versions: readonly string[],
): Promise<ReadonlyMap<string, readonly ReferenceRow[]>> => {
  const { rows } = await scope.client.query<ReferenceRow>({
    name: 'rendition_references',
    text: `select r.owner_id, r.relation, t.facet, t.element_id, t.creation_id, t.type, t.stereotype
      from content_repo.relation r
      join content_repo.element t on t.tenant = r.tenant and t.storage_id = r.storage_id and t.element_id = r.target_id
      where r.tenant = $1 and r.storage_id = $2 and t.deleted_at is null and r.owner_id = any($3::uuid[] || array(
        select c.content_id from content_repo.content_element c
        where c.tenant = $1 and c.storage_id = $2 and c.version_id = any($3::uuid[])))
      order by r.owner_id, r.relation, r.position`,
    values: [...storageKey(scope), versions],
  });
  return Map.groupBy(rows, ({ owner_id }) => owner_id);
};

const readContent = async (scope: ChangeScope, versions: readonly string[]): Promise<readonly ContentRow[]> => {
  const { rows } = await scope.client.query<ContentRow>({
    name: 'rendition_content',
    text: `select version_id, content_id, creation_id, type, stereotype, state, attributes
      from content_repo.content_element where tenant = $1 and storage_id = $2 and version_id = any($3::uuid[])
      order by version_id, position`,
    values: [...storageKey(scope), versions],
  });
  return rows;
};

const insertText = `
  insert into content_repo.rendition (tenant, storage_id, version_id, element_id, parent_id, facet, type, tree_path,
    identity, display_names, attributes, related, content, major, minor, state, stereotype, revision)
  select $1, $2, version_id, element_id, parent_id, facet, type, tree_path, identity, display_names, attributes, related,
    content, major, minor, state, stereotype, revision
  from json_to_recordset($3::json) as given (version_id uuid, element_id uuid, parent_id uuid, facet text, type text,
    tree_path text, identity text, display_names text, attributes text, related text, content text,
    major integer, minor integer, state text, stereotype text, revision bigint)`;
