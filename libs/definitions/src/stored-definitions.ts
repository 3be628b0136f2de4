/** The stored definitions of a team, parsed. One that does not parse any more keeps its digest and version. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { StoredRow } from '@tessera/persistence';
import type { Definition, DefinitionKind } from './definition.js';

type Stored<D> = { readonly digest: string; readonly definition?: D };

type StoredDefinition<D> = {
  readonly published?: Stored<D> & { readonly version: number };
  readonly draft?: Stored<D>;
};

/** By id. */
export type StoredDefinitions<D> = ReadonlyMap<string, StoredDefinition<D>>;

/** Other requests get their turn after each; a large one takes some milliseconds. */
export const storedDefinitions = async <D extends Definition>(
  rows: readonly StoredRow[],
  parse: DefinitionKind<D>['parse'],
): Promise<StoredDefinitions<D>> => {
  const parsed = ({ digest, definition }: NonNullable<StoredRow['draft']>): Stored<D> => {
    const read = parse(definition);
    return { digest, ...(read && { definition: read }) };
  };
  const stored = new Map<string, StoredDefinition<D>>();
  for (const { id, published, draft } of rows) {
    stored.set(id, {
      ...(published && { published: { version: published.version, ...parsed(published) } }),
      ...(draft && { draft: parsed(draft) }),
    });
    await yieldToOthers();
  }
  return stored;
};
