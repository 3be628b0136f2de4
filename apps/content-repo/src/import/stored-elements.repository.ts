/**
 * What a storage has of the elements of a batch, and the statements that bring them to what their files say; one
 * statement a function.
 */
import {
  type ElementPlan,
  type ExistingVersion,
  planElement,
  findType,
  type VersionHead,
} from '@tessera/content-model';
import { storageKey } from '../change/change.repository.js';
import { insertRows } from '../change/element-rows.repository.js';
import { toElementDocument } from '../export/export-documents.js';
import { readElementRows, readElementParts } from '../export/export-rows.js';
import type { ImportScope } from './imports.repository.js';

export type StoredElementRow = {
  readonly element_id: string;
  readonly facet: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly creation_id: string;
  /** Of the file that was applied last; null for what only the API made. */
  readonly digest: Buffer | null;
  /** The number of the last change, and of the last one that a file made. */
  readonly revision: string;
  readonly applied_revision: string;
  readonly deleted: boolean;
};

export const findStoredElementRows = async (
  scope: ImportScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredElementRow>> => {
  const { rows } = await scope.client.query<StoredElementRow>({
    name: 'import_find_elements',
    text: `select element_id, facet, type, stereotype, creation_id, digest, revision::text, applied_revision::text,
        deleted_at is not null as deleted
      from content_repo.element where tenant = $1 and storage_id = $2 and element_id = any($3::uuid[])`,
    values: [...storageKey(scope), ids],
  });
  return new Map(rows.map((row) => [row.element_id, row]));
};

export type StoredVersionRow = ExistingVersion & VersionHead & { readonly revision: string };

export const findStoredVersions = async (
  scope: ImportScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredVersionRow[]>> => {
  const { rows } = await scope.client.query<StoredVersionRow & { readonly elementId: string }>({
    name: 'import_find_versions',
    text: `select element_id as "elementId", version_id as "versionId", major, minor, state, created_at as "createdAt",
        revision::text
      from content_repo.element_version where tenant = $1 and storage_id = $2 and element_id = any($3::uuid[])`,
    values: [...storageKey(scope), ids],
  });
  return Map.groupBy(rows, ({ elementId }) => elementId);
};

export type LastChange = { readonly subject: string; readonly changedAt: Date };

/** Who changed these elements last, and when. */
export const findLastChanges = async (
  scope: ImportScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LastChange>> => {
  const { rows } = await scope.client.query<LastChange & { readonly elementId: string }>({
    name: 'import_find_last_changes',
    text: `select e.element_id as "elementId", c.subject, c.changed_at as "changedAt"
      from content_repo.element e
      join content_repo.change c on c.tenant = e.tenant and c.storage_id = e.storage_id and c.sequence = e.revision
      where e.tenant = $1 and e.storage_id = $2 and e.element_id = any($3::uuid[])`,
    values: [...storageKey(scope), ids],
  });
  return new Map(rows.map((row) => [row.elementId, row]));
};

/** Content and renditions go with their version; relations know their owner only by its id. */
export const deleteVersions = async (scope: ImportScope, versionIds: readonly string[]): Promise<void> => {
  if (versionIds.length === 0) return;
  await scope.client.query({
    name: 'import_delete_versions',
    text: `
      with unrelated as (
        delete from content_repo.relation where tenant = $1 and storage_id = $2 and owner_id in (
          select unnest($3::uuid[])
          union all
          select content_id from content_repo.content_element
          where tenant = $1 and storage_id = $2 and version_id = any($3::uuid[])))
      delete from content_repo.element_version where tenant = $1 and storage_id = $2 and version_id = any($3::uuid[])`,
    values: [...storageKey(scope), versionIds],
  });
};

export const deleteRenditions = async (scope: ImportScope, versionIds: readonly string[]): Promise<void> => {
  if (versionIds.length === 0) return;
  await scope.client.query({
    name: 'import_delete_renditions',
    text: `delete from content_repo.rendition where tenant = $1 and storage_id = $2 and version_id = any($3::uuid[])`,
    values: [...storageKey(scope), versionIds],
  });
};

/** Those of everything that refers to these elements. */
export const deleteRenditionsOfReferrers = async (scope: ImportScope, elementIds: readonly string[]): Promise<void> => {
  if (elementIds.length === 0) return;
  await scope.client.query(
    `delete from content_repo.rendition r
     using content_repo.relation l
     left join content_repo.content_element c on c.tenant = l.tenant and c.storage_id = l.storage_id and c.content_id = l.owner_id
     where l.tenant = $1 and l.storage_id = $2 and l.target_id = any($3::uuid[])
       and r.tenant = $1 and r.storage_id = $2 and r.version_id = coalesce(c.version_id, l.owner_id)`,
    [...storageKey(scope), elementIds],
  );
};

export type PlannedElement = { readonly ordinal: number; readonly plan: ElementPlan; readonly digest: Buffer };

/** The position is provisional: arrange-tree.ts orders siblings when all are there. */
export const upsertElements = async (scope: ImportScope, elements: readonly PlannedElement[]): Promise<void> => {
  const rows = elements.map(({ ordinal, plan, digest }) => ({
    element_id: plan.elementId,
    key: plan.key,
    facet: plan.facet,
    type: plan.type,
    stereotype: plan.stereotype,
    creation_id: plan.creationId,
    parent_id: plan.parentId,
    position: ordinal,
    digest: byteaText(digest),
  }));
  await insertRows(scope, 'import_upsert_elements', upsertText, rows);
};

const upsertText = `
  insert into content_repo.element as stored
    (tenant, storage_id, element_id, key, facet, type, stereotype, creation_id, parent_id, position, digest, applied_revision)
  select $1, $2, element_id, key, facet, type, stereotype, creation_id, parent_id, position, digest,
    current_setting('app.change')::bigint
  from json_to_recordset($3::json) as given (element_id uuid, key text, facet text, type text, stereotype text,
    creation_id uuid, parent_id uuid, position integer, digest bytea)
  on conflict (tenant, storage_id, element_id) do update set
    key = coalesce(excluded.key, stored.key), facet = excluded.facet, type = excluded.type,
    stereotype = excluded.stereotype, creation_id = excluded.creation_id, parent_id = excluded.parent_id,
    digest = excluded.digest, revision = excluded.revision, applied_revision = excluded.revision, deleted_at = null`;

/** Their files say what is stored: from here on they count as the ones that were applied. */
export const markAsApplied = async (scope: ImportScope, elements: readonly PlannedElement[]): Promise<void> => {
  const rows = elements.map(({ plan, digest }) => ({ element_id: plan.elementId, digest: byteaText(digest) }));
  await insertRows(scope, 'import_take_elements', markAsAppliedText, rows);
};

const markAsAppliedText = `
  update content_repo.element stored set digest = given.digest, applied_revision = stored.revision
  from json_to_recordset($3::json) as given (element_id uuid, digest bytea)
  where stored.tenant = $1 and stored.storage_id = $2 and stored.element_id = given.element_id`;

const byteaText = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

export type StoredPlan = {
  readonly plan: ElementPlan;
  /** The content of each version, by the identifier of the version, in order. */
  readonly content: ReadonlyMap<string, readonly StoredContentIds[]>;
};

/** `id`: a key or a UUID, as files name it. */
type StoredContentIds = { readonly id: string; readonly content_id: string; readonly creation_id: string };

export const readStoredPlans = async (
  scope: ImportScope,
  elementIds: readonly string[],
): Promise<ReadonlyMap<string, StoredPlan>> => {
  if (elementIds.length === 0) return new Map();
  const elements = await readElementRows(scope, elementIds);
  const parts = await readElementParts(scope, elementIds);
  return new Map(
    elements.flatMap((element) => {
      const type = findType(scope.model, element.type);
      if (!type) return [];
      const plan = planElement(scope.model, type, toElementDocument(scope.model, element, parts));
      return [[element.element_id, { plan, content: parts.content }]];
    }),
  );
};
