/**
 * Reads one element, by its id (the version that is shown) or by the id of a version, as text that PostgreSQL puts
 * together. Never reads deleted elements: an element is there as long as one of its versions is shown.
 */
import type { ContentTables, TenantReader } from '../database/tenant-reader.js';
import {
  childrenSql,
  elementJsonEndSql,
  elementContentSql,
  elementJsonStartSql,
  ancestorPathsSql,
  type Resources,
  toResourceBitmask,
  rootPathSql,
} from './resources.js';

export type ElementQuery = {
  /** In the defined spelling. */
  readonly facet: string;
  /** A UUID. */
  readonly id: string;
  readonly resources: Resources;
  /** The address of the facet's elements up to the id, with the placeholder of the public URL in front. */
  readonly addressPrefix: string;
};

/**
 * `r` is the version asked for, `shown` the one that the element shows (often the same); `$1` tenant, `$2` storage,
 * `$3` facet, `$4` id of the element or of a version. Under row-level security a subquery inside a comparison keeps it from
 * an index, therefore the version is named in a source of its own.
 */
const shownColumnsSql = (tables: ContentTables): string => `
    from (
      select version_id from (
        select version_id, 1 as choice from ${tables.rendition}
        where tenant = $1 and storage_id = $2::uuid and element_id = $4::uuid and tree_path is not null
        union all
        select $4::uuid, 2
      ) candidates
      order by choice limit 1
    ) target
    join ${tables.rendition} r on r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = target.version_id
    join ${tables.rendition} shown on shown.tenant = $1 and shown.storage_id = $2::uuid
      and shown.element_id = r.element_id and shown.tree_path is not null
    where r.facet = $3`;

export type ElementJsonTextRow = {
  /** The number of the storage's last change. */
  readonly changeSequence: string;
  /** Of the storage's definition when this was read. */
  readonly storageRevision: string;
  /** Of the version; null when there is none. */
  readonly revision: string | null;
  /** The complete element; null when there is none. */
  readonly text: string | null;
};

/**
 * The shown version of an element, by its id: one round trip and two lookups, the path of nearly every read. Nothing when
 * there is no such element, or when the id is that of a version.
 */
export const readShownElementJsonText = async (
  reader: TenantReader,
  storageId: string,
  wanted: ElementQuery,
): Promise<ElementJsonTextRow | undefined> => {
  const statement = statementFor('shown', reader.tables, wanted.resources, shownElementJsonTextSql);
  const [row] = await reader.read<ElementJsonTextRow>({ ...statement, values: valuesOf(reader, storageId, wanted) });
  return row;
};

/** The element or the version of an id; the state of the storage also when there is neither. Nothing when the storage is gone. */
export const readElementJsonText = async (
  reader: TenantReader,
  storageId: string,
  wanted: ElementQuery,
): Promise<ElementJsonTextRow | undefined> => {
  const statement = statementFor('element', reader.tables, wanted.resources, elementJsonTextSql);
  const [row] = await reader.read<ElementJsonTextRow>({ ...statement, values: valuesOf(reader, storageId, wanted) });
  return row;
};

const valuesOf = (reader: TenantReader, storageId: string, wanted: ElementQuery): readonly string[] => [
  reader.tenant,
  storageId,
  wanted.facet,
  wanted.id,
  wanted.addressPrefix,
];

const wholeTextSql = (
  tables: ContentTables,
  shown: string,
  resources: Resources,
): string => `${elementJsonStartSql('r', resources)}
    || ${childrenSql(tables, shown, resources, '$5::text')}
    || ${elementContentSql('r', resources)}
    || ${rootPathSql(tables, shown, resources, '$5::text')}
    || ${elementJsonEndSql('r', '$5::text')}`;

export const shownElementJsonTextSql = (tables: ContentTables, resources: Resources): string => `
select s.change_sequence::text as "changeSequence", s.revision::text as "storageRevision", r.revision::text, ${wholeTextSql(tables, 'r', resources)} as text
from ${tables.rendition} r
join content_repo.storage s on s.tenant = $1 and s.storage_id = $2::uuid
where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3 and r.element_id = $4::uuid and r.tree_path is not null`;

export const elementJsonTextSql = (tables: ContentTables, resources: Resources): string => `
select s.change_sequence::text as "changeSequence", s.revision::text as "storageRevision", found.revision, found.text
from content_repo.storage s
left join (select r.revision::text as revision, ${wholeTextSql(tables, 'shown', resources)} as text${shownColumnsSql(tables)}) found on true
where s.tenant = $1 and s.storage_id = $2::uuid`;

/** Each version on its own, since how many there are is not known when it is planned. */
export const versionJsonTextsSql = (tables: ContentTables, resources: Resources): string => `
select found.text
from unnest($4::uuid[]) with ordinality as wanted(version_id, place)
cross join lateral (
  select ${wholeTextSql(tables, 'shown', resources)} as text
  from ${tables.rendition} r
  join ${tables.rendition} shown on shown.tenant = $1 and shown.storage_id = $2::uuid
    and shown.element_id = r.element_id and shown.tree_path is not null
  where r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = wanted.version_id and r.facet = $3
  limit 1) found
order by wanted.place`;

/** Complete elements in the order of their versions, all by one statement; what is not there is left out. */
export const readVersionJsonTexts = async (
  reader: TenantReader,
  storageId: string,
  versionIds: readonly string[],
  { facet, resources, addressPrefix }: Omit<ElementQuery, 'id'>,
): Promise<readonly string[]> => {
  const statement = statementFor('versions', reader.tables, resources, versionJsonTextsSql);
  const values = [reader.tenant, storageId, facet, versionIds, addressPrefix];
  const rows = await reader.read<{ readonly text: string }>({ ...statement, values });
  return rows.map(({ text }) => text);
};

type ElementStatement = { readonly name: string; readonly text: string };

/** The same text object each time: the hottest statements are not put together for every request. */
const statementFor = (
  use: string,
  tables: ContentTables,
  resources: Resources,
  textOf: (tables: ContentTables, resources: Resources) => string,
): ElementStatement => {
  const name = `${tables.namePrefix}${use}_${toResourceBitmask(resources)}`;
  const known = statementsByShape.get(name);
  if (known) return known;
  const made = { name, text: textOf(tables, resources) };
  statementsByShape.set(name, made);
  return made;
};
/** At most one per use and set of resources, 256 in all. */
const statementsByShape = new Map<string, ElementStatement>();

/** What a report of one element begins with. */
export type ReportRoot = {
  readonly elementId: string;
  readonly versionId: string;
  readonly type: string;
  /** Of the version. */
  readonly revision: string;
  /** Where the element stands, whichever version was asked for. */
  readonly path: string;
  readonly opening: string;
  /** Content and rootPath, without the end of the object. */
  readonly closing: string;
  /** The element's own address and the end of the object. */
  readonly end: string;
};

/** One statement. */
export const readReportRoot = async (
  reader: TenantReader,
  storageId: string,
  { facet, id, resources, addressPrefix }: ElementQuery,
): Promise<ReportRoot | undefined> => {
  const [row] = await reader.read<ReportRoot>({
    name: `${reader.tables.namePrefix}element_root_${toResourceBitmask(resources)}`,
    text: reportRootSql(reader.tables, resources),
    values: [reader.tenant, storageId, facet, id, addressPrefix],
  });
  return row;
};

export const reportRootSql = (tables: ContentTables, resources: Resources): string => `
select r.element_id::text as "elementId", r.version_id::text as "versionId", r.type, shown.tree_path as path,
    ${elementJsonStartSql('r', resources)} as opening,
    ${elementContentSql('r', resources)} || ${rootPathSql(tables, 'shown', resources, '$5::text')} as closing,
    ${elementJsonEndSql('r', '$5::text')} as "end", r.revision::text${shownColumnsSql(tables)}`;

/** What holds a content element, and the content element's type. */
type ContentHolder = {
  readonly type: string;
  /** The stored content of the version. */
  readonly content: string;
  readonly revision: string;
  /** The stored identity of the version: an object that is open. */
  readonly identity: string;
};

/** One statement. */
export const findContentHolder = async (
  reader: TenantReader,
  storageId: string,
  contentId: string,
): Promise<ContentHolder | undefined> => {
  const { tables } = reader;
  const [row] = await reader.read<ContentHolder>({
    name: `${tables.namePrefix}content_of`,
    text: `select c.type, r.content, r.revision::text, r.identity
from ${tables.contentElement} c
join ${tables.rendition} r on r.tenant = c.tenant and r.storage_id = c.storage_id and r.version_id = c.version_id
where c.tenant = $1 and c.storage_id = $2::uuid and c.content_id = $3::uuid
  and exists (select from ${tables.rendition} shown where shown.tenant = r.tenant and shown.storage_id = r.storage_id
    and shown.element_id = r.element_id and shown.tree_path is not null)`,
    values: [reader.tenant, storageId, contentId],
  });
  return row && row.content !== '' ? row : undefined;
};

/** Whether all elements on the way to `path` are of these types; one statement. */
export const areAncestorsOfTypes = async (
  reader: TenantReader,
  storageId: string,
  facet: string,
  path: string,
  types: readonly string[],
): Promise<boolean> => {
  const { tables } = reader;
  const rows = await reader.read({
    name: `${tables.namePrefix}chain_of_types`,
    text: `select from (${ancestorPathsSql('$4::text', 'length($4::text) / 8')}) up
join ${tables.rendition} a on a.tenant = $1 and a.storage_id = $2::uuid and a.facet = $3 and a.tree_path = up.path
where a.type <> all($5::text[])`,
    values: [reader.tenant, storageId, facet, path, types],
  });
  return rows.length === 0;
};

export type ReferenceTarget = { readonly elementId: string; readonly versionId?: string | undefined };

/** Which version a reference means: that of its version id, else the one that is shown. */
export const referenceKey = ({ elementId, versionId }: ReferenceTarget): string => `${elementId}/${versionId ?? ''}`;

type ReferenceRow = { readonly elementId: string; readonly versionId: string | null; readonly opening: string };

/** Reference key -> stored text of the element from `{` to before its address; what is not there is left out. */
export const readReferences = async (
  reader: TenantReader,
  storageId: string,
  targets: readonly ReferenceTarget[],
  resources: Resources,
): Promise<ReadonlyMap<string, string>> => {
  const { tables } = reader;
  const rows = await reader.read<ReferenceRow>({
    name: `${tables.namePrefix}references_${toResourceBitmask(resources)}`,
    text: `select wanted.element_id::text as "elementId", wanted.version_id::text as "versionId", ${elementJsonStartSql('r', resources)} as opening
from unnest($3::uuid[], $4::uuid[]) as wanted(element_id, version_id)
join ${tables.rendition} r on r.tenant = $1 and r.storage_id = $2::uuid and r.element_id = wanted.element_id
  and (r.version_id = wanted.version_id or (wanted.version_id is null and r.tree_path is not null))`,
    values: [
      reader.tenant,
      storageId,
      targets.map(({ elementId }) => elementId),
      targets.map(({ versionId }) => versionId ?? null),
    ],
  });
  return new Map(
    rows.map(({ elementId, versionId, opening }) => [
      referenceKey({ elementId, versionId: versionId ?? undefined }),
      opening,
    ]),
  );
};

type VersionState = { readonly type: string; readonly state: string };

/** `id`: of an element (the version that is shown) or of a version. */
export const findVersionState = async (
  reader: TenantReader,
  storageId: string,
  id: string,
): Promise<VersionState | undefined> => {
  const [row] = await reader.read<VersionState>({
    name: 'version_state',
    text: `
      select type, state from content_repo.rendition
      where tenant = $1 and storage_id = $2::uuid and element_id = $3::uuid and tree_path is not null
      union all
      select type, state from content_repo.rendition
      where tenant = $1 and storage_id = $2::uuid and version_id = $3::uuid
      limit 1`,
    values: [reader.tenant, storageId, id],
  });
  return row;
};
