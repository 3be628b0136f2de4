/** Inserts versions, what they contain and what they refer to; one statement each. Refuses: elements and renditions. */
import type { ContentRow, RelationRow, VersionRow } from '@tessera/content-model';
import { storageKey, type ChangeScope } from './change-scope.js';

export type RowsToInsert = {
  readonly versions: readonly VersionRow[];
  readonly content: readonly ContentRow[];
  readonly relations: readonly RelationRow[];
};

export const insertVersions = async (
  scope: ChangeScope,
  { versions, content, relations }: RowsToInsert,
): Promise<void> => {
  await Promise.all([
    insertRows(scope, 'insert_versions', versionsText, versions),
    insertRows(scope, 'insert_content', contentText, content),
    insertRows(scope, 'insert_relations', relationsText, relations),
  ]);
};

const versionsText = `
  insert into content_repo.element_version
    (tenant, storage_id, version_id, element_id, major, minor, state, attributes, created_at, changed_at)
  select $1, $2, "versionId", "elementId", major, minor, state, attributes, "createdAt", "changedAt"
  from json_to_recordset($3::json) as given ("versionId" uuid, "elementId" uuid, major integer, minor integer,
    state text, attributes jsonb, "createdAt" timestamptz, "changedAt" timestamptz)`;

const contentText = `
  insert into content_repo.content_element
    (tenant, storage_id, content_id, version_id, key, position, creation_id, type, stereotype, state, attributes)
  select $1, $2, "contentId", "versionId", key, position, "creationId", type, stereotype, state, attributes
  from json_to_recordset($3::json) as given ("contentId" uuid, "versionId" uuid, key text, position integer,
    "creationId" uuid, type text, stereotype text, state text, attributes jsonb)`;

const relationsText = `
  insert into content_repo.relation (tenant, storage_id, owner_id, relation, position, target_id)
  select $1, $2, "ownerId", relation, position, "targetId"
  from json_to_recordset($3::json) as given ("ownerId" uuid, relation text, position integer, "targetId" uuid)`;

/** Rows as one JSON parameter, `$3`; nothing is sent when there are none. */
export const insertRows = async (
  scope: ChangeScope,
  name: string,
  text: string,
  rows: readonly object[],
): Promise<void> => {
  if (rows.length === 0) return;
  await scope.client.query({ name, text, values: [...storageKey(scope), JSON.stringify(rows)] });
};
