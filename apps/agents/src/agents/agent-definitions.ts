import { AgentDefinition, agentDeleted, agentPublished } from '@tessera/contracts/agents';
import type { DefinitionKind } from '@tessera/definitions';
import { VersionedDefinitions } from '@tessera/persistence';
import { Agent, AgentVersion } from '@tessera/persistence/agents';
import { compareAgents } from './compare-agents.js';

export const agentTables = new VersionedDefinitions('agents', 'agent', { definition: Agent, version: AgentVersion });

export const agentDefinitionKind: DefinitionKind<AgentDefinition> = {
  tables: agentTables,
  parse: (stored) => {
    const read = AgentDefinition.safeParse(stored);
    return read.success ? read.data : undefined;
  },
  compare: compareAgents,
  publishedEvent: (agentId, version) => ({ event: agentPublished, data: { agentId, version } }),
  deletedEvent: (agentId) => ({ event: agentDeleted, data: { agentId } }),
};
