/**
 * Tells definitions apart by what they say: the order of members and what is null do not count.
 * Refuses: to tell how they differ (compare-definitions.ts).
 */
import { createHash } from 'node:crypto';
import type { KnowledgeModelDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';

/** SHA-256, hexadecimal. */
export const digestDefinition = (definition: KnowledgeModelDefinition | TableDefinition): string =>
  createHash('sha256').update(JSON.stringify(definition, sortedMembers)).digest('hex');

const sortedMembers = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== null)
          .sort(([left], [right]) => (left < right ? -1 : 1)),
      )
    : value;
