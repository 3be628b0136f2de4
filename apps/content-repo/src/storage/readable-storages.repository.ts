/** The storages of a team with their facets, without what is in them. */
import { StorageDefinition } from '@tessera/contracts';
import { z } from 'zod';
import type { TenantReader } from '../database/tenant-reader.js';

const ReadableStorages = z.array(
  StorageDefinition.pick({
    collection: true,
    id: true,
    title: true,
    cultures: true,
    defaultCulture: true,
    facets: true,
  }),
);

/** By collection and id. */
const pageText = `
select (select count(*) from content_repo.storage where tenant = $1)::integer as total,
  coalesce(json_agg(page.shown order by page.collection_name collate "C", page.storage_name collate "C"), '[]')::text as storages
from (
  select collection_name, storage_name, jsonb_build_object('collection', collection_name, 'id', storage_name,
    'title', definition -> 'title', 'cultures', definition -> 'cultures',
    'defaultCulture', definition -> 'defaultCulture', 'facets', definition -> 'facets') as shown
  from content_repo.storage where tenant = $1
  order by collection_name collate "C", storage_name collate "C" limit $2 offset $3
) page`;

export type StoragePage = { readonly total: number; readonly storages: z.output<typeof ReadableStorages> };

/** `page`: from 1. */
export const readStoragePage = async (reader: TenantReader, page: number, pageSize: number): Promise<StoragePage> => {
  const values = [reader.tenant, pageSize, (page - 1) * pageSize];
  const rows = await reader.read<{ total: number; storages: string }>({
    name: 'storages_page',
    text: pageText,
    values,
  });
  const [{ total, storages } = { total: 0, storages: '[]' }] = rows;
  return { total, storages: ReadableStorages.parse(JSON.parse(storages)) };
};
