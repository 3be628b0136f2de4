/**
 * `tessera restore`: reads a backup into the database at DATABASE_URL; `--check` only reads the file to its end. Never
 * begins with an incomplete file.
 */
import { checkArchive, restore, type CheckedArchive } from '@tessera/persistence/backup';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { orFaultLine, rowsText, secondsText, teamsText } from '../operations/backup-words.js';
import { readDatabaseUrl } from '../operations/database-variables.js';
import { reachDatabase } from '../operations/reach-database.js';
import { misuse, type CommandContext } from './command.js';

export type RestoreOptions = { readonly check?: boolean; readonly json?: boolean };

export const restoreCommand = async (
  context: CommandContext,
  file: string,
  { check = false, json = false }: RestoreOptions,
): Promise<ExitCode> => {
  const { terminal, configuration } = context;
  const url = check ? undefined : readDatabaseUrl(configuration.environment);
  if (url?.ok === false) return misuse(context, url.faults.join('\n'));
  const tell = (checked: CheckedArchive, line: string): void =>
    terminal.print(json ? JSON.stringify(shownAs(checked), null, 2) : line);
  return orFaultLine(context, async () => {
    const checked = await checkFile(context, file);
    if (checked === undefined) return exitCodes.interrupted;
    if (url === undefined) {
      tell(checked, `whole: ${archiveText(checked)}`);
      return exitCodes.done;
    }
    terminal.note(`restoring ${archiveText(checked)}`);
    const began = performance.now();
    return reachDatabase(context, url.value, () =>
      orFaultLine(context, async () => {
        await runRestore(context, checked, url.value);
        tell(checked, `restored ${whatText(checked)}, ${secondsText(began)}`);
        return exitCodes.done;
      }),
    );
  });
};

/** Undefined: the person did not want to wait. */
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
    await restore(checked, { url, progress: (rows, bytes) => bar.advance(bytes, rows), stopping });
  } finally {
    bar.close();
  }
};

const whatText = ({ manifest, rows }: CheckedArchive): string =>
  `${teamsText(manifest.scope, manifest.teams)}: ${rowsText(rows)}`;

const archiveText = (checked: CheckedArchive): string =>
  `${whatText(checked)}; made ${checked.manifest.createdAt} by version ${checked.manifest.product}`;

const shownAs = ({ manifest: { product, createdAt, scope, teams }, file, rows, rowBytes }: CheckedArchive) => ({
  ...{ file, product, createdAt, scope },
  ...{ teams, rows, rowBytes },
});
