/** The identifiers behind readable keys: the same key in the same storage is the same UUID, on every machine. */
import { hash } from 'node:crypto';

type StorageName = { readonly collection: string; readonly id: string };

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidPattern.test(text);

/** The element's UUID: the text itself when it is one, else derived from the storage and the key. */
export const elementIdOf = (storage: StorageName, key: string): string =>
  isUuid(key) ? key.toLowerCase() : derivedUuid(['element', storage.collection, storage.id, key]);

/** The UUID of a version by the number that it begins with. */
export const versionIdOf = (elementId: string, major: number, minor: number): string =>
  derivedUuid(['version', elementId, `${major}.${minor}`]);

/** The same, unless the element has a version of that UUID, which has got another number since. */
export const chooseFreeVersionId = (
  elementId: string,
  major: number,
  minor: number,
  taken: ReadonlySet<string>,
): string => {
  let versionId = versionIdOf(elementId, major, minor);
  while (taken.has(versionId)) versionId = derivedUuid(['version', versionId]);
  return versionId;
};

/** The UUID of a content element; each version has its own. */
export const contentIdOf = (versionId: string, key: string): string =>
  isUuid(key) ? key.toLowerCase() : derivedUuid(['content', versionId, key]);

/** The UUID of a copy of a content element in another version. */
export const copiedContentIdOf = (versionId: string, contentId: string): string =>
  derivedUuid(['copy', versionId, contentId]);

/** RFC 9562 version 8: 122 bits of a SHA-256 digest. */
const derivedUuid = (parts: readonly string[]): string => {
  const hex = hash('sha256', parts.join('\u0000'), 'hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
