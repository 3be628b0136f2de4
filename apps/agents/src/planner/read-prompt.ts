/**
 * Prompt of a language model -> the question, earlier questions, and the tool results of this turn. Never takes text of a tool
 * for text of the user.
 */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { isObject, type JsonObject, filterObjects, parseJson, getText } from './json.js';
import { type KnownTools, recogniseTools, recogniseCalledTools } from './recognise-tools.js';

export type ToolCallOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly faults: readonly JsonObject[] };
export type FinishedCall = { readonly tool: string; readonly args: JsonObject; readonly outcome: ToolCallOutcome };

/** `answer`: empty when there was none. */
export type EarlierTurn = { readonly question: string; readonly answer: string };

export type PlannerContext = {
  readonly instructions: string;
  /** Messages of the user before with what was answered, the oldest first. */
  readonly earlier: readonly EarlierTurn[];
  readonly question: string;
  readonly calls: readonly FinishedCall[];
  readonly tools: KnownTools;
  readonly mayCall: boolean;
};

export const readPrompt = (options: LanguageModelV4CallOptions): PlannerContext => {
  const { prompt } = options;
  const asksForm = options.responseFormat?.type === 'json';
  const at = questionPlace(prompt, asksForm);
  const tools = (options.tools ?? []).filter((tool) => tool.type === 'function').filter(onlyReads);
  const question = prompt[at];
  const calls = callsIn(prompt.slice(at + 1));
  const called = recogniseCalledTools(
    calls.map(({ tool, args, outcome }) => ({ tool, args, value: outcome.ok ? outcome.value : undefined })),
  );
  return {
    instructions: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n'),
    earlier: earlierTurnsIn(prompt.slice(0, Math.max(0, at))),
    question: question ? textOf(question) : '',
    calls,
    tools: {
      ...called,
      ...recogniseTools(tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema }))),
    },
    mayCall: options.toolChoice?.type !== 'none' && tools.length > 0,
  };
};

const earlierTurnsIn = (messages: readonly LanguageModelV4Message[]): readonly EarlierTurn[] =>
  messages.flatMap((message, place) => {
    if (message.role !== 'user') return [];
    const next = messages.findIndex(({ role }, other) => other > place && role === 'user');
    const behind = messages.slice(place + 1, next < 0 ? undefined : next);
    const answer = behind.findLast(({ role }) => role === 'assistant');
    return [{ question: textOf(message), answer: answer ? textOf(answer) : '' }];
  });

/** Whatever it looks like: one with an effect is not called unasked. */
const onlyReads = ({ providerOptions }: LanguageModelV4FunctionTool): boolean =>
  providerOptions?.['builtin']?.['isReadOnly'] !== false;

/** A message behind results of tools, or behind the answer whose form is asked for, is of the loop and not a question. */
const questionPlace = (prompt: readonly LanguageModelV4Message[], asksForm: boolean): number => {
  const isOfLoop = (place: number): boolean => {
    const before = prompt.slice(0, place).findLast(({ role }) => role !== 'system')?.role;
    const asked = prompt[place];
    const isAboutForm = asked !== undefined && /json|schema/i.test(textOf(asked));
    return before === 'tool' || (asksForm && before === 'assistant' && isAboutForm);
  };
  const places = prompt.flatMap(({ role }, place) => (role === 'user' ? [place] : []));
  return places.findLast((place) => !isOfLoop(place)) ?? places.at(-1) ?? -1;
};

const textOf = (message: LanguageModelV4Message): string =>
  typeof message.content === 'string'
    ? message.content
    : message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

const callsIn = (messages: readonly LanguageModelV4Message[]): readonly FinishedCall[] => {
  const results = new Map<string, ToolCallOutcome>();
  for (const message of messages)
    if (message.role === 'tool')
      for (const part of message.content)
        if (part.type === 'tool-result') results.set(part.toolCallId, outcomeOf(part.output));
  return messages.flatMap((message) =>
    message.role !== 'assistant'
      ? []
      : message.content.flatMap((part) => {
          const outcome = part.type === 'tool-call' ? results.get(part.toolCallId) : undefined;
          return part.type === 'tool-call' && outcome
            ? [{ tool: part.toolName, args: argsOf(part.input), outcome }]
            : [];
        }),
  );
};

const argsOf = (input: unknown): JsonObject => {
  const value = typeof input === 'string' ? parseJson(input) : input;
  return isObject(value) ? value : {};
};

const outcomeOf = (output: LanguageModelV4ToolResultPart['output']): ToolCallOutcome => {
  switch (output.type) {
    case 'json':
      return readToolOutcome(output.value);
    case 'text':
      return readToolOutcome(parseJson(output.value) ?? output.value);
    case 'error-json':
      return failedOutcome(output.value);
    case 'error-text':
      return failedOutcome(parseJson(output.value) ?? output.value);
    case 'execution-denied':
      return failedOutcome(output.reason ?? '');
    case 'content':
      return readToolOutcome(output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'));
  }
};

/** The result stands inside of JSON that says that it is data; both ways of writing it are read. */
const readToolOutcome = (value: unknown): ToolCallOutcome => {
  if (typeof value === 'string') {
    const inner = parseJson(value);
    return inner === undefined || typeof inner === 'string' ? { ok: true, value } : readToolOutcome(inner);
  }
  if (isObject(value) && isObject(value['error'])) return failedOutcome(value);
  if (isObject(value) && Object.hasOwn(value, 'result')) {
    const { result } = value;
    return { ok: true, value: typeof result === 'string' ? (parseJson(result) ?? result) : result };
  }
  return { ok: true, value };
};

const failedOutcome = (value: unknown): ToolCallOutcome => {
  const error = isObject(value) && isObject(value['error']) ? value['error'] : value;
  if (!isObject(error))
    return { ok: false, message: typeof error === 'string' ? error : '', faults: filterObjects(error) };
  const message = getText(error, 'message') || getText(error, 'detail');
  return { ok: false, message, faults: filterObjects(error['faults'] ?? error['errors']) };
};
