/** The tables of the models of a team; reads and writes its definitions of tables, in its transaction. */
import { TableDefinition } from '@tessera/contracts/knowledge-models';
import { versionedDefinitions, type PoolClient, type Writer, readAsTenant, type Pool } from '@tessera/persistence';
import { z } from 'zod';

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

const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const exportText = `
  select (
    select json_agg(json_build_object('id', m.model_id, 'version', m.published_version,
        'publishedAt', ${iso('v.published_at')}, 'definition', v.definition, 'draft', m.draft)
        order by m.model_id collate "C")::text
      from knowledge_models.model m
      left join knowledge_models.model_version v
        on v.tenant = m.tenant and v.model_id = m.model_id and v.version = m.published_version
      where m.tenant = $1) as models,
    (select json_agg(json_build_object('definition', definition, 'dataVersion', data_version, 'rows', row_count,
        'loadedAt', ${iso('loaded_at')}) order by schema_name collate "C", table_id collate "C")::text
      from knowledge_models.team_table where tenant = $1) as tables`;

const entries = z.array(z.record(z.string(), z.unknown()));
type Entries = z.output<typeof entries>;

/** Texts of JSON; null when there are none. */
type ExportRow = Readonly<Record<'models' | 'tables', string | null>>;

/** As the operation answers it. */
export const readExport = async (
  pool: Pool,
  team: string,
): Promise<{ readonly models: Entries; readonly tables: Entries }> => {
  const statement = { name: 'definitions_export', text: exportText, values: [team] };
  const [row] = await readAsTenant<ExportRow>(pool, team, statement);
  return { models: listed(row?.models), tables: listed(row?.tables) };
};

/** What is not there is left out of an entry; its definitions stay as they are. */
const listed = (text: string | null | undefined): Entries =>
  typeof text === 'string'
    ? entries
        .parse(JSON.parse(text))
        .map((entry) => Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)))
    : [];
