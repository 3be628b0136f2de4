/**
 * The rows that a table has, in the new generation of a load that appends. They are copied at the commit, so that nothing is
 * lost that other loads brought meanwhile.
 * Refuses: rows that do not fit the definition of the load any more.
 */
import type { LoadFault, ValueType } from '@tessera/contracts/knowledge-models';
import type { PoolClient } from '@tessera/persistence';
import type { DatabaseColumn } from '../database/columns.repository.js';
import { copyGeneration, type PhysicalTable } from './generation.js';
import type { LoadColumn } from './load-columns.js';
import { currentVersion, noteAppended, type LoadKey, type LoadRow } from './load.repository.js';

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

/** In a transaction, and once for each load. Answers why it cannot be done. */
export const appendRows = async (
  client: PoolClient,
  { key, load, staging, columns, current }: Appending,
): Promise<readonly LoadFault[]> => {
  const dataVersion = await currentVersion(client, key);
  if (load.appendedVersion !== null) return load.appendedVersion === dataVersion ? [] : [overtaken];
  if (!current || dataVersion === undefined) return [];
  const faults = columns.flatMap((column) => changeFault(column, current.get(column.id)));
  if (faults.length > 0) return faults;
  const shared = columns.map(({ id }) => id).filter((id) => current.has(id));
  const rows = shared.length > 0 ? await copyGeneration(client, { ...staging, name: key.table }, staging, shared) : 0;
  await noteAppended(client, key, { dataVersion, rows });
  return [];
};

const overtaken: LoadFault = {
  message: 'another load was committed after this one had copied the rows that it appends to; load again',
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
