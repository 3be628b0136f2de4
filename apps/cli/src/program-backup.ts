/** The commands for backups; their code is loaded when one is used. */
import type { Command } from 'commander';
import type { BackupOptions } from './commands/backup.js';
import type { CommandContext } from './commands/command.js';
import type { RestoreOptions } from './commands/restore-backup.js';
import type { Run } from './program-data.js';

export const describeBackups = (
  program: Command,
  context: CommandContext,
  run: Run,
  at: (path: string) => string,
): void => {
  const backup = program
    .command('backup')
    .description(
      'write a team, or everything, from the database at DATABASE_URL into a file, while the product is in use',
    );
  const add = (words: string, description: string): Command =>
    backup
      .command(words)
      .description(description)
      .requiredOption('--to <file>', 'the file (.tar.gz); it must not be there')
      .option('--json', 'print the result as JSON');
  const runBackup = (team: string | undefined, { to, json }: BackupOptions): Promise<void> =>
    run(import('./commands/backup.js').then(({ backupCommand }) => backupCommand(context, team, { to: at(to), json })));
  add('team <team>', 'all that one team has').action((team: string, options: BackupOptions) =>
    runBackup(team, options),
  );
  add('all', 'all that all teams have').action((options: BackupOptions) => runBackup(undefined, options));
  program
    .command('restore <file>')
    .description(
      'bring back what a backup has into the database at DATABASE_URL, which must not have it; all or nothing',
    )
    .option('--check', 'only read the file to its end and tell what it has; no database is needed')
    .option('--json', 'print the result as JSON')
    .action((file: string, options: RestoreOptions) =>
      run(
        import('./commands/restore-backup.js').then(({ restoreCommand }) => restoreCommand(context, at(file), options)),
      ),
    );
};
