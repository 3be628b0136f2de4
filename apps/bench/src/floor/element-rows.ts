/**
 * The floor's SQL: the rows of elements straight from the tables, as named prepared statements, without row-level
 * security or cache. One statement reads the text that the product has stored, for the lowest possible floor.
 */

/** What every element row says; the version is the released one, else the newest. */
export type ElementRow = {
  readonly element_id: string;
  readonly parent_id: string | null;
  readonly facet: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly creation_id: string;
  readonly version_id: string;
  readonly state: string;
  readonly attributes: Attributes;
  /** Among siblings; left out where the statement sorts. */
  readonly position?: number;
};

export type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type RelationRow = {
  readonly owner_id: string;
  readonly relation: string;
  readonly target_id: string;
  readonly target_version_id: string | null;
  readonly target_state: string | null;
  readonly facet: string;
  readonly type: string;
  readonly creation_id: string;
};

export type ContentRow = {
  readonly content_id: string;
  readonly version_id: string;
  readonly creation_id: string;
  readonly type: string;
  readonly stereotype: string | null;
  readonly state: string;
  readonly attributes: Attributes;
  /** Only where the statement brings them along. */
  readonly relations?: readonly RelationRow[] | null;
};

/** A version that is or was released. */
export type ElementVersionRow = { readonly element_id: string; readonly version_id: string; readonly state: string };

/** One element with all that belongs to it. */
export type ElementWithParts = ElementRow & {
  readonly relations: readonly RelationRow[] | null;
  readonly content: readonly ContentRow[] | null;
  readonly children: readonly ElementRow[] | null;
  readonly history: readonly ElementVersionRow[] | null;
};

const shownVersion = `
  join lateral (
    select v.version_id, v.state, v.attributes from content_repo.element_version v
    where v.tenant = e.tenant and v.storage_id = e.storage_id and v.element_id = e.element_id
    order by (v.state = 'released') desc, v.major desc, v.minor desc limit 1
  ) v on true`;

const elementColumns = `e.element_id, e.parent_id, e.facet, e.type, e.stereotype, e.creation_id, v.version_id, v.state, v.attributes`;

const relationColumns = `r.owner_id, r.relation, r.target_id, r.target_version_id, tv.state as target_state, t.facet, t.type, t.creation_id`;

const relationTargets = `
  join content_repo.element t on t.tenant = r.tenant and t.storage_id = r.storage_id and t.element_id = r.target_id and t.deleted_at is null
  left join content_repo.element_version tv
    on tv.tenant = r.tenant and tv.storage_id = r.storage_id and tv.version_id = r.target_version_id`;

/** One look into an index for each owner; a join of owners and relations reads all relations when the tables are small. */
const relationsOf = (owner: string): string => `
  (select json_agg(r order by r.relation, r.position) from (
    select ${relationColumns}, r.position from content_repo.relation r ${relationTargets}
    where r.tenant = e.tenant and r.storage_id = e.storage_id and r.owner_id = ${owner}) r)`;

const contentColumns = `c.content_id, c.version_id, c.creation_id, c.type, c.stereotype, c.state, c.attributes`;

const historyColumns = `v.element_id, v.version_id, v.state`;
const wasReleased = `v.state in ('released', 'requestToExpire', 'expired')`;

/** One row: $1 tenant, $2 storage, $3 element. */
export const elementStatement = {
  name: 'floor_element',
  text: `
select ${elementColumns},
  ${relationsOf('v.version_id')} as relations,
  (select json_agg(c order by c.position) from (
    select ${contentColumns}, c.position, ${relationsOf('c.content_id')} as relations
    from content_repo.content_element c
    where c.tenant = e.tenant and c.storage_id = e.storage_id and c.version_id = v.version_id) c) as content,
  (select json_agg(h order by h.major, h.minor) from (
    select ${historyColumns}, v.major, v.minor from content_repo.element_version v
    where v.tenant = e.tenant and v.storage_id = e.storage_id and v.element_id = e.element_id and ${wasReleased}) h) as history,
  (select json_agg(child) from (
    select ${elementColumns} from content_repo.element e ${shownVersion}
    where e.tenant = $1 and e.storage_id = $2 and e.facet = parent.facet and e.parent_id = $3 and e.deleted_at is null
    order by e.position) child) as children
from content_repo.element e ${shownVersion}, lateral (select e.facet) parent
where e.tenant = $1 and e.storage_id = $2 and e.element_id = $3 and e.deleted_at is null`,
};

/**
 * All elements of a facet in no order: $1 tenant, $2 storage, $3 facet. The version is chosen among narrow rows, and what
 * is wide is joined to it afterwards; sorting the wide ones takes twice as long.
 */
export const facetElementsStatement = {
  name: 'floor_facet_elements',
  text: `
select ${elementColumns}, e.position
from (
  select distinct on (element_id) element_id, version_id from content_repo.element_version
  where tenant = $1 and storage_id = $2
  order by element_id, (state = 'released') desc, major desc, minor desc
) shown
join content_repo.element e on e.tenant = $1 and e.storage_id = $2 and e.element_id = shown.element_id
join content_repo.element_version v on v.tenant = $1 and v.storage_id = $2 and v.version_id = shown.version_id
where e.facet = $3 and e.deleted_at is null`,
};

/** The versions of a facet that are or were released, the oldest first: $1 tenant, $2 storage, $3 facet. */
export const releasedVersionsStatement = {
  name: 'floor_history',
  text: `
select ${historyColumns} from content_repo.element_version v
join content_repo.element e on e.tenant = v.tenant and e.storage_id = v.storage_id and e.element_id = v.element_id
where v.tenant = $1 and v.storage_id = $2 and e.facet = $3 and ${wasReleased} order by v.element_id, v.major, v.minor`,
};

/** The content of versions: $1 tenant, $2 storage, $3 version ids. */
export const contentStatement = {
  name: 'floor_content',
  text: `
select ${contentColumns} from content_repo.content_element c
where c.tenant = $1 and c.storage_id = $2 and c.version_id = any($3::uuid[]) order by c.version_id, c.position`,
};

/** The references of versions and content elements: $1 tenant, $2 storage, $3 their ids. */
export const relationsStatement = {
  name: 'floor_relations',
  text: `
select ${relationColumns} from content_repo.relation r ${relationTargets}
where r.tenant = $1 and r.storage_id = $2 and r.owner_id = any($3::uuid[]) order by r.owner_id, r.relation, r.position`,
};

/** One element as the text that is stored of it: $1 tenant, $2 storage, $3 element, $4 the address of its own up to the id. */
export const storedElementStatement = {
  name: 'floor_stored_element',
  text: `
select r.identity || r.display_names || r.attributes || r.related || coalesce((
    select ',"children":[' || string_agg(
      c.identity || c.display_names || c.attributes || ',"expandUri":"' || $4::text || c.element_id || '"}', ',' order by c.tree_path) || ']'
    from content_repo.rendition c
    where c.tenant = r.tenant and c.storage_id = r.storage_id and c.parent_id = r.element_id and c.tree_path is not null
  ), '') || r.content || ',"expandUri":"' || $4::text || r.element_id || '"}' as text
from content_repo.rendition r
where r.tenant = $1 and r.storage_id = $2 and r.element_id = $3 and r.tree_path is not null`,
};

/** $1 tenant, $2 collection, $3 storage name. */
export const storageStatement = {
  name: 'floor_storage',
  text: `select storage_id, definition from content_repo.storage where tenant = $1 and collection_name = $2 and storage_name = $3`,
};
