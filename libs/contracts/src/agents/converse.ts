/** One turn of a conversation: a message to the agent, its answer as a whole or as it comes. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../idempotency.js';
import { operation, rendered } from '../operation.js';
import { agentPath, agentPrefix, ChatResponse, draft, Message, turnSecondsRoomMs } from './parts.js';

/** Names of the events of a streamed answer; `data` of each is one JSON document. */
export const turnEvents = {
  /** `{conversationId, turn}`: the message is stored. */
  turn: 'turn',
  /** `{text}`: the next piece of what the model says. */
  text: 'text',
  /** `{callId, tool, arguments}` */
  toolCall: 'tool-call',
  /** `{callId, tool, isError, durationMs}` */
  toolResult: 'tool-result',
  /** The ChatResponse, last. */
  response: 'response',
  /** A Problem, last. */
  error: 'error',
} as const;

export const converse = operation({
  owner: 'agents',
  name: 'agents.converse',
  summary: 'Post a message to an agent',
  description:
    'Without `conversationId` a new conversation begins. A turn may take two minutes. With `Accept: text/event-stream` the answer comes as server-sent events: `turn` first, then `text`, `tool-call` and `tool-result` as they happen, and at the end `response` with the answer, or `error` with a Problem. The turn goes on when its caller leaves; what it answered is read with the conversation, or by sending the same request with the same Idempotency-Key again.',
  scope: 'agents:converse',
  effect: 'announced',
  timeoutMs: turnSecondsRoomMs,
  request: z.strictObject({
    ...agentPath,
    draft,
    ...idempotent,
    message: Message,
    accept: z.string().max(1_000).optional(),
  }),
  reply: rendered(ChatResponse, ['application/json; charset=utf-8', 'text/event-stream']),
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
    path: `${agentPrefix}/conversations`,
    body: 'message',
    headers: { ...idempotencyHeaders, accept: 'accept' },
    isTurn: true,
  },
});
