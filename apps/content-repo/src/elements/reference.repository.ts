/** Reads the elements that references lead to, many in one statement. Refuses: more than one level. */
import { textAt, type TenantReader } from '../database/tenant-reader.js';
import { openingSql, resourcesNumber, type Resources } from './resources.js';

export type ReferenceTarget = { readonly elementId: string; readonly versionId?: string | undefined };

/** Which version a reference means: that of its version id, else the one that is shown. */
export const referenceKey = ({ elementId, versionId }: ReferenceTarget): string => `${elementId}/${versionId ?? ''}`;

/** Reference key -> stored text of the element from `{` to before its address; what is not there is left out. */
export const readReferences = async (
  reader: TenantReader,
  storageId: string,
  targets: readonly ReferenceTarget[],
  resources: Resources,
): Promise<ReadonlyMap<string, string>> => {
  const { tables } = reader;
  const rows = await reader.read({
    name: `${tables.namePrefix}references_${resourcesNumber(resources)}`,
    text: `select wanted.element_id::text, wanted.version_id::text, ${openingSql('r', resources)}
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
    rows.map((row) => [
      referenceKey({ elementId: textAt(row, 0) ?? '', versionId: textAt(row, 1) }),
      textAt(row, 2) ?? '',
    ]),
  );
};
