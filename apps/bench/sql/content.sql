-- The floor reads content straight from the tables, without row-level security. $1 is the tenant, $2 the storage.

-- name: floor_element
-- One element with all that belongs to it. $3: the element.
select e.element_id, e.parent_id, e.facet, e.type, e.stereotype, e.creation_id, v.version_id, v.state, v.attributes,
  (select json_agg(r order by r.relation, r.position) from (
    select r.owner_id, r.relation, r.target_id, r.target_version_id, tv.state as target_state, t.facet, t.type, t.creation_id, r.position from content_repo.relation r
  join content_repo.element t on t.tenant = r.tenant and t.storage_id = r.storage_id and t.element_id = r.target_id and t.deleted_at is null
  left join content_repo.element_version tv
    on tv.tenant = r.tenant and tv.storage_id = r.storage_id and tv.version_id = r.target_version_id
    where r.tenant = e.tenant and r.storage_id = e.storage_id and r.owner_id = v.version_id) r) as relations,
  (select json_agg(c order by c.position) from (
    select c.content_id, c.version_id, c.creation_id, c.type, c.stereotype, c.state, c.attributes, c.position, (select json_agg(r order by r.relation, r.position) from (
    select r.owner_id, r.relation, r.target_id, r.target_version_id, tv.state as target_state, t.facet, t.type, t.creation_id, r.position from content_repo.relation r
  join content_repo.element t on t.tenant = r.tenant and t.storage_id = r.storage_id and t.element_id = r.target_id and t.deleted_at is null
  left join content_repo.element_version tv
    on tv.tenant = r.tenant and tv.storage_id = r.storage_id and tv.version_id = r.target_version_id
    where r.tenant = e.tenant and r.storage_id = e.storage_id and r.owner_id = c.content_id) r) as relations
    from content_repo.content_element c
    where c.tenant = e.tenant and c.storage_id = e.storage_id and c.version_id = v.version_id) c) as content,
  (select json_agg(h order by h.major, h.minor) from (
    select v.element_id, v.version_id, v.state, v.major, v.minor from content_repo.element_version v
    where v.tenant = e.tenant and v.storage_id = e.storage_id and v.element_id = e.element_id and v.state in ('released', 'requestToExpire', 'expired')) h) as history,
  (select json_agg(child) from (
    select e.element_id, e.parent_id, e.facet, e.type, e.stereotype, e.creation_id, v.version_id, v.state, v.attributes from content_repo.element e
  join lateral (
    select v.version_id, v.state, v.attributes from content_repo.element_version v
    where v.tenant = e.tenant and v.storage_id = e.storage_id and v.element_id = e.element_id
    order by (v.state = 'released') desc, v.major desc, v.minor desc limit 1
  ) v on true
    where e.tenant = $1 and e.storage_id = $2 and e.facet = parent.facet and e.parent_id = $3 and e.deleted_at is null
    order by e.position) child) as children
from content_repo.element e
  join lateral (
    select v.version_id, v.state, v.attributes from content_repo.element_version v
    where v.tenant = e.tenant and v.storage_id = e.storage_id and v.element_id = e.element_id
    order by (v.state = 'released') desc, v.major desc, v.minor desc limit 1
  ) v on true, lateral (select e.facet) parent
where e.tenant = $1 and e.storage_id = $2 and e.element_id = $3 and e.deleted_at is null;

-- name: floor_facet_elements
-- All elements of a facet in no order. $3: the facet. The version is chosen among narrow rows, and what is wide is joined to it afterwards;
-- sorting the wide ones takes twice as long.
select e.element_id, e.parent_id, e.facet, e.type, e.stereotype, e.creation_id, v.version_id, v.state, v.attributes, e.position
from (
  select distinct on (element_id) element_id, version_id from content_repo.element_version
  where tenant = $1 and storage_id = $2
  order by element_id, (state = 'released') desc, major desc, minor desc
) shown
join content_repo.element e on e.tenant = $1 and e.storage_id = $2 and e.element_id = shown.element_id
join content_repo.element_version v on v.tenant = $1 and v.storage_id = $2 and v.version_id = shown.version_id
where e.facet = $3 and e.deleted_at is null;

-- name: floor_history
-- The versions of a facet that are or were released, the oldest first. $3: the facet.
select v.element_id, v.version_id, v.state from content_repo.element_version v
join content_repo.element e on e.tenant = v.tenant and e.storage_id = v.storage_id and e.element_id = v.element_id
where v.tenant = $1 and v.storage_id = $2 and e.facet = $3 and v.state in ('released', 'requestToExpire', 'expired') order by v.element_id, v.major, v.minor;

-- name: floor_content
-- The content of versions. $3: version ids.
select c.content_id, c.version_id, c.creation_id, c.type, c.stereotype, c.state, c.attributes from content_repo.content_element c
where c.tenant = $1 and c.storage_id = $2 and c.version_id = any($3::uuid[]) order by c.version_id, c.position;

-- name: floor_relations
-- The references of versions and content elements. $3: their ids.
select r.owner_id, r.relation, r.target_id, r.target_version_id, tv.state as target_state, t.facet, t.type, t.creation_id from content_repo.relation r
  join content_repo.element t on t.tenant = r.tenant and t.storage_id = r.storage_id and t.element_id = r.target_id and t.deleted_at is null
  left join content_repo.element_version tv
    on tv.tenant = r.tenant and tv.storage_id = r.storage_id and tv.version_id = r.target_version_id
where r.tenant = $1 and r.storage_id = $2 and r.owner_id = any($3::uuid[]) order by r.owner_id, r.relation, r.position;

-- name: floor_stored_element
-- One element as the text that the product has stored of it. $3: the element, $4: its own address up to the id.
select r.identity || r.display_names || r.attributes || r.related || coalesce((
    select ',"children":[' || string_agg(
      c.identity || c.display_names || c.attributes || ',"expandUri":"' || $4::text || c.element_id || '"}', ',' order by c.tree_path) || ']'
    from content_repo.rendition c
    where c.tenant = r.tenant and c.storage_id = r.storage_id and c.parent_id = r.element_id and c.tree_path is not null
  ), '') || r.content || ',"expandUri":"' || $4::text || r.element_id || '"}' as text
from content_repo.rendition r
where r.tenant = $1 and r.storage_id = $2 and r.element_id = $3 and r.tree_path is not null;

-- name: floor_storage
-- $2: the collection, $3: the name of the storage.
select storage_id, definition from content_repo.storage where tenant = $1 and collection_name = $2 and storage_name = $3;
