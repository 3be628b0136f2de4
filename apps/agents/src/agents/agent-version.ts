/** An agent as somebody talks to it: one version, or the draft. It never changes, so what is made of it may hang on it. */
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
