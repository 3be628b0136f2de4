/** What every command receives, and how it reports failures. */
import type { Configuration, KeySetting } from '../configuration.js';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { openGateway, type Gateway } from '../gateway/gateway.js';
import { refusalLines, type Refusal } from '../gateway/refusal.js';
import { faultLine, type FaultBook } from '../workspace/fault-book.js';
import type { Terminal } from '../terminal/terminal.js';

export type CommandContext = {
  readonly terminal: Terminal;
  readonly configuration: Configuration;
  /** What is piped into the command. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Fires when the person does not want to wait any longer. */
  readonly stopping: AbortSignal;
};

export type JsonOption = { readonly json?: boolean };

/** Runs `work` with the gateway; without one it says what is missing. The first key that is set is used. */
export const withGateway = async (
  context: CommandContext,
  work: (gateway: Gateway) => Promise<ExitCode>,
  keys: readonly KeySetting[] = ['ADMIN_KEY'],
): Promise<ExitCode> => {
  const gateway = openGateway(context.configuration, context.stopping, keys);
  return gateway.ok ? work(gateway.value) : refuse(context, gateway.refusal);
};

export const refuse = ({ terminal }: CommandContext, refusal: Refusal): ExitCode => {
  for (const line of refusalLines(refusal)) terminal.note(line);
  return refusal.kind === 'interrupted' ? exitCodes.interrupted : exitCodes.server;
};

/** Of a command that a key of a team asks. ADMIN_KEY may do everything for every team, but is of none that has a `thing`. */
export const refuseAsTeam = (context: CommandContext, refusal: Refusal, thing: 'model' | 'agent'): ExitCode => {
  const exitCode = refuse(context, refusal);
  const isNotFound = refusal.kind === 'refused' && refusal.problem.status === 404;
  if (isNotFound && context.configuration.apiKey === undefined)
    context.terminal.note(
      `API_KEY is not set, so ADMIN_KEY asked; set API_KEY to a key of the team that has the ${thing}.`,
    );
  return exitCode;
};

export const misuse = ({ terminal }: CommandContext, message: string): ExitCode => {
  terminal.note(`error: ${message}`);
  return exitCodes.usage;
};

/** Every fault and then how many they are; `json` prints them as one document. */
export const reportFaults = ({ terminal }: CommandContext, book: FaultBook, json: boolean): ExitCode => {
  const faults = book.sorted();
  if (json) {
    terminal.print(JSON.stringify({ faults, count: book.count }, null, 2));
    return exitCodes.faults;
  }
  for (const fault of faults) terminal.print(faultLine(fault));
  const more = book.count - faults.length;
  if (more > 0) terminal.print(`... and ${more} more`);
  terminal.print(book.count === 1 ? '1 fault' : `${book.count} faults`);
  return exitCodes.faults;
};
