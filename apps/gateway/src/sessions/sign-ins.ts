/**
 * Signing in with a password or with a key. An unknown name is answered as a wrong password is, after the same work; what was tried
 * too often has to wait, right or wrong. Never writes down a name that is no member's.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestOf } from '@tessera/contracts';
import type { startSession } from '@tessera/contracts/gateway';
import { fail, succeed, type Failure, type Result } from '@tessera/failures';
import { KeyedQueue, QueueRefusal } from '@tessera/fair-queue';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import {
  addAccessChange,
  addNetwork,
  digestRefusedName,
  findMember,
  findPassword,
  findTeamInTransaction,
  passwordMatches,
  type NamedPerson,
  type NewAccessChange,
  type SessionHolder,
  type StoredMember,
} from '@tessera/persistence/gateway';
import { logToken, type Log } from '@tessera/service-kit';
import { DataSource, type EntityManager } from 'typeorm';
import { Authenticator } from '../auth/authenticator.js';
import { clientNetworkOf, FailedCredentials, FailedSignIns, type SignInSource } from '../auth/failed-credentials.js';

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

/** Together shorter than a request may take. */
const lookUpWaitMs = 4_000;
const checkWaitMs = 24_000;
const waitingOfAccountMax = 10;
const waitingOfNetworkMax = 200;

/**
 * The lane of an attempt that waits for a check of its password: accounts in networks where they are known, networks without a failure of late, and the
 * others. Lanes take turns, in each of them its keys.
 */
const laneOf = (source: SignInSource, failed: FailedSignIns): 'known' | 'unblemished' | 'others' => {
  if (source.isKnown) return 'known';
  return failed.hasFailedLately(source.network) ? 'others' : 'unblemished';
};

const checksMax = 2;
const lane = (waitingPerKeyMax: number): KeyedQueue => new KeyedQueue({ limit: checksMax, waitingPerKeyMax });

@Injectable()
export class SignInService {
  /** Keys are networks. Beyond it an attempt would use up the connections of the team. */
  readonly #lookUps = lane(waitingOfNetworkMax);
  /** Keys are accounts in the first lane, networks in the others. */
  readonly #lanes = {
    known: lane(waitingOfAccountMax),
    unblemished: lane(waitingOfNetworkMax),
    others: lane(waitingOfNetworkMax),
  };
  /** Each takes a processor for tens of milliseconds, in a thread of its own, and 19 MiB. Keys are lanes. */
  readonly #checks = new KeyedQueue({ limit: checksMax });

  constructor(
    private readonly source: DataSource,
    private readonly authenticator: Authenticator,
    private readonly failedCredentials: FailedCredentials,
    private readonly failed: FailedSignIns,
    @Inject(logToken) private readonly log: Log,
  ) {}

  verify(signIn: SignIn, attempt: SignInAttempt): Promise<Result<SignInResult>> {
    return 'apiKey' in signIn ? this.#byKey(signIn.apiKey, attempt) : this.#byPassword(signIn, attempt);
  }

  async #byKey(apiKey: string, attempt: SignInAttempt): Promise<Result<SignInResult>> {
    const verified = await this.authenticator.authenticate({ kind: 'key', text: apiKey });
    if (verified.ok && verified.value.keyId !== undefined) {
      const { caller, keyId } = verified.value;
      return succeed({ team: caller.team, holder: { keyId }, subject: caller.subject });
    }
    const reason = verified.ok ? 'it is no key' : verified.reason;
    if (!verified.ok && reason === undefined) return verified;
    const { retryAfterSeconds } = this.failedCredentials.count(attempt.address);
    if (retryAfterSeconds !== undefined) return this.#tooMany(retryAfterSeconds, attempt);
    this.log.info({ requestId: attempt.requestId, reason }, 'a sign-in was refused');
    return { ok: false, failure: notValid };
  }

  async #byPassword(signIn: PasswordSignIn, attempt: SignInAttempt): Promise<Result<SignInResult>> {
    const { team, user } = signIn;
    const network = clientNetworkOf(attempt.address);
    const stored = await inTurn(this.#lookUps, network, lookUpWaitMs, () => this.#find(team, user));
    if (stored === undefined) return { ok: false, failure: busy };
    const { password, networks = [] } = stored.password ?? {};
    const source = { network, account: `${team}\n${user}`, isKnown: networks.includes(network) };
    const checked = await this.#check(signIn.password, password, source);
    if (checked === undefined) return { ok: false, failure: busy };
    if (typeof checked === 'number') return this.#tooMany(checked, attempt);
    const reason = checked ? refusalOf(stored.member) : 'wrong name or password';
    if (reason !== undefined) {
      await this.#logRefusal(signIn, stored.member, reason, attempt);
      return { ok: false, failure: notValid };
    }
    this.failed.succeeded(source);
    if (networks[0] !== network)
      await runInTenantEntityTransaction(this.source, team, (manager) => addNetwork(manager, team, user, network));
    return succeed({
      ...{ team, holder: { memberId: user }, subject: `member:${user}` },
      ...(password !== undefined && { password }),
    });
  }

  #find(team: string, user: string) {
    return runInTenantEntityTransaction(this.source, team, async (manager) => ({
      member: await findMember(manager, team, user),
      password: await findPassword(manager, team, user),
    }));
  }

  /** True or false for a match, seconds to wait after too many failures, or undefined when too many wait for their turn. */
  #check(password: string, stored: string | undefined, source: SignInSource): Promise<boolean | number | undefined> {
    const waitSeconds = this.failed.retryAfterSeconds(source);
    if (waitSeconds !== undefined) return Promise.resolve(waitSeconds);
    const name = laneOf(source, this.failed);
    const key = name === 'known' ? source.account : source.network;
    return inTurn(this.#lanes[name], key, checkWaitMs, async () => {
      const release = await this.#checks.acquire(name);
      try {
        // Others of the network, or with the account, may have failed meanwhile.
        const seconds = this.failed.retryAfterSeconds(source);
        if (seconds !== undefined) return seconds;
        this.failed.begin(source);
        return await passwordMatches(password, stored);
      } finally {
        release();
      }
    });
  }

  #tooMany(retryAfterSeconds: number, { address, requestId }: SignInAttempt): Result<never> {
    this.log.info({ address, requestId }, 'too many attempts to sign in');
    return { ok: false, failure: tooMany(retryAfterSeconds) };
  }

  /** In the log of the team, where there is one; who tries names of teams leaves nothing in the database. */
  async #logRefusal(
    { team, user }: PasswordSignIn,
    member: StoredMember | undefined,
    reason: string,
    attempt: SignInAttempt,
  ): Promise<void> {
    this.log.info({ requestId: attempt.requestId, reason }, 'a sign-in was refused');
    await runInTenantEntityTransaction(this.source, team, async (manager) => {
      if (!(await findTeamInTransaction(manager, team))) return;
      // People type passwords where the name belongs.
      const name = member ? undefined : await digestRefusedName(manager, team, user);
      const who = name === undefined ? refusedMember(user) : { subject: name, target: name };
      await addRefusal(manager, team, who, reason, attempt);
    });
  }
}

export const refusedMember = (memberId: string) => ({ subject: `member:${memberId}`, target: memberId });

/** Undefined when too many wait. */
const inTurn = async <T>(
  queue: KeyedQueue,
  key: string,
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<T | undefined> => {
  const release = await queue.acquire(key, { timeoutMs }).catch((error: unknown) => {
    if (error instanceof QueueRefusal) return undefined;
    throw error;
  });
  if (!release) return undefined;
  try {
    return await work();
  } finally {
    release();
  }
};

/** Why a member may not sign in with a right password. */
const refusalOf = (member: StoredMember | undefined): string | undefined => {
  if (member?.disabledAt) return 'the member is disabled';
  return member?.identity && 'the member signs in at its issuer';
};

/** A line in the log of a team that is there: somebody could not sign in. */
export const addRefusal = (
  manager: EntityManager,
  team: string,
  who: Pick<NewAccessChange, 'subject' | 'target'>,
  reason: string,
  { address, requestId }: SignInAttempt,
): Promise<void> => {
  const detail = { after: { reason, address: clientNetworkOf(address) } };
  return addAccessChange(manager, team, { ...who, subjectTeam: team, requestId, action: 'session.refused', detail });
};
