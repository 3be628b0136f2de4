export * from './admin.js';
export * from './agents.js';
export * from './chat-completions.js';
export * from './conversations.js';
export * from './definitions.js';
export * from './events.js';
export {
  agentByIdPrefix,
  agentsPrefix,
  ChatResponse,
  GroundedFigure,
  Grounding,
  GroundingCell,
  maxMessageCharacters,
  turnStops,
  type Conversation,
  Message,
  noQuestion,
  type TokenUsage,
  type Turn,
  type TurnState,
  type TurnStep,
  type TurnStop,
} from './parts.js';
