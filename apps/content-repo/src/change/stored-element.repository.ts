/**
 * Elements and versions as a change reads them: what is stored, what the id of a request means, and the text that answers
 * the change. Deleted elements are left out.
 */
import {
  findVersionHead,
  findFacet,
  isUuid,
  type StoredAttributes,
  type StoredVersion,
  type TypeModel,
  findType,
  type VersionHead,
  type VersionRow,
} from '@tessera/content-model';
import type { NamedStatement } from '@tessera/persistence';
import { currentTables, type TenantReader } from '../database/tenant-reader.js';
import { readVersionJsonTexts } from '../elements/element.repository.js';
import { defaultResources } from '../elements/resources.js';
import { addressPrefixOf } from '../facets/facet-view.js';
import type { ChangeContext } from './change-storage.js';
import { type ChangeScope, storageKey } from './change.repository.js';

export type StoredVersionHead = VersionHead & { readonly createdAt: Date; readonly revision: string };

export type StoredElement = {
  readonly elementId: string;
  readonly facet: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly creationId: string;
  readonly parentId: string | null;
  readonly key: string | null;
  readonly treePath: string | null;
  /** By number, the oldest first; at least one. */
  readonly heads: readonly StoredVersionHead[];
};

type HeadJson = Omit<StoredVersionHead, 'createdAt'> & { readonly createdAt: string };

/** `id`: of an element or of one of its versions. */
export const findStoredElement = async (scope: ChangeScope, id: string): Promise<StoredElement | undefined> =>
  (await findStoredElements(scope, [id]))[0];

/** `ids`: of elements or of their versions; each element once, in no order. */
export const findStoredElements = async (
  scope: ChangeScope,
  ids: readonly string[],
): Promise<readonly StoredElement[]> => {
  if (ids.length === 0) return [];
  const { rows } = await scope.client.query<Omit<StoredElement, 'heads'> & { readonly heads: readonly HeadJson[] }>({
    name: 'change_find_elements',
    text: `
      with wanted as materialized (
        select unnest($3::uuid[]) as element_id
        union
        select element_id from content_repo.element_version
        where tenant = $1 and storage_id = $2::uuid and version_id = any($3::uuid[]))
      select e.element_id::text as "elementId", e.facet, e.type, e.stereotype, e.creation_id::text as "creationId",
        e.parent_id::text as "parentId", e.key, e.tree_path as "treePath", (
          select json_agg(json_build_object('versionId', v.version_id, 'major', v.major, 'minor', v.minor,
            'state', v.state, 'createdAt', v.created_at, 'revision', v.revision::text) order by v.major, v.minor)
          from content_repo.element_version v
          where v.tenant = $1 and v.storage_id = $2::uuid and v.element_id = e.element_id) as heads
      from wanted
      join content_repo.element e on e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = wanted.element_id
      where e.deleted_at is null`,
    values: [...storageKey(scope), ids],
  });
  return rows.map((row) => ({
    ...row,
    heads: row.heads.map((head) => ({ ...head, createdAt: new Date(head.createdAt) })),
  }));
};

/** Everything that a version says; undefined when it is gone. */
export const readStoredVersion = async (scope: ChangeScope, versionId: string): Promise<StoredVersion | undefined> =>
  (await readStoredVersions(scope, [versionId], 'all')).get(versionId);

/** Which relations are read: with those to what was deleted, which nothing shows until it is restored, or without. */
type RelationScope = 'all' | 'shown';

/** By the id of the version. */
export const readStoredVersions = async (
  scope: ChangeScope,
  versionIds: readonly string[],
  read: RelationScope,
): Promise<ReadonlyMap<string, StoredVersion>> => {
  const { rows } = await scope.client.query<StoredVersion & { readonly versionId: string }>({
    name: `change_read_versions_${read}`,
    text: `
      select v.version_id::text as "versionId", v.attributes, ${relationsSql('v.version_id', read)} as relations, (
          select coalesce(json_agg(json_build_object('contentId', c.content_id, 'key', c.key, 'position', c.position,
            'creationId', c.creation_id, 'type', c.type, 'stereotype', c.stereotype, 'state', c.state,
            'attributes', c.attributes, 'relations', ${relationsSql('c.content_id', read)}) order by c.position), '[]')
          from content_repo.content_element c
          where c.tenant = $1 and c.storage_id = $2::uuid and c.version_id = v.version_id) as content
      from content_repo.element_version v
      where v.tenant = $1 and v.storage_id = $2::uuid and v.version_id = any($3::uuid[])`,
    values: [...storageKey(scope), versionIds],
  });
  return new Map(rows.map(({ versionId, ...parts }) => [versionId, parts]));
};

const relationsSql = (owner: string, read: RelationScope): string => `(
  select coalesce(json_agg(json_build_object('relation', r.relation, 'targetId', r.target_id)
    order by r.relation, r.position), '[]')
  from content_repo.relation r ${read === 'all' ? '' : shownTargetsSql}
  where r.tenant = $1 and r.storage_id = $2::uuid and r.owner_id = ${owner})`;

const shownTargetsSql = `
  join content_repo.element t on t.tenant = $1 and t.storage_id = $2::uuid and t.element_id = r.target_id
    and t.deleted_at is null`;

export const countChildren = async (scope: ChangeScope, { facet, elementId }: StoredElement): Promise<number> => {
  const { rows } = await scope.client.query<{ children: string }>({
    name: 'change_count_children',
    text: `select count(*) as children from content_repo.element
      where tenant = $1 and storage_id = $2::uuid and facet = $3 and parent_id = $4::uuid and deleted_at is null`,
    values: [...storageKey(scope), facet, elementId],
  });
  return Number(rows[0]?.children ?? 0);
};

/** What versions say for themselves, without their relations and content, by their ids; those that are gone are left out. */
type AttributesByVersion = ReadonlyMap<string, StoredAttributes>;

export const readAttributes = async (scope: ChangeScope, versionId: string): Promise<StoredAttributes | undefined> => {
  const { rows } = await scope.client.query<{ readonly attributes: StoredAttributes }>({
    name: 'change_read_attributes',
    text: `select attributes from content_repo.element_version
      where tenant = $1 and storage_id = $2::uuid and version_id = $3::uuid`,
    values: [...storageKey(scope), versionId],
  });
  return rows[0]?.attributes;
};

/** `id`: as of `findRequestedVersion`; of the version that it means, without waiting to know which that is. */
export const readRequestedAttributes = async (scope: ChangeScope, id: string): Promise<AttributesByVersion> => {
  const askedId = id.toLowerCase();
  if (!isUuid(askedId)) return new Map();
  const { rows } = await scope.client.query<{ readonly versionId: string; readonly attributes: StoredAttributes }>({
    name: 'change_read_requested_attributes',
    text: `
      select version_id::text as "versionId", attributes from content_repo.element_version
      where tenant = $1 and storage_id = $2::uuid and version_id = $3::uuid
      union all (
        select version_id::text, attributes from content_repo.element_version
        where tenant = $1 and storage_id = $2::uuid and element_id = $3::uuid
        order by (state = 'released') desc, major desc, minor desc limit 1)`,
    values: [...storageKey(scope), askedId],
  });
  return new Map(rows.map(({ versionId, attributes }) => [versionId, attributes]));
};

type VersionUpdate = Omit<VersionRow, 'elementId' | 'createdAt'>;

export const updateVersions = async (scope: ChangeScope, versions: readonly VersionUpdate[]): Promise<void> => {
  if (versions.length === 0) return;
  await scope.client.query({
    name: 'change_update_versions',
    text: `
      update content_repo.element_version v
      set major = given.major, minor = given.minor, state = given.state, attributes = given.attributes,
        changed_at = given."changedAt", revision = current_setting('app.change')::bigint
      from json_to_recordset($3::json) as given ("versionId" uuid, major integer, minor integer, state text,
        attributes jsonb, "changedAt" timestamptz)
      where v.tenant = $1 and v.storage_id = $2::uuid and v.version_id = given."versionId"`,
    values: [...storageKey(scope), JSON.stringify(versions)],
  });
};

/** The element was changed by this change, in one of its versions or its place. */
export const setElementRevision = async (scope: ChangeScope, elementId: string): Promise<void> => {
  await scope.client.query({
    name: 'change_touch_element',
    text: `update content_repo.element set revision = current_setting('app.change')::bigint
      where tenant = $1 and storage_id = $2::uuid and element_id = $3::uuid`,
    values: [...storageKey(scope), elementId],
  });
};

export type RequestedVersion = {
  readonly element: StoredElement;
  readonly type: TypeModel;
  readonly version: StoredVersionHead;
};

/** `id`: of an element (its released version, else its newest) or of a version, in any case of letters. */
export const findRequestedVersion = async (scope: ChangeScope, id: string): Promise<RequestedVersion | undefined> => {
  const askedId = id.toLowerCase();
  const element = isUuid(askedId) ? await findStoredElement(scope, askedId) : undefined;
  const type = element && findType(scope.model, element.type);
  const version = element && findVersionHead(element.heads, askedId);
  return element && type && version ? { element, type, version } : undefined;
};

export const createTransactionReader = ({
  client,
  tenant,
}: Pick<ChangeContext, 'client' | 'tenant'>): TenantReader => ({
  tenant,
  tables: currentTables,
  read: async <Row extends object>({ name, text, values }: NamedStatement) =>
    (await client.query<Row>({ name, text, values: [...values] })).rows,
});

/** The elements as these versions show them, in their order. */
export const readChangedElementJsonTexts = async (
  change: ChangeContext,
  facetName: string,
  versionIds: readonly string[],
): Promise<readonly string[]> => {
  const facet = findFacet(change.model, facetName);
  if (!facet) throw new Error(`The facet ${facetName} of an element is not defined.`);
  if (versionIds.length === 0) return [];
  const written = await readVersionJsonTexts(createTransactionReader(change), change.storageId, versionIds, {
    facet: facet.name,
    resources: defaultResources,
    addressPrefix: addressPrefixOf(change.storage, facet),
  });
  if (written.length !== versionIds.length)
    throw new Error(`Of ${versionIds.length} versions written to the facet ${facet.name} ${written.length} are there.`);
  return written;
};
