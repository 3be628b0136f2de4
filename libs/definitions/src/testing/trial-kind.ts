/** A kind of definitions for specs, in the tables and events of agents. */
import { agentDeleted, agentPublished } from '@tessera/contracts/agents';
import { versionedDefinitions } from '@tessera/persistence';
import { compareMembers } from '../compare-members.js';
import type { DefinitionKind } from '../definition.js';

export type Trial = { readonly kind: 'Trial'; readonly id: string; readonly text?: string };

const members = ['kind', 'id', 'text'];
const isTrial = (stored: unknown): stored is Trial =>
  typeof stored === 'object' &&
  stored !== null &&
  Object.keys(stored).every((name) => members.includes(name)) &&
  'kind' in stored &&
  stored.kind === 'Trial';

export const trialKind: DefinitionKind<Trial> = {
  tables: versionedDefinitions('agents', 'agent'),
  parse: (stored) => (isTrial(stored) ? stored : undefined),
  compare: (before, after) =>
    compareMembers([{ prefix: '', before, after }], { isWhole: () => false, breaks: (path) => path === 'text' }),
  tellPublished: (agentId, version) => ({ event: agentPublished, data: { agentId, version } }),
  tellDeleted: (agentId) => ({ event: agentDeleted, data: { agentId } }),
};

export const trialOf = (id: string, text?: string): Trial => ({
  kind: 'Trial',
  id,
  ...(text !== undefined && { text }),
});
