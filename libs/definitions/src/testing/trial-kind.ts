/** A kind of definitions for specs, kept in the tables of agents, with an event for each publication and deletion. */
import { event } from '@tessera/contracts';
import { versionedDefinitions } from '@tessera/persistence';
import { z } from 'zod';
import { compareMembers } from '../compare-members.js';
import type { DefinitionKind } from '../definition.js';

const Trial = z.strictObject({ kind: z.literal('Trial'), id: z.string(), text: z.string().optional() });
export type Trial = z.output<typeof Trial>;

const published = event({
  ...({ owner: 'agents', type: 'agents.trial.published', summary: '' } as const),
  data: z.strictObject({ id: z.string(), version: z.int() }),
});
const deleted = event({
  ...({ owner: 'agents', type: 'agents.trial.deleted', summary: '' } as const),
  data: z.strictObject({ id: z.string() }),
});

export const trialKind: DefinitionKind<Trial> = {
  tables: versionedDefinitions('agents', 'agent'),
  parse: (stored) => Trial.safeParse(stored).data,
  compare: (before, after) =>
    compareMembers([{ prefix: '', before, after }], { isWhole: () => false, breaks: (path) => path === 'text' }),
  tellPublished: (id, version) => ({ event: published, data: { id, version } }),
  tellDeleted: (id) => ({ event: deleted, data: { id } }),
};

export const trialOf = (id: string, text?: string): Trial => ({
  kind: 'Trial',
  id,
  ...(text !== undefined && { text }),
});
