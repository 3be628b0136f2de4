/**
 * The next generation of a load that does not replace all rows: those that are there with those that it brings. It is made at
 * the commit, so that nothing is lost that other loads brought meanwhile, and made anew after a commit that was cut off and
 * overtaken by another load. Rows that do not fit the definition of the load are rejected.
 */
import type { LoadFault } from '@tessera/contracts/knowledge-models';
import { createdTypes, type DatabaseColumn } from '@tessera/knowledge-model';
import type { PoolClient } from '@tessera/persistence';
import { TableLoad } from '@tessera/persistence/knowledge-models';
import { quoteIdentifier } from '@tessera/sql';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { createTableGeneration, dropTableGeneration, quotedTableName, type PhysicalTable } from './generation.js';
import {
  describeKey,
  givenColumn,
  givenSeparator,
  toLoadColumns,
  toStagedColumns,
  type LoadColumn,
} from './load-columns.js';
import { findTable, whereLoad, type LoadKey, type LoadRow } from './load.repository.js';

type MergeContext = {
  readonly manager: EntityManager;
  readonly client: PoolClient;
  readonly key: LoadKey;
  readonly load: LoadRow;
  /** Where the rows of the load are. */
  readonly staging: PhysicalTable;
  /** Where all rows go. */
  readonly generation: PhysicalTable;
  /** The columns of the generation that is read; undefined when there is none. */
  readonly current: ReadonlyMap<string, DatabaseColumn> | undefined;
};

/** In a transaction. Does nothing when it was done before for the rows that are there now. Answers why it cannot be done. */
export const mergeRows = async (merge: MergeContext): Promise<readonly LoadFault[]> => {
  const { manager, client, key, load, generation, current } = merge;
  const dataVersion = (await findTable(manager, key))?.dataVersion ?? null;
  if (load.appendedVersion !== null && load.appendedVersion === dataVersion) return [];
  const columns = toLoadColumns(load.options.definition);
  const faults = current ? columns.flatMap((column) => changeFault(column, current.get(column.id))) : [];
  if (faults.length > 0) return faults;
  await dropTableGeneration(client, generation);
  await createTableGeneration(client, generation, columns);
  const { rowCount } = await client.query(mergeText(merge, columns));
  const appendedRows = String((rowCount ?? 0) - (load.rowCount ?? 0));
  await manager.update(TableLoad, whereLoad(key), { appendedVersion: dataVersion, appendedRows });
  return [];
};

const mergeText = (
  { key, load, staging, generation, current }: MergeContext,
  columns: readonly LoadColumn[],
): string => {
  const { mode, definition } = load.options;
  const names = columns.map(({ id }) => quoteIdentifier(id));
  const kept = columns.map(({ id }) => (current?.has(id) ? `old.${quoteIdentifier(id)}` : 'null'));
  const before = current ? quotedTableName({ ...staging, name: key.table }) : `(select where false)`;
  const isSame = sameKey(definition.primaryKey);
  const target = `insert into ${quotedTableName(generation)} (${names.join(', ')})`;
  const rows = quotedTableName(staging);
  switch (mode) {
    case 'replace':
      throw new Error('A load that replaces all rows merges none.');
    case 'append':
      return `${target} select ${kept.join(', ')} from ${before} old union all select ${names.join(', ')} from ${rows} new`;
    case 'delete':
      return `${target} select ${kept.join(', ')} from ${before} old where not exists (select from ${rows} new where ${isSame})`;
    case 'upsert': {
      const staged = new Set(toStagedColumns(load.options).map(({ id }) => id));
      const values = columns.map(({ id }, at) => {
        const isGiven = givenCondition(id, staged);
        return isGiven === undefined ? kept[at] : `case when ${isGiven} then new.${names[at]} else ${kept[at]} end`;
      });
      return current
        ? `${target} select ${values.join(', ')} from ${before} old full join ${rows} new on ${isSame}`
        : `${target} select ${columns.map(({ id }, at) => (staged.has(id) ? names[at] : 'null')).join(', ')} from ${rows} new`;
    }
  }
};

const sameKey = (primaryKey: readonly string[] = []): string =>
  primaryKey
    .map(quoteIdentifier)
    .map((name) => `new.${name} = old.${name}`)
    .join(' and ');

/** The condition that a row of the load says what the column becomes; undefined when none does. */
const givenCondition = (id: string, staged: ReadonlySet<string>): string | undefined => {
  if (!staged.has(id)) return undefined;
  const isThere = 'new.ctid is not null';
  if (!staged.has(givenColumn.id)) return isThere;
  const given = `new.${quoteIdentifier(givenColumn.id)}`;
  const isNamed = `${pg.escapeLiteral(id)} = any(string_to_array(${given}, ${pg.escapeLiteral(givenSeparator)}))`;
  return `${isThere} and (${given} is null or ${isNamed})`;
};

export const changeFault = (
  { id, type, nullable }: LoadColumn,
  was: DatabaseColumn | undefined,
): readonly LoadFault[] => {
  if (!was)
    return nullable ? [] : [{ column: id, message: `the rows that are there have no value; ${replaceInstead}` }];
  if (was.type === createdTypes[type]) return [];
  return [
    { column: id, message: `the rows that are there have values of another type (${was.type}); ${replaceInstead}` },
  ];
};

const replaceInstead = 'load all rows without appending';

const newRowsMax = 10;

/** After a merge that was rolled back since a row has no value of the column: rows of the load that are new, or those that are there. */
export const findMissingValues = async (
  { client, key, load, staging, current }: Omit<MergeContext, 'manager' | 'generation'>,
  column: string,
): Promise<readonly LoadFault[]> => {
  const { primaryKey = [] } = load.options.definition;
  if (load.options.mode === 'upsert') {
    const isOld = current
      ? `exists (select from ${quotedTableName({ ...staging, name: key.table })} old where ${sameKey(primaryKey)})`
      : 'false';
    const isGiven = givenCondition(column, new Set(toStagedColumns(load.options).map(({ id }) => id))) ?? 'false';
    const { rows } = await client.query<{ values: readonly string[] }>(
      `select array[${primaryKey.map((id) => `${quoteIdentifier(id)}::text`).join(', ')}] as values
       from ${quotedTableName(staging)} new where not ${isOld} and not (${isGiven}) order by 1 limit $1`,
      [newRowsMax],
    );
    if (rows.length > 0)
      return rows.map(({ values }) => ({
        column,
        message: `the row with the key ${describeKey(primaryKey, values)} is new and has no value; a new row needs one`,
      }));
  }
  return [{ column, message: `rows that are there have no value; ${replaceInstead}` }];
};
