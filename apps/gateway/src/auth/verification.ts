/** What became of a credential: its caller, or why it was refused. Never holds the credential itself. */
import passport from 'passport';
import type { Caller } from '@tessera/contracts';
import { fail, type Failure, toLoggableReason } from '@tessera/failures';
import { KeySetUnavailable } from './key-set.js';

export type VerifiedCredential = {
  readonly caller: Caller;
  /** What the rate limit counts: `key:<id>` or `subject:<sub>`. */
  readonly credential: string;
  readonly hourlyLimit: number;
  /** Epoch milliseconds; from then on it must be verified again. */
  readonly validUntilMs: number;
  /** Set for keys, for tokens that were issued for one, and for sessions of keys. */
  readonly keyId?: string;
  /** Set for tokens of this installation, with the public address at which they were issued. */
  readonly tokenId?: string;
  readonly issuer?: string;
  /** Set for sessions; without a member it is one of a key. */
  readonly session?: {
    readonly sessionId: string;
    readonly memberId?: string;
    readonly startedAtMs: number;
    readonly endsAtMs: number;
  };
  /** Set for tokens of the operator's issuer that name no team: the member that their subject is. */
  readonly memberId?: string;
  /** Set for tokens that a member allowed a client to have. */
  readonly grant?: {
    readonly grantId: string;
    readonly clientId: string;
    readonly memberId: string;
    /** What the client may be told of the member: scopes of OpenID. */
    readonly openIdScopes: readonly string[];
  };
  /** Set for tokens that are for MCP servers alone: their addresses. */
  readonly resources?: readonly string[];
};

export type AcceptedCredential = { readonly ok: true; readonly value: VerifiedCredential };

export type VerificationResult =
  | AcceptedCredential
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** For the log alone; absent when the credential could not be checked. */
      readonly reason?: string;
    };

const { failure: notValid } = fail('ACCESS_UNAUTHORIZED', 'The credential is not valid.');

/** The caller is told the same whatever was wrong: the reason would help whoever guesses. */
export const refuseCredential = (reason: string): VerificationResult => ({ ok: false, failure: notValid, reason });

/** What it answers rejects with what the strategy did not expect. */
export const createStrategyRunner = (
  strategy: passport.Strategy,
): ((credential: string) => Promise<VerificationResult>) => {
  // One of its own: that of the module is shared by all gateways of a process.
  const registry = new passport.Passport();
  registry.use('credential', strategy);
  return (credential) =>
    new Promise((resolve, reject) => {
      const tell = (error: Error | null, verification?: VerificationResult | false, refusal?: unknown): void =>
        error ? reject(error) : resolve(verification || refusalOf(refusal));
      const run: unknown = registry.authenticate('credential', { session: false }, tell);
      if (typeof run === 'function') Reflect.apply(run, undefined, [{ credential }, {}, reject]);
    });
};

/** For strategies: of what they are run with. */
export const readCredentialText = (request: unknown): string =>
  typeof request === 'object' && request !== null && 'credential' in request ? String(request.credential) : '';

const keySetUnavailable: VerificationResult = fail(
  'SERVICE_UNAVAILABLE',
  'The keys of the token issuer cannot be had at the moment.',
  {
    retryAfterSeconds: 5,
  },
);

const refusalOf = (refusal: unknown): VerificationResult =>
  refusal instanceof KeySetUnavailable
    ? keySetUnavailable
    : refuseCredential(`the token does not fit: ${reasonOf(refusal)}`);

const libraryErrorNames = new Set(['JsonWebTokenError', 'TokenExpiredError', 'NotBeforeError']);

/** What the library says itself holds nothing of the token; what is thrown inside it might. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && libraryErrorNames.has(error.name) ? error.message : toLoggableReason(error);
