export * from './converse.js';
export * from './definitions.js';
export * from './delete-conversation.js';
export * from './events.js';
export * from './execute-tool.js';
export * from './list-agents.js';
export * from './list-conversations.js';
export {
  agentPrefix,
  agentsPrefix,
  ChatResponse,
  messageCharactersMax,
  turnStops,
  type Conversation,
  type Message,
  type TokenUsage,
  type Turn,
  type TurnState,
  type TurnStep,
  type TurnStop,
} from './parts.js';
export * from './read-conversation.js';
export * from './specify-tools.js';
export * from './admin/apply-agents.js';
export * from './admin/delete-agent.js';
export * from './admin/export-agents.js';
