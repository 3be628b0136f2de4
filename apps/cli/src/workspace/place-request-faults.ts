import type { Fault } from '@tessera/failures';
import { placeFaults, type PlacedDefinition } from './check-definitions.js';
import type { FaultBook } from './fault-book.js';

export const placeRequestFaults = (
  book: FaultBook,
  definitions: readonly PlacedDefinition<unknown>[],
  faults: readonly Fault[],
): readonly Fault[] =>
  faults.filter((fault) => {
    const [, index, path = ''] = /^definitions\.(\d+)(?:\.(.*))?$/s.exec(fault.path) ?? [];
    const definition = index === undefined ? undefined : definitions[Number(index)];
    if (definition) placeFaults(book, definition, [{ ...fault, path }]);
    return !definition;
  });
