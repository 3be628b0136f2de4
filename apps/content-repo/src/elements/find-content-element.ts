/**
 * A content element by its own id: it is a part of its version's stored content, and has an address like any element.
 * Refuses: facets other than that of its type, since its address names that one.
 */
import { typeNamed } from '@tessera/content-model';
import type { TenantReader } from '../database/tenant-reader.js';
import type { Storage } from '../storage/storage-definitions.js';
import { parseElement, type ElementJson } from './element-json.js';
import { readContentOf, type ElementWanted } from './element.repository.js';

export type ContentElement = {
  readonly element: ElementJson;
  /** The version that contains it: its identity only. */
  readonly holder: ElementJson;
  /** Of that version. */
  readonly revision: string | undefined;
};

export const findContentElement = async (
  reader: TenantReader,
  storage: Storage,
  { facet, id, resources }: ElementWanted,
  publicUrl: string,
): Promise<ContentElement | undefined> => {
  const found = await readContentOf(reader, storage.storageId, id);
  if (!found || typeNamed(storage.model, found.type)?.facet !== facet) return undefined;
  const { content = [] } = parseElement(`{${found.content.slice(1)}}`, publicUrl);
  const element = content.find((candidate) => candidate.id === id);
  if (!element) return undefined;
  const { displayNames, attributes, related, expandUri, ...identity } = element;
  return {
    element: {
      ...identity,
      ...(displayNames !== undefined && resources.has('displayNames') && { displayNames }),
      ...(attributes && resources.has('attributes') && { attributes }),
      ...(related && resources.has('related') && { related }),
      ...(expandUri !== undefined && { expandUri }),
    },
    holder: parseElement(`${found.identity}}`, publicUrl),
    revision: found.revision,
  };
};
