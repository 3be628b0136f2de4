/**
 * Where in its own document something of a merged model stands: the entry, or the member of it, that says it, else
 * `extends`, because a base model says it.
 */
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';

export type DefinitionPath = readonly (string | number)[];

/** Members by name, entries of lists by id: `['kpis', 'RATE', 'expression']`. */
export const findDefinitionPath = (definition: KnowledgeModelDefinition, steps: readonly string[]): DefinitionPath => {
  const path: (string | number)[] = [];
  let value: unknown = definition;
  for (const step of steps) {
    const key = Array.isArray(value) ? value.findIndex((entry: unknown) => isEntry(entry, step)) : step;
    const inner = memberOf(value, key);
    if (inner === undefined) {
      // A list alone says nothing; the entry is the base's.
      if (Array.isArray(value)) path.pop();
      break;
    }
    path.push(key);
    value = inner;
  }
  return path.length === 0 ? ['extends'] : path;
};

const isEntry = (entry: unknown, id: string): boolean =>
  typeof entry === 'object' && entry !== null && 'id' in entry && entry.id === id;

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
