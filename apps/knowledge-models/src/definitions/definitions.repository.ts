/** The tables of the models of a team; reads and writes its definitions of tables, in its transaction. */
import { TableDefinition } from '@tessera/contracts/knowledge-models';
import { readAsTenant, versionedDefinitions, type Pool } from '@tessera/persistence';
import { TeamTable } from '@tessera/persistence/knowledge-models';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';

export const modelTables = versionedDefinitions('knowledge_models', 'model');
export const { lockTeam, raiseRevision } = modelTables;

export type StoredTable = { readonly digest: string; readonly definition?: TableDefinition };

/** By `schema.id`. */
export const readTables = async (manager: EntityManager, team: string): Promise<ReadonlyMap<string, StoredTable>> =>
  new Map(
    (await manager.findBy(TeamTable, { tenant: team })).map(({ schemaName, tableId, digest, definition }) => {
      const parsed = TableDefinition.safeParse(definition);
      const table = { digest: digest.toString('hex'), ...(parsed.success && { definition: parsed.data }) };
      return [`${schemaName}.${tableId}`, table];
    }),
  );

export type TableToWrite = { readonly definition: TableDefinition; readonly digest: string };

/** Rows stay as they are. */
export const writeTables = async (
  manager: EntityManager,
  team: string,
  tables: readonly TableToWrite[],
): Promise<void> => {
  const written = tables.map(({ definition, digest }) => ({
    ...{ tenant: team, schemaName: definition.schema, tableId: definition.id },
    ...{ definition, digest: Buffer.from(digest, 'hex') },
  }));
  await manager.upsert(TeamTable, written, ['tenant', 'schemaName', 'tableId']);
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
