/** What every command receives, and how it reports failures. */
import type { Configuration, KeySetting } from '../configuration.js';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { openGateway, type Gateway, type GatewayResult } from '../gateway/gateway.js';
import { formatFailureLines, type RequestFailure } from '../gateway/request-failure.js';
import type { Terminal } from '../terminal/terminal.js';
import { formatFaultLine, type FaultList } from '../workspace/fault-list.js';

const pageMax = 1000;

type Page<Entry> = { readonly entries: readonly Entry[]; readonly next: string | undefined };

export const fetchPages = async <Entry>(
  limit: number,
  fetchPage: (asked: {
    readonly pageSize: number;
    readonly after: string | undefined;
  }) => Promise<GatewayResult<Page<Entry>>>,
): Promise<GatewayResult<readonly Entry[]>> => {
  const entries: Entry[] = [];
  let after: string | undefined;
  do {
    const answer = await fetchPage({ pageSize: Math.min(pageMax, limit - entries.length), after });
    if (!answer.ok) return answer;
    entries.push(...answer.value.entries);
    after = answer.value.next;
  } while (after !== undefined && entries.length < limit);
  return { ok: true, value: entries };
};

export type CommandContext = {
  readonly terminal: Terminal;
  readonly configuration: Configuration;
  /** What is piped into the command. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Aborts when the user interrupts the command. */
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
  return gateway.ok ? work(gateway.value) : reportFailure(context, gateway.refusal);
};

export const reportFailure = ({ terminal }: CommandContext, refusal: RequestFailure): ExitCode => {
  for (const line of formatFailureLines(refusal)) terminal.note(line);
  return refusal.kind === 'interrupted' ? exitCodes.interrupted : exitCodes.server;
};

/** Of a command that a key of a team asks. ADMIN_KEY may do everything for every team, but is of none that has a `thing`. */
export const reportTeamKeyFailure = (
  context: CommandContext,
  refusal: RequestFailure,
  thing: 'model' | 'agent',
): ExitCode => {
  const exitCode = reportFailure(context, refusal);
  const isNotFound = refusal.kind === 'refused' && refusal.problem.status === 404;
  if (isNotFound && context.configuration.apiKey === undefined)
    context.terminal.note(
      `API_KEY is not set, so ADMIN_KEY asked; set API_KEY to a key of the team that has the ${thing}.`,
    );
  return exitCode;
};

export const reportUsageError = ({ terminal }: CommandContext, message: string): ExitCode => {
  terminal.note(`error: ${message}`);
  return exitCodes.usage;
};

/** Every fault and then how many they are; `json` prints them as one document. */
export const reportFaults = ({ terminal }: CommandContext, faultList: FaultList, json: boolean): ExitCode => {
  const faults = faultList.sorted();
  if (json) {
    terminal.print(JSON.stringify({ faults, count: faultList.count }, null, 2));
    return exitCodes.faults;
  }
  for (const fault of faults) terminal.print(formatFaultLine(fault));
  const more = faultList.count - faults.length;
  if (more > 0) terminal.print(`... and ${more} more`);
  terminal.print(faultList.count === 1 ? '1 fault' : `${faultList.count} faults`);
  return exitCodes.faults;
};
