-- a tree
select r.tree_path as path,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.identity || r.display_names || r.attributes || r.related end as opening,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.content || ',"expandUri":"' || $4::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' end as closing,
  r.version_id::text as "versionId"
from content_repo.rendition r
where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3
  and r.tree_path is not null
order by r.tree_path

-- the roots of a tree, a page
select r.tree_path as path,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.identity || r.display_names || r.attributes || r.related || coalesce((
      select ',"children":[' || string_agg(child.identity || child.display_names || child.attributes || ',"expandUri":"' || $4::text || (case when child.tree_path is null then child.version_id else child.element_id end) || '"}', ',' order by child.tree_path) || ']'
      from content_repo.rendition child
      where child.tenant = $1 and child.storage_id = $2::uuid
        and child.parent_id = r.element_id and child.tree_path is not null), '') end as opening,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.content || ',"expandUri":"' || $4::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' end as closing,
  r.version_id::text as "versionId"
from content_repo.rendition r
where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3
  and r.tree_path is not null
  and r.parent_id is null
  and r.tree_path > $5
order by r.tree_path
limit $6 offset $7

-- below an element, with types
select r.tree_path as path,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.identity || r.display_names || r.attributes || r.related end as opening,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.content || ',"expandUri":"' || $7::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' end as closing,
  r.version_id::text as "versionId"
from content_repo.rendition r
where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3
  and r.tree_path is not null
  and r.type = any($4::text[])
  and r.tree_path > $5 and r.tree_path < $6
order by r.tree_path

-- the children of an element, a page
select r.tree_path as path,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.identity || r.display_names || r.attributes || r.related end as opening,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.content || ',"expandUri":"' || $4::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' end as closing,
  r.version_id::text as "versionId"
from content_repo.rendition r
where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3
  and r.tree_path is not null
  and r.parent_id = $5::uuid
  and r.tree_path > $6
order by r.tree_path
limit $7 offset $8

-- the children of an element with a filter
with matched as materialized (
  select m.tree_path
  from content_repo.rendition m
  join content_repo.element_version v on v.tenant = m.tenant and v.storage_id = m.storage_id and v.version_id = m.version_id
  join content_repo.element e on e.tenant = m.tenant and e.storage_id = m.storage_id and e.element_id = m.element_id
  where m.tenant = $1 and m.storage_id = $2::uuid and m.facet = $3
    and m.tree_path is not null
    and m.tree_path > $4 and m.tree_path < $5
    and ("v"."state" = $6::text)
)
select r.tree_path as path,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.identity || r.display_names || r.attributes || r.related end as opening,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.content || ',"expandUri":"' || $7::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' end as closing,
  r.version_id::text as "versionId"
from (select distinct up.path from matched, lateral (select left(matched.tree_path, depth * 8) as path from unnest(array(select generate_series(1, length(matched.tree_path) / 8))) depth offset 0) up) kept
cross join lateral (select * from content_repo.rendition r where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3 and r.tree_path is not null and r.tree_path > $4 and r.tree_path < $5 and r.parent_id = $8::uuid and r.tree_path = kept.path limit 1) r
where true
order by kept.path

-- a tree with a filter and types
with matched as materialized (
  select m.tree_path
  from content_repo.rendition m
  join content_repo.element_version v on v.tenant = m.tenant and v.storage_id = m.storage_id and v.version_id = m.version_id
  join content_repo.element e on e.tenant = m.tenant and e.storage_id = m.storage_id and e.element_id = m.element_id
  where m.tenant = $1 and m.storage_id = $2::uuid and m.facet = $3
    and m.tree_path is not null
    and m.type = any($4::text[])
    and not exists (
      select from (select left(m.tree_path, depth * 8) as path from unnest(array(select generate_series(1, length(m.tree_path) / 8 - 1))) depth offset 0) up
      join content_repo.rendition a on a.tenant = m.tenant and a.storage_id = m.storage_id
        and a.facet = m.facet and a.tree_path = up.path
      where a.type <> all($4::text[]))
    and ("v"."state" = $5::text)
)
select r.tree_path as path,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.identity || r.display_names || r.attributes || r.related end as opening,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.content || ',"expandUri":"' || $6::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' end as closing,
  r.version_id::text as "versionId"
from (select distinct up.path from matched, lateral (select left(matched.tree_path, depth * 8) as path from unnest(array(select generate_series(1, length(matched.tree_path) / 8))) depth offset 0) up) kept
cross join lateral (select * from content_repo.rendition r where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3 and r.tree_path is not null and r.type = any($4::text[]) and r.tree_path = kept.path limit 1) r
where true
order by kept.path

-- a flat view with a filter
with matched as materialized (
  select m.tree_path
  from content_repo.rendition m
  join content_repo.element_version v on v.tenant = m.tenant and v.storage_id = m.storage_id and v.version_id = m.version_id
  join content_repo.element e on e.tenant = m.tenant and e.storage_id = m.storage_id and e.element_id = m.element_id
  where m.tenant = $1 and m.storage_id = $2::uuid and m.facet = $3
    and m.tree_path is not null
    and ("v"."state" = $4::text)
)
select r.tree_path as path,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.identity || r.display_names || r.attributes || r.related end as opening,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.content || ',"expandUri":"' || $5::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' end as closing,
  r.version_id::text as "versionId"
from (select tree_path as path from matched) kept
cross join lateral (select * from content_repo.rendition r where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3 and r.tree_path is not null and r.tree_path = kept.path limit 1) r
where true
order by kept.path

-- the count of a tree
select count(*)
from content_repo.rendition r
where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3
  and r.tree_path is not null
  and r.parent_id is null

-- the count of a tree with a filter
with matched as materialized (
  select m.tree_path
  from content_repo.rendition m
  join content_repo.element_version v on v.tenant = m.tenant and v.storage_id = m.storage_id and v.version_id = m.version_id
  join content_repo.element e on e.tenant = m.tenant and e.storage_id = m.storage_id and e.element_id = m.element_id
  where m.tenant = $1 and m.storage_id = $2::uuid and m.facet = $3
    and m.tree_path is not null
    and ("v"."state" = $4::text)
)
select count(*)
from (select distinct left(tree_path, 8) as tree_path from matched) r

-- the count of a page
with top_level as (select r.tree_path from content_repo.rendition r
where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3
  and r.tree_path is not null),
page as (select tree_path from top_level where tree_path > $4 order by tree_path limit $5 offset $6)
select count(*) as total, count(*) filter (where tree_path > $4) as rest, (select count(*) from page) as count, (select max(tree_path) from page) as "lastPath"
from top_level

-- the count of a page with a filter
with matched as materialized (
  select m.tree_path
  from content_repo.rendition m
  join content_repo.element_version v on v.tenant = m.tenant and v.storage_id = m.storage_id and v.version_id = m.version_id
  join content_repo.element e on e.tenant = m.tenant and e.storage_id = m.storage_id and e.element_id = m.element_id
  where m.tenant = $1 and m.storage_id = $2::uuid and m.facet = $3
    and m.tree_path is not null
    and ("v"."state" = $4::text)
), top_level as (select r.tree_path from (select distinct left(tree_path, 8) as tree_path from matched) r),
page as (select tree_path from top_level where true order by tree_path limit $5 offset $6)
select count(*) as total, count(*) filter (where true) as rest, (select count(*) from page) as count, (select max(tree_path) from page) as "lastPath"
from top_level

-- the count of children in a flat view
select count(*)
from content_repo.rendition r
where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3
  and r.tree_path is not null
  and r.parent_id = $4::uuid

-- the count of children with a filter
with matched as materialized (
  select m.tree_path
  from content_repo.rendition m
  join content_repo.element_version v on v.tenant = m.tenant and v.storage_id = m.storage_id and v.version_id = m.version_id
  join content_repo.element e on e.tenant = m.tenant and e.storage_id = m.storage_id and e.element_id = m.element_id
  where m.tenant = $1 and m.storage_id = $2::uuid and m.facet = $3
    and m.tree_path is not null
    and m.tree_path > $4 and m.tree_path < $5
    and ("v"."state" = $6::text)
)
select count(*)
from (select distinct left(tree_path, 16) as tree_path from matched) r

-- whether a version matches
select from content_repo.rendition m
join content_repo.element_version v on v.tenant = m.tenant and v.storage_id = m.storage_id and v.version_id = m.version_id
join content_repo.element e on e.tenant = m.tenant and e.storage_id = m.storage_id and e.element_id = m.element_id
where m.tenant = $1 and m.storage_id = $2::uuid and m.version_id = $3::uuid
  and ("v"."state" = $4::text)

-- which targets of references match
select wanted.element_id::text as "elementId", wanted.version_id::text as "versionId"
from unnest($3::uuid[], $4::uuid[]) as wanted(element_id, version_id)
join content_repo.rendition m on m.tenant = $1 and m.storage_id = $2::uuid and m.element_id = wanted.element_id
  and (m.version_id = wanted.version_id or (wanted.version_id is null and m.tree_path is not null))
join content_repo.element_version v on v.tenant = m.tenant and v.storage_id = m.storage_id and v.version_id = m.version_id
join content_repo.element e on e.tenant = m.tenant and e.storage_id = m.storage_id and e.element_id = m.element_id
where ("v"."state" = $5::text)

-- the versions of an element
select '' as path,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.identity || r.display_names || r.attributes || r.related end as opening,
  case when octet_length(r.attributes) + octet_length(r.related) + octet_length(r.content) <= 32768 then r.content || ',"expandUri":"' || $4::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' end as closing,
  r.version_id::text as "versionId"
from content_repo.rendition r
join content_repo.element_version v on v.tenant = r.tenant and v.storage_id = r.storage_id and v.version_id = r.version_id
where r.tenant = $1 and r.storage_id = $2::uuid and r.element_id = $3::uuid
order by v.major, v.minor

-- a shown element
select s.change_sequence::text as "changeSequence", s.revision::text as "storageRevision", r.revision::text, r.identity || r.display_names || r.attributes || r.related
    || coalesce((
      select ',"children":[' || string_agg(child.identity || child.display_names || child.attributes || ',"expandUri":"' || $5::text || (case when child.tree_path is null then child.version_id else child.element_id end) || '"}', ',' order by child.tree_path) || ']'
      from content_repo.rendition child
      where child.tenant = $1 and child.storage_id = $2::uuid
        and child.parent_id = r.element_id and child.tree_path is not null), '')
    || r.content
    || coalesce((
      select ',"rootPath":[' || string_agg(ancestor.identity || ancestor.display_names || ancestor.attributes || ',"expandUri":"' || $5::text || (case when ancestor.tree_path is null then ancestor.version_id else ancestor.element_id end) || '"}', ',' order by ancestor.tree_path desc) || ']'
      from (select left(r.tree_path, depth * 8) as path from unnest(array(select generate_series(1, length(r.tree_path) / 8 - 1))) depth offset 0) up
      join content_repo.rendition ancestor on ancestor.tenant = $1 and ancestor.storage_id = $2::uuid
        and ancestor.facet = r.facet and ancestor.tree_path = up.path), '')
    || ',"expandUri":"' || $5::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' as text
from content_repo.rendition r
join content_repo.storage s on s.tenant = $1 and s.storage_id = $2::uuid
where r.tenant = $1 and r.storage_id = $2::uuid and r.facet = $3 and r.element_id = $4::uuid and r.tree_path is not null

-- an element
select s.change_sequence::text as "changeSequence", s.revision::text as "storageRevision", found.revision, found.text
from content_repo.storage s
left join (select r.revision::text as revision, r.identity || r.display_names || r.attributes || r.related
    || coalesce((
      select ',"children":[' || string_agg(child.identity || child.display_names || child.attributes || ',"expandUri":"' || $5::text || (case when child.tree_path is null then child.version_id else child.element_id end) || '"}', ',' order by child.tree_path) || ']'
      from content_repo.rendition child
      where child.tenant = $1 and child.storage_id = $2::uuid
        and child.parent_id = shown.element_id and child.tree_path is not null), '')
    || r.content
    || coalesce((
      select ',"rootPath":[' || string_agg(ancestor.identity || ancestor.display_names || ancestor.attributes || ',"expandUri":"' || $5::text || (case when ancestor.tree_path is null then ancestor.version_id else ancestor.element_id end) || '"}', ',' order by ancestor.tree_path desc) || ']'
      from (select left(shown.tree_path, depth * 8) as path from unnest(array(select generate_series(1, length(shown.tree_path) / 8 - 1))) depth offset 0) up
      join content_repo.rendition ancestor on ancestor.tenant = $1 and ancestor.storage_id = $2::uuid
        and ancestor.facet = shown.facet and ancestor.tree_path = up.path), '')
    || ',"expandUri":"' || $5::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' as text
    from (
      select version_id from (
        select version_id, 1 as choice from content_repo.rendition
        where tenant = $1 and storage_id = $2::uuid and element_id = $4::uuid and tree_path is not null
        union all
        select $4::uuid, 2
      ) candidates
      order by choice limit 1
    ) target
    join content_repo.rendition r on r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = target.version_id
    join content_repo.rendition shown on shown.tenant = $1 and shown.storage_id = $2::uuid
      and shown.element_id = r.element_id and shown.tree_path is not null
    where r.facet = $3) found on true
where s.tenant = $1 and s.storage_id = $2::uuid

-- the root of an element report
select r.element_id::text as "elementId", r.version_id::text as "versionId", r.type, shown.tree_path as path,
    r.identity || r.display_names || r.attributes || r.related as opening,
    r.content || coalesce((
      select ',"rootPath":[' || string_agg(ancestor.identity || ancestor.display_names || ancestor.attributes || ',"expandUri":"' || $5::text || (case when ancestor.tree_path is null then ancestor.version_id else ancestor.element_id end) || '"}', ',' order by ancestor.tree_path desc) || ']'
      from (select left(shown.tree_path, depth * 8) as path from unnest(array(select generate_series(1, length(shown.tree_path) / 8 - 1))) depth offset 0) up
      join content_repo.rendition ancestor on ancestor.tenant = $1 and ancestor.storage_id = $2::uuid
        and ancestor.facet = shown.facet and ancestor.tree_path = up.path), '') as closing,
    ',"expandUri":"' || $5::text || (case when r.tree_path is null then r.version_id else r.element_id end) || '"}' as "end", r.revision::text
    from (
      select version_id from (
        select version_id, 1 as choice from content_repo.rendition
        where tenant = $1 and storage_id = $2::uuid and element_id = $4::uuid and tree_path is not null
        union all
        select $4::uuid, 2
      ) candidates
      order by choice limit 1
    ) target
    join content_repo.rendition r on r.tenant = $1 and r.storage_id = $2::uuid and r.version_id = target.version_id
    join content_repo.rendition shown on shown.tenant = $1 and shown.storage_id = $2::uuid
      and shown.element_id = r.element_id and shown.tree_path is not null
    where r.facet = $3
