/** Parses the events of a turn; events that this version does not know, and what is no JSON, are skipped. */
import { ChatResponse, turnEvents } from '@tessera/contracts/agents';
import { z } from 'zod';
import { splitLines } from '../files/split-lines.js';
import { parseProblem } from './read-problem.js';
import type { Problem } from './request-failure.js';

type ServerEvent = { readonly name: string; readonly data: string };

const lineBytesMax = 16 * 1024 * 1024;
const fieldPattern = /^(?<name>event|data)(?:: ?(?<value>.*?))?\r?$/s;

/** Throws when the bytes break off. */
export const readServerEvents = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let name = 'message';
  let data: string[] = [];
  for await (const line of splitLines(bytes, lineBytesMax)) {
    const text = decoder.decode(line.bytes);
    if (text === '' || text === '\r') {
      if (data.length > 0) yield { name, data: data.join('\n') };
      [name, data] = ['message', []];
      continue;
    }
    const { name: member, value = '' } = fieldPattern.exec(text)?.groups ?? {};
    if (member === 'event') name = value;
    if (member === 'data') data.push(value);
  }
};

export type TurnEvent =
  | { readonly kind: 'turn'; readonly conversationId: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'toolCall'; readonly tool: string; readonly given: unknown }
  | { readonly kind: 'toolResult'; readonly tool: string; readonly isError: boolean; readonly durationMs: number }
  | { readonly kind: 'response'; readonly response: ChatResponse }
  | { readonly kind: 'error'; readonly problem: Problem };

const Turn = z.object({ conversationId: z.string() });
const Text = z.object({ text: z.string() });
const ToolCall = z.object({ tool: z.string(), arguments: z.unknown() });
const ToolResult = z.object({ tool: z.string(), isError: z.boolean(), durationMs: z.number() });

/** Undefined for what is none of a turn's events. */
export const parseTurnEvent = ({ name, data: text }: ServerEvent): TurnEvent | undefined => {
  const data = jsonIn(text);
  switch (name) {
    case turnEvents.turn:
      return parseEventData(Turn, data, ({ conversationId }) => ({ kind: 'turn', conversationId }));
    case turnEvents.text:
      return parseEventData(Text, data, (piece) => ({ kind: 'text', ...piece }));
    case turnEvents.toolCall:
      return parseEventData(ToolCall, data, ({ tool, arguments: given }) => ({ kind: 'toolCall', tool, given }));
    case turnEvents.toolResult:
      return parseEventData(ToolResult, data, (result) => ({ kind: 'toolResult', ...result }));
    case turnEvents.response:
      return parseEventData(ChatResponse, data, (response) => ({ kind: 'response', response }));
    case turnEvents.error:
      return { kind: 'error', problem: parseProblem(data) };
    default:
      return undefined;
  }
};

const parseEventData = <Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
  eventOf: (value: z.output<Schema>) => TurnEvent,
): TurnEvent | undefined => {
  const parsed = schema.safeParse(data);
  return parsed.success ? eventOf(parsed.data) : undefined;
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
