/**
 * The commands with their arguments, options and help; returns the exit code. What a command needs is loaded when it is called,
 * so that help and completion come at once.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { Argument, Command, CommanderError } from 'commander';
import type { ApplyOptions } from './commands/apply.js';
import type { ListChangesOptions } from './commands/changes.js';
import type { CommandContext } from './commands/command.js';
import type { DeleteOptions } from './commands/delete.js';
import type { PurgeOptions } from './commands/deleted.js';
import type { DiffOptions } from './commands/diff.js';
import type { ExportOptions } from './commands/export.js';
import type { CreateKeyOptions } from './commands/keys.js';
import type { TeamOptions } from './commands/storage-address.js';
import type { ValidateOptions } from './commands/validate.js';
import { shells, type Shell } from './completion.js';
import type { Configuration } from './configuration.js';
import { exitCodes, type ExitCode } from './exit-code.js';
import { addMemberCommands, addRoleCommands } from './program-access.js';
import {
  deletableKinds,
  type DeletableKind,
  type AddCommands,
  addDataCommands,
  addEvidenceCommands,
  type ExitCodeRecorder,
  addAgentCommands,
  addToolCommands,
  jsonOption,
} from './program-data.js';
import { addOperatorCommands, addTeamCommands, addBackupCommands } from './program-operations.js';
import { openTerminal } from './terminal/terminal.js';
import { fileKindNames, type FileKind } from './workspace/file-kinds.js';

const printSchema = async ({ terminal }: CommandContext, kind: FileKind): Promise<ExitCode> => {
  const { jsonSchemaOf } = await import('./workspace/workspace-document.js');
  terminal.print(JSON.stringify(jsonSchemaOf(kind), null, 2));
  return exitCodes.done;
};

const printCompletion = async ({ terminal }: CommandContext, program: Command, shell: Shell): Promise<ExitCode> => {
  const { createCompletionScript: completionScript } = await import('./completion.js');
  terminal.print(completionScript(program, shell));
  return exitCodes.done;
};

/** Of the package, whose folder holds the build. */
const readVersion = (): string => {
  const document: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof document === 'object' && document !== null && 'version' in document ? String(document.version) : '';
};

type ProgramContext = {
  readonly configuration: Configuration;
  /** Relative folders are below it. */
  readonly folder: string;
  readonly input: AsyncIterable<Uint8Array>;
  readonly out: Writable;
  readonly err: Writable & { readonly isTTY?: boolean };
  readonly stopping: AbortSignal;
};

/** Runs one command; `words` are those after `tessera`. */
export const runProgram = async (words: readonly string[], surroundings: ProgramContext): Promise<ExitCode> => {
  const { configuration, folder, input, out, err, stopping } = surroundings;
  const context: CommandContext = { terminal: openTerminal(out, err), configuration, input, stopping };
  let exitCode: ExitCode = exitCodes.done;
  const run = async (ending: Promise<ExitCode> | ExitCode): Promise<void> => void (exitCode = await ending);
  const program = buildProgram(context, run, (path) => resolve(folder, path));
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    command
      .exitOverride()
      .configureOutput({ writeOut: (text) => void out.write(text), writeErr: (text) => void err.write(text) });
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const refused = fileError(error);
    if (refused === undefined) throw error;
    context.terminal.note(`error: ${refused}`);
    return exitCodes.usage;
  }
  return exitCode;
};

/** What the operating system says about a file or a folder; anything else that is thrown is a bug. */
const fileError = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'syscall' in error && 'path' in error && 'message' in error
    ? String(error.message)
    : undefined;

type Json = { readonly json?: boolean };

const buildProgram = (context: CommandContext, run: ExitCodeRecorder, at: (path: string) => string): Command => {
  const program = new Command('tessera')
    .description(
      'Brings workspaces of definitions, content and data to the platform and back, and administers its keys.',
    )
    // `content changes` has a `--version` of its own.
    .enablePositionalOptions()
    .version(readVersion())
    .addHelpText('after', helpText);
  addWorkspaceCommands(program, context, run, at);
  addDataCommands(program, context, run, at);
  addDeleteCommand(program, context, run);
  addContentCommands(program.command('content').description('what was deleted, and who changed what'), context, run);
  addAgentCommands(program, context, run, at);
  addToolCommands(program.command('tools').description('who called which tool'), context, run, at);
  const evidence = program.command('evidence').description('export records of answers and check them');
  addEvidenceCommands(evidence, context, run, at);
  addKeyCommands(program.command('keys').description('issue, list and revoke API keys'), context, run);
  addTeamCommands(program.command('teams').description('list teams and what they may give to keys'), context, run);
  addMemberCommands(program.command('members').description('list and change the people of a team'), context, run);
  addRoleCommands(program.command('roles').description('list and define what members may do'), context, run);
  addOperatorCommands(program, context, run);
  addBackupCommands(program, context, run, at);
  program
    .command('status')
    .description('tell whether the gateway, what it depends on and the services are up')
    .option(...jsonOption)
    .action((options: Json) =>
      run(import('./commands/status.js').then(({ statusCommand: status }) => status(context, options))),
    );
  program
    .command('schema')
    .description('print the JSON Schema of a kind of file, for editors')
    .addArgument(new Argument('<kind>').choices(fileKindNames))
    .action((kind: FileKind) => run(printSchema(context, kind)));
  program
    .command('completion')
    .description('print a script by which a shell completes these commands: . <(tessera completion bash)')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: Shell) => run(printCompletion(context, program, shell)));
  return program;
};

const addWorkspaceCommands: AddCommands = (program, context, run, at) => {
  program
    .command('validate <dir>')
    .description('tell every fault of a workspace at once, as file:line:column message')
    .option('--against-db', 'compare tables and columns with those of the database, too')
    .option(...jsonOption)
    .action((dir: string, options: ValidateOptions) =>
      run(
        import('./commands/validate.js').then(({ validateCommand: validate }) => validate(context, at(dir), options)),
      ),
    );
  program
    .command('diff <dir>')
    .description('tell what apply would change; ! marks what may break for those who use it')
    .option('--exit-code', 'end with 1 when something would change')
    .option(...jsonOption)
    .action((dir: string, options: DiffOptions) =>
      run(import('./commands/diff.js').then(({ diffCommand: diff }) => diff(context, at(dir), options))),
    );
  program
    .command('apply <dir>')
    .description('apply a workspace, each storage all or nothing; a second time changes nothing')
    .option('--overwrite', 'let the files win over what was changed over the API since they were applied')
    .option('--draft', 'store knowledge models, assets and agents without publishing them')
    .option('--load', 'load the tables whose files are there, too')
    .option(...jsonOption)
    .action((dir: string, options: ApplyOptions) =>
      run(import('./commands/apply.js').then(({ applyCommand: apply }) => apply(context, at(dir), options))),
    );
  program
    .command('export <dir>')
    .description('write what a team has as a workspace; applied again it changes nothing')
    .option('--team <team>', 'the team; the one of the workspace in <dir> when it is left out')
    .option('--storage <storage>', 'only this storage (collection/storage, or its own name)')
    .option('--force', 'write although the folder holds something else')
    .option(...jsonOption)
    .action((dir: string, options: ExportOptions) =>
      run(
        import('./commands/export.js').then(({ exportCommand: exportWorkspace }) =>
          exportWorkspace(context, at(dir), options),
        ),
      ),
    );
};

const addDeleteCommand = (program: Command, context: CommandContext, run: ExitCodeRecorder): void => {
  program
    .command('delete')
    .description('delete a table (schema.table), knowledge model, asset or agent; what still reads it is named first')
    .addArgument(new Argument('<kind>').choices(deletableKinds))
    .argument('<id>')
    .requiredOption('--team <team>', 'the team that it belongs to')
    .option('--force', 'also when assets or agents read it')
    .option(...jsonOption)
    .action((kind: DeletableKind, id: string, options: DeleteOptions) =>
      run(import('./commands/delete.js').then(({ deleteCommand }) => deleteCommand(context, { kind, id }, options))),
    );
};

const addKeyCommands = (keys: Command, context: CommandContext, run: ExitCodeRecorder): void => {
  keys
    .command('create')
    .description('issue a key; it is printed this once')
    .requiredOption('--team <team>', 'the team that it belongs to')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scopes <scopes>', 'what it may do, separated by commas')
    .option('--further-scopes <scopes>', 'scopes that only policies on data ask for, separated by commas')
    .option('--attribute <name=value...>', 'what policies on data may read of its bearer; may be repeated')
    .option('--limit <requests>', "requests in an hour; the platform's standard when it is left out")
    .option('--expires <date>', 'when it stops to work; never when it is left out')
    .option(...jsonOption)
    .action((options: CreateKeyOptions) =>
      run(import('./commands/keys.js').then(({ createKeyCommand }) => createKeyCommand(context, options))),
    );
  keys
    .command('list')
    .description('list the keys of a team')
    .requiredOption('--team <team>', 'the team')
    .option(...jsonOption)
    .action((options: Json & { readonly team: string }) =>
      run(import('./commands/keys.js').then(({ listKeysCommand }) => listKeysCommand(context, options))),
    );
  keys
    .command('revoke <id>')
    .description('revoke a key by its id')
    .option('--team <team>', 'the team of the key')
    .option(...jsonOption)
    .action((id: string, options: Json & { readonly team?: string }) =>
      run(import('./commands/keys.js').then(({ revokeKeyCommand }) => revokeKeyCommand(context, id, options))),
    );
};

const addContentCommands = (content: Command, context: CommandContext, run: ExitCodeRecorder): void => {
  const add = (name: string, description: string): Command =>
    content
      .command(name)
      .description(description)
      .argument('<storage>', 'collection/storage')
      .requiredOption('--team <team>', 'the team of the storage');
  add('deleted', 'list the bin: what was deleted and can be restored')
    .option(...jsonOption)
    .action((storage: string, options: TeamOptions) =>
      run(
        import('./commands/deleted.js').then(({ listDeletedCommand: deletedCommand }) =>
          deletedCommand(context, storage, options),
        ),
      ),
    );
  add('restore', 'bring an element or a version back from the bin')
    .argument('<id>', 'of the element, or of the version when it was deleted alone')
    .option(...jsonOption)
    .action((storage: string, id: string, options: TeamOptions) =>
      run(
        import('./commands/deleted.js').then(({ restoreDeletedCommand: restoreCommand }) =>
          restoreCommand(context, storage, id, options),
        ),
      ),
    );
  add('purge', 'end for good what was deleted')
    .requiredOption('--older-than-days <days>', 'what was deleted at least so long ago; 0 for everything')
    .option(...jsonOption)
    .action((storage: string, options: PurgeOptions) =>
      run(
        import('./commands/deleted.js').then(({ purgeDeletedCommand: purgeCommand }) =>
          purgeCommand(context, storage, options),
        ),
      ),
    );
  add('changes', 'tell who did what to which element and version, when')
    .option('--element <id>', 'only changes of this element')
    .option('--version <id>', 'only changes of this version')
    .option('--subject <subject>', 'only changes by this caller')
    .option('--from <date>', 'from this day or UTC date-time on')
    .option('--to <date>', 'before this day or UTC date-time')
    .option('--oldest', 'the oldest first')
    .option('--limit <changes>', 'at most so many', '100')
    .option(...jsonOption)
    .action((storage: string, options: ListChangesOptions) =>
      run(
        import('./commands/changes.js').then(({ listChangesCommand: changesCommand }) =>
          changesCommand(context, storage, options),
        ),
      ),
    );
};

const helpText = `
The gateway is GATEWAY_URL, the key ADMIN_KEY (scope admin), both of the environment or of the file
env in TESSERA_HOME (.tessera), which "npm start" writes. "query" and "ask" take API_KEY when it is set.

Commands for the database itself take nothing from that file: DATABASE_URL and passwords are set in the environment.

Exit codes: 0 done, 1 faults, 2 wrong use, 3 the gateway or the database could not be reached or refused.`;
