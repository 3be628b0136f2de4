import type { Command } from 'commander';
import type { CommandContext } from './commands/command.js';
import { toolCallsCommand, type ToolCallsOptions } from './commands/tool-calls.js';
import type { Run } from './program-data.js';

export const describeTools = (
  tools: Command,
  context: CommandContext,
  run: Run,
  at: (path: string) => string,
): void => {
  tools
    .command('log')
    .description('tell who called which tool, when, how long and how it ended; the newest first')
    .option('--team <team>', 'the team; the one of the workspace when it is left out')
    .option('--workspace <dir>', 'the folder that names the team', '.')
    .option('--asset <asset>', 'only calls of this asset')
    .option('--tool <tool>', 'only calls of this tool')
    .option('--subject <subject>', 'only calls by this caller')
    .option('--outcome <outcome>', 'only calls that ended so: ok, running, or the code of a failure')
    .option('--from <date>', 'from this day or UTC date-time on')
    .option('--to <date>', 'before this day or UTC date-time')
    .option('--limit <calls>', 'at most so many', '100')
    .option('--json', 'print the result as JSON')
    .action((options: ToolCallsOptions & { readonly workspace: string }) =>
      run(toolCallsCommand(context, at(options.workspace), options)),
    );
};
