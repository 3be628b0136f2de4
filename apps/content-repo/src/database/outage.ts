/**
 * An outage of PostgreSQL as the failure that it is to a caller; everything else that is thrown is a bug and stays one.
 */
import { fail, type Failure, type Result } from '@tessera/failures';
import { databaseFailure, ReaderGone } from '@tessera/persistence';
import { SnapshotClosed } from './snapshot.js';

const tooLate = fail('SERVICE_UNAVAILABLE', 'The answer was not ready before the deadline; ask for less at once.', {
  retryAfterSeconds: 1,
}).failure;

/** Undefined for a bug. */
export const outageOf = (error: unknown): Failure | undefined =>
  error instanceof SnapshotClosed || error instanceof ReaderGone ? tooLate : databaseFailure(error);

export const orOutage = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work();
  } catch (error) {
    const failure = outageOf(error);
    if (failure) return { ok: false, failure };
    throw error;
  }
};
