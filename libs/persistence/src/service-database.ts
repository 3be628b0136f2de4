/**
 * The database of a service as its start and readiness checks see it, over a connection of its own, so that neither waits for
 * the service's work. A wrong server version, encoding, role or newer schema stops the start; an unavailable server or missing
 * migrations are waited for. Never reports addresses.
 */
import { types } from 'node:util';
import { describeCertificateFault, toLoggableReason } from '@tessera/failures';
import { readClockDifference, type ClockDifference } from './clock-difference.js';
import { databaseServices, type DatabaseServiceName } from './database-services.js';
import { createPool, isDatabaseUp, readPoolMetrics, takesWrites, type Pool } from './pool.js';
import { readSchemaState, findServerFault } from './schema-state.js';

export type DatabaseCheck =
  | { readonly state: 'right' }
  | { readonly state: 'awaited'; readonly reason: string }
  | { readonly state: 'wrong'; readonly expected: string };

export type ServiceDatabase = {
  readonly examine: () => Promise<DatabaseCheck>;
  readonly isUp: () => Promise<boolean>;
  readonly takesWrites: () => Promise<boolean>;
  readonly readClock: () => Promise<ClockDifference>;
  readonly poolFigures: typeof readPoolMetrics;
  readonly close: () => Promise<void>;
};

const statementTimeoutMs = 5_000;

export const openServiceDatabase = (service: DatabaseServiceName, url: string): ServiceDatabase => {
  const pool = createPool({ url, applicationName: `${service}-readiness`, connectionsMax: 1, statementTimeoutMs });
  return {
    examine: () => examineDatabase(pool, service),
    isUp: () => isDatabaseUp(pool),
    takesWrites: () => takesWrites(pool),
    readClock: () => readClockDifference(pool),
    poolFigures: readPoolMetrics,
    close: () => pool.end(),
  };
};

const examineDatabase = async (pool: Pool, service: DatabaseServiceName): Promise<DatabaseCheck> => {
  try {
    const expected = (await findServerFault(pool)) ?? (await roleFault(pool, service));
    return expected === undefined ? await examineSchema(pool, service) : wrongDatabase(expected);
  } catch (error) {
    const expected = expectedFor(error);
    return expected === undefined ? { state: 'awaited', reason: toLoggableReason(error) } : wrongDatabase(expected);
  }
};

/** Another role may do less than the service needs, or more than it should. */
const roleFault = async (pool: Pool, service: DatabaseServiceName): Promise<string | undefined> => {
  const { rows } = await pool.query<{ readonly name: string }>('select current_user as name');
  const { role } = databaseServices[service];
  return rows[0]?.name === role ? undefined : `the role ${role}; this one is another's`;
};

const examineSchema = async (pool: Pool, service: DatabaseServiceName): Promise<DatabaseCheck> => {
  const found = await readSchemaState(pool, service);
  if (found.state === 'current') return { state: 'right' };
  if (found.state === 'older')
    return { state: 'awaited', reason: `migrations are missing (${found.missing.join(', ')}): run tessera migrate` };
  return wrongDatabase(
    `a database that no later version has migrated (${found.unknown.join(', ')}); start the version that did, or restore a backup`,
  );
};

const wrongDatabase = (expected: string): DatabaseCheck => ({ state: 'wrong', expected });

const expectedByState: Readonly<Record<string, string>> = {
  '28P01': 'a role and a password that PostgreSQL accepts; tessera migrate makes the roles',
  '28000': 'a role that PostgreSQL lets in from here (see pg_hba.conf), by TLS if it asks for that',
  '3D000': 'a database that exists',
  '42501': 'a role that may use the database; tessera migrate grants it',
};

/** What the address should have been; undefined when the server is only away. */
const expectedFor = (error: unknown): string | undefined => {
  const certificate = describeCertificateFault(error);
  if (certificate !== undefined)
    return `a server whose certificate is trusted (${certificate}); sslrootcert names the file of those that may sign it`;
  if (!types.isNativeError(error)) return undefined;
  if (error.message === 'The server does not support SSL connections')
    return 'a server that encrypts, as sslmode demands';
  if (!('code' in error) || typeof error.code !== 'string') return undefined;
  // Only files are opened; the sockets of a server are connected to.
  if ('syscall' in error && error.syscall === 'open')
    return 'files that can be read in sslrootcert, sslcert and sslkey';
  return expectedByState[error.code];
};
