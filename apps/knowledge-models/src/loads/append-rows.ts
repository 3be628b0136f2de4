/**
 * The rows that a table has, in the new generation of a load that keeps them: all, or those whose key no new row has. They are copied at the commit, so that nothing is
 * lost that other loads brought meanwhile; after a commit that was cut off and overtaken by another load they are copied
 * anew. Rows that do not fit the definition of the load are rejected.
 */
import type { LoadFault, ValueType } from '@tessera/contracts/knowledge-models';
import type { DatabaseColumn } from '@tessera/knowledge-model';
import type { PoolClient } from '@tessera/persistence';
import { TableLoad } from '@tessera/persistence/knowledge-models';
import type { EntityManager } from 'typeorm';
import { copyRowsBetweenGenerations, dropIndexes, type PhysicalTable } from './generation.js';
import type { LoadColumn } from './load-columns.js';
import { deleteAppendedRows, findTable, whereLoad, type LoadKey, type LoadRow } from './load.repository.js';

/** As PostgreSQL says them. */
const databaseTypes: Readonly<Record<ValueType, string>> = {
  string: 'text',
  integer: 'bigint',
  float: 'numeric',
  boolean: 'boolean',
  date: 'date',
  time: 'time without time zone',
  datetime: 'timestamp without time zone',
  timestamp: 'timestamp with time zone',
};

type AppendContext = {
  readonly manager: EntityManager;
  readonly client: PoolClient;
  readonly key: LoadKey;
  readonly load: LoadRow;
  readonly staging: PhysicalTable;
  readonly columns: readonly LoadColumn[];
  /** Of the generation that is read; undefined when there is none. */
  readonly current: ReadonlyMap<string, DatabaseColumn> | undefined;
};

type DuplicateRemoval = Pick<AppendContext, 'manager' | 'client' | 'key' | 'load' | 'staging'>;

/** Whether the rows that were copied before are those of a generation that is no longer read. */
export const isAppendOutdated = async ({ manager, key, load }: DuplicateRemoval): Promise<boolean> =>
  load.appendedVersion !== null && load.appendedVersion !== (await findTable(manager, key))?.dataVersion;

/** In a transaction: what was staged stays, what was copied goes. Answers why it cannot be done. */
export const removeAppendedRows = async ({
  manager,
  client,
  key,
  load,
  staging,
}: DuplicateRemoval): Promise<readonly LoadFault[]> => {
  if ((await deleteAppendedRows(client, key, staging)) !== load.appendedRows) return [indistinguishableRows];
  await manager.update(TableLoad, whereLoad(key), { appendedVersion: null, appendedRows: null });
  return [];
};

const indistinguishableRows: LoadFault = {
  message: 'another load was committed after this one was interrupted, and its rows cannot be told apart; load again',
};

/** In a transaction. Does nothing when it was done before. Answers why it cannot be done. */
export const appendRows = async (appending: AppendContext): Promise<readonly LoadFault[]> => {
  const { manager, client, key, load, staging, columns, current } = appending;
  if (load.appendedVersion !== null) return [];
  const table = await findTable(manager, key);
  if (!current || !table) return [];
  const faults = columns.flatMap((column) => changeFault(column, current.get(column.id)));
  if (faults.length > 0) return faults;
  // An attempt before this one, when there was nothing to copy, has made them; rows would be judged one by one.
  await dropIndexes(client, staging);
  const { mode, definition } = load.options;
  const newKey = mode === 'upsert' ? definition.primaryKey : undefined;
  const shared = columns.map(({ id }) => id).filter((id) => current.has(id));
  const rows =
    shared.length > 0
      ? await copyRowsBetweenGenerations(client, { ...staging, name: key.table }, staging, { columns: shared, newKey })
      : 0;
  const appended = { appendedVersion: table.dataVersion, appendedRows: String(rows) };
  await manager.update(TableLoad, whereLoad(key), appended);
  return [];
};

const changeFault = ({ id, type, nullable }: LoadColumn, was: DatabaseColumn | undefined): readonly LoadFault[] => {
  if (!was)
    return nullable ? [] : [{ column: id, message: `the rows that are there have no value; ${replaceInstead}` }];
  if (was.type === databaseTypes[type]) return [];
  return [
    { column: id, message: `the rows that are there have values of another type (${was.type}); ${replaceInstead}` },
  ];
};

const replaceInstead = 'load all rows without appending';
