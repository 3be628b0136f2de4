/**
 * Runs a strategy by passport, outside of a request: `Authenticator` asks for it when a credential is not known, and all
 * requests that carry it share the outcome.
 */
import { fail, toldReason } from '@tessera/failures';
import passport from 'passport';
import { KeySetUnavailable } from './key-set.js';
import { refuseCredential, type Verification } from './verified.js';

/** What it answers rejects with what the strategy did not expect. */
export const verifierOf = (strategy: passport.Strategy): ((credential: string) => Promise<Verification>) => {
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
export const credentialIn = (request: unknown): string =>
  typeof request === 'object' && request !== null && 'credential' in request ? String(request.credential) : '';

const keysAway: Verification = fail(
  'SERVICE_UNAVAILABLE',
  'The keys of the token issuer cannot be had at the moment.',
  {
    retryAfterSeconds: 5,
  },
);

const refusalOf = (refusal: unknown): Verification =>
  refusal instanceof KeySetUnavailable ? keysAway : refuseCredential(`the token does not fit: ${reasonOf(refusal)}`);

const ofTheLibrary = new Set(['JsonWebTokenError', 'TokenExpiredError', 'NotBeforeError']);

/** What the library says itself holds nothing of the token; what is thrown inside it might. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && ofTheLibrary.has(error.name) ? error.message : toldReason(error);
