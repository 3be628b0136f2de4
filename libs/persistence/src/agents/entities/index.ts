import { AgentVersion } from './agent-version.entity.js';
import { Agent } from './agent.entity.js';
import { ConversationTurn } from './conversation-turn.entity.js';
import { Conversation } from './conversation.entity.js';
import { IdempotencyRecord, OutboxEvent, TeamState } from './shared.entity.js';
import { TurnStep } from './turn-step.entity.js';

export const agentsEntities = [
  Agent,
  AgentVersion,
  Conversation,
  ConversationTurn,
  IdempotencyRecord,
  OutboxEvent,
  TeamState,
  TurnStep,
] as const;

export { Agent, AgentVersion, Conversation };
