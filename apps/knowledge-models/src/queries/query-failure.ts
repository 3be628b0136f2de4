/**
 * What an error of a query means for its caller: an outage, data that do not fit the model, a number out of range. A
 * statement that PostgreSQL does not understand is a bug and stays an error.
 */
import { types } from 'node:util';
import { Logger } from '@nestjs/common';
import { waitForReplicas } from '@tessera/definitions';
import { fail, type Failure, type Result } from '@tessera/failures';
import { toOutageFailure, RowsTooLargeError } from '@tessera/persistence';
import { ColumnarFallbackError } from './group-engines.js';

const tableMissing = '42P01';
/**
 * SQLSTATE of tables that are not, or not as, the model says: missing, other types, no right to read them, a materialised view
 * that was never filled. What is no column
 * PostgreSQL takes for a function of the row, if there is one of that name (`count`).
 */
const unfitStates = new Set([
  tableMissing,
  '42703',
  '42883',
  '42804',
  '42846',
  '42501',
  '3F000',
  '42803',
  '42809',
  '42704',
  '55000',
]);
/** SQLSTATE of a database that does not let the service in, as one of somebody else may: its password was changed, it or one behind its foreign tables is gone. */
const isClosed = (state: string): boolean => state.startsWith('28') || state.startsWith('HV') || state === '3D000';
/** SQLSTATE class of statements with more columns, or deeper ones, than PostgreSQL takes. */
const limitExceeded = '54';
/** SQLSTATE class of values that cannot be computed: numbers beyond their type, above all. */
const dataException = '22';

const logger = new Logger('Queries');

/** A statement did not fit columns of another database that were looked up before; they are looked up again. */
export class ColumnsChangedError extends Error {}

/**
 * `work` prepares its query and begins to read. It is done once more when the tables do not fit: they and the model may have changed
 * between both, and what is prepared after that time is of the change.
 */
export const mapQueryErrors = <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
  mapErrors(async () => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ColumnsChangedError) && !isUnfit(error)) throw error;
      await waitForReplicas();
      return work();
    }
  });

const mapErrors = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work();
  } catch (error) {
    const failure = toQueryFailure(error);
    if (failure) return { ok: false, failure };
    throw error;
  }
};

/** Undefined for a bug. */
export const toQueryFailure = (error: unknown): Failure | undefined => {
  if (error instanceof ColumnsChangedError) return toQueryFailure(error.cause);
  const outage = toOutageFailure(error);
  if (outage) return outage;
  if (error instanceof RowsTooLargeError) return tooLarge;
  if (error instanceof ColumnarFallbackError) return notAnsweredByColumn;
  if (!types.isNativeError(error)) return undefined;
  const state = stateOf(error);
  if (state.startsWith(dataException)) return outOfRange;
  if (state.startsWith(limitExceeded)) return tooWide;
  if (isClosed(state)) {
    // The message names the user.
    logger.error(`A database does not let the service in (${state}).`);
    return closed;
  }
  if (!unfitStates.has(state)) return undefined;
  logger.warn(`A query does not fit the tables (${state}).`, error);
  return unfit;
};

const stateOf = (error: unknown): string => {
  if (error instanceof ColumnsChangedError) return stateOf(error.cause);
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
};

export const isTableMissing = (error: unknown): boolean => stateOf(error) === tableMissing;

/** True when tables or columns are others than the statement was written for. */
export const isUnfit = (error: unknown): boolean => unfitStates.has(stateOf(error));

const { failure: tooLarge } = fail(
  'GENERAL_CONSTRAINT_VIOLATION',
  'The rows of this page are too large to be answered at once; ask for fewer rows or fields.',
);
const { failure: tooWide } = fail(
  'GENERAL_CONSTRAINT_VIOLATION',
  'The question is more than the database takes at once; ask for fewer fields or KPIs.',
);
const { failure: outOfRange } = fail(
  'GENERAL_CONSTRAINT_VIOLATION',
  'A value is beyond what can be computed; narrow the rows down or leave the field out that is computed.',
);
const { failure: closed } = fail('SERVICE_UNAVAILABLE', 'The database of this knowledge model cannot be read.', {
  retryAfterSeconds: 30,
});
const { failure: notAnsweredByColumn } = fail(
  'SERVICE_UNAVAILABLE',
  'The engine of columns did not answer, and COLUMNAR_FALLBACK=off lets PostgreSQL not answer in its place.',
  { retryAfterSeconds: 30 },
);
const { failure: unfit } = fail(
  'SERVICE_UNAVAILABLE',
  'The tables do not have what this knowledge model reads; validate it against the database, or load the tables again.',
  { retryAfterSeconds: 30 },
);
