import { fail } from '@tessera/failures';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const isConversationId = (text: string): boolean => uuid.test(text);

export const noConversation = fail('AGENT_CONVERSATION_NOTFOUND', 'You have no such conversation with the agent.');
