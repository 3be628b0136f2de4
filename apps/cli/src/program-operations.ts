/**
 * The commands for those who run the platform as they type them. What they are made of is loaded when one of them is used:
 * nobody else needs a driver of PostgreSQL.
 * Refuses: to decide anything.
 */
import { type Command, Option } from 'commander';
import type { CommandContext } from './commands/command.js';
import type { SecretsOptions } from './commands/secrets.js';
import type { Run } from './program-data.js';

export const describeOperations = (program: Command, context: CommandContext, run: Run): void => {
  program
    .command('migrate')
    .description(
      'bring the database at DATABASE_URL to this version: schemas, tables, a role for each service with its DATABASE_PASSWORD_..., and the key ADMIN_KEY when it is set; a second time changes nothing',
    )
    .action(() => run(import('./commands/migrate.js').then(({ migrateCommand }) => migrateCommand(context))));
  program
    .command('secrets')
    .description('print new random passwords and an administration key, for a platform that is set up')
    .addOption(
      new Option('--format <format>', 'lines NAME=value, or manifests for kubectl')
        .choices(['env', 'kubernetes'])
        .default('env'),
    )
    .option('--namespace <namespace>', 'the namespace of the manifests; tessera when it is left out')
    .action((options: SecretsOptions) =>
      run(import('./commands/secrets.js').then(({ secretsCommand }) => secretsCommand(context, options))),
    );
};
