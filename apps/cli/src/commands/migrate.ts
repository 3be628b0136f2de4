/**
 * `tessera migrate`: migrates the database at DATABASE_URL to this version and writes the first key. Never shows the
 * value of a variable.
 */
import { createPool } from '@tessera/persistence';
import { openDataSource } from '@tessera/persistence/data-source';
import { gatewayEntities, ensureAdministrationKey, type AdministrationKeyOutcome } from '@tessera/persistence/gateway';
import { migrate, MigrationRefusedError, serviceDatabaseUrl } from '@tessera/persistence/migrate';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { readMigrationVariables, type MigrationVariables } from '../operations/database-variables.js';
import { retryUntilDatabaseAnswers, defaultRetryTimes } from '../operations/with-database.js';
import { reportUsageError, type CommandContext } from './command.js';

export const migrateCommand = async (context: CommandContext, patience = defaultRetryTimes): Promise<ExitCode> => {
  const read = readMigrationVariables(context.configuration.environment);
  if (!read.ok) {
    for (const fault of read.faults) reportUsageError(context, fault);
    return exitCodes.usage;
  }
  return retryUntilDatabaseAnswers(context, read.value.url, () => bringUp(context, read.value), patience);
};

const bringUp = async ({ terminal, stopping }: CommandContext, variables: MigrationVariables): Promise<ExitCode> => {
  const { url, passwords, adminKey } = variables;
  try {
    const { ran, ahead, newPasswords } = await migrate({ url, passwords, stopping });
    for (const { service, migration } of ran) terminal.print(`ran ${service} ${migration}`);
    for (const role of newPasswords) terminal.print(`gave ${role} another password`);
    for (const { service, migration } of ahead)
      terminal.note(`${service} has ${migration} of a later version, which only adds; this version works with it.`);
    const kept = adminKey === undefined ? undefined : await keepKey(variables, adminKey);
    if (kept !== undefined && kept !== 'made' && kept !== 'kept') {
      terminal.note(keyRefusals[kept]);
      return exitCodes.faults;
    }
    if (kept === 'made') terminal.print(`made the key ${adminKey?.keyId} of the operators`);
    if (ran.length + newPasswords.length === 0 && kept !== 'made') terminal.print('nothing to do');
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof MigrationRefusedError)) throw error;
    terminal.note(error.message);
    return exitCodes.faults;
  }
};

const keyRefusals: Readonly<Record<Exclude<AdministrationKeyOutcome, 'made' | 'kept'>, string>> = {
  foreign: 'ADMIN_KEY has the id of another key; take one that "tessera secrets" prints.',
  revoked: 'ADMIN_KEY was revoked; take a new one, such as "tessera secrets" prints.',
};

const keepKey = async (
  { url, passwords }: MigrationVariables,
  adminKey: Parameters<typeof ensureAdministrationKey>[1],
): Promise<AdministrationKeyOutcome> => {
  const pool = createPool({
    url: serviceDatabaseUrl(url, 'gateway', passwords.gateway),
    applicationName: 'tessera',
    connectionsMax: 1,
    statementTimeoutMs: 30_000,
  });
  try {
    return await ensureAdministrationKey(openDataSource(pool, gatewayEntities), adminKey);
  } finally {
    await pool.end();
  }
};
