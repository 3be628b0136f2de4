/** `tessera signing-keys rotate`: access tokens of the gateway, or exported evidence, are signed with a new key, in the database at DATABASE_URL. */
import { createPool } from '@tessera/persistence';
import { rotateSigningKey } from '@tessera/persistence/gateway';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { readDatabaseUrl } from '../operations/database-variables.js';
import { defaultRetryTimes, retryUntilDatabaseAnswers } from '../operations/with-database.js';
import { reportUsageError, type CommandContext } from './command.js';

export type RotateSigningKeysOptions = { readonly evidence?: boolean };

export const rotateSigningKeysCommand = async (
  context: CommandContext,
  { evidence = false }: RotateSigningKeysOptions,
  patience = defaultRetryTimes,
): Promise<ExitCode> => {
  const { terminal, configuration } = context;
  const url = readDatabaseUrl(configuration.environment);
  if (!url.ok) return reportUsageError(context, url.faults.join('\n'));
  const rotate = async (): Promise<ExitCode> => {
    const options = { applicationName: 'tessera', connectionsMax: 1, statementTimeoutMs: 5_000 };
    const pool = createPool({ url: url.value, ...options });
    try {
      terminal.print(`signs from now on: ${await rotateSigningKey(pool, evidence ? 'evidence' : 'tokens')}`);
      return exitCodes.done;
    } finally {
      await pool.end();
    }
  };
  return retryUntilDatabaseAnswers(context, url.value, rotate, patience);
};
