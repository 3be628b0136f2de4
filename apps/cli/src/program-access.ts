/** The commands about the people of a team and their roles. */
import type { Command } from 'commander';
import type { CommandContext } from './commands/command.js';
import type { MemberOptions, TeamOptions } from './commands/members.js';
import type { RoleOptions } from './commands/roles.js';
import type { ExitCodeRecorder } from './program-data.js';

const ofTeam = (parent: Command, words: string, description: string): Command =>
  parent
    .command(words)
    .description(description)
    .requiredOption('--team <team>', 'the team')
    .option('--json', 'print the result as JSON');

const withProperties = (command: Command): Command =>
  command
    .option('--roles <roles>', 'roles, separated by commas; an empty text for none')
    .option('--further-scopes <scopes>', 'scopes that only policies on data ask for, separated by commas')
    .option('--attribute <name=value...>', 'what policies on data may read; in place of all that were')
    .option('--issuer <issuer>', 'the issuer of tokens that knows the person; nobody when it is left out')
    .option('--subject <subject>', 'how that issuer names the person')
    .option('--same-person', 'the id was that of a member with another identity or none: it is the same person');

export const addMemberCommands = (members: Command, context: CommandContext, run: ExitCodeRecorder): void => {
  const load = () => import('./commands/members.js');
  ofTeam(members, 'list', 'list the members of a team with what each may do').action((options: TeamOptions) =>
    run(load().then(({ listMembersCommand }) => listMembersCommand(context, options))),
  );
  withProperties(ofTeam(members, 'add <id>', 'add a member'))
    .requiredOption('--name <name>', 'what people call the member')
    .action((id: string, options: MemberOptions) =>
      run(load().then(({ addMemberCommand }) => addMemberCommand(context, id, options))),
    );
  withProperties(ofTeam(members, 'change <id>', 'change a member; what is not named stays as it is'))
    .option('--name <name>', 'what people call the member')
    .option('--disable', 'the member may do nothing until it is enabled')
    .option('--enable', 'the member may act again')
    .action((id: string, options: MemberOptions) =>
      run(load().then(({ changeMemberCommand }) => changeMemberCommand(context, id, options))),
    );
  ofTeam(
    members,
    'password <id>',
    'set the password of a member, read from the standard input; ends its sessions',
  ).action((id: string, options: TeamOptions) =>
    run(load().then(({ setPasswordCommand }) => setPasswordCommand(context, id, options))),
  );
  ofTeam(members, 'sign-out <id>', 'end all sessions of a member, and all that it allowed clients').action(
    (id: string, options: TeamOptions) =>
      run(load().then(({ endMemberAccessCommand }) => endMemberAccessCommand(context, id, options))),
  );
  ofTeam(members, 'remove <id>', 'remove a member').action((id: string, options: TeamOptions) =>
    run(load().then(({ removeMemberCommand }) => removeMemberCommand(context, id, options))),
  );
  ofTeam(members, 'changes', 'tell who changed which member and role, the newest first')
    .option('--limit <changes>', 'at most so many', '100')
    .action((options: TeamOptions & { readonly limit: string }) =>
      run(load().then(({ listAccessChangesCommand: accessChangesCommand }) => accessChangesCommand(context, options))),
    );
};

export const addRoleCommands = (roles: Command, context: CommandContext, run: ExitCodeRecorder): void => {
  const load = () => import('./commands/roles.js');
  ofTeam(roles, 'list', 'list the roles of a team with their scopes').action((options: TeamOptions) =>
    run(load().then(({ listRolesCommand }) => listRolesCommand(context, options))),
  );
  ofTeam(roles, 'define <role>', 'define a role, or replace it')
    .requiredOption('--scopes <scopes>', 'what who has it may do, separated by commas; an empty text for nothing')
    .option('--further-scopes <scopes>', 'scopes that only policies on data ask for, separated by commas')
    .option('--description <text>', 'what it is for')
    .action((role: string, options: RoleOptions) =>
      run(load().then(({ defineRoleCommand }) => defineRoleCommand(context, role, options))),
    );
  ofTeam(roles, 'remove <role>', 'remove a role that no member has').action((role: string, options: TeamOptions) =>
    run(load().then(({ removeRoleCommand }) => removeRoleCommand(context, role, options))),
  );
};
