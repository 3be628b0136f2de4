/** The text of elements that a change wrote, as reading them would answer it. Refuses: to read outside the change. */
import { facetNamed } from '@tessera/content-model';
import { currentTables, type TenantReader } from '../database/tenant-reader.js';
import { readElementText } from '../elements/element.repository.js';
import { standardResources } from '../elements/resources.js';
import { addressPrefixOf } from '../tree/view-of.js';
import type { Change } from './change-storage.js';

export const changeReader = ({ client, tenant }: Pick<Change, 'client' | 'tenant'>): TenantReader => ({
  tenant,
  tables: currentTables,
  read: async ({ name, text, values }) =>
    (await client.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' })).rows,
});

/** `id`: of an element or a version. */
export const changedElementText = async (change: Change, facetName: string, id: string): Promise<string> => {
  const facet = facetNamed(change.model, facetName);
  if (!facet) throw new Error(`The facet ${facetName} of an element is not defined.`);
  const { text } = await readElementText(changeReader(change), change.storageId, {
    facet: facet.name,
    id,
    resources: standardResources,
    addressPrefix: addressPrefixOf(change.storage, facet),
  });
  if (text === undefined) throw new Error(`The element ${id} of the facet ${facet.name} was written and is not there.`);
  return text;
};
