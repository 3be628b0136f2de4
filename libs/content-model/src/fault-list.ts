/** Collects the faults of one document. Refuses: an order of its own; faults stay as they were found. */
import { nearestName, type Fault } from '@tessera/failures';

export type FaultList = {
  readonly faults: readonly Fault[];
  add(path: readonly (string | number)[], rule: string, message: string, suggestion?: string): void;
  /** A name that is none of `known`, with the nearest right one. */
  unknown(path: readonly (string | number)[], what: string, name: string, known: Iterable<string>): void;
  /** A fault that was found in a part, at its place in the whole. */
  adopt(path: readonly (string | number)[], fault: Fault): void;
};

export const faultList = (origin: string): FaultList => {
  const faults: Fault[] = [];
  const add: FaultList['add'] = (path, rule, message, suggestion) =>
    void faults.push({
      in: origin,
      path: path.join('.'),
      message: suggestion ? `${message}; did you mean "${suggestion}"?` : message,
      rule,
      ...(suggestion !== undefined && { suggestion }),
    });
  return {
    faults,
    add,
    adopt: (path, fault) => void faults.push({ ...fault, in: origin, path: path.join('.') }),
    unknown: (path, what, name, known) => {
      const names = [...known];
      const suggestion = nearestName(name, names);
      const expected =
        !suggestion && names.length > 0 && names.length <= 12 ? `; expected one of ${names.join(', ')}` : '';
      add(path, 'unknown', `unknown ${what} "${name}"${expected}`, suggestion);
    },
  };
};
