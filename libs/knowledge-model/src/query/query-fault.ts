/**
 * The faults of a question as one failure: the first says why, the others come with it.
 * Refuses: to guess what else is wrong; stages of the resolving end with their own faults.
 */
import { fail, type FailureCode, type Fault, type Result, succeed } from '@tessera/failures';

export type QueryFault = Omit<Fault, 'in'> & { readonly code: FailureCode };

/** More would not be read, and each costs a search for the nearest name. */
export const faultsMax = 5;

export const refuse = (first: QueryFault, ...others: readonly QueryFault[]): Result<never> =>
  fail(first.code, first.message, {
    faults: [first, ...others].map(({ code: _code, ...fault }) => ({ ...fault, in: 'query' })),
  });

export const succeedUnless = <Value>(faults: readonly QueryFault[], value: Value): Result<Value> => {
  const [first, ...others] = faults;
  return first ? refuse(first, ...others) : succeed(value);
};
