/** Takes relations away, of many owners in one statement. Refuses: to put others in their place (insertVersions does). */
import type { RelationRow } from '@tessera/content-model';
import { storageKey, type ChangeScope } from './change-scope.js';

/** A relation of an owner, or all of them when none is named. */
export type OwnedRelation = Pick<RelationRow, 'ownerId'> & { readonly relation?: string };

export const removeRelations = async (scope: ChangeScope, owned: readonly OwnedRelation[]): Promise<void> => {
  if (owned.length === 0) return;
  await scope.client.query({
    name: 'change_remove_relations',
    text: `
      delete from content_repo.relation r
      using json_to_recordset($3::json) as given ("ownerId" uuid, relation text)
      where r.tenant = $1 and r.storage_id = $2::uuid and r.owner_id = given."ownerId"
        and (given.relation is null or r.relation = given.relation)`,
    values: [...storageKey(scope), JSON.stringify(owned)],
  });
};
