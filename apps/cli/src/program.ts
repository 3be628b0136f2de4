/**
 * The command line as a person types it: commands, arguments, options and their help. Answers the exit code.
 * Refuses: to decide anything, to read the environment, and to end the process.
 */
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { Argument, Command, CommanderError } from 'commander';
import { apply } from './commands/apply.js';
import type { CommandContext } from './commands/command.js';
import { exportWorkspace, type ExportOptions } from './commands/export.js';
import { createKeyCommand, listKeysCommand, revokeKeyCommand, type CreateKeyOptions } from './commands/keys.js';
import { schema } from './commands/schema.js';
import { status } from './commands/status.js';
import { validate } from './commands/validate.js';
import type { Configuration } from './configuration.js';
import { exitCodes, type ExitCode } from './exit-code.js';
import { openTerminal } from './terminal/terminal.js';
import { fileKinds, type FileKind } from './workspace/workspace-document.js';

export type Surroundings = {
  readonly configuration: Configuration;
  /** Relative folders are below it. */
  readonly folder: string;
  readonly out: Writable;
  readonly err: Writable & { readonly isTTY?: boolean };
  readonly stopping: AbortSignal;
};

/** Runs one command; `words` are those after `tessera`. */
export const runProgram = async (words: readonly string[], surroundings: Surroundings): Promise<ExitCode> => {
  const { configuration, folder, out, err, stopping } = surroundings;
  const context: CommandContext = { terminal: openTerminal(out, err), configuration, stopping };
  let exitCode: ExitCode = exitCodes.done;
  const run = async (ending: Promise<ExitCode> | ExitCode): Promise<void> => void (exitCode = await ending);
  const program = describe(context, run, (path) => resolve(folder, path));
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    command
      .exitOverride()
      .configureOutput({ writeOut: (text) => void out.write(text), writeErr: (text) => void err.write(text) });
  try {
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const refused = fileRefusal(error);
    if (refused === undefined) throw error;
    context.terminal.note(`error: ${refused}`);
    return exitCodes.usage;
  }
  return exitCode;
};

/** What the operating system says about a file or a folder; anything else that is thrown is a bug. */
const fileRefusal = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'syscall' in error && 'path' in error && 'message' in error
    ? String(error.message)
    : undefined;

type Run = (ending: Promise<ExitCode> | ExitCode) => Promise<void>;
type Json = { readonly json?: boolean };

const jsonOption = ['--json', 'print the result as JSON'] as const;

const describe = (context: CommandContext, run: Run, at: (path: string) => string): Command => {
  const program = new Command('tessera')
    .description('Brings workspaces of definitions and content to the platform and back, and administers its keys.')
    .addHelpText('after', helpText);
  program
    .command('validate <dir>')
    .description('tell every fault of a workspace at once, as file:line:column message')
    .option(...jsonOption)
    .action((dir: string, options: Json) => run(validate(context, at(dir), options)));
  program
    .command('apply <dir>')
    .description('apply a workspace, each storage all or nothing; a second time changes nothing')
    .option(...jsonOption)
    .action((dir: string, options: Json) => run(apply(context, at(dir), options)));
  program
    .command('export <dir>')
    .description('write what a team has as a workspace; applied again it changes nothing')
    .option('--team <team>', 'the team; the one of the workspace in <dir> when it is left out')
    .option('--storage <storage>', 'only this storage (collection/storage, or its own name)')
    .option('--force', 'write although the folder holds something else')
    .option(...jsonOption)
    .action((dir: string, options: ExportOptions) => run(exportWorkspace(context, at(dir), options)));
  describeKeys(program.command('keys').description('issue, list and revoke API keys'), context, run);
  program
    .command('status')
    .description('tell whether the gateway, what it depends on and the services are up')
    .option(...jsonOption)
    .action((options: Json) => run(status(context, options)));
  program
    .command('schema')
    .description('print the JSON Schema of a kind of file, for editors')
    .addArgument(new Argument('<kind>').choices(Object.keys(fileKinds)))
    .action((kind: FileKind) => run(schema(context, kind)));
  return program;
};

const describeKeys = (keys: Command, context: CommandContext, run: Run): void => {
  keys
    .command('create')
    .description('issue a key; it is printed this once')
    .requiredOption('--team <team>', 'the team that it belongs to')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scopes <scopes>', 'what it may do, separated by commas')
    .option('--limit <requests>', "requests in an hour; the platform's standard when it is left out")
    .option('--expires <date>', 'when it stops to work; never when it is left out')
    .option(...jsonOption)
    .action((options: CreateKeyOptions) => run(createKeyCommand(context, options)));
  keys
    .command('list')
    .description('list the keys of a team')
    .requiredOption('--team <team>', 'the team')
    .option(...jsonOption)
    .action((options: Json & { readonly team: string }) => run(listKeysCommand(context, options)));
  keys
    .command('revoke <id>')
    .description('revoke a key by its id')
    .option('--team <team>', 'the team of the key')
    .option(...jsonOption)
    .action((id: string, options: Json & { readonly team?: string }) => run(revokeKeyCommand(context, id, options)));
};

const helpText = `
The gateway is GATEWAY_URL, the key ADMIN_KEY (scope admin), both of the environment or of the file
env in TESSERA_HOME (.tessera), which "npm start" writes.

Exit codes: 0 done, 1 faults, 2 wrong use, 3 the gateway could not be reached or refused.`;
