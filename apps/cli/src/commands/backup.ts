/**
 * `tessera backup`: writes a team, or everything, from the database at DATABASE_URL into a file. Never overwrites a
 * file.
 */
import { backUp } from '@tessera/persistence/backup';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { orFaultLine, rowsText, secondsText, sizeText, teamsText } from '../operations/backup-words.js';
import { readDatabaseUrl } from '../operations/database-variables.js';
import { productVersion } from '../operations/product-version.js';
import { reachDatabase } from '../operations/reach-database.js';
import { misuse, type CommandContext } from './command.js';

export type BackupOptions = { readonly to: string; readonly json?: boolean | undefined };

/** `team`: undefined for all. */
export const backupCommand = async (
  context: CommandContext,
  team: string | undefined,
  { to: file, json = false }: BackupOptions,
): Promise<ExitCode> => {
  const { terminal, stopping, configuration } = context;
  const url = readDatabaseUrl(configuration.environment);
  if (!url.ok) return misuse(context, url.faults.join('\n'));
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
          : `backed up ${teamsText(team === undefined ? 'all' : 'team', teams)}: ${rowsText(rows)}, ${sizeText(fileBytes)} in ${file}, ${secondsText(began)}`,
      );
      return exitCodes.done;
    } finally {
      bar.close();
    }
  };
  return reachDatabase(context, url.value, () => orFaultLine(context, work));
};
