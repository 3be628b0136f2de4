/**
 * The assets of a team as they are stored, parsed. What does not parse any more is not there for a comparison, but its
 * digest and version are.
 */
import { AgentToolsAssetDefinition } from '@tessera/contracts/tool-gateway';
import type { StoredRow } from '@tessera/persistence';

type Stored = { readonly digest: string; readonly definition?: AgentToolsAssetDefinition };

export type StoredAsset = {
  readonly published?: Stored & { readonly version: number };
  readonly draft?: Stored;
};

/** By id. */
export type StoredDefinitions = ReadonlyMap<string, StoredAsset>;

export const storedDefinitions = (rows: readonly StoredRow[]): StoredDefinitions =>
  new Map(
    rows.map(({ id, published, draft }) => [
      id,
      {
        ...(published && { published: { version: published.version, ...parsed(published) } }),
        ...(draft && { draft: parsed(draft) }),
      },
    ]),
  );

const parsed = ({ digest, definition }: NonNullable<StoredRow['draft']>): Stored => {
  const read = AgentToolsAssetDefinition.safeParse(definition);
  return { digest, ...(read.success && { definition: read.data }) };
};
