/**
 * The addresses of elements, as stored text has them: with a mark in place of the public address of the gateway.
 * Refuses: to know the public address.
 */
import type { StorageModel } from './storage-model.js';

/** Stands for the public address in stored text. */
export const publicUrlMark = '\u0001';

/** The address of an element in the detail view of its facet, with the mark in front. */
export const detailAddress = (
  storage: Pick<StorageModel, 'collection' | 'id'>,
  facet: string,
  elementId: string,
): string =>
  `${publicUrlMark}${storagePath(storage)}/facets/${encodeURIComponent(facet)}/views/detail/elements/${encodeURIComponent(elementId)}`;

/** `/{collection}/{storage}/_api/rest`, percent-encoded. */
export const storagePath = (storage: Pick<StorageModel, 'collection' | 'id'>): string =>
  `/${encodeURIComponent(storage.collection)}/${encodeURIComponent(storage.id)}/_api/rest`;
