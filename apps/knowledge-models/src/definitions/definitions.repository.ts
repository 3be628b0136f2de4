/** Reads and writes definitions of a team, in its transaction. Refuses: to decide what is written. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import { versionedDefinitions, type PoolClient, type StoredRow, type Writer } from '@tessera/persistence';
import type { StoredDefinitions, StoredModel, StoredTable } from './stored-definitions.js';

export const modelTables = versionedDefinitions('knowledge_models', 'model');
export const { lockTeam, raiseRevision } = modelTables;

type TableRow = { readonly name: string; readonly digest: string; readonly definition: unknown };

export const readDefinitions = async (client: PoolClient, team: string): Promise<StoredDefinitions> => {
  const models = await modelTables.readStored(client, team);
  const tables = await client.query<TableRow>({
    name: 'definitions_tables',
    text: `select schema_name || '.' || table_id as name, encode(digest, 'hex') as digest, definition
      from knowledge_models.team_table where tenant = $1`,
    values: [team],
  });
  const stored = new Map<string, StoredModel>();
  for (const row of models) {
    stored.set(row.id, storedModel(row));
    // A large one takes some milliseconds.
    await othersTurn();
  }
  return {
    models: stored,
    tables: new Map(tables.rows.map((row) => [row.name, storedTable(row)])),
  };
};

const storedModel = ({ published, draft }: StoredRow): StoredModel => ({
  ...(published && {
    published: { version: published.version, digest: published.digest, ...parsedModel(published.definition) },
  }),
  ...(draft && { draft: { digest: draft.digest, ...parsedModel(draft.definition) } }),
});

const parsedModel = (definition: unknown): { readonly definition?: KnowledgeModelDefinition } => {
  const parsed = KnowledgeModelDefinition.safeParse(definition);
  return parsed.success ? { definition: parsed.data } : {};
};

const storedTable = ({ digest, definition }: TableRow): StoredTable => {
  const parsed = TableDefinition.safeParse(definition);
  return { digest, ...(parsed.success && { definition: parsed.data }) };
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
