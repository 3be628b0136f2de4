/** Parses the events of a turn; events that this version does not know, and what is no JSON, are skipped. */
import { ChatResponse, turnEvents } from '@tessera/contracts/agents';
import { z } from 'zod';
import { problemIn } from './read-problem.js';
import type { ServerEvent } from './read-events.js';
import type { Problem } from './refusal.js';

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
export const turnEventOf = ({ name, data: text }: ServerEvent): TurnEvent | undefined => {
  const data = jsonIn(text);
  switch (name) {
    case turnEvents.turn:
      return as(Turn, data, ({ conversationId }) => ({ kind: 'turn', conversationId }));
    case turnEvents.text:
      return as(Text, data, (piece) => ({ kind: 'text', ...piece }));
    case turnEvents.toolCall:
      return as(ToolCall, data, ({ tool, arguments: given }) => ({ kind: 'toolCall', tool, given }));
    case turnEvents.toolResult:
      return as(ToolResult, data, (result) => ({ kind: 'toolResult', ...result }));
    case turnEvents.response:
      return as(ChatResponse, data, (response) => ({ kind: 'response', response }));
    case turnEvents.error:
      return { kind: 'error', problem: problemIn(data) };
    default:
      return undefined;
  }
};

const as = <Schema extends z.ZodType>(
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
