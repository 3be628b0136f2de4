/** What is in the bin of a storage, a page at a time. */
import type pg from 'pg';

type BinPage = {
  readonly culture: number;
  readonly rowsMax: number;
  /** The last row of the page before. */
  readonly after: { readonly deletedAt: string; readonly id: string } | undefined;
};

export type BinRow = {
  readonly element_id: string;
  readonly version_id: string | null;
  readonly version: string | null;
  readonly facet: string;
  readonly type: string;
  readonly name: string | null;
  readonly deleted_at: Date;
  readonly deleted_by: string | null;
};

/** Elements and versions that were deleted alone, the latest first. */
export const readBin = async (
  client: pg.ClientBase,
  tenant: string,
  storageId: string,
  { culture, rowsMax, after }: BinPage,
): Promise<readonly BinRow[]> => {
  const { rows } = await client.query<BinRow>(binText, [
    tenant,
    storageId,
    String(culture),
    rowsMax,
    after?.deletedAt ?? 'infinity',
    after?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ]);
  return rows;
};

const pageSql = (id: string): string =>
  `and (d.deleted_at, ${id}) < ($5::timestamptz, $6::uuid) order by d.deleted_at desc, ${id} desc limit $4`;

const binText = `
  with page as materialized (
    select * from (
      (select d.deleted_at, d.element_id as id, d.element_id, null::uuid as version_id, null::jsonb as version
       from content_repo.element d
       where d.tenant = $1 and d.storage_id = $2::uuid and d.deleted_at is not null ${pageSql('d.element_id')})
      union all
      (select d.deleted_at, d.version_id, d.element_id, d.version_id, d.document -> 'version'
       from content_repo.deleted_version d where d.tenant = $1 and d.storage_id = $2::uuid ${pageSql('d.version_id')})
    ) deleted
    order by deleted_at desc, id desc limit $4)
  select page.element_id, page.version_id, (page.version ->> 'major') || '.' || (page.version ->> 'minor') as version,
    e.facet, e.type, page.deleted_at, by.subject as deleted_by,
    coalesce(said.attributes #>> array['name', $3], said.attributes #>> '{name,127}', (
      select value from jsonb_each_text(said.attributes -> 'name') order by key limit 1)) as name
  from page
  join content_repo.element e on e.tenant = $1 and e.storage_id = $2::uuid and e.element_id = page.element_id
  left join lateral (
    select coalesce(page.version -> 'attributes', (
      select v.attributes from content_repo.element_version v
      where v.tenant = $1 and v.storage_id = $2::uuid and v.element_id = page.element_id
      order by (v.state = 'released') desc, v.major desc, v.minor desc limit 1)) as attributes) said on true
  left join lateral (
    select c.subject from content_repo.change_entry given
    join content_repo.change c on c.tenant = $1 and c.storage_id = $2::uuid and c.sequence = given.sequence
    where given.tenant = $1 and given.storage_id = $2::uuid and given.element_id = page.element_id
      and given.version_id is not distinct from page.version_id and given.action = 'deleted'
    order by given.sequence desc limit 1) by on true
  order by page.deleted_at desc, page.id desc`;
