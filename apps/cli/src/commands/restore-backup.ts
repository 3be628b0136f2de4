/**
 * `tessera restore`: reads a backup into the database at DATABASE_URL; `--check` only reads the file to its end. Never
 * begins with an incomplete file.
 */
import { checkArchive, restoreArchive, type CheckedArchive } from '@tessera/persistence/backup';
import { exitCodes, type ExitCode } from '../exit-code.js';
import {
  runAndReportBackupFaults,
  formatRowCount,
  formatElapsedSeconds,
  formatTeams,
} from '../operations/backup-messages.js';
import { readDatabaseUrl } from '../operations/database-variables.js';
import { retryUntilDatabaseAnswers } from '../operations/with-database.js';
import { reportUsageError, type CommandContext } from './command.js';

export type RestoreOptions = { readonly check?: boolean; readonly json?: boolean };

export const restoreBackupCommand = async (
  context: CommandContext,
  file: string,
  { check = false, json = false }: RestoreOptions,
): Promise<ExitCode> => {
  const { terminal, configuration } = context;
  const url = check ? undefined : readDatabaseUrl(configuration.environment);
  if (url?.ok === false) return reportUsageError(context, url.faults.join('\n'));
  const printResult = (checked: CheckedArchive, line: string): void =>
    terminal.print(json ? JSON.stringify(verifiedText(checked), null, 2) : line);
  return runAndReportBackupFaults(context, async () => {
    const checked = await checkFile(context, file);
    if (checked === undefined) return exitCodes.interrupted;
    if (url === undefined) {
      printResult(checked, `whole: ${archiveText(checked)}`);
      return exitCodes.done;
    }
    terminal.note(`restoring ${archiveText(checked)}`);
    const began = performance.now();
    return retryUntilDatabaseAnswers(context, url.value, () =>
      runAndReportBackupFaults(context, async () => {
        await runRestore(context, checked, url.value);
        printResult(checked, `restored ${contentText(checked)}, ${formatElapsedSeconds(began)}`);
        return exitCodes.done;
      }),
    );
  });
};

/** Undefined after an interruption. */
const checkFile = async ({ terminal, stopping }: CommandContext, file: string): Promise<CheckedArchive | undefined> => {
  const bar = terminal.openRowsBar('reading the file', undefined);
  try {
    return await checkArchive(file, (rows, bytes) => bar.advance(bytes, rows), stopping);
  } catch (error) {
    if (!stopping.aborted) throw error;
    terminal.note('Interrupted.');
    return undefined;
  } finally {
    bar.close();
  }
};

const runRestore = async (
  { terminal, stopping }: CommandContext,
  checked: CheckedArchive,
  url: string,
): Promise<void> => {
  const bar = terminal.openRowsBar('restoring', checked.rowBytes);
  try {
    await restoreArchive(checked, { url, progress: (rows, bytes) => bar.advance(bytes, rows), stopping });
  } finally {
    bar.close();
  }
};

const contentText = ({ manifest, rows }: CheckedArchive): string =>
  `${formatTeams(manifest.scope, manifest.teams)}: ${formatRowCount(rows)}`;

const archiveText = (checked: CheckedArchive): string =>
  `${contentText(checked)}; made ${checked.manifest.createdAt} by version ${checked.manifest.product}`;

const verifiedText = ({ manifest: { product, createdAt, scope, teams }, file, rows, rowBytes }: CheckedArchive) => ({
  ...{ file, product, createdAt, scope },
  ...{ teams, rows, rowBytes },
});
