/** Reads a storage that the benchmark writes to, straight from the database. */
import pg from 'pg';
import type { MadeVersion, ReplayedElement } from '../floor/replay.js';
import { collection } from './bench-storage.js';

export type Written = {
  readonly client: pg.Client;
  readonly values: readonly [string, string];
  /** The released ones, in the order of their tree. */
  readonly elements: readonly ReplayedElement[];
  readonly madeVersion: (elementId: string) => Promise<MadeVersion>;
  readonly drafts: () => Promise<readonly { readonly elementId: string; readonly versionId: string }[]>;
};

const contentSql = `coalesce((select json_agg(c.content_id order by c.position) from content_repo.content_element c
  where c.tenant = v.tenant and c.storage_id = v.storage_id and c.version_id = v.version_id), '[]') as "contentIds"`;

const elementsText = `
select v.element_id as "elementId", v.version_id as "versionId", ${contentSql}
from content_repo.element_version v join content_repo.element e using (tenant, storage_id, element_id)
where v.tenant = $1 and v.storage_id = $2 and v.state = 'released' order by e.tree_path`;

const madeText = `
select v.version_id as "versionId", v.revision::text as sequence, v.changed_at as "changedAt", ${contentSql}
from content_repo.element_version v
where v.tenant = $1 and v.storage_id = $2 and v.element_id = $3 and v.state = 'inProcess'`;

const draftsText = `
select element_id as "elementId", version_id as "versionId" from content_repo.element_version
where tenant = $1 and storage_id = $2 and state = 'inProcess' order by revision`;

const countText = `
select count(*)::int as drafts from content_repo.element_version
where tenant = $1 and storage_id = $2 and state = 'inProcess'`;

/** Whoever opens it ends the client. */
export const openWritten = async (databaseUrl: string, tenant: string, storage: string): Promise<Written> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const found = await client.query<{ storage_id: string }>(
    'select storage_id from content_repo.storage where tenant = $1 and collection_name = $2 and storage_name = $3',
    [tenant, collection, storage],
  );
  const values = [tenant, found.rows[0]?.storage_id ?? ''] as const;
  const { rows: elements } = await client.query<ReplayedElement>(elementsText, [...values]);
  return {
    client,
    values,
    elements,
    madeVersion: async (elementId) => {
      const [made] = (await client.query<MadeVersion>(madeText, [...values, elementId])).rows;
      if (!made) throw new Error(`The element ${elementId} has no draft.`);
      return made;
    },
    drafts: async () => (await client.query<{ elementId: string; versionId: string }>(draftsText, [...values])).rows,
  };
};

export const countDrafts = async ({ client, values }: Written): Promise<number> =>
  (await client.query<{ drafts: number }>(countText, [...values])).rows[0]?.drafts ?? 0;
