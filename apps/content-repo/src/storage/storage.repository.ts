/** Reads a storage by its names. Refuses: to parse definitions. */
import { textAt, type TenantReader } from '../database/tenant-reader.js';

export type StorageNames = { readonly collectionId: string; readonly storageId: string };

export type StorageRow = {
  readonly storageId: string;
  readonly revision: string;
  readonly changeSequence: string;
  /** JSON text; left out when the revision is the one that is known. */
  readonly definition: string | undefined;
};

const findText = `
select storage_id::text, revision::text, case when revision::text = $4 then null else definition::text end,
  change_sequence::text
from content_repo.storage
where tenant = $1 and collection_name = $2 and storage_name = $3`;

/** One statement; the definition travels only when it is not the known one. */
export const findStorage = async (
  reader: TenantReader,
  { collectionId, storageId }: StorageNames,
  knownRevision: string | undefined,
): Promise<StorageRow | undefined> => {
  const values = [reader.tenant, collectionId, storageId, knownRevision ?? ''];
  const [row] = await reader.read({ name: 'storage_find', text: findText, values });
  const [id, revision, changeSequence] = [textAt(row, 0), textAt(row, 1), textAt(row, 3)];
  if (!id || !revision || !changeSequence) return undefined;
  return { storageId: id, revision, changeSequence, definition: textAt(row, 2) };
};
