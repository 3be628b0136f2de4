/** Collects the faults of one document. Refuses: an order of its own; faults stay as they were found. */
import { nearestName } from './nearest.js';
import type { Fault } from './result.js';

type Path = readonly (string | number)[];

export type FaultList = {
  readonly faults: readonly Fault[];
  add(path: Path, rule: string, message: string, suggestion?: string): void;
  /** A name that is none of `known`, with the nearest right one. */
  unknown(path: Path, what: string, name: string, known: Iterable<string>): void;
  /** A fault that was found in a part, at its place in the whole. */
  adopt(path: Path, fault: Omit<Fault, 'in' | 'path'>): void;
};

export const faultList = (origin: string): FaultList => {
  const faults: Fault[] = [];
  const adopt: FaultList['adopt'] = (path, fault) => void faults.push({ ...fault, in: origin, path: path.join('.') });
  const add: FaultList['add'] = (path, rule, message, suggestion) =>
    suggestion === undefined
      ? adopt(path, { message, rule })
      : adopt(path, { message: `${message}; did you mean "${suggestion}"?`, rule, suggestion });
  return {
    faults,
    add,
    adopt,
    unknown: (path, what, name, known) => {
      const names = [...known];
      const suggestion = nearestName(name, names);
      const listed = suggestion === undefined && names.length > 0 && names.length <= 12;
      const expected = listed ? `; expected one of ${names.join(', ')}` : '';
      add(path, 'unknown', `unknown ${what} "${name}"${expected}`, suggestion);
    },
  };
};
