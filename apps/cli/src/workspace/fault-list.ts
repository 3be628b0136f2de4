/**
 * Collects the faults of a workspace and sorts them by file and line. Keeps as many as a person reads and counts the
 * rest.
 */
import type { Fault } from '@tessera/failures';
import type { Position } from '../files/positioned-node.js';

type LocatedFault = Position & { readonly file: string; readonly message: string };

type LocateFault = (path: string, message: string, position?: number) => Position;

/** A member that is missing is named: its place is only what it is missing from. */
export const formatFaultMessage = ({ path, message }: Pick<Fault, 'path' | 'message'>): string =>
  path !== '' && message.startsWith('is missing;') ? `${path.slice(path.lastIndexOf('.') + 1)} ${message}` : message;

export const maxListedFaults = 2_000;

export class FaultList {
  readonly #kept: LocatedFault[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** How many more are remembered with their places. */
  get room(): number {
    return Math.max(0, maxListedFaults - this.#count);
  }

  add(file: string, { line, column }: Position, message: string): void {
    if (this.room > 0) this.#kept.push({ file, line, column, message });
    this.#count++;
  }

  /** What a document has at a path. */
  addOf(file: string, placeOf: LocateFault, fault: Pick<Fault, 'path' | 'message' | 'position'>): void {
    this.add(file, placeOf(fault.path, fault.message, fault.position), formatFaultMessage(fault));
  }

  /** Counts faults that are not kept. */
  countOnly(more: number): void {
    this.#count += more;
  }

  sorted(): readonly LocatedFault[] {
    return [...this.#kept].sort(
      (left, right) =>
        (left.file < right.file ? -1 : left.file > right.file ? 1 : 0) ||
        left.line - right.line ||
        left.column - right.column ||
        (left.message < right.message ? -1 : 1),
    );
  }
}

/** `file:line:column message`, one a line. */
export const formatFaultLine = ({ file, line, column, message }: LocatedFault): string =>
  `${file}:${line}:${column} ${message}`;
