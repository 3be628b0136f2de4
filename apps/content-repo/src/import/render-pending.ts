/**
 * Makes the rendition of every version that has none, batch by batch, and moves the paths of those that have one.
 */
import { storageKey } from '../change/change.repository.js';
import { insertRenditions, type VersionRow } from '../change/rendition.repository.js';
import { type ImportScope, runWithoutNestedLoops } from './imports.repository.js';

const batchRows = 250;

/** `moved`: whether the path of some element is another than before. */
export const insertMissingRenditions = async (scope: ImportScope, moved: boolean): Promise<void> => {
  if (moved) await runWithoutNestedLoops(scope, () => scope.client.query(deleteStalePathsText, [...storageKey(scope)]));
  await runWithoutNestedLoops(scope, () =>
    scope.client.query(`declare pending no scroll cursor for ${pendingText}`, [...storageKey(scope)]),
  );
  for (;;) {
    const { rows } = await scope.client.query<VersionRow>(`fetch forward ${batchRows} from pending`);
    if (rows.length === 0) break;
    await insertRenditions(scope, rows);
  }
  await scope.client.query('close pending');
  if (moved) await runWithoutNestedLoops(scope, () => scope.client.query(updatePathsText, [...storageKey(scope)]));
};

/** Forgets every rendition; the definition says something else about all of them. */
export const deleteAllRenditions = async (scope: ImportScope): Promise<void> => {
  await scope.client.query('delete from content_repo.rendition where tenant = $1 and storage_id = $2', [
    ...storageKey(scope),
  ]);
};

/** The version that is shown for each element: the released one, else the newest. */
const shownRenditionsText = `(
  select distinct on (w.element_id) w.element_id, w.version_id
  from content_repo.element_version w
  where w.tenant = $1 and w.storage_id = $2
  order by w.element_id, (w.state = 'released') desc, w.major desc, w.minor desc)`;

const historyText = `(
  select w.element_id,
    json_agg(json_build_object('versionId', w.version_id, 'state', w.state) order by w.major, w.minor) as history
  from content_repo.element_version w
  where w.tenant = $1 and w.storage_id = $2 and w.state in ('released', 'requestToExpire', 'expired')
  group by w.element_id)`;

const pendingText = `
  select v.version_id, v.element_id, e.parent_id, e.creation_id, e.facet, e.type, e.stereotype, v.state, v.major,
    v.minor, v.revision::text, v.attributes,
    case when v.version_id = shown.version_id then e.tree_path end as shown_path, released.history
  from content_repo.element_version v
  join content_repo.element e on e.tenant = v.tenant and e.storage_id = v.storage_id and e.element_id = v.element_id
  join ${shownRenditionsText} shown on shown.element_id = v.element_id
  left join ${historyText} released on released.element_id = v.element_id
  where v.tenant = $1 and v.storage_id = $2 and e.tenant = $1 and e.storage_id = $2 and e.deleted_at is null
    and not exists (
      select from content_repo.rendition r where r.tenant = $1 and r.storage_id = $2 and r.version_id = v.version_id)`;

/** First all stale paths go, then the new ones come: the index of paths is checked row by row. */
const deleteStalePathsText = `
  update content_repo.rendition r set tree_path = null
  from content_repo.element e
  where r.tenant = $1 and r.storage_id = $2 and r.tree_path is not null
    and e.tenant = r.tenant and e.storage_id = r.storage_id and e.element_id = r.element_id
    and r.tree_path is distinct from e.tree_path`;

const updatePathsText = `
  update content_repo.rendition r set tree_path = e.tree_path
  from content_repo.element e
  join ${shownRenditionsText} shown on shown.element_id = e.element_id
  where r.tenant = $1 and r.storage_id = $2 and r.tree_path is null and r.version_id = shown.version_id
    and e.tenant = $1 and e.storage_id = $2 and e.element_id = r.element_id
    and e.deleted_at is null and e.tree_path is not null`;
