/**
 * What of a conversation fits the context of a model. Instructions, tools and the new message always stay; then this turn (its
 * oldest results go first), then the newest earlier turns. A token is estimated as three bytes of UTF-8.
 */
import type { TurnState } from '@tessera/contracts/agents';
import type { Model, ModelMessage, ModelTool } from '../models/model.js';
import { omittedResult } from './tool-value.js';

/** A turn before: `answer` is null when there was none. */
export type PastTurn = { readonly message: string; readonly answer: string | null; readonly state: TurnState };

export const bytesOf = (history: readonly PastTurn[]): number =>
  history.reduce((sum, { message, answer }) => sum + Buffer.byteLength(message) + Buffer.byteLength(answer ?? ''), 0);

/** The newest turns that have so many bytes together. */
export const newestWithin = (history: readonly PastTurn[], bytesMax: number): readonly PastTurn[] => {
  let left = bytesMax;
  const oldest = history.findLastIndex((turn) => (left -= bytesOf([turn])) < 0);
  return history.slice(oldest + 1);
};

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3);

export type ContextWindowParts = {
  readonly model: Pick<Model, 'contextTokens' | 'outputTokens'>;
  readonly system: ModelMessage;
  readonly tools: readonly ModelTool[];
  readonly history: readonly PastTurn[];
  /** The new message, and what followed it. */
  readonly said: readonly ModelMessage[];
};

export const fitContextWindow = ({
  model,
  system,
  tools,
  history,
  said,
}: ContextWindowParts): readonly ModelMessage[] => {
  const always = tokensOf(system) + tokensOfTools(tools);
  const room = readableTokens(model) - always;
  const current = leaveOutResults(said, room);
  return [system, ...newestThatFit(history, room - sumOf(current)), ...current];
};

/** What the answer needs is not there to be read; half of the window is, whatever the definition says. */
const readableTokens = ({ contextTokens, outputTokens }: ContextWindowParts['model']): number =>
  Math.max(contextTokens - outputTokens, Math.floor(contextTokens / 2));

const leaveOutResults = (said: readonly ModelMessage[], room: number): readonly ModelMessage[] => {
  let excess = sumOf(said) - room;
  if (excess <= 0) return said;
  return said.map((message) => {
    if (excess <= 0 || message.role !== 'tool') return message;
    const short = { ...message, json: omittedResult };
    const gained = tokensOf(message) - tokensOf(short);
    if (gained <= 0) return message;
    excess -= gained;
    return short;
  });
};

const newestThatFit = (history: readonly PastTurn[], room: number): readonly ModelMessage[] => {
  const fitting: ModelMessage[] = [];
  let left = room;
  for (const turn of history.toReversed()) {
    const pair = messagesOf(turn);
    left -= sumOf(pair);
    if (left < 0) break;
    fitting.unshift(...pair);
  }
  return fitting;
};

const messagesOf = ({ message, answer, state }: PastTurn): readonly ModelMessage[] => [
  { role: 'user', text: message },
  { role: 'assistant', text: state === 'completed' && answer !== null ? answer : noAnswerText, calls: [] },
];

const noAnswerText = '(This message was not answered: the turn was cut off.)';

const sumOf = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOf(message), 0);

/** What stands around a message at its endpoint. */
const tokensPerMessage = 4;

const countedTools = new WeakMap<readonly ModelTool[], number>();

/** Schemas of tools over a large model are long, and the same at each step of a turn. */
const tokensOfTools = (tools: readonly ModelTool[]): number => {
  const known = countedTools.get(tools);
  if (known !== undefined) return known;
  const tokens = tools.length > 0 ? estimateTokens(JSON.stringify(tools)) : 0;
  countedTools.set(tools, tokens);
  return tokens;
};

const tokensByMessage = new WeakMap<ModelMessage, number>();

const tokensOf = (message: ModelMessage): number => {
  const known = tokensByMessage.get(message);
  if (known !== undefined) return known;
  const tokens = tokensPerMessage + estimateTokens(textOf(message));
  tokensByMessage.set(message, tokens);
  return tokens;
};

const textOf = (message: ModelMessage): string => {
  switch (message.role) {
    case 'system':
    case 'user':
      return message.text;
    case 'assistant':
      return message.text + message.calls.map((call) => call.callId + call.tool + call.arguments).join('');
    case 'tool':
      return message.callId + message.tool + message.json;
  }
};
