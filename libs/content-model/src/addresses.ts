/**
 * The addresses of elements, as stored text has them: with a placeholder in place of the public URL of the gateway.
 */
import type { StorageModel } from './storage-model.js';

/** Stands for the public address in stored text. */
export const publicUrlPlaceholder = '\u0001';

/** The address of an element in the detail view of its facet, with the placeholder in front. */
export const detailAddress = (
  storage: Pick<StorageModel, 'collection' | 'id'>,
  facet: string,
  elementId: string,
): string =>
  `${publicUrlPlaceholder}${storagePath(storage)}/facets/${encodeURIComponent(facet)}/views/detail/elements/${encodeURIComponent(elementId)}`;

/** `/{collection}/{storage}/_api/rest`, percent-encoded. */
export const storagePath = (storage: Pick<StorageModel, 'collection' | 'id'>): string =>
  `/${encodeURIComponent(storage.collection)}/${encodeURIComponent(storage.id)}/_api/rest`;

/** The text as one caller reads it: the public URL in place of its placeholder. */
export const withPublicUrl = (stored: string, publicUrl: string): string =>
  stored.replaceAll(publicUrlPlaceholder, JSON.stringify(publicUrl).slice(1, -1).replaceAll('$', '$$$$'));
