/** Each statement finds the violations of one invariant of the content tables of team `$1`: no rows when it holds. */
export const contentViolationQueries = {
  'two drafts of an element': `
    select element_id from content_repo.element_version where tenant = $1
      and state in ('inProcess', 'inReview', 'readyForQa', 'readyForRelease')
    group by storage_id, element_id having count(*) > 1`,
  'two released versions of an element': `
    select element_id from content_repo.element_version where tenant = $1 and state in ('released', 'requestToExpire')
    group by storage_id, element_id having count(*) > 1`,
  'a gap in the numbers of releases': `
    select element_id, array_agg(major order by major) from content_repo.element_version
    where tenant = $1 and minor = 0 and state in ('released', 'requestToExpire', 'expired')
    group by storage_id, element_id having max(major) <> count(*) or min(major) <> 1`,
  'a draft whose number does not follow': `
    select d.element_id from content_repo.element_version d where d.tenant = $1
      and d.state not in ('released', 'requestToExpire', 'expired', 'show', 'hide')
      and (d.minor <> 1 or d.major <> coalesce((
        select max(r.major) from content_repo.element_version r
        where r.tenant = d.tenant and r.storage_id = d.storage_id and r.element_id = d.element_id
          and r.version_id <> d.version_id), 0))`,
  'an element that is not shown exactly once, at its place': `
    select e.element_id from content_repo.element e where e.tenant = $1
      and (select count(*) from content_repo.rendition r where r.tenant = e.tenant and r.storage_id = e.storage_id
        and r.element_id = e.element_id and r.tree_path = e.tree_path and r.parent_id is not distinct from e.parent_id
      ) <> case when e.deleted_at is null then 1 else 0 end`,
  'a version without its rendition, or one of what is deleted': `
    select v.version_id from content_repo.element_version v
    join content_repo.element e on e.tenant = v.tenant and e.storage_id = v.storage_id and e.element_id = v.element_id
    left join content_repo.rendition r
      on r.tenant = v.tenant and r.storage_id = v.storage_id and r.version_id = v.version_id
    where v.tenant = $1 and (r.version_id is null) <> (e.deleted_at is not null)`,
  'a path that is not that of the parents': `
    select e.element_id from content_repo.element e
    left join content_repo.element p on p.tenant = e.tenant and p.storage_id = e.storage_id and p.element_id = e.parent_id
    where e.tenant = $1 and e.deleted_at is null
      and (e.tree_path is distinct from coalesce(p.tree_path, '') || lpad(to_hex(e.position), 8, '0')
        or (e.parent_id is not null and p.deleted_at is not null))`,
  'a rendition that was shown in two states at once': `
    select version_id from (
      select version_id, from_sequence, to_sequence from content_repo.rendition_history where tenant = $1
      union all
      select version_id, from_sequence, null from content_repo.rendition where tenant = $1) shown
    group by version_id, from_sequence having count(*) > 1
    union all
    select a.version_id from content_repo.rendition_history a
    join content_repo.rendition_history b on b.tenant = a.tenant and b.version_id = a.version_id
      and b.from_sequence > a.from_sequence and b.from_sequence < a.to_sequence
    where a.tenant = $1`,
  'a change without what it did': `
    select sequence from content_repo.change c where c.tenant = $1 and c.sequence > 0 and not exists (
      select from content_repo.change_entry e
      where e.tenant = c.tenant and e.storage_id = c.storage_id and e.sequence = c.sequence)`,
  'two changes of one instant, or in another order than their numbers': `
    select sequence from (
      select sequence, changed_at, lag(changed_at) over (partition by storage_id order by sequence) as before
      from content_repo.change where tenant = $1) ordered
    where before >= changed_at`,
} as const;
