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
import { TeamTable } from '@tessera/persistence/knowledge-models';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import type { TableKey } from './load.repository.js';

type ListedTable = ReplyOf<typeof listTables>['tables'][number];
type ListedLoad = ReplyOf<typeof listLoads>['loads'][number];

/** By schema and id, those behind `after`: `schema.table`. */
export const readTablePage = async (
  manager: EntityManager,
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
  return (await tables.getMany()).map(presentTable);
};

const presentTable = ({ definition, dataVersion, rowCount, loadedAt, loadedBy }: TeamTable): ListedTable => {
  const { schema, id, name = id, description, columns, primaryKey, source } = TableDefinition.parse(definition);
  return {
    ...{ schema, id, name },
    ...(description !== undefined && { description }),
    columns: columns.map((column) => ({ ...column, nullable: column.nullable ?? !primaryKey?.includes(column.id) })),
    ...(primaryKey && { primaryKey }),
    ...(source && { source }),
    ...{ dataVersion: Number(dataVersion), rows: Number(rowCount) },
    ...(loadedAt && { loadedAt: loadedAt.toISOString() }),
    ...(loadedBy !== null && { loadedBy }),
  };
};

const loadRow = z.object({
  loadId: z.string(),
  state: LoadStatus.shape.state,
  rows: z.coerce.number(),
  dataVersion: z.coerce.number().nullable(),
  faults: LoadStatus.shape.faults.nullable(),
  format: z.enum(['csv', 'jsonl']),
  mode: LoadMode,
  startedAt: z.date(),
  startedBy: z.string(),
});

const loadsText = `
select l.load_id as "loadId", l.state, l.data_version as "dataVersion", l.faults, l.options ->> 'format' as format,
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

const presentLoad = ({ dataVersion, faults, startedAt, ...load }: z.output<typeof loadRow>): ListedLoad => ({
  ...load,
  ...(dataVersion !== null && { dataVersion }),
  ...(faults && { faults }),
  startedAt: startedAt.toISOString(),
});
