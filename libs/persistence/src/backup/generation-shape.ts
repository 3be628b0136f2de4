/**
 * A table of a team as data: columns, constraints, indexes. It is read from the catalog and printed from closed lists, so an
 * archive holds no SQL that would run with the rights of an owner. Rejects tables with anything beyond these lists.
 */
import pg from 'pg';
import { z } from 'zod';
import { BackupFault } from './backup-fault.js';

/** No column of a team is of another type. */
const columnTypes = [
  'text',
  'bigint',
  'numeric',
  'boolean',
  'date',
  'time without time zone',
  'timestamp without time zone',
  'timestamp with time zone',
] as const;

const identifier = z.string().min(1).max(63);

const columnShape = z.strictObject({
  name: identifier,
  type: z.enum(columnTypes),
  isRequired: z.boolean(),
  /** Texts compare by it; null for what compares in one way only. */
  collation: z.enum(['pg_c_utf8']).nullable(),
  /** Infinity and its like are kept out. */
  isFinite: z.boolean(),
});
type Column = z.output<typeof columnShape>;

const indexShape = z.strictObject({
  name: identifier,
  isUnique: z.boolean(),
  kind: z.enum(['ordered', 'trigram']),
  keys: z.array(z.strictObject({ column: identifier, isDescending: z.boolean(), isNullFirst: z.boolean() })).min(1),
  include: z.array(identifier),
});
type Index = z.output<typeof indexShape>;

export const GenerationShape = z.strictObject({ columns: z.array(columnShape).min(1), indexes: z.array(indexShape) });
export type GenerationShape = z.output<typeof GenerationShape>;

/** A table as PostgreSQL names it. */
export type PhysicalTable = { readonly physical: string; readonly name: string };

export const quoteTable = ({ physical, name }: PhysicalTable): string =>
  `${pg.escapeIdentifier(physical)}.${pg.escapeIdentifier(name)}`;

const columnsText = `
  select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
    'isRequired', a.attnotnull, 'collation', l.collname, 'isFinite', exists (
      select from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum]
        and pg_get_constraintdef(k.oid) in (
          format('CHECK (isfinite(%I))', a.attname),
          format('CHECK (((%1$I > ''-Infinity''::numeric) AND (%1$I < ''Infinity''::numeric)))', a.attname)))
    ) order by a.attnum), '[]')
  from pg_attribute a left join pg_collation l on l.oid = a.attcollation
  where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped`;

const indexesText = `
  select coalesce(json_agg(json_build_object('name', c.relname, 'isUnique', i.indisunique,
    'kind', (select case when m.amname = 'btree' and bool_and(o.opcdefault) then 'ordered'
        when m.amname = 'gin' and bool_and(o.opcname = 'gin_trgm_ops') then 'trigram' end
      from pg_opclass o where o.oid = any(i.indclass::oid[])),
    'keys', (select json_agg(json_build_object('column', a.attname,
        'isDescending', i.indoption[k.place - 1] & 1 = 1, 'isNullFirst', i.indoption[k.place - 1] & 2 = 2) order by k.place)
      from unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum where k.place <= i.indnkeyatts),
    'include', (select coalesce(json_agg(a.attname order by k.place), '[]')
      from unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum where k.place > i.indnkeyatts)
    ) order by c.relname collate "C"), '[]')
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
  where i.indrelid = t.oid and i.indpred is null and i.indexprs is null`;

/** The checks, the indexes and the triggers that are there, whether they can be told or not. */
const shapeText = `
  select json_build_object('columns', (${columnsText}), 'indexes', (${indexesText})) as shape,
    (select count(*) from pg_constraint k where k.conrelid = t.oid and k.contype <> 'n')::int as checks,
    (select count(*) from pg_index i where i.indrelid = t.oid)::int as indexes,
    (select count(*) from pg_trigger g where g.tgrelid = t.oid)::int as triggers
  from pg_class t where t.oid = $1::regclass`;

type ShapeRow = {
  readonly shape: unknown;
  readonly checks: number;
  readonly indexes: number;
  readonly triggers: number;
};

export const readGenerationShape = async (client: pg.ClientBase, table: PhysicalTable): Promise<GenerationShape> => {
  const { rows } = await client.query<ShapeRow>(shapeText, [quoteTable(table)]);
  const [row] = rows;
  const parsed = GenerationShape.safeParse(row?.shape);
  const isSupported =
    row !== undefined &&
    parsed.success &&
    row.checks === parsed.data.columns.filter(({ isFinite }) => isFinite).length &&
    row.indexes === parsed.data.indexes.length &&
    row.triggers === 0;
  if (!isSupported)
    throw new BackupFault(
      `the table ${table.name} in ${table.physical} has something that the platform does not make, e.g. a constraint or an index of an expression; it cannot be told in a backup`,
    );
  return parsed.data;
};

const columnText = ({ name, type, isRequired, collation, isFinite }: Column): string => {
  const quoted = pg.escapeIdentifier(name);
  const finite =
    type === 'numeric' ? `${quoted} > '-infinity' and ${quoted} < 'infinity'` : `pg_catalog.isfinite(${quoted})`;
  return [
    quoted,
    type,
    ...(collation === null ? [] : [`collate pg_catalog.${pg.escapeIdentifier(collation)}`]),
    ...(isRequired ? ['not null'] : []),
    ...(isFinite ? [`check (${finite})`] : []),
  ].join(' ');
};

/** Rows of a generation never change, so nothing has to look after it. */
export const createTableSql = (table: PhysicalTable, { columns }: GenerationShape): string =>
  `create table ${quoteTable(table)} (${columns.map(columnText).join(', ')}) with (autovacuum_enabled = off)`;

export const createIndexSql = (table: PhysicalTable, { name, isUnique, kind, keys, include }: Index): string => {
  const keyText = ({ column: of, isDescending, isNullFirst }: Index['keys'][number]): string =>
    kind === 'trigram'
      ? `${pg.escapeIdentifier(of)} gin_trgm_ops`
      : `${pg.escapeIdentifier(of)} ${isDescending ? 'desc' : 'asc'} nulls ${isNullFirst ? 'first' : 'last'}`;
  return [
    `create ${isUnique ? 'unique ' : ''}index ${pg.escapeIdentifier(name)} on ${quoteTable(table)}`,
    `using ${kind === 'trigram' ? 'gin' : 'btree'} (${keys.map(keyText).join(', ')})`,
    ...(include.length > 0 ? [`include (${include.map((of) => pg.escapeIdentifier(of)).join(', ')})`] : []),
  ].join(' ');
};
