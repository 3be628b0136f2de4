/** The documents of a storage as their schemas read them, or the faults of their shape. */
import { ElementDocument, type Parsed, parseWith, StorageDefinition } from '@tessera/contracts';

export { type Parsed, parseWith } from '@tessera/contracts';

export const parseDefinition = (value: unknown): Parsed<StorageDefinition> =>
  parseWith(StorageDefinition, value, 'definition');

export const parseElement = (value: unknown): Parsed<ElementDocument> => parseWith(ElementDocument, value, 'elements');
