/**
 * Signing in with a password or with a key. An unknown name is answered as a wrong password is, after the same work; what was tried
 * too often has to wait, right or wrong.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestOf } from '@tessera/contracts';
import type { startSession } from '@tessera/contracts/gateway';
import { fail, succeed, type Failure, type Result } from '@tessera/failures';
import { KeyedQueue, QueueRefusal } from '@tessera/fair-queue';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  addAccessChange,
  findMember,
  findPassword,
  findTeamInTransaction,
  passwordMatches,
  type NamedPerson,
  type SessionHolder,
} from '@tessera/persistence/gateway';
import { logToken, type Log } from '@tessera/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { Authenticator } from '../auth/authenticator.js';
import { FailedSignIns, clientNetworkOf } from '../auth/failed-credentials.js';

export type SignInResult = {
  readonly team: string;
  readonly holder: SessionHolder;
  readonly subject: string;
  /** As it is stored, of who signed in with one. */
  readonly password?: string;
  /** Of who signed in at the issuer of the operator. */
  readonly origin?: Pick<NamedPerson, 'issuer' | 'subject' | 'issuerSession' | 'idToken'>;
};

type SignIn = RequestOf<typeof startSession>['signIn'];
type PasswordSignIn = Extract<SignIn, { readonly password: string }>;
/** Where the attempt comes from, for limits and logs. */
export type SignInAttempt = { readonly address: string; readonly requestId: string };

export const { failure: notValid } = fail('ACCESS_UNAUTHORIZED', 'The name or the password, or the key, is not valid.');
const { failure: busy } = fail('SERVICE_UNAVAILABLE', 'Too many people sign in at the moment.', {
  retryAfterSeconds: 2,
});
const tooMany = (retryAfterSeconds: number): Failure =>
  fail('LIMIT_RATE_EXCEEDED', 'There were too many attempts to sign in; wait before the next one.', {
    retryAfterSeconds,
  }).failure;

const hashWaitMs = 5_000;

@Injectable()
export class SignInService {
  /** Each takes a processor and 19 MiB for a moment. Keys are addresses. */
  readonly #hashing = new KeyedQueue({ limit: 2, limitPerKey: 1, waitingPerKeyMax: 20 });

  constructor(
    private readonly source: DataSource,
    private readonly authenticator: Authenticator,
    private readonly failed: FailedSignIns,
    @Inject(logToken) private readonly log: Log,
  ) {}

  async verify(signIn: SignIn, attempt: SignInAttempt): Promise<Result<SignInResult>> {
    const account = 'apiKey' in signIn ? undefined : `${signIn.team}\n${signIn.user}`;
    const waitSeconds = this.failed.begin(attempt.address, account);
    if (waitSeconds !== undefined) {
      this.log.info({ address: attempt.address, requestId: attempt.requestId }, 'too many attempts to sign in');
      return { ok: false, failure: tooMany(waitSeconds) };
    }
    let isChecked = false;
    try {
      const signedIn = await ('apiKey' in signIn
        ? this.#byKey(signIn.apiKey, attempt)
        : this.#byPassword(signIn, attempt));
      isChecked = signedIn.ok || signedIn.failure === notValid;
      if (signedIn.ok) this.failed.succeeded(attempt.address, account);
      return signedIn;
    } finally {
      if (!isChecked) this.failed.notChecked(attempt.address, account);
    }
  }

  async #byKey(apiKey: string, attempt: SignInAttempt): Promise<Result<SignInResult>> {
    const verified = await this.authenticator.authenticate({ kind: 'key', text: apiKey });
    if (!verified.ok) {
      if (verified.reason === undefined) return verified;
      this.log.info({ requestId: attempt.requestId, reason: verified.reason }, 'a sign-in was refused');
      return { ok: false, failure: notValid };
    }
    const { caller, keyId } = verified.value;
    if (keyId === undefined) return { ok: false, failure: notValid };
    return succeed({ team: caller.team, holder: { keyId }, subject: caller.subject });
  }

  async #byPassword({ team, user, password }: PasswordSignIn, attempt: SignInAttempt): Promise<Result<SignInResult>> {
    const stored = await runInTenantEntityTransaction(this.source, team, async (manager) => ({
      member: await findMember(manager, team, user),
      password: await findPassword(manager, team, user),
    }));
    const matches = await this.#compare(password, stored.password, clientNetworkOf(attempt.address));
    if (matches === undefined) return { ok: false, failure: busy };
    const { member } = stored;
    const reason = !matches
      ? 'wrong name or password'
      : member?.disabledAt
        ? 'the member is disabled'
        : member?.identity
          ? 'the member signs in at its issuer'
          : undefined;
    if (reason === undefined)
      return succeed({
        ...{ team, holder: { memberId: user }, subject: `member:${user}` },
        ...(stored.password !== undefined && { password: stored.password }),
      });
    await this.#logRefusal(team, user, reason, attempt);
    return { ok: false, failure: notValid };
  }

  /** Undefined when too many wait. */
  async #compare(password: string, stored: string | undefined, source: string): Promise<boolean | undefined> {
    try {
      const release = await this.#hashing.acquire(source, { timeoutMs: hashWaitMs });
      try {
        return await passwordMatches(password, stored);
      } finally {
        release();
      }
    } catch (error) {
      if (error instanceof QueueRefusal) return undefined;
      throw error;
    }
  }

  /** In the log of the team, where there is one; who tries names of teams leaves nothing in the database. */
  async #logRefusal(team: string, user: string, reason: string, { address, requestId }: SignInAttempt): Promise<void> {
    this.log.info({ requestId, reason }, 'a sign-in was refused');
    await runInTenantEntityTransaction(this.source, team, async (manager) => {
      if (await findTeamInTransaction(manager, team))
        await addRefusal(manager, team, user, reason, { address, requestId });
    });
  }
}

/** A line in the log of a team that is there: somebody could not sign in as the member. */
export const addRefusal = (
  manager: EntityManager,
  team: string,
  user: string,
  reason: string,
  { address, requestId }: SignInAttempt,
): Promise<void> => {
  const by = { subject: `member:${user}`, subjectTeam: team, requestId };
  const detail = { after: { reason, address: clientNetworkOf(address) } };
  return addAccessChange(manager, team, { ...by, action: 'session.refused', target: user, detail });
};
