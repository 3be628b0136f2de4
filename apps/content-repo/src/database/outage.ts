/**
 * An outage of PostgreSQL as the failure that it is to a caller; everything else that is thrown is a bug and stays one.
 */
import { fail, type Result } from '@tessera/failures';
import { orDatabaseFailure } from '@tessera/persistence';
import { SnapshotClosed } from './snapshot.js';

export const orOutage = <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
  orDatabaseFailure(async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SnapshotClosed) return tooLate;
      throw error;
    }
  });

const tooLate = fail('SERVICE_UNAVAILABLE', 'The answer was not ready before the deadline; ask for less at once.', {
  retryAfterSeconds: 1,
});
