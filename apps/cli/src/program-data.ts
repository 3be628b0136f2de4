import { type Command, Option } from 'commander';
import type { AskOptions } from './commands/ask.js';
import type { CommandContext } from './commands/command.js';
import type { VerifyEvidenceOptions } from './commands/evidence.js';
import type { EvalOptions } from './commands/eval.js';
import type { ExplainOptions } from './commands/explain.js';
import type { LoadOptions } from './commands/load.js';
import type { QueryOptions } from './commands/query-options.js';
import type { ListToolCallsOptions } from './commands/tool-calls.js';
import type { ExitCode } from './exit-code.js';

export type ExitCodeRecorder = (ending: Promise<ExitCode> | ExitCode) => Promise<void>;

/** `at`: the absolute path of one that was given on the command line. */
export type AddCommands = (
  parent: Command,
  context: CommandContext,
  run: ExitCodeRecorder,
  at: (path: string) => string,
) => void;

/** Kinds of things that `tessera delete` deletes. */
export const deletableKinds = ['table', 'model', 'asset', 'agent'] as const;
export type DeletableKind = (typeof deletableKinds)[number];

export const jsonOption = ['--json', 'print the result as JSON'] as const;

export const addToolCommands: AddCommands = (tools, context, run, at) => {
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
    .option(...jsonOption)
    .action((options: ListToolCallsOptions & { readonly workspace: string }) =>
      run(
        import('./commands/tool-calls.js').then(({ listToolCallsCommand: toolCallsCommand }) =>
          toolCallsCommand(context, at(options.workspace), options),
        ),
      ),
    );
};

export const addAgentCommands: AddCommands = (program, context, run, at) => {
  program
    .command('eval <dir>')
    .description('ask an agent the questions of *.eval.yaml whose truth is known, and tell which answers are right')
    .option('--agent <agent>', 'this agent instead of the one that a file names')
    .option('--draft', 'ask the draft of the agent')
    .option('--min-right <percent>', 'end with 1 when fewer answers are right')
    .option('--max-wrong <percent>', 'end with 1 when more answers are wrong')
    .option(...jsonOption)
    .action((dir: string, options: EvalOptions) =>
      run(import('./commands/eval.js').then(({ evalCommand }) => evalCommand(context, at(dir), options))),
    );
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
      run(import('./commands/ask.js').then(({ askCommand }) => askCommand(context, agent, question, options))),
    );
};

const collectValues = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

export const addDataCommands: AddCommands = (program, context, run, at) => {
  program
    .command('load [table] [file]')
    .description(
      'load a CSV or JSON Lines file into a table (schema.table), - is the standard input; all tables when none is named',
    )
    .option('--workspace <dir>', 'the folder that names the team and has the file of the definition', '.')
    .option('--team <team>', 'the team; the one of the workspace when it is left out')
    .option('--append', 'keep the rows that are there')
    .option('--upsert', 'change the columns of the file in rows with its keys, add rows with new keys, keep all others')
    .option('--delete', 'delete the rows whose primary keys the file has')
    .option('--undo', 'bring back the rows that the table had before its last load')
    .option('--allow-shrink', 'also when the table has fewer than half of its rows afterwards')
    .option('--rows-min <rows>', 'rows that the table must have afterwards, in place of half of those before')
    .addOption(new Option('--format <format>', 'how rows are written').choices(['csv', 'jsonl']))
    .option('--delimiter <character>', 'what stands between values; a comma when nothing else is said')
    .option('--null <text>', 'what stands for no value; nothing when nothing else is said')
    .option('--no-header', 'the first line holds values already, in the order of the definition')
    .option(...jsonOption)
    .action(
      (table: string | undefined, file: string | undefined, options: LoadOptions & { readonly workspace: string }) =>
        run(
          import('./commands/load.js').then(({ loadCommand }) =>
            loadCommand(context, {
              table,
              file: file === undefined || file === '-' ? file : at(file),
              root: at(options.workspace),
              options,
            }),
          ),
        ),
    );
  withQuestion(program.command('query <model>'))
    .description('ask a knowledge model with the key API_KEY, or ADMIN_KEY when there is none')
    .action((model: string, options: QueryOptions) =>
      run(import('./commands/query.js').then(({ queryCommand }) => queryCommand(context, model, options))),
    );
  withQuestion(program.command('explain <model>'))
    .description('tell how a question would be answered: SQL, policies, estimated cost; never data')
    .requiredOption('--team <team>', 'the team of the model')
    .option('--draft', 'by the draft of the model')
    .option('--scope <scope>', 'as a caller with this scope; may be repeated', collectValues)
    .option('--attribute <name=value>', 'as a caller with this attribute; may be repeated', collectValues)
    .action((model: string, options: ExplainOptions) =>
      run(import('./commands/explain.js').then(({ explainCommand }) => explainCommand(context, model, options))),
    );
};

export const addEvidenceCommands: AddCommands = (evidence, context, run, at) => {
  evidence
    .command('export <id>')
    .description('print a record of evidence with its signature, as the key API_KEY may read it')
    .action((id: string) =>
      run(import('./commands/evidence.js').then(({ exportEvidenceCommand }) => exportEvidenceCommand(context, id))),
    );
  evidence
    .command('verify <file>')
    .description('check an exported record without the platform; says what is wrong when it was changed')
    .option('--keys <keys>', 'a file or an address with the public keys; those of GATEWAY_URL when it is left out')
    .option('--rows <file>', 'the saved answer, whose rows are compared')
    .action((file: string, options: VerifyEvidenceOptions) =>
      run(
        import('./commands/evidence.js').then(({ verifyEvidenceCommand }) =>
          verifyEvidenceCommand(context, { file, at }, options),
        ),
      ),
    );
};

const withQuestion = (command: Command): Command =>
  command
    .option('--record <record>', 'rows of this record; fields are then called without it')
    .option('--fields <fields>', 'fields, separated by commas; all of the record when left out')
    .option('--kpis <kpis>', 'KPIs, separated by commas, over the fields')
    .option('--filter <filter>', 'a filter of the model; may be repeated', collectValues)
    .option('--where <expression>', "a condition such as COUNTRY eq 'DE'; may be repeated", collectValues)
    .option('--sort <fields>', 'what to sort by, separated by commas; - in front for descending')
    .option('--page <page>', 'the page, from 0')
    .option('--page-size <rows>', 'rows of a page; 50 when left out')
    .option('--distinct', 'no row twice')
    .option('--no-total', 'do not count the rows that match')
    .option('--search <term>', 'rows in which a text is similar to this')
    .option('--search-fields <fields>', 'the fields to search; all texts when left out')
    .option('--search-precision <percent>', 'how similar; 100 when it has to contain the term, 80 when left out')
    .option(...jsonOption);
