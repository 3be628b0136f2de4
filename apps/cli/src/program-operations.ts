/** The commands for operators. */
import { type Command, Option } from 'commander';
import type { BackupOptions } from './commands/backup.js';
import type { CommandContext, JsonOption } from './commands/command.js';
import type { RestoreOptions } from './commands/restore-backup.js';
import type { RotateSigningKeysOptions } from './commands/signing-keys.js';
import type { SecretsOptions } from './commands/secrets.js';
import type { GrantOptions } from './commands/teams.js';
import type { AddCommands, ExitCodeRecorder } from './program-data.js';

export const addBackupCommands: AddCommands = (program, context, run, at) => {
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
        import('./commands/restore-backup.js').then(({ restoreBackupCommand: restoreCommand }) =>
          restoreCommand(context, at(file), options),
        ),
      ),
    );
};

/** What administrators of teams may give to keys. */
export const addTeamCommands = (teams: Command, context: CommandContext, run: ExitCodeRecorder): void => {
  const json = ['--json', 'print the result as JSON'] as const;
  const load = () => import('./commands/teams.js');
  teams
    .command('list')
    .description('list the teams with what each may give to its keys')
    .option(...json)
    .action((options: JsonOption) => run(load().then(({ listTeamsCommand }) => listTeamsCommand(context, options))));
  teams
    .command('show <team>')
    .description('show a team')
    .option(...json)
    .action((team: string, options: JsonOption) =>
      run(load().then(({ showTeamCommand }) => showTeamCommand(context, team, options))),
    );
  teams
    .command('grant <team>')
    .description('set what the administrators of a team may give to keys; what is not named stays as it is')
    .option('--scopes <scopes>', 'scopes, separated by commas; an empty text for none')
    .option('--further-scopes <scopes>', 'scopes that only policies on data ask for, separated by commas')
    .option('--attribute <name=value...>', 'values of attributes that policies on data read; in place of all that were')
    .option('--any-attribute <name...>', 'attributes with every value')
    .option('--limit <requests>', 'the highest hourly limit of a key')
    .option('--standard', 'begin with the standard of the platform in place of what was granted')
    .option(...json)
    .action((team: string, options: GrantOptions) =>
      run(load().then(({ grantTeamCommand }) => grantTeamCommand(context, team, options))),
    );
};

export const addOperatorCommands = (program: Command, context: CommandContext, run: ExitCodeRecorder): void => {
  program
    .command('migrate')
    .description(
      'bring the database at DATABASE_URL to this version: schemas, tables, a role for each service with its DATABASE_PASSWORD_..., and the key ADMIN_KEY when it is set; a second time changes nothing',
    )
    .action(() => run(import('./commands/migrate.js').then(({ migrateCommand }) => migrateCommand(context))));
  program
    .command('signing-keys')
    .description('the keys that sign access tokens of the gateway, and exported evidence')
    .command('rotate')
    .description(
      'sign with a new key, in the database at DATABASE_URL; the old one stays published as long as it is needed',
    )
    .option('--evidence', 'the key that signs exported evidence, in place of the one of access tokens')
    .action((options: RotateSigningKeysOptions) =>
      run(
        import('./commands/signing-keys.js').then(({ rotateSigningKeysCommand }) =>
          rotateSigningKeysCommand(context, options),
        ),
      ),
    );
  program
    .command('secrets')
    .description('print new random passwords and an administration key, for a platform that is set up')
    .addOption(
      new Option('--format <format>', 'lines NAME=value, manifests for kubectl, or files for Compose')
        .choices(['env', 'kubernetes', 'compose'])
        .default('env'),
    )
    .option('--namespace <namespace>', 'the namespace of the manifests; tessera when it is left out')
    .option('--to <folder>', 'the folder of the files for Compose, which only its owner may enter')
    .action((options: SecretsOptions) =>
      run(import('./commands/secrets.js').then(({ secretsCommand }) => secretsCommand(context, options))),
    );
};
