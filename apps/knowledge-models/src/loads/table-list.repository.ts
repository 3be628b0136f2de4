/** What administrators see of the tables of a team and of the loads into one, in a transaction of the team. */
import type { ReplyOf } from '@tessera/contracts';
import {
  type listLoads,
  type listTables,
  LoadMode,
  LoadStatus,
  TableDefinition,
} from '@tessera/contracts/knowledge-models';
import type { PoolClient } from '@tessera/persistence';
import { KeptGeneration, TeamSchema, TeamTable } from '@tessera/persistence/knowledge-models';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { keptTableFor, quotedTableName } from './generation.js';
import type { TableKey } from './load.repository.js';

type ListedTable = ReplyOf<typeof listTables>['tables'][number];
type ListedLoad = ReplyOf<typeof listLoads>['loads'][number];

/** By schema and id, those behind `after`: `schema.table`. */
export const readTablePage = async (
  manager: EntityManager,
  client: PoolClient,
  team: string,
  after: string | undefined,
  rowsMax: number,
): Promise<readonly ListedTable[]> => {
  const tables = manager
    .createQueryBuilder(TeamTable, 'listed')
    .where({ tenant: team })
    .orderBy('listed.schema_name collate "C"')
    .addOrderBy('listed.table_id collate "C"')
    .limit(rowsMax);
  const [schema, table] = after?.split('.') ?? [];
  if (schema !== undefined)
    tables.andWhere('(listed.schema_name collate "C", listed.table_id collate "C") > (:schema, :table)', {
      schema,
      table,
    });
  return presentTables(client, await tables.getMany(), {
    schemas: await manager.findBy(TeamSchema, { tenant: team }),
    kept: await manager.find(KeptGeneration, { where: { tenant: team }, order: { dataVersion: 'desc' } }),
  });
};

type Generations = { readonly schemas: readonly TeamSchema[]; readonly kept: readonly KeptGeneration[] };

const presentTables = async (
  client: PoolClient,
  tables: readonly TeamTable[],
  { schemas, kept }: Generations,
): Promise<readonly ListedTable[]> => {
  const physicalNames = new Map(schemas.map(({ schemaName, physicalName }) => [schemaName, physicalName]));
  /** Undefined before the first load into the schema. */
  const inPlace = ({ schemaName, tableId }: TeamTable): string | undefined => {
    const physical = physicalNames.get(schemaName);
    return physical && quotedTableName({ physical, name: tableId });
  };
  const nameOf = ({ schemaName, tableId, dataVersion }: KeptGeneration): string | undefined => {
    const physical = physicalNames.get(schemaName);
    return physical && quotedTableName(keptTableFor({ physical }, tableId, dataVersion));
  };
  const sizes = await readSizes(client, [...tables.map(inPlace), ...kept.map(nameOf)]);
  return tables.map((table) => ({
    ...presentTable(table),
    bytes: sizes.get(inPlace(table) ?? '') ?? 0,
    kept: kept
      .filter(({ schemaName, tableId }) => schemaName === table.schemaName && tableId === table.tableId)
      .map((generation) => ({
        rows: Number(generation.rowCount),
        bytes: sizes.get(nameOf(generation) ?? '') ?? 0,
        ...presentOrigin(generation),
      })),
  }));
};

/** Bytes by the quoted name; those that are not there are left out. */
const readSizes = async (
  client: PoolClient,
  names: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select name, pg_total_relation_size(to_regclass(name)) as bytes from unnest($1::text[]) as name
     where to_regclass(name) is not null`,
    [names.filter((name) => name !== undefined)],
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
};

const presentOrigin = ({ loadedAt, loadedBy }: Pick<KeptGeneration, 'loadedAt' | 'loadedBy'>) => ({
  ...(loadedAt && { loadedAt: loadedAt.toISOString() }),
  ...(loadedBy !== null && { loadedBy }),
});

const presentTable = ({ definition, dataVersion, rowCount, ...origin }: TeamTable) => {
  const { schema, id, name = id, description, columns, primaryKey, source } = TableDefinition.parse(definition);
  return {
    ...{ schema, id, name },
    ...(description !== undefined && { description }),
    columns: columns.map((column) => ({ ...column, nullable: column.nullable ?? !primaryKey?.includes(column.id) })),
    ...(primaryKey && { primaryKey }),
    ...(source && { source }),
    ...{ dataVersion: Number(dataVersion), rows: Number(rowCount) },
    ...presentOrigin(origin),
  };
};

const loadRow = z.object({
  loadId: z.string(),
  state: LoadStatus.shape.state,
  rows: z.coerce.number(),
  dataVersion: z.coerce.number().nullable(),
  faults: LoadStatus.shape.faults.nullable(),
  orphans: LoadStatus.shape.orphans.nullable(),
  format: z.enum(['csv', 'jsonl']),
  mode: LoadMode,
  startedAt: z.date(),
  startedBy: z.string(),
});

const loadsText = `
select l.load_id as "loadId", l.state, l.data_version as "dataVersion", l.faults, l.orphans, l.options ->> 'format' as format,
  l.options ->> 'mode' as mode, l.created_at as "startedAt", l.created_by as "startedBy",
  coalesce(l.row_count, (
    select sum(b.row_count) from knowledge_models.load_batch b where b.tenant = $1 and b.load_id = l.load_id), 0) as rows
from knowledge_models.table_load l
where l.tenant = $1 and l.schema_name = $2 and l.table_id = $3
order by l.created_at desc, l.load_id desc limit $4`;

/** The newest first. */
export const readLoads = async (
  client: PoolClient,
  { team, schema, table }: TableKey,
  rowsMax: number,
): Promise<ListedLoad[]> => {
  const { rows } = await client.query(loadsText, [team, schema, table, rowsMax]);
  return z.array(loadRow).parse(rows).map(presentLoad);
};

const presentLoad = ({ dataVersion, faults, orphans, startedAt, ...load }: z.output<typeof loadRow>): ListedLoad => ({
  ...load,
  ...(dataVersion !== null && { dataVersion }),
  ...(faults && { faults }),
  ...(orphans && { orphans }),
  startedAt: startedAt.toISOString(),
});
