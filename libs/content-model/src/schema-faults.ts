/** The documents of a storage as their schemas read them, or the faults of their shape. */
import { ElementDocument, type ParseResult, parseWith, StorageDefinition } from '@tessera/contracts';

export { type ParseResult, parseWith } from '@tessera/contracts';

export const parseStorageDefinition = (value: unknown): ParseResult<StorageDefinition> =>
  parseWith(StorageDefinition, value, 'definition');

export const parseElementDocument = (value: unknown): ParseResult<ElementDocument> =>
  parseWith(ElementDocument, value, 'elements');
