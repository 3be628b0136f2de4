/**
 * Reads which released versions of elements are measured by KPIs, as they were at an instant. Never finds what was no release then, nor by a
 * key figure that was none; what has no versions is there while it is shown.
 */
import type { TenantReader } from '../database/tenant-reader.js';

export type FigureDocumentRow = {
  readonly figure: string;
  readonly collection: string;
  readonly storage: string;
  readonly facet: string;
  readonly elementId: string;
  readonly versionId: string;
  readonly major: number;
  readonly minor: number;
  /** JSON: texts by culture. */
  readonly names: string;
  readonly defaultCulture: string;
};

/** Relations belong to versions, and those of a released version do not change. A state holds between two changes of the storage. */
const text = `
with moment as (
  select storage_id, max(sequence) as sequence from content_repo.change
  where tenant = $1 and changed_at <= $2::timestamptz group by storage_id),
measured as (
  select distinct r.storage_id, r.owner_id as version_id, figure.version_id as figure_version_id,
    figure.attributes -> 'figure' ->> '127' as figure
  from content_repo.relation r
  join content_repo.element_version figure
    on figure.tenant = $1 and figure.storage_id = r.storage_id and figure.element_id = r.target_id
  where r.tenant = $1 and r.relation = 'measuredBy' and figure.attributes -> 'figure' ->> '127' = any($3::text[])),
concerned as (select version_id from measured union select figure_version_id from measured),
released as (
  select storage_id, version_id, element_id, facet, major, minor, state, from_sequence, null::bigint as to_sequence
  from content_repo.rendition r
  where tenant = $1 and state in ('released', 'show') and version_id in (select version_id from concerned)
  union all
  select storage_id, version_id, element_id, facet, major, minor, state, from_sequence, to_sequence
  from content_repo.rendition_history
  where tenant = $1 and state in ('released', 'show') and version_id in (select version_id from concerned))
select distinct m.figure, s.collection_name as collection, s.storage_name as storage, p.facet,
  p.element_id::text as "elementId", p.version_id::text as "versionId", p.major, p.minor,
  coalesce((v.attributes -> 'name')::text, '{}') as names, s.definition ->> 'defaultCulture' as "defaultCulture"
from measured m
join moment on moment.storage_id = m.storage_id
join released p on p.storage_id = m.storage_id and p.version_id = m.version_id and p.state = 'released'
  and p.from_sequence <= moment.sequence and (p.to_sequence is null or p.to_sequence > moment.sequence)
join released f on f.storage_id = m.storage_id and f.version_id = m.figure_version_id
  and f.from_sequence <= moment.sequence and (f.to_sequence is null or f.to_sequence > moment.sequence)
join content_repo.element_version v on v.tenant = $1 and v.storage_id = p.storage_id and v.version_id = p.version_id
join content_repo.storage s on s.tenant = $1 and s.storage_id = p.storage_id
order by m.figure, names, "versionId" limit $4`;

export const readFigureDocuments = (
  reader: TenantReader,
  { figures, at, rowsMax }: { readonly figures: readonly string[]; readonly at: string; readonly rowsMax: number },
): Promise<readonly FigureDocumentRow[]> =>
  reader.read<FigureDocumentRow>({ name: 'figure_documents', text, values: [reader.tenant, at, figures, rowsMax] });
