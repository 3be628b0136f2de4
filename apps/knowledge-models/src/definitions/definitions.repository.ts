/** Reads and writes definitions of a team, in its transaction. Refuses: to decide what is written. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import type { PoolClient } from '@tessera/persistence';
import type { StoredDefinitions, StoredModel, StoredTable } from './stored-definitions.js';

/** Publications of a team follow each other, and loads and deletions with them; held until the transaction ends. */
export const lockTeam = async (client: PoolClient, team: string): Promise<void> => {
  await client.query({
    name: 'definitions_open_team',
    text: 'insert into knowledge_models.team_state (tenant) values ($1) on conflict do nothing',
    values: [team],
  });
  await client.query({
    name: 'definitions_lock_team',
    text: 'select from knowledge_models.team_state where tenant = $1 for update',
    values: [team],
  });
};

/** Every replica reads the catalogue anew. */
export const raiseRevision = async (client: PoolClient, team: string): Promise<void> => {
  await client.query({
    name: 'definitions_raise_revision',
    text: 'update knowledge_models.team_state set revision = revision + 1 where tenant = $1',
    values: [team],
  });
};

type ModelRow = {
  readonly id: string;
  readonly version: number | null;
  readonly digest: string | null;
  readonly definition: unknown;
  readonly draft_digest: string | null;
  readonly draft: unknown;
};
type TableRow = { readonly name: string; readonly digest: string; readonly definition: unknown };

export const readDefinitions = async (client: PoolClient, team: string): Promise<StoredDefinitions> => {
  const models = await client.query<ModelRow>({
    name: 'definitions_models',
    text: `select m.model_id as id, v.version, encode(v.digest, 'hex') as digest, v.definition,
        encode(m.draft_digest, 'hex') as draft_digest, m.draft
      from knowledge_models.model m
      left join knowledge_models.model_version v
        on v.tenant = m.tenant and v.model_id = m.model_id and v.version = m.published_version
      where m.tenant = $1 order by m.model_id collate "C"`,
    values: [team],
  });
  const tables = await client.query<TableRow>({
    name: 'definitions_tables',
    text: `select schema_name || '.' || table_id as name, encode(digest, 'hex') as digest, definition
      from knowledge_models.team_table where tenant = $1`,
    values: [team],
  });
  const stored = new Map<string, StoredModel>();
  for (const row of models.rows) {
    stored.set(row.id, storedModel(row));
    // A large one takes some milliseconds.
    await othersTurn();
  }
  return {
    models: stored,
    tables: new Map(tables.rows.map((row) => [row.name, storedTable(row)])),
  };
};

const storedModel = ({ version, digest, definition, draft, draft_digest }: ModelRow): StoredModel => ({
  ...(version !== null && digest !== null && { published: { version, digest, ...parsedModel(definition) } }),
  ...(draft_digest !== null && { draft: { digest: draft_digest, ...parsedModel(draft) } }),
});

const parsedModel = (definition: unknown): { readonly definition?: KnowledgeModelDefinition } => {
  const parsed = KnowledgeModelDefinition.safeParse(definition);
  return parsed.success ? { definition: parsed.data } : {};
};

const storedTable = ({ digest, definition }: TableRow): StoredTable => {
  const parsed = TableDefinition.safeParse(definition);
  return { digest, ...(parsed.success && { definition: parsed.data }) };
};

/** Whose definitions are written, and who writes them. */
export type Writer = { readonly client: PoolClient; readonly team: string; readonly subject: string };

export type VersionToWrite = {
  readonly definition: KnowledgeModelDefinition;
  readonly digest: string;
  readonly version: number;
};

/** Each is what everybody reads from the commit on; a draft that was there goes. */
export const insertVersions = async (
  { client, team, subject }: Writer,
  versions: readonly VersionToWrite[],
): Promise<void> => {
  await client.query({
    name: 'definitions_insert_versions',
    text: `
      with written as (
        select * from unnest($3::text[], $4::integer[], $5::text[], $6::text[]) as w(id, version, definition, digest)
      ), models as (
        insert into knowledge_models.model as m (tenant, model_id, published_version, changed_by)
        select $1, id, version, $2 from written
        on conflict (tenant, model_id) do update set published_version = excluded.published_version,
          draft = null, draft_digest = null, changed_at = now(), changed_by = excluded.changed_by
      )
      insert into knowledge_models.model_version (tenant, model_id, version, definition, digest, published_by)
      select $1, id, version, definition::json, decode(digest, 'hex'), $2 from written`,
    values: [
      team,
      subject,
      versions.map(({ definition }) => definition.id),
      versions.map(({ version }) => version),
      versions.map(({ definition }) => JSON.stringify(definition)),
      versions.map(({ digest }) => digest),
    ],
  });
};

/** `isDropped`: the model goes without a draft from now on. */
export type DraftToWrite = {
  readonly definition: KnowledgeModelDefinition;
  readonly digest: string;
  readonly isDropped: boolean;
};

export const writeDrafts = async (
  { client, team, subject }: Writer,
  drafts: readonly DraftToWrite[],
): Promise<void> => {
  await client.query({
    name: 'definitions_write_drafts',
    text: `
      insert into knowledge_models.model (tenant, model_id, draft, draft_digest, changed_by)
      select $1, id, definition::json, decode(digest, 'hex'), $2
      from unnest($3::text[], $4::text[], $5::text[]) as written(id, definition, digest)
      on conflict (tenant, model_id) do update set draft = excluded.draft, draft_digest = excluded.draft_digest,
        changed_at = now(), changed_by = excluded.changed_by`,
    values: [
      team,
      subject,
      drafts.map(({ definition }) => definition.id),
      drafts.map(({ definition, isDropped }) => (isDropped ? null : JSON.stringify(definition))),
      drafts.map(({ digest, isDropped }) => (isDropped ? null : digest)),
    ],
  });
};

export type TableToWrite = { readonly definition: TableDefinition; readonly digest: string };

/** Rows stay as they are. */
export const writeTables = async ({ client, team }: Writer, tables: readonly TableToWrite[]): Promise<void> => {
  await client.query({
    name: 'definitions_write_tables',
    text: `
      insert into knowledge_models.team_table (tenant, schema_name, table_id, definition, digest)
      select $1, schema_name, id, definition::json, decode(digest, 'hex')
      from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as written(schema_name, id, definition, digest)
      on conflict (tenant, schema_name, table_id)
        do update set definition = excluded.definition, digest = excluded.digest`,
    values: [
      team,
      tables.map(({ definition }) => definition.schema),
      tables.map(({ definition }) => definition.id),
      tables.map(({ definition }) => JSON.stringify(definition)),
      tables.map(({ digest }) => digest),
    ],
  });
};

/** With its draft and its versions. */
export const deleteModelRow = async (client: PoolClient, team: string, modelId: string): Promise<void> => {
  await client.query({
    name: 'definitions_delete_model',
    text: 'delete from knowledge_models.model where tenant = $1 and model_id = $2',
    values: [team, modelId],
  });
};
