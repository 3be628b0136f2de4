/** Maps errors of PostgreSQL to failures. An error that is no outage is thrown on and becomes an internal error. */
import { types } from 'node:util';
import { fail, type Failure, type Result } from '@tessera/failures';

/** SQLSTATE classes of a server that is away, starting, stopping or full. */
const outageClasses = new Set(['08', '53', '58']);
const outageStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04']);
const outageErrnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]);
const outageMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after calling end)/;
const queryCancelledState = '57014';
/** A standby, or a server that somebody made read-only. */
const readOnlyState = '25006';

/** Who asked has left, or the deadline has passed: nobody is told, since nobody listens. */
export class RequestAbandonedError extends Error {
  constructor() {
    super('Nobody waits for the answer any more.');
  }
}

/** What runs already took too long to give some of the database back. */
export class DatabaseBusyError extends Error {
  /** `byTeam`: requests of the same team hold their share of it. */
  constructor(readonly byTeam: boolean) {
    super('The requests that run already took too long.');
  }
}

/** SERVICE_UNAVAILABLE for an outage, a full pool, a cancelled statement or a server that takes no writes; undefined for everything else. */
export const toOutageFailure = (error: unknown): Failure | undefined => {
  if (error instanceof RequestAbandonedError)
    return unavailableFailure('The answer was not ready in time; ask for less at once.');
  if (error instanceof DatabaseBusyError)
    return unavailableFailure(
      error.byTeam
        ? 'The team has as many requests running as may run at once; send fewer at the same time.'
        : 'The database has as much to do as it can at the moment.',
    );
  // Errors of sockets come from Node itself; under a test runner that is another realm, where `instanceof` says no.
  if (!types.isNativeError(error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === queryCancelledState)
    return unavailableFailure('The database took longer than is allowed; ask for less at once.');
  if (code === readOnlyState) return unavailableFailure('The database takes no writes at the moment.');
  const away =
    outageClasses.has(code.slice(0, 2)) ||
    outageStates.has(code) ||
    outageErrnos.has(code) ||
    outageMessages.test(error.message);
  return away ? unavailableFailure('The database is not available at the moment.') : undefined;
};

/** What `work` answers, or the outage that stopped it; everything else that it throws is a bug and stays one. */
export const mapDatabaseErrors = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await work();
  } catch (error) {
    const failure = toOutageFailure(error);
    if (failure) return { ok: false, failure };
    throw error;
  }
};

const unavailableFailure = (detail: string): Failure =>
  fail('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds: 1 }).failure;
