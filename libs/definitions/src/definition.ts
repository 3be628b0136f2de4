/** A kind of definitions: what is specific to models, assets or agents. */
import type { DefinitionDifference } from '@tessera/contracts';
import type { NewEvent, StoredDefinitionRow, VersionedDefinitions } from '@tessera/persistence';
import { setImmediate as yieldToOthers } from 'node:timers/promises';

export type Definition = { readonly kind: string; readonly id: string };

type EventContent = Pick<NewEvent, 'event' | 'data'>;

export type DefinitionKind<D extends Definition> = {
  readonly tables: VersionedDefinitions;
  /** Undefined for what was stored once and does not parse any more. */
  readonly parse: (stored: unknown) => D | undefined;
  readonly compare: (before: D, after: D) => readonly DefinitionDifference[] | Promise<readonly DefinitionDifference[]>;
  readonly publishedEvent: (id: string, version: number) => EventContent;
  readonly deletedEvent: (id: string) => EventContent;
};

export type AppliedDefinition<D extends Definition> = {
  readonly kind: D['kind'];
  readonly id: string;
  readonly state: 'created' | 'changed' | 'unchanged';
  /** The published version; absent for a draft. */
  readonly version?: number;
  readonly changes: DefinitionDifference[];
};

type Stored<D> = { readonly digest: string; readonly definition?: D };

type StoredDefinition<D> = {
  readonly published?: Stored<D> & { readonly version: number };
  readonly draft?: Stored<D>;
};

/** By id. */
export type StoredDefinitions<D> = ReadonlyMap<string, StoredDefinition<D>>;

/** Other requests get their turn after each; a large one takes some milliseconds. */
export const parseStoredDefinitions = async <D extends Definition>(
  rows: readonly StoredDefinitionRow[],
  parse: DefinitionKind<D>['parse'],
): Promise<StoredDefinitions<D>> => {
  const parsed = ({ digest, definition }: NonNullable<StoredDefinitionRow['draft']>): Stored<D> => {
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
