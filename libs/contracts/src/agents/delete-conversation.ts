/** A conversation goes with all that was said in it. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { agentPrefix, conversationPath } from './parts.js';

export const deleteConversation = operation({
  owner: 'agents',
  name: 'agents.conversations.delete',
  summary: 'Delete one of your conversations',
  description: 'A turn that runs ends without an answer.',
  scope: 'agents:converse',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject(conversationPath),
  reply: z.object({ deleted: z.string() }),
  failures: ['AGENT_NOTFOUND', 'AGENT_CONVERSATION_NOTFOUND'],
  http: { group: 'C', method: 'delete', path: `${agentPrefix}/conversations/{conversation_id}` },
});
