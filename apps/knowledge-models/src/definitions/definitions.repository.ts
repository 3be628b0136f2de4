/** The tables of the models of a team; reads and writes its definitions of tables, in its transaction. */
import { TableDefinition } from '@tessera/contracts/knowledge-models';
import { versionedDefinitions, type PoolClient, type Writer } from '@tessera/persistence';

export const modelTables = versionedDefinitions('knowledge_models', 'model');
export const { lockTeam, raiseRevision } = modelTables;

type TableRow = { readonly name: string; readonly digest: string; readonly definition: unknown };

export type StoredTable = { readonly digest: string; readonly definition?: TableDefinition };

/** By `schema.id`. */
export const readTables = async (client: PoolClient, team: string): Promise<ReadonlyMap<string, StoredTable>> => {
  const { rows } = await client.query<TableRow>({
    name: 'definitions_tables',
    text: `select schema_name || '.' || table_id as name, encode(digest, 'hex') as digest, definition
      from knowledge_models.team_table where tenant = $1`,
    values: [team],
  });
  return new Map(rows.map((row) => [row.name, storedTable(row)]));
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
