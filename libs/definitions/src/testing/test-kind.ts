/** A kind of definitions for specs, in the tables and events of agents. */
import { agentDeleted, agentPublished } from '@tessera/contracts/agents';
import { VersionedDefinitions } from '@tessera/persistence';
import { Agent, AgentVersion } from '@tessera/persistence/agents';
import { compareMembers } from '../compare-members.js';
import type { DefinitionKind } from '../definition.js';

export type TestDefinition = { readonly kind: 'TestDefinition'; readonly id: string; readonly text?: string };

const members = ['kind', 'id', 'text'];
const isTestDefinition = (stored: unknown): stored is TestDefinition =>
  typeof stored === 'object' &&
  stored !== null &&
  Object.keys(stored).every((name) => members.includes(name)) &&
  'kind' in stored &&
  stored.kind === 'TestDefinition';

export const testDefinitionKind: DefinitionKind<TestDefinition> = {
  tables: new VersionedDefinitions('agents', 'agent', { definition: Agent, version: AgentVersion }),
  parse: (stored) => (isTestDefinition(stored) ? stored : undefined),
  compare: (before, after) =>
    compareMembers([{ prefix: '', before, after }], { isWhole: () => false, breaks: (path) => path === 'text' }),
  publishedEvent: (agentId, version) => ({ event: agentPublished, data: { agentId, version } }),
  deletedEvent: (agentId) => ({ event: agentDeleted, data: { agentId } }),
};

export const createTestDefinition = (id: string, text?: string): TestDefinition => ({
  kind: 'TestDefinition',
  id,
  ...(text !== undefined && { text }),
});
