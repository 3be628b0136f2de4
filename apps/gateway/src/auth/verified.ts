/** What became of a credential: its caller, or why it was refused. Never holds the credential itself. */
import type { Caller } from '@tessera/contracts';
import { fail, type Failure } from '@tessera/failures';

export type Verified = {
  readonly caller: Caller;
  /** What the rate limit counts: `key:<id>` or `subject:<sub>`. */
  readonly credential: string;
  readonly hourlyLimit: number;
  /** Epoch milliseconds; from then on it must be verified again. */
  readonly validUntilMs: number;
  /** Set for keys. */
  readonly keyId?: string;
};

export type Accepted = { readonly ok: true; readonly value: Verified };

export type Verification =
  | Accepted
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** For the log alone; absent when the credential could not be checked. */
      readonly reason?: string;
    };

const { failure: notValid } = fail('ACCESS_UNAUTHORIZED', 'The credential is not valid.');

/** The caller is told the same whatever was wrong: the reason would help whoever guesses. */
export const refuseCredential = (reason: string): Verification => ({ ok: false, failure: notValid, reason });
