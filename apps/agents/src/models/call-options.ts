/** A model request as AI SDK call options. System messages come first and roles alternate, as some models require. */
import type {
  JSONSchema7,
  JSONValue,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import { z } from 'zod';
import type { JsonObject, ModelMessage, ModelRequest, ModelTool } from './model.js';

/** Both are JSON when they come here; the types of the SDK say so, ours do not. */
const asJson = z.custom<JSONValue>();
const asSchema = z.custom<JSONSchema7>();

export type CallSettings = {
  readonly outputTokens: number;
  readonly temperature?: number | undefined;
  /** Whether it takes messages as they stand, and reads the schema of its output itself. */
  readonly takesAll?: boolean | undefined;
  /** Whether results of tools are sent to it as objects, not as their JSON text. */
  readonly readsObjects?: boolean | undefined;
};

/** `isPlain`: the schema of the output is told in words alone, for endpoints that take none. */
export const buildCallOptions = (
  { messages, tools, mayCall, outputSchema }: ModelRequest,
  { outputTokens, temperature, takesAll = false, readsObjects = false }: CallSettings,
  { signal, isPlain = false }: { readonly signal: AbortSignal; readonly isPlain?: boolean },
): LanguageModelV4CallOptions => {
  const extended = takesAll || outputSchema === undefined ? messages : [...messages, schemaMessage(outputSchema)];
  const prompt = extended.map((message) => messageOf(message, readsObjects));
  return {
    prompt: takesAll ? prompt : inOrder(prompt),
    maxOutputTokens: outputTokens,
    abortSignal: signal,
    ...(temperature !== undefined && { temperature }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => toolOf(tool, takesAll)),
      toolChoice: { type: mayCall ? 'auto' : 'none' },
    }),
    ...(outputSchema !== undefined &&
      !isPlain && {
        responseFormat: { type: 'json', schema: asSchema.parse(outputSchema) },
        // Strict endpoints take few schemas, and what comes is checked anyway.
        providerOptions: { endpoint: { strictJsonSchema: false } },
      }),
  };
};

/** Endpoints that hold a model to a schema do not always show it. */
const schemaMessage = (schema: JsonObject): ModelMessage => ({
  role: 'user',
  text: `The JSON Schema that your answer has to fit: ${JSON.stringify(schema)}`,
});

/** Only our own knows what it may call without being asked to. */
const toolOf = (
  { name, description, inputSchema, isReadOnly = false }: ModelTool,
  isOwn: boolean,
): LanguageModelV4FunctionTool => ({
  ...{ type: 'function', name, description },
  inputSchema: asSchema.parse(inputSchema),
  ...(isOwn && { providerOptions: { builtin: { isReadOnly } } }),
});

const inOrder = (messages: readonly LanguageModelV4Message[]): LanguageModelV4Message[] => {
  const prompt: LanguageModelV4Message[] = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    // Where a system speaks later it is for the newest message.
    const next: LanguageModelV4Message =
      message.role === 'system' && last !== undefined && last.role !== 'system'
        ? { role: 'user', content: [{ type: 'text', text: message.content }] }
        : message;
    const joined = last === undefined ? undefined : mergeMessages(last, next);
    if (joined === undefined) prompt.push(next);
    else prompt.splice(-1, 1, joined);
  }
  return prompt;
};

/** One message in place of two of the same role. */
const mergeMessages = (
  one: LanguageModelV4Message,
  next: LanguageModelV4Message,
): LanguageModelV4Message | undefined => {
  if (one.role === 'system' && next.role === 'system')
    return { role: 'system', content: `${one.content}\n\n${next.content}` };
  if (one.role === 'tool' && next.role === 'tool') return { role: 'tool', content: [...one.content, ...next.content] };
  if (one.role === 'user' && next.role === 'user')
    return { role: 'user', content: [{ type: 'text', text: [...textsOf(one), ...textsOf(next)].join('\n\n') }] };
  return undefined;
};

const textsOf = ({ content }: Extract<LanguageModelV4Message, { role: 'user' }>): readonly string[] =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : []));

const messageOf = (message: ModelMessage, readsObjects: boolean): LanguageModelV4Message => {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text', text: message.text } as const]),
          ...message.calls.map(
            ({ callId, tool, arguments: given }) =>
              ({ type: 'tool-call', toolCallId: callId, toolName: tool, input: argumentsOf(given) }) as const,
          ),
        ],
      };
    case 'tool': {
      const { callId, tool, json } = message;
      const output = readsObjects
        ? ({ type: 'json', value: asJson.parse(JSON.parse(json)) } as const)
        : ({ type: 'text', value: json } as const);
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId: callId, toolName: tool, output }] };
    }
  }
};

/** Providers take an object; what was none was answered with what is wrong with it. */
const argumentsOf = (text: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
};
