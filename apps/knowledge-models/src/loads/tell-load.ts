/** What is said of a load. Refuses: to look anything up. */
import type { LoadFault, LoadStatus } from '@tessera/contracts/knowledge-models';
import { fail, nearestName, type Fault, type Result } from '@tessera/failures';
import type { LoadKey, LoadRow, TableKey } from './load.repository.js';

/** `stagedRows` are those of all batches. */
export const loadStatus = (
  { loadId }: Pick<LoadKey, 'loadId'>,
  { state, rows, dataVersion, faults }: LoadRow,
  stagedRows: number,
): LoadStatus => ({
  loadId,
  state,
  rows: rows ?? stagedRows,
  ...(dataVersion !== null && { dataVersion }),
  ...(faults && { faults }),
});

export const loadNotFound = fail('GENERAL_NOTFOUND', 'There is no such load; it may be older than 24 hours.');

/** The same for a team that is not there and for one that the caller may not administer. */
export const teamNotFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');

export const tableNotFound = ({ schema, table }: TableKey, known: readonly string[]): Result<never> => {
  const name = `${schema}.${table}`;
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? 'apply its definition first' : `did you mean "${nearest}"?`;
  return fail('GENERAL_NOTFOUND', `There is no table "${name}"; ${hint}`);
};

/** Where a fault is: `<line>.<column>` as far as they are known. */
export const rowsRefused = (faults: readonly LoadFault[]): Result<never> =>
  fail('GENERAL_CONSTRAINT_VIOLATION', 'The rows do not fit the table; nothing of the load is kept.', {
    faults: faults.map(({ line, column, message }): Fault => ({
      in: 'rows',
      path: [line, column].filter((part) => part !== undefined).join('.'),
      message,
    })),
  });
