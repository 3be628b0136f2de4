/**
 * What tables of a team PostgreSQL has, column by column, for checks of definitions against the database. Never shows tables
 * of loads that were not committed, nor schemas that the team did not open.
 */
import type { DatabaseColumn } from '@tessera/knowledge-model';
import { readAsTenant, type Pool } from '@tessera/persistence';

/** The plain name of a table of a team never has this character, that of an uncommitted load or of a rollup always. */
export const stagingTableMarker = '~';

const columnsText = `
  select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type, not a.attnotnull as nullable
  from knowledge_models.team_schema s
  join pg_namespace n on n.nspname = s.physical_name
  join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p') and position('${stagingTableMarker}' in c.relname) = 0
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where s.tenant = $1 and s.schema_name = $2 and ($3::text is null or c.relname = $3)
  order by c.relname, a.attnum`;

type ColumnRow = DatabaseColumn & { readonly table: string; readonly column: string };

type TableColumns = ReadonlyMap<string, DatabaseColumn>;

/** By the names of tables and columns; `schema` as definitions name it. Empty for a schema without tables. */
export const readSchemaColumns = (
  pool: Pool,
  team: string,
  schema: string,
): Promise<ReadonlyMap<string, TableColumns>> => readColumns(pool, [team, schema, null]);

/** By the names of columns; undefined for a table that is not there. Who looks at many tables reads each alone. */
export const readTableColumns = async (
  pool: Pool,
  { team, schema, table }: Readonly<Record<'team' | 'schema' | 'table', string>>,
): Promise<TableColumns | undefined> => (await readColumns(pool, [team, schema, table])).get(table);

const readColumns = async (
  pool: Pool,
  values: readonly [team: string, schema: string, table: string | null],
): Promise<ReadonlyMap<string, TableColumns>> => {
  const statement = { name: 'columns_of_team', text: columnsText, values: [...values] };
  const rows = await readAsTenant<ColumnRow>(pool, values[0], statement);
  const tables = new Map<string, Map<string, DatabaseColumn>>();
  for (const { table, column, type, nullable } of rows) {
    const columns = tables.get(table) ?? new Map<string, DatabaseColumn>();
    tables.set(table, columns.set(column, { type, nullable }));
  }
  return tables;
};
