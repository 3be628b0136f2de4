/** The type and the state of the version that an id means. Refuses: what was deleted. */
import { textAt, type TenantReader } from '../database/tenant-reader.js';

export type VersionState = { readonly type: string; readonly state: string };

/** `id`: of an element (the version that is shown) or of a version. */
export const findVersionState = async (
  reader: TenantReader,
  storageId: string,
  id: string,
): Promise<VersionState | undefined> => {
  const [row] = await reader.read({
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
  const [type, state] = [textAt(row, 0), textAt(row, 1)];
  return type !== undefined && state !== undefined ? { type, state } : undefined;
};
