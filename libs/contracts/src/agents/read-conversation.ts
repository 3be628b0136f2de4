/** A conversation with its turns and what was done in them. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { agentPrefix, Conversation, conversationPath, Turn } from './parts.js';

export const readConversation = operation({
  owner: 'agents',
  name: 'agents.conversations.read',
  summary: 'Read one of your conversations',
  scope: 'agents:converse',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...conversationPath,
    fromTurn: z.int().min(1).max(1_000_000_000).default(1).describe('The first turn to read.'),
    turnsMax: z.int().min(1).max(100).default(100).describe('So many turns at most.'),
  }),
  reply: Conversation.extend({ turns: z.array(Turn).describe('In the order of time.') }).meta({
    id: 'ReadConversation',
  }),
  failures: ['AGENT_NOTFOUND', 'AGENT_CONVERSATION_NOTFOUND'],
  http: { group: 'C', method: 'get', path: `${agentPrefix}/conversations/{conversation_id}` },
});
