/** The commands for operators; their code is loaded when one is used, because only they need a PostgreSQL driver. */
import { type Command, Option } from 'commander';
import type { CommandContext } from './commands/command.js';
import type { SecretsOptions } from './commands/secrets.js';
import type { JsonOption } from './commands/command.js';
import type { GrantOptions } from './commands/teams.js';
import type { Run } from './program-data.js';

/** What administrators of teams may give to keys. */
export const describeTeams = (teams: Command, context: CommandContext, run: Run): void => {
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
