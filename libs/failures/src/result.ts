/** Failure as a value: the answer of an operation that cannot do what was asked. Only bugs throw. */
import type { FailureCode } from './catalogue.js';
import { limitFaults } from './limit-faults.js';

/** One fault of a request: where it is and what would be right. */
export type Fault = {
  /** Where: `path`, `query`, `header` or `body`, or the name of the file that was read. */
  readonly in: string;
  /** The member, as a dotted path (`elements.3.type`); empty for the whole. */
  readonly path: string;
  /** What is wrong and what was expected, one sentence. */
  readonly message: string;
  /** The JSON Schema keyword or rule that was broken. */
  readonly rule?: string;
  readonly suggestion?: string;
  /** Values that would be right, the first of them when there are many. */
  readonly values?: readonly string[];
  /** Zero-based character position inside the text of the member. */
  readonly position?: number;
};

export type Failure = {
  readonly code: FailureCode;
  /** For the caller: what was wrong and the way out. Never SQL, stacks or host names. */
  readonly detail: string;
  readonly faults?: readonly Fault[];
  /** The faults are the first of more. */
  readonly hasMoreFaults?: true;
  /** When trying again makes sense (429, 503, and 409 for a call that is still running). */
  readonly retryAfterSeconds?: number;
};

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export const succeed = <T>(value: T): Result<T> => ({ ok: true, value });

/** A failed result with a code of the catalogue and a sentence for the caller; of many faults the first ones. */
export const fail = (
  code: FailureCode,
  detail: string,
  more: Omit<Failure, 'code' | 'detail' | 'hasMoreFaults'> = {},
): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure: { code, ...more, ...limitFaults({ detail, ...more }) },
});
