/** The conversations that the caller has had with an agent. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { agentPath, agentPrefix, Conversation } from './parts.js';

export const listConversations = operation({
  owner: 'agents',
  name: 'agents.conversations.list',
  summary: 'List your conversations with an agent',
  scope: 'agents:converse',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...agentPath,
    pageSize: z.int().min(1).max(1_000).default(50).describe('Conversations in a page; the newest come first.'),
    after: z.guid().optional().describe('Continues after the page that answered this as `next`.'),
  }),
  reply: z.object({
    conversations: z.array(Conversation),
    next: z.guid().optional().describe('There is more: ask for it with `after`.'),
  }),
  failures: ['AGENT_NOTFOUND'],
  http: { group: 'C', method: 'get', path: `${agentPrefix}/conversations` },
});
