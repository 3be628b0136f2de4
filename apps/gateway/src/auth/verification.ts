/** What became of a credential: its caller, or why it was refused. Never holds the credential itself. */
import passport from 'passport';
import type { Caller } from '@tessera/contracts';
import { fail, type Failure, loggableReason } from '@tessera/failures';
import { KeySetUnavailable } from './key-set.js';

export type VerifiedCredential = {
  readonly caller: Caller;
  /** What the rate limit counts: `key:<id>` or `subject:<sub>`. */
  readonly credential: string;
  readonly hourlyLimit: number;
  /** Epoch milliseconds; from then on it must be verified again. */
  readonly validUntilMs: number;
  /** Set for keys. */
  readonly keyId?: string;
};

export type AcceptedCredential = { readonly ok: true; readonly value: VerifiedCredential };

export type Verification =
  | AcceptedCredential
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** For the log alone; absent when the credential could not be checked. */
      readonly reason?: string;
    };

const { failure: notValid } = fail('ACCESS_UNAUTHORIZED', 'The credential is not valid.');

/** The caller is told the same whatever was wrong: the reason would help whoever guesses. */
export const refuseCredential = (reason: string): Verification => ({ ok: false, failure: notValid, reason });

/** What it answers rejects with what the strategy did not expect. */
export const strategyRunner = (strategy: passport.Strategy): ((credential: string) => Promise<Verification>) => {
  // One of its own: that of the module is shared by all gateways of a process.
  const registry = new passport.Passport();
  registry.use('credential', strategy);
  return (credential) =>
    new Promise((resolve, reject) => {
      const tell = (error: Error | null, verification?: Verification | false, refusal?: unknown): void =>
        error ? reject(error) : resolve(verification || refusalOf(refusal));
      const run: unknown = registry.authenticate('credential', { session: false }, tell);
      if (typeof run === 'function') Reflect.apply(run, undefined, [{ credential }, {}, reject]);
    });
};

/** For strategies: of what they are run with. */
export const credentialOf = (request: unknown): string =>
  typeof request === 'object' && request !== null && 'credential' in request ? String(request.credential) : '';

const keySetUnavailable: Verification = fail(
  'SERVICE_UNAVAILABLE',
  'The keys of the token issuer cannot be had at the moment.',
  {
    retryAfterSeconds: 5,
  },
);

const refusalOf = (refusal: unknown): Verification =>
  refusal instanceof KeySetUnavailable
    ? keySetUnavailable
    : refuseCredential(`the token does not fit: ${reasonOf(refusal)}`);

const libraryErrorNames = new Set(['JsonWebTokenError', 'TokenExpiredError', 'NotBeforeError']);

/** What the library says itself holds nothing of the token; what is thrown inside it might. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && libraryErrorNames.has(error.name) ? error.message : loggableReason(error);
