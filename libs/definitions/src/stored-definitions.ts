/**
 * The definitions of a team as they are stored, parsed. What does not parse any more is not there for a comparison, but its
 * digest and version are.
 */
import type { StoredRow } from '@tessera/persistence';
import type { Definition, DefinitionKind } from './definition.js';

type Stored<D> = { readonly digest: string; readonly definition?: D };

type StoredDefinition<D> = {
  readonly published?: Stored<D> & { readonly version: number };
  readonly draft?: Stored<D>;
};

/** By id. */
export type StoredDefinitions<D> = ReadonlyMap<string, StoredDefinition<D>>;

export const storedDefinitions = <D extends Definition>(
  rows: readonly StoredRow[],
  parse: DefinitionKind<D>['parse'],
): StoredDefinitions<D> => {
  const parsed = ({ digest, definition }: NonNullable<StoredRow['draft']>): Stored<D> => {
    const read = parse(definition);
    return { digest, ...(read && { definition: read }) };
  };
  return new Map(
    rows.map(({ id, published, draft }) => [
      id,
      {
        ...(published && { published: { version: published.version, ...parsed(published) } }),
        ...(draft && { draft: parsed(draft) }),
      },
    ]),
  );
};
