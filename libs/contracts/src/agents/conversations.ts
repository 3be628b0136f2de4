import { z } from 'zod';
import { idempotencyHeaders, idempotencyParameter, operation, renderedReply } from '../operation.js';
import { evidenceHeaders } from '../preferences.js';
import {
  agentPathParameters,
  agentByIdPrefix,
  ChatResponse,
  Conversation,
  conversationPathParameters,
  draftParameter,
  groundingParameter,
  Message,
  Turn,
  turnTimeoutMs,
} from './parts.js';

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
  /** The Grounding of the answer, when it has figures: after its last `text`. */
  grounding: 'grounding',
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
    'Without `conversationId` a new conversation begins. A turn may take two minutes. With `Accept: text/event-stream` the answer comes as server-sent events: `turn` first, then `text`, `tool-call` and `tool-result` as they happen, `grounding` when the answer has figures, and at the end `response` with the answer, or `error` with a Problem. The turn goes on when its caller leaves; what it answered is read with the conversation, or by sending the same request with the same Idempotency-Key again.',
  scope: 'agents:converse',
  effect: 'announced',
  timeoutMs: turnTimeoutMs,
  request: z.strictObject({
    ...agentPathParameters,
    draft: draftParameter,
    ...idempotencyParameter,
    message: Message,
    accept: z.string().max(1_000).optional(),
    ...groundingParameter,
  }),
  reply: renderedReply(ChatResponse, ['application/json; charset=utf-8', 'text/event-stream']),
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
    path: `${agentByIdPrefix}/conversations`,
    body: 'message',
    headers: { ...idempotencyHeaders, accept: 'accept', ...evidenceHeaders },
    isTurn: true,
  },
});

export const listConversations = operation({
  owner: 'agents',
  name: 'agents.conversations.list',
  summary: 'List your conversations with an agent',
  scope: 'agents:converse',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...agentPathParameters,
    pageSize: z.int().min(1).max(1_000).default(50).describe('Conversations in a page; the newest come first.'),
    after: z.guid().optional().describe('Continues after the page that answered this as `next`.'),
  }),
  reply: z.object({
    conversations: z.array(Conversation),
    next: z.guid().optional().describe('There is more: ask for it with `after`.'),
  }),
  failures: ['AGENT_NOTFOUND'],
  http: { group: 'C', method: 'get', path: `${agentByIdPrefix}/conversations` },
});

export const readConversation = operation({
  owner: 'agents',
  name: 'agents.conversations.read',
  summary: 'Read one of your conversations',
  scope: 'agents:converse',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...conversationPathParameters,
    fromTurn: z.int().min(1).max(1_000_000_000).default(1).describe('The first turn to read.'),
    turnsMax: z.int().min(1).max(100).default(100).describe('So many turns at most.'),
  }),
  reply: Conversation.extend({ turns: z.array(Turn).describe('In the order of time.') }).meta({
    id: 'ReadConversation',
  }),
  failures: ['AGENT_NOTFOUND', 'AGENT_CONVERSATION_NOTFOUND'],
  http: { group: 'C', method: 'get', path: `${agentByIdPrefix}/conversations/{conversation_id}` },
});

export const deleteConversation = operation({
  owner: 'agents',
  name: 'agents.conversations.delete',
  summary: 'Delete one of your conversations',
  description: 'A turn that runs ends without an answer.',
  scope: 'agents:converse',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject(conversationPathParameters),
  reply: z.object({ deleted: z.string() }),
  failures: ['AGENT_NOTFOUND', 'AGENT_CONVERSATION_NOTFOUND'],
  http: { group: 'C', method: 'delete', path: `${agentByIdPrefix}/conversations/{conversation_id}` },
});
