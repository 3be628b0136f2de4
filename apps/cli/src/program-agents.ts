import type { Command } from 'commander';
import { askCommand, type AskOptions } from './commands/ask.js';
import type { CommandContext } from './commands/command.js';
import type { Run } from './program-data.js';

export const describeAgents = (program: Command, context: CommandContext, run: Run): void => {
  program
    .command('ask <agent> <question>')
    .description(
      'ask an agent with the key API_KEY, or ADMIN_KEY when there is none; the answer is written as it comes',
    )
    .option('--conversation <id>', 'go on with this conversation')
    .option('--draft', 'ask the draft of the agent')
    .option('--verbose', 'tell which tools it calls')
    .option('--json', 'print the answer as JSON')
    .action((agent: string, question: string, options: AskOptions) =>
      run(askCommand(context, agent, question, options)),
    );
};
