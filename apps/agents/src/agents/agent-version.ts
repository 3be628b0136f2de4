/** One version of an agent, or its draft. Immutable, so values made from it may be cached on it. */
import type { AgentDefinition, AgentLimits } from '@tessera/contracts/agents';

export type AgentVersion = {
  readonly agentId: string;
  readonly version: number | 'draft';
  /** SHA-256 of the definition. */
  readonly digest: string;
  readonly definition: AgentDefinition;
  /** With the standards filled in. */
  readonly limits: AgentLimits;
};
