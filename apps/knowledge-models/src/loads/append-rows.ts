/**
 * The rows that a table has, in the new generation of a load that appends. They are copied at the commit, so that nothing is
 * lost that other loads brought meanwhile; after a commit that was cut off and overtaken by another load they are copied anew.
 * Refuses: rows that do not fit the definition of the load any more.
 */
import type { LoadFault, ValueType } from '@tessera/contracts/knowledge-models';
import type { PoolClient } from '@tessera/persistence';
import type { DatabaseColumn } from '../database/columns.repository.js';
import { copyGeneration, dropIndexes, type PhysicalTable } from './generation.js';
import type { LoadColumn } from './load-columns.js';
import {
  currentVersion,
  deleteAppended,
  forgetAppended,
  noteAppended,
  type LoadKey,
  type LoadRow,
} from './load.repository.js';

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

type Appending = {
  readonly key: LoadKey;
  readonly load: LoadRow;
  readonly staging: PhysicalTable;
  readonly columns: readonly LoadColumn[];
  /** Of the generation that is read; undefined when there is none. */
  readonly current: ReadonlyMap<string, DatabaseColumn> | undefined;
};

type Taking = Pick<Appending, 'key' | 'load' | 'staging'>;

/** Whether the rows that were copied before are those of a generation that is no longer read. */
export const isOvertaken = async (client: PoolClient, { key, load }: Taking): Promise<boolean> =>
  load.appendedVersion !== null && load.appendedVersion !== (await currentVersion(client, key));

/** In a transaction: what was staged stays, what was copied goes. Answers why it cannot be done. */
export const takeBackRows = async (
  client: PoolClient,
  { key, load, staging }: Taking,
): Promise<readonly LoadFault[]> => {
  if ((await deleteAppended(client, key, staging)) !== load.appendedRows) return [indistinct];
  await forgetAppended(client, key);
  return [];
};

const indistinct: LoadFault = {
  message: 'another load was committed after this one was interrupted, and its rows cannot be told apart; load again',
};

/** In a transaction. Does nothing when it was done before. Answers why it cannot be done. */
export const appendRows = async (
  client: PoolClient,
  { key, load, staging, columns, current }: Appending,
): Promise<readonly LoadFault[]> => {
  if (load.appendedVersion !== null) return [];
  const dataVersion = await currentVersion(client, key);
  if (!current || dataVersion === undefined) return [];
  const faults = columns.flatMap((column) => changeFault(column, current.get(column.id)));
  if (faults.length > 0) return faults;
  // An attempt before this one, when there was nothing to copy, has made them; rows would be judged one by one.
  await dropIndexes(client, staging);
  const shared = columns.map(({ id }) => id).filter((id) => current.has(id));
  const rows = shared.length > 0 ? await copyGeneration(client, { ...staging, name: key.table }, staging, shared) : 0;
  await noteAppended(client, key, { dataVersion, rows });
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
