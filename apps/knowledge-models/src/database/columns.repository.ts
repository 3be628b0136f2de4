/**
 * The tables that PostgreSQL has, column by column: those of a team, for checks of definitions against the database, and those of
 * another database. Never shows tables of loads that were not committed, nor schemas that the team did not open.
 */
import {
  columnReadingOf,
  type ColumnType,
  type DatabaseColumn,
  type DatabaseReading,
  type ReadableSchema,
  type SchemaColumns,
  type TableColumns,
} from '@tessera/knowledge-model';
import { readAsTenant, type Pool } from '@tessera/persistence';

/** The plain name of a table of a team never has this character, that of an uncommitted load or of a rollup always. */
export const stagingTableMarker = '~';

/** The columns `a` of the tables `c`, with the base types of domains. */
const columnFields = `
  select c.relname::text as table, a.attname::text as column, t.shown, t.name, t.schema,
    t.is_enumeration as "isEnumeration", t.is_domain as "isDomain", t.is_nameable as "isNameable",
    c.relkind in ('r', 'p') and not (a.attnotnull or t.is_required) as nullable
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join lateral (
    with recursive base as (
      select oid, typtype, typbasetype, typname, typnamespace, typnotnull as is_required from pg_type where oid = a.atttypid
      union all
      select d.oid, d.typtype, d.typbasetype, d.typname, d.typnamespace, base.is_required or d.typnotnull
      from base join pg_type d on d.oid = base.typbasetype where base.typtype = 'd')
    select format_type(base.oid, null) as shown, typname::text as name, s.nspname::text as schema,
      typtype = 'e' as is_enumeration, base.oid <> a.atttypid as is_domain, is_required,
      has_schema_privilege(s.oid, 'usage') and has_type_privilege(base.oid, 'usage') as is_nameable
    from base join pg_namespace s on s.oid = typnamespace where typtype <> 'd') t on true`;

const teamColumnsText = `${columnFields}
  join knowledge_models.team_schema s on s.physical_name = n.nspname
  where s.tenant = $1 and s.schema_name = $2 and ($3::text is null or c.relname = $3)
    and c.relkind in ('r', 'p') and position('${stagingTableMarker}' in c.relname) = 0
  order by c.relname, a.attnum`;

type ColumnRow = ColumnType & {
  readonly table: string;
  readonly column: string;
  readonly nullable: boolean;
};

/** `schema` as definitions name it. Empty for a schema without tables. */
export const readSchemaColumns = (pool: Pool, team: string, schema: string): Promise<SchemaColumns> =>
  readTeamColumns(pool, [team, schema, null]);

/** By the names of columns; undefined for a table that is not there. Who looks at many tables reads each alone. */
export const readTableColumns = async (
  pool: Pool,
  { team, schema, table }: Readonly<Record<'team' | 'schema' | 'table', string>>,
): Promise<TableColumns | undefined> => (await readTeamColumns(pool, [team, schema, table])).get(table);

const readTeamColumns = async (
  pool: Pool,
  values: readonly [team: string, schema: string, table: string | null],
): Promise<SchemaColumns> => {
  const statement = { name: 'columns_of_team', text: teamColumnsText, values: [...values] };
  return groupByTable(await readAsTenant<ColumnRow>(pool, values[0], statement), toDatabaseColumn);
};

const toDatabaseColumn = ({ shown, nullable }: ColumnRow): DatabaseColumn => ({ type: shown, nullable });

const groupByTable = <Value>(
  rows: readonly ColumnRow[],
  valueOf: (row: ColumnRow) => Value | undefined,
): Map<string, Map<string, Value>> => {
  const tables = new Map<string, Map<string, Value>>();
  for (const row of rows) {
    const columns = tables.get(row.table) ?? new Map<string, Value>();
    tables.set(row.table, columns);
    const value = valueOf(row);
    if (value !== undefined) columns.set(row.column, value);
  }
  return tables;
};

const externalColumnsText = `${columnFields}
  where n.nspname = $1 and c.relname = any($2::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f')`;

/** From PostgreSQL 16 on it tells whether a text is a value of a type. */
const abilitiesText = `select current_setting('server_version_num')::int >= 160000 as "readsTexts",
  to_regoperator('<%(text, text)') is not null as "hasTrigrams"`;

type Abilities = { readonly readsTexts: boolean; readonly hasTrigrams: boolean };

/** The columns of tables, views and foreign tables in a schema of another database. Rejects with the error of pg. */
export const readDatabaseReading = async (
  pool: Pool,
  schema: string,
  tables: readonly string[],
): Promise<DatabaseReading> => {
  const [columns, abilities] = await Promise.all([
    pool.query<ColumnRow>(externalColumnsText, [schema, tables]),
    pool.query<Abilities>(abilitiesText),
  ]);
  const { readsTexts = false, hasTrigrams = false } = abilities.rows[0] ?? {};
  const readingOf = (row: ColumnRow) => columnReadingOf({ ...row, isNameable: row.isNameable && readsTexts });
  return { columns: groupByTable(columns.rows, readingOf), hasTrigrams };
};

const readableColumnsText = `${externalColumnsText}
  and has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select') order by c.relname, a.attnum`;

const externalNamesText = `
  select c.relname::text as name from pg_namespace n
  join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f')
  where n.nspname = $1 and has_schema_privilege(n.oid, 'usage') and has_any_column_privilege(c.oid, 'select')
  order by 1 limit 5000`;

const externalSchemasText = `
  select nspname::text as name from pg_namespace
  where nspname !~ '^pg_|^information_schema$' and has_schema_privilege(oid, 'usage') order by 1 limit 1000`;

/** These tables of another database, as far as they may be read; it may have any number of others. Rejects with the error of pg. */
export const readExternalSchema = async (
  pool: Pool,
  schema: string,
  tables: readonly string[],
): Promise<ReadableSchema> => {
  const { rows } = await pool.query<ColumnRow>(readableColumnsText, [schema, tables]);
  const found = new Map(
    [...groupByTable(rows, toDatabaseColumn)].map(([name, inPlace]) => [name, { inPlace }] as const),
  );
  if (tables.every((name) => found.has(name))) return { tables: found, isWhole: true };
  const names = await pool.query<{ name: string }>(externalNamesText, [schema]);
  const schemas = await pool.query<{ name: string }>(externalSchemasText);
  const nameOf = ({ name }: { readonly name: string }): string => name;
  return { tables: found, names: names.rows.map(nameOf), schemas: schemas.rows.map(nameOf), isWhole: true };
};
