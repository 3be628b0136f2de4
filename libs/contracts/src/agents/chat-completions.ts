/**
 * An agent for clients of the chat completions protocol. Its shapes are the protocol's own; what an agent decides by itself is
 * refused where a client relies on it, and passed over where it does not. `ignored` names what was passed over.
 */
import { z } from 'zod';
import { idempotencyHeaders, idempotencyParameter, operation, renderedReply } from '../operation.js';
import { evidenceHeaders } from '../preferences.js';
import {
  agentByIdPrefix,
  agentPathParameters,
  draftParameter,
  Grounding,
  groundingParameter,
  noQuestion,
  turnTimeoutMs,
} from './parts.js';

const completionMessagesMax = 2_000;

/** A value that the protocol has and an agent takes one of; `why` is what a caller is told about any other. */
const only = <Schema extends z.ZodType>(schema: Schema, values: readonly unknown[], why: string) =>
  schema
    .refine((value) => values.includes(value), why)
    .nullable()
    .optional();

/** Members that are taken and have no effect, by their names. */
const passedOver = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, z.unknown().optional()]));

const TextPart = z.strictObject({
  type: z.string().refine((type) => type === 'text', 'expected "text": an agent reads no other parts'),
  text: z.string(),
  ...passedOver(['annotations', 'cache_control']),
});

const CompletionMessage = z
  .strictObject({
    role: z.enum(['system', 'developer', 'user', 'assistant']),
    content: z
      .union([z.string(), z.array(TextPart).max(100)], 'expected a text, or a list of text parts')
      .nullable()
      .optional()
      .describe('Nothing was said where it is null or absent.'),
    ...passedOver(['name', 'refusal', 'annotations', 'audio', 'tool_calls', 'function_call', 'id']),
    ...passedOver(['reasoning', 'reasoning_content', 'reasoning_details', 'cache_control']),
  })
  .meta({ id: 'CompletionMessage' });

/** Settings of models that the protocol, or servers that speak it, have; those of an agent are its owner's. */
export const passedOverSettings: readonly string[] = [
  'audio frequency_penalty function_call logit_bias max_completion_tokens max_tokens moderation parallel_tool_calls prediction',
  'presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort safety_identifier seed',
  'service_tier stop store temperature top_logprobs top_p verbosity web_search_options',
  'best_of cache_prompt chat_template_kwargs enable_thinking extra_body ignore_eos include_reasoning keep_alive length_penalty',
  'min_p min_tokens mirostat num_ctx options plugins provider reasoning repeat_penalty repetition_penalty route think thinking',
  'top_a top_k transforms typical_p usage',
].flatMap((names) => names.split(' '));

const noTools = z
  .array(z.unknown())
  .refine(({ length }) => length === 0, 'expected none: an agent has tools of its own, and calls none of its caller')
  .nullable()
  .optional();

export const CompletionRequest = z
  .strictObject({
    model: z.string().min(1).max(200).describe('The id of the agent, which the address names too.'),
    messages: z
      .array(CompletionMessage, { error: ({ input }) => (input === undefined ? noQuestion : undefined) })
      .min(1, noQuestion)
      .max(completionMessagesMax)
      .describe(
        'The last one is asked. Those before it are what was said so far, unless the conversation is named; messages of the roles system and developer are passed over.',
      ),
    stream: z.boolean().nullable().optional().describe('The answer comes as server-sent events.'),
    stream_options: z
      .strictObject({ include_usage: z.boolean().nullable().optional(), ...passedOver(['include_obfuscation']) })
      .nullable()
      .optional()
      .describe('`include_usage`: the last event tells the tokens.'),
    metadata: z
      .looseObject({ conversation_id: z.string().min(1).max(200).optional() })
      .nullable()
      .optional()
      .describe('`conversation_id`: goes on with this conversation, whose messages the agent has.'),
    user: z
      .string()
      .max(200)
      .nullable()
      .optional()
      .describe(
        '`conversation:` and the id of a conversation, for clients without metadata; anything else is passed over.',
      ),
    tools: noTools,
    functions: noTools,
    tool_choice: only(z.unknown(), ['none', 'auto'], 'expected "none" or "auto": the tools are those of the agent'),
    n: only(z.int(), [1], 'expected 1: an agent gives one answer'),
    response_format: z
      .strictObject({
        type: z.string().refine((type) => type === 'text', 'expected "text": the output schema is the agent\'s own'),
        ...passedOver(['json_schema', 'schema']),
      })
      .nullable()
      .optional(),
    modalities: z
      .array(z.string())
      .refine((all) => all.every((each) => each === 'text'), 'expected "text" alone')
      .nullable()
      .optional(),
    logprobs: only(z.boolean(), [false], 'expected false: an agent has no probabilities'),
    ...passedOver(passedOverSettings),
  })
  .meta({ id: 'CompletionRequest' });
export type CompletionRequest = z.output<typeof CompletionRequest>;

export const finishReasons = ['stop', 'length', 'content_filter'] as const;

const CompletionUsage = z
  .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
  .meta({ id: 'CompletionUsage' });

/** What the protocol has no place for. */
const CompletionExtras = z
  .object({
    structuredOutput: z.record(z.string(), z.unknown()).optional(),
    structuredOutputFault: z.string().optional(),
    grounding: Grounding.optional().describe('With `Prefer: evidence`.'),
    ignored: z.array(z.string()).optional().describe('The members of the request that had no effect.'),
  })
  .meta({ id: 'CompletionExtras' });

export const ChatCompletion = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int().describe('Seconds since 1970.'),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
        finish_reason: z
          .enum(finishReasons)
          .describe('`length`: a limit ended the turn; `content_filter`: the answer was withheld.'),
        logprobs: z.null(),
      }),
    ),
    usage: CompletionUsage,
    metadata: z.object({
      conversation_id: z.string().describe('Send it in `metadata` to go on with the conversation.'),
      turn: z.string(),
    }),
    tessera: CompletionExtras.optional(),
  })
  .meta({ id: 'ChatCompletion' });
export type ChatCompletion = z.output<typeof ChatCompletion>;
export type CompletionExtras = z.output<typeof CompletionExtras>;

const completionsPrefix = `${agentByIdPrefix}/v1`;

export const completeChat = operation({
  owner: 'agents',
  name: 'agents.completions.create',
  summary: 'Ask an agent by the chat completions protocol',
  description:
    'A client library of that protocol takes `.../agents/{agent_id}/v1` for its base address and a key or token of the platform for its API key. Without `metadata.conversation_id` (or `user`) a new conversation begins. The instructions, the tools and the output schema are those of the agent: messages of the roles system and developer, and settings of the model, are passed over and named in `tessera.ignored`; tools, other formats and several answers are refused. With `stream: true` the answer comes as server-sent events: chunks as in the protocol, and `[DONE]`; a failure is an event with an error object.',
  scope: 'agents:converse',
  effect: 'announced',
  timeoutMs: turnTimeoutMs,
  request: z.strictObject({
    ...agentPathParameters,
    draft: draftParameter,
    ...idempotencyParameter,
    completion: CompletionRequest,
    ...groundingParameter,
  }),
  reply: renderedReply(ChatCompletion),
  failures: [
    'AGENT_NOTFOUND',
    'AGENT_CONVERSATION_NOTFOUND',
    'AGENT_CONVERSATION_BUSY',
    'AGENT_MODEL_UNAVAILABLE',
    'GENERAL_IDEMPOTENCY_MISMATCH',
    'GENERAL_IDEMPOTENCY_RUNNING',
  ],
  http: {
    group: 'C',
    method: 'post',
    path: `${completionsPrefix}/chat/completions`,
    body: 'completion',
    hasLargeBody: true,
    headers: { ...idempotencyHeaders, ...evidenceHeaders },
    isTurn: true,
    isCompletion: true,
  },
});

const CompletionModel = z
  .object({
    id: z.string().describe('The id of the agent.'),
    object: z.literal('model'),
    created: z.int().describe('Always 0: an agent has versions.'),
    owned_by: z.string().describe('The team.'),
  })
  .meta({ id: 'CompletionModel' });

const modelsPath = `${completionsPrefix}/models`;

export const listCompletionModels = operation({
  owner: 'agents',
  name: 'agents.completions.models',
  summary: 'List the agent as a model of the chat completions protocol',
  scope: 'agents:converse',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...agentPathParameters, draft: draftParameter }),
  reply: z.object({ object: z.literal('list'), data: z.array(CompletionModel) }),
  failures: ['AGENT_NOTFOUND'],
  http: { group: 'C', method: 'get', path: modelsPath, isCompletion: true },
});

export const readCompletionModel = operation({
  owner: 'agents',
  name: 'agents.completions.model',
  summary: 'Read the agent as a model of the chat completions protocol',
  scope: 'agents:converse',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...agentPathParameters,
    model_id: z.string().min(1).max(200).describe('The id of the agent, which the address names too.'),
    draft: draftParameter,
  }),
  reply: CompletionModel,
  failures: ['AGENT_NOTFOUND'],
  http: { group: 'C', method: 'get', path: `${modelsPath}/{model_id}`, isCompletion: true },
});
