/**
 * `tessera backup`: writes a team, or everything, from the database at DATABASE_URL into a file. Never overwrites a
 * file.
 */
import { readFileSync } from 'node:fs';
import { backUp } from '@tessera/persistence/backup';
import { z } from 'zod';
import { exitCodes, type ExitCode } from '../exit-code.js';
import {
  runAndReportBackupFaults,
  formatRowCount,
  formatElapsedSeconds,
  formatMegabytes,
  formatTeams,
} from '../operations/backup-messages.js';
import { readDatabaseUrl } from '../operations/database-variables.js';
import { retryUntilDatabaseAnswers } from '../operations/with-database.js';
import { reportUsageError, type CommandContext } from './command.js';

const manifestShape = z.object({ version: z.string() });

const productVersion = manifestShape.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
).version;

export type BackupOptions = { readonly to: string; readonly json?: boolean | undefined };

/** `team`: undefined for all. */
export const backupCommand = async (
  context: CommandContext,
  team: string | undefined,
  { to: file, json = false }: BackupOptions,
): Promise<ExitCode> => {
  const { terminal, stopping, configuration } = context;
  const url = readDatabaseUrl(configuration.environment);
  if (!url.ok) return reportUsageError(context, url.faults.join('\n'));
  const work = async (): Promise<ExitCode> => {
    const began = performance.now();
    const bar = terminal.openRowsBar(`backup of ${team ?? 'everything'}`, undefined);
    const progress = (rows: number, bytes: number): void => bar.advance(bytes, rows);
    try {
      const { teams, rows, rowBytes, fileBytes } = await backUp({
        ...{ url: url.value, team, file, product: productVersion },
        ...{ progress, stopping },
      });
      bar.close();
      terminal.print(
        json
          ? JSON.stringify({ file, teams, rows, rowBytes, fileBytes }, null, 2)
          : `backed up ${formatTeams(team === undefined ? 'all' : 'team', teams)}: ${formatRowCount(rows)}, ${formatMegabytes(fileBytes)} in ${file}, ${formatElapsedSeconds(began)}`,
      );
      return exitCodes.done;
    } finally {
      bar.close();
    }
  };
  return retryUntilDatabaseAnswers(context, url.value, () => runAndReportBackupFaults(context, work));
};
