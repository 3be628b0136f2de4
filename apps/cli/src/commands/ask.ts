/**
 * `tessera ask AGENT "question"`: one turn of a conversation, written as it arrives. Never repeats a question: a turn
 * continues without its client.
 */
import { parseWith } from '@tessera/contracts';
import { converse, type ChatResponse } from '@tessera/contracts/agents';
import { exitCodes, type ExitCode } from '../exit-code.js';
import type { Gateway } from '../gateway/gateway.js';
import type { RequestFailure } from '../gateway/request-failure.js';
import { parseTurnEvent, type TurnEvent, readServerEvents } from '../gateway/turn-events.js';
import {
  reportUsageError,
  reportFailure,
  reportTeamKeyFailure,
  withGateway,
  type CommandContext,
  type JsonOption,
} from './command.js';

export type AskOptions = JsonOption & {
  readonly conversation?: string;
  readonly draft?: boolean;
  readonly verbose?: boolean;
};

export const askCommand = (
  context: CommandContext,
  agent: string,
  question: string,
  options: AskOptions,
): Promise<ExitCode> | ExitCode => {
  const { conversation, draft = false } = options;
  const message = { message: question, ...(conversation !== undefined && { conversationId: conversation }) };
  const request = parseWith(converse.request, { agent_id: agent, draft, message, accept: 'text/event-stream' }, '');
  if (!request.ok)
    return reportUsageError(
      context,
      request.faults.map((fault) => `${argumentName(fault.path)}: ${fault.message}`).join('; '),
    );
  return withGateway(
    context,
    async (gateway) => {
      const answer = await gateway.stream(converse, request.value);
      if (!answer.ok) return reportTeamKeyFailure(context, answer.refusal, 'agent');
      return followTurn(context, gateway, answer.value, options);
    },
    ['API_KEY', 'ADMIN_KEY'],
  );
};

const argumentName = (path: string): string => {
  if (path.startsWith('message.conversationId')) return '--conversation';
  return path.startsWith('message') ? 'question' : 'agent';
};

const followTurn = async (
  context: CommandContext,
  gateway: Gateway,
  bytes: AsyncIterable<Uint8Array>,
  options: AskOptions,
): Promise<ExitCode> => {
  const { terminal } = context;
  const shown = openTurnPrinter(context, options);
  let conversation: string | undefined;
  const breakOff = (refusal: RequestFailure): ExitCode => {
    shown.endLine();
    const exitCode = reportFailure(context, refusal);
    if (conversation !== undefined)
      terminal.note(`The question is kept; go on with it by --conversation ${conversation}`);
    return exitCode;
  };
  try {
    for await (const event of readServerEvents(bytes)) {
      const parsed = parseTurnEvent(event);
      if (parsed?.kind === 'turn') conversation = parsed.conversationId;
      else if (parsed?.kind === 'error') return breakOff(gateway.refusalFor(parsed.problem));
      else if (parsed?.kind === 'response') return printAnswer(context, shown, parsed.response, options);
      else if (parsed) shown.show(parsed);
    }
  } catch (error) {
    return breakOff(gateway.refusalOf(error));
  }
  return breakOff(gateway.refusalOf(undefined));
};

const printAnswer = (
  { terminal }: CommandContext,
  shown: TurnPrinter,
  response: ChatResponse,
  { json = false }: AskOptions,
): ExitCode => {
  if (json) terminal.print(JSON.stringify(response, null, 2));
  else shown.complete(response.text);
  terminal.note(`to go on: --conversation ${response.conversationId}`);
  return exitCodes.done;
};

type TurnPrinter = {
  readonly show: (event: Extract<TurnEvent, { kind: 'text' | 'toolCall' | 'toolResult' }>) => void;
  /** What the answer has beyond what came piece by piece. */
  readonly complete: (text: string) => void;
  readonly endLine: () => void;
};

/** The answer is what came since the last call of a tool. */
const openTurnPrinter = ({ terminal }: CommandContext, { json = false, verbose = false }: AskOptions): TurnPrinter => {
  let sinceCall = '';
  const write = (piece: string): void => {
    if (!json) terminal.write(piece);
    sinceCall += piece;
  };
  const endLine = (): void => {
    if (sinceCall !== '' && !sinceCall.endsWith('\n')) write('\n');
    sinceCall = '';
  };
  return {
    endLine,
    complete: (text) => {
      if (!text.startsWith(sinceCall)) endLine();
      write(text.slice(sinceCall.length));
      endLine();
    },
    show: (event) => {
      switch (event.kind) {
        case 'text':
          return write(event.text);
        case 'toolCall':
          endLine();
          return verbose
            ? terminal.note(`calls ${event.tool} ${shortenText(JSON.stringify(event.given) ?? '')}`)
            : undefined;
        case 'toolResult':
          if (verbose)
            terminal.note(
              `${event.tool} ${event.isError ? 'failed' : 'answered'} in ${event.durationMs.toFixed(0)} ms`,
            );
      }
    },
  };
};

const argumentsLengthMax = 300;
const shortenText = (text: string): string =>
  text.length > argumentsLengthMax ? `${text.slice(0, argumentsLengthMax)}...` : text;
