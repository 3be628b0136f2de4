/**
 * Writes a batch of planned elements: what is stored already as planned is left alone, what differs is replaced whole.
 * A version keeps its identifier and its day of creation. Renditions of what was replaced vanish, and those of elements
 * that refer to something whose identity changed; render-pending.ts makes them anew.
 * Refuses: checks across elements; they follow when everything is written (check-integrity.ts).
 */
import {
  elementRows,
  planDigest,
  planElement,
  typeNamed,
  type ElementPlan,
  type ExistingVersion,
} from '@tessera/content-model';
import type { ElementDocument } from '@tessera/contracts';
import { storageKey } from '../change/change-scope.js';
import { insertRows, insertVersions } from '../change/insert-versions.repository.js';
import type { ImportScope } from './import-scope.js';

export type StagedDocument = { readonly ordinal: number; readonly document: ElementDocument };

export type WriteCounts = {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly versions: number;
};

export const noCounts: WriteCounts = { created: 0, changed: 0, unchanged: 0, versions: 0 };

export const addCounts = (left: WriteCounts, right: WriteCounts): WriteCounts => ({
  created: left.created + right.created,
  changed: left.changed + right.changed,
  unchanged: left.unchanged + right.unchanged,
  versions: left.versions + right.versions,
});

type Planned = { readonly ordinal: number; readonly plan: ElementPlan; readonly digest: Buffer };

type StoredElement = {
  readonly element_id: string;
  readonly key: string | null;
  readonly facet: string;
  readonly type: string;
  readonly creation_id: string;
  readonly digest: Buffer | null;
  readonly deleted: boolean;
};

export const writeElements = async (
  scope: ImportScope,
  batch: readonly StagedDocument[],
  now: Date,
): Promise<WriteCounts> => {
  const planned = batch.map((staged) => planStaged(scope, staged));
  const stored = await findStored(
    scope,
    planned.map(({ plan }) => plan.elementId),
  );
  const differing = planned.filter((element) => !isAsStored(element, stored.get(element.plan.elementId)));
  if (differing.length === 0) return { ...noCounts, unchanged: batch.length };
  const replaced = differing.flatMap(({ plan }) => (stored.has(plan.elementId) ? [plan.elementId] : []));
  const versions = await findVersions(scope, replaced);
  await deleteVersions(scope, replaced);
  await deleteStaleRenditions(
    scope,
    differing.filter((element) => hasNewIdentity(element, stored.get(element.plan.elementId))),
  );
  await upsertElements(scope, differing);
  const rows = differing.map(({ plan }) => elementRows(scope.model, plan, versions.get(plan.elementId) ?? [], now));
  await insertVersions(scope, {
    versions: rows.flatMap((element) => element.versions),
    content: rows.flatMap((element) => element.content),
    relations: rows.flatMap((element) => element.relations),
  });
  return {
    created: differing.length - replaced.length,
    changed: replaced.length,
    unchanged: batch.length - differing.length,
    versions: rows.reduce((sum, element) => sum + element.versions.length, 0),
  };
};

const planStaged = ({ model }: ImportScope, { ordinal, document }: StagedDocument): Planned => {
  const type = typeNamed(model, document.type);
  if (!type) throw new Error(`An element of the unknown type ${document.type} was staged.`);
  const plan = planElement(model, type, document);
  return { ordinal, plan, digest: planDigest(plan) };
};

const isAsStored = ({ plan, digest }: Planned, stored: StoredElement | undefined): boolean =>
  stored !== undefined &&
  !stored.deleted &&
  stored.digest?.equals(digest) === true &&
  (plan.key === undefined || plan.key === stored.key);

/** What references to the element show of it. */
const hasNewIdentity = ({ plan }: Planned, stored: StoredElement | undefined): boolean =>
  stored !== undefined &&
  (stored.deleted ||
    stored.facet !== plan.facet ||
    stored.type !== plan.type ||
    stored.creation_id !== plan.creationId);

const findStored = async (scope: ImportScope, ids: readonly string[]): Promise<ReadonlyMap<string, StoredElement>> => {
  const { rows } = await scope.client.query<StoredElement>({
    name: 'import_find_elements',
    text: `select element_id, key, facet, type, creation_id, digest, deleted_at is not null as deleted
      from content_repo.element where tenant = $1 and storage_id = $2 and element_id = any($3::uuid[])`,
    values: [...storageKey(scope), ids],
  });
  return new Map(rows.map((row) => [row.element_id, row]));
};

const findVersions = async (
  scope: ImportScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly ExistingVersion[]>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await scope.client.query<ExistingVersion & { readonly elementId: string }>({
    name: 'import_find_versions',
    text: `select element_id as "elementId", version_id as "versionId", major, minor, created_at as "createdAt"
      from content_repo.element_version where tenant = $1 and storage_id = $2 and element_id = any($3::uuid[])`,
    values: [...storageKey(scope), ids],
  });
  return Map.groupBy(rows, ({ elementId }) => elementId);
};

/** Content and renditions go with their version; relations know their owner only by its id. */
const deleteVersions = async (scope: ImportScope, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await scope.client.query({
    name: 'import_delete_relations',
    text: `with owner as (
        select version_id from content_repo.element_version
        where tenant = $1 and storage_id = $2 and element_id = any($3::uuid[])
      )
      delete from content_repo.relation where tenant = $1 and storage_id = $2 and owner_id in (
        select version_id from owner
        union all
        select c.content_id from content_repo.content_element c join owner on owner.version_id = c.version_id
        where c.tenant = $1 and c.storage_id = $2)`,
    values: [...storageKey(scope), ids],
  });
  await scope.client.query({
    name: 'import_delete_versions',
    text: `delete from content_repo.element_version where tenant = $1 and storage_id = $2 and element_id = any($3::uuid[])`,
    values: [...storageKey(scope), ids],
  });
};

const deleteStaleRenditions = async (scope: ImportScope, renamed: readonly Planned[]): Promise<void> => {
  if (renamed.length === 0) return;
  await scope.client.query(
    `delete from content_repo.rendition r
     using content_repo.relation l
     left join content_repo.content_element c on c.tenant = l.tenant and c.storage_id = l.storage_id and c.content_id = l.owner_id
     where l.tenant = $1 and l.storage_id = $2 and l.target_id = any($3::uuid[])
       and r.tenant = $1 and r.storage_id = $2 and r.version_id = coalesce(c.version_id, l.owner_id)`,
    [...storageKey(scope), renamed.map(({ plan }) => plan.elementId)],
  );
};

/** The position is provisional: arrange-tree.ts orders siblings when all are there. */
const upsertElements = async (scope: ImportScope, elements: readonly Planned[]): Promise<void> => {
  const rows = elements.map(({ ordinal, plan, digest }) => ({
    element_id: plan.elementId,
    key: plan.key,
    facet: plan.facet,
    type: plan.type,
    stereotype: plan.stereotype,
    creation_id: plan.creationId,
    parent_id: plan.parentId,
    position: ordinal,
    digest: `\\x${digest.toString('hex')}`,
  }));
  await insertRows(scope, 'import_upsert_elements', elementText, rows);
};

const elementText = `
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
