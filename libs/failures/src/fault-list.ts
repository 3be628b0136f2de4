/** Collects the faults of one document, in the order in which they were found, up to a bound. */
import { findNearestName } from './nearest.js';
import type { Fault } from './result.js';
import { maxFaults } from './limit-faults.js';

type Path = readonly (string | number)[];

export type FaultList = {
  /** At most one more than is told, which says that there are more. */
  readonly faults: readonly Fault[];
  /** Further faults are not kept: who looks for them can stop. */
  readonly isFull: boolean;
  add(path: Path, rule: string, message: string, suggestion?: string): void;
  /** A name that is none of `known`, with the nearest right one. */
  unknown(path: Path, what: string, name: string, known: Iterable<string>): void;
  /** A fault that was found in a part, at its place in the whole. */
  adopt(path: Path, fault: Omit<Fault, 'in' | 'path'>): void;
};

/** Each unknown name costs a search for the nearest of all that are known; only so many are searched for. */
export const maxNameSuggestions = 20;
const guessedLengthMax = 128;

export const createFaultList = (origin: string): FaultList => {
  const faults: Fault[] = [];
  let guesses = 0;
  const isFull = (): boolean => faults.length > maxFaults;
  const adopt: FaultList['adopt'] = (path, fault) => {
    if (!isFull()) faults.push({ ...fault, in: origin, path: path.join('.') });
  };
  const add: FaultList['add'] = (path, rule, message, suggestion) =>
    suggestion === undefined
      ? adopt(path, { message, rule })
      : adopt(path, { message: `${message}; did you mean "${suggestion}"?`, rule, suggestion });
  return {
    faults,
    get isFull() {
      return isFull();
    },
    add,
    adopt,
    unknown: (path, what, name, known) => {
      if (isFull()) return;
      const names = [...known];
      const isGuessed = name.length <= guessedLengthMax && guesses++ < maxNameSuggestions;
      const suggestion = isGuessed ? findNearestName(name, names) : undefined;
      const listed = suggestion === undefined && names.length > 0 && names.length <= 12;
      const expected = listed ? `; expected one of ${names.join(', ')}` : '';
      add(path, 'unknown', `unknown ${what} "${name}"${expected}`, suggestion);
    },
  };
};
