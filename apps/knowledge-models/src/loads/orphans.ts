/**
 * References that lead nowhere, by the relationships of published models over a table: looked for after a load, in bounded time, and
 * told. Nothing is refused for them, and no load waits.
 */
import type { OrphanedReferences } from '@tessera/contracts/knowledge-models';
import type { KnowledgeModel, RecordModel } from '@tessera/knowledge-model';
import { openTenantTransaction, type Pool } from '@tessera/persistence';
import { quoteIdentifier } from '@tessera/sql';
import { makingSettings } from '../database/makings.repository.js';
import { quotedTableName } from './generation.js';
import type { TableKey } from './load.repository.js';

type Side = { readonly table: string; readonly columns: readonly string[] };
export type Reference = { readonly from: Side; readonly to: Side };

/** References from the side of many to the side of one, when the table is one of both; each once, however many models say it. */
export const referencesOver = (
  models: Iterable<KnowledgeModel>,
  { schema, table }: Pick<TableKey, 'schema' | 'table'>,
): readonly Reference[] => {
  const found = new Map<string, Reference>();
  for (const { source, records, relationships } of models) {
    if (source.database !== undefined || source.schema !== schema) continue;
    const recordById = new Map(records.map((record) => [record.id, record]));
    for (const { from, to, on, cardinality } of relationships) {
      const sides = [
        sideOf(
          recordById.get(from),
          on.map((pair) => pair.from),
        ),
        sideOf(
          recordById.get(to),
          on.map((pair) => pair.to),
        ),
      ];
      const [many, one] = cardinality === 'one-to-many' ? sides.toReversed() : sides;
      if (cardinality === 'many-to-many' || !many || !one || ![many.table, one.table].includes(table)) continue;
      const reference = { from: many, to: one };
      found.set(JSON.stringify(reference), reference);
    }
  }
  return [...found.values()];
};

/** Undefined when one of the fields is no column. */
const sideOf = (record: RecordModel | undefined, fields: readonly string[]): Side | undefined => {
  const columns = fields.flatMap((field) => {
    const origin = record?.fieldById.get(field)?.origin;
    return origin?.kind === 'attribute' ? [origin.column] : [];
  });
  return record && columns.length === fields.length ? { table: record.table, columns } : undefined;
};

const referencesMax = 20;
const valuesMax = 5;
const valueCharactersMax = 100;
const statementTimeoutMs = 3_000;
const budgetMs = 10_000;
const lockTimeoutMs = 1_000;

const orphansText = (physical: string, { from, to }: Reference): string => {
  const [many, one] = [from, to].map(({ columns }) => columns.map(quoteIdentifier));
  const values = many?.map((name) => `left(f.${name}::text, ${valueCharactersMax})`) ?? [];
  const isThere = many?.map((name) => `f.${name} is not null`) ?? [];
  const isSame = many?.map((name, at) => `t.${one?.[at]} = f.${name}`) ?? [];
  return `with orphan as (
      select json_build_array(${values.join(', ')})::text as value, count(*) as rows
      from ${quotedTableName({ physical, name: from.table })} f
      where ${isThere.join(' and ')}
        and not exists (select from ${quotedTableName({ physical, name: to.table })} t where ${isSame.join(' and ')})
      group by 1)
    select coalesce(sum(rows), 0)::float8 as rows,
      (select json_agg(value::json) from (select value from orphan order by value limit ${valuesMax}) first) as values
    from orphan`;
};

type OrphanRow = { readonly rows: number; readonly values: string[][] | null };

/** Leaves out references that cannot be looked at in their time; a load of one of the tables goes first. */
export const findOrphans = async (
  pool: Pool,
  { team }: TableKey,
  physical: string,
  references: readonly Reference[],
): Promise<OrphanedReferences[]> => {
  const endMs = performance.now() + budgetMs;
  const orphans: OrphanedReferences[] = [];
  for (const reference of references.slice(0, referencesMax)) {
    if (performance.now() > endMs) break;
    // It took too long, was cancelled by a load, or compares what cannot be compared.
    const row = await readOrphans(pool, team, orphansText(physical, reference)).catch(() => undefined);
    if (!row || row.rows === 0) continue;
    const { rows, values } = row;
    orphans.push({
      from: reference.from.table,
      columns: [...reference.from.columns],
      to: reference.to.table,
      rows,
      values: values ?? [],
    });
  }
  return orphans;
};

const readOrphans = async (pool: Pool, team: string, text: string): Promise<OrphanRow | undefined> => {
  const options = { kind: 'snapshot', statementTimeoutMs, lockTimeoutMs, settings: makingSettings } as const;
  const transaction = await openTenantTransaction(pool, team, options);
  try {
    const { rows } = await transaction.client.query<OrphanRow>(text);
    return rows[0];
  } finally {
    await transaction.rollback().catch(() => undefined);
  }
};
