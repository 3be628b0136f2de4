/**
 * Credentials and sign-ins that were not valid, counted by the network they came from, passwords by their account as well. What is
 * over the limit is told to wait instead of what it would have been told. A valid key or token is never asked for its network, so
 * nobody can lock out who shares one; a password is, since people choose them, unless its account is known in that network.
 */
import { LRUCache } from 'lru-cache';
import ipaddr from 'ipaddr.js';

const minuteMs = 60_000;
export const maxFailuresPerMinute = 60;
export const maxFailedSignIns = {
  ofAccountInNetwork: 10,
  /** In all networks where it is not known. */
  ofAccount: 30,
  /** By all accounts that are not known there. */
  ofNetwork: 100,
};
export const signInWindowMs = 5 * minuteMs;
/** Further sources push out those that failed longest ago. */
const sourcesMax = 10_000;
const addressLengthMax = 64;

type Failed = {
  /** Failures of the source in its window, this one included. */
  readonly count: number;
  /** Set when the source is over the limit. */
  readonly retryAfterSeconds?: number;
};

type WindowOptions = { readonly most: number; readonly windowMs: number; readonly clock: () => number };

/** Counts by source, each in a window that begins with its first. */
export class SourceWindows {
  readonly #counts = new LRUCache<string, { count: number; readonly untilMs: number }>({ max: sourcesMax });
  readonly #options: WindowOptions;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  count(source: string): Failed {
    const { most, windowMs, clock } = this.#options;
    const nowMs = clock();
    const known = this.#counts.get(source);
    const entry = known !== undefined && nowMs < known.untilMs ? known : { count: 0, untilMs: nowMs + windowMs };
    entry.count++;
    if (entry !== known) this.#counts.set(source, entry);
    if (entry.count <= most) return { count: entry.count };
    return { count: entry.count, retryAfterSeconds: secondsUntil(entry.untilMs, nowMs) };
  }

  /** Seconds to wait when the next failure would be over the limit. */
  retryAfterSeconds(source: string): number | undefined {
    const { most, clock } = this.#options;
    const known = this.#counts.get(source);
    if (known === undefined || known.count < most || clock() >= known.untilMs) return undefined;
    return secondsUntil(known.untilMs, clock());
  }

  /** True while failures are counted. */
  has(source: string): boolean {
    const known = this.#counts.get(source);
    return known !== undefined && known.count > 0 && this.#options.clock() < known.untilMs;
  }

  takeBack(source: string): void {
    const entry = this.#counts.get(source);
    if (entry && entry.count > 0) entry.count--;
  }

  forget(source: string): void {
    this.#counts.delete(source);
  }
}

const secondsUntil = (untilMs: number, nowMs: number): number => Math.max(1, Math.ceil((untilMs - nowMs) / 1000));

export class FailedCredentials {
  readonly #windows: SourceWindows;

  constructor(clock: () => number = Date.now) {
    this.#windows = new SourceWindows({ most: maxFailuresPerMinute, windowMs: minuteMs, clock });
  }

  /** A connection that is gone has no address any more. */
  count(address: string | undefined): Failed {
    return this.#windows.count(clientNetworkOf(address ?? ''));
  }
}

/** An attempt to sign in with a password. */
export type SignInSource = {
  readonly network: string;
  readonly account: string;
  /** True when the account has signed in from the network before. */
  readonly isKnown: boolean;
};

/**
 * An attempt counts as failed from the beginning of its check until it has succeeded, so that several at the same time are no way
 * around the limits. Guesses from elsewhere, or of others in the same network, never refuse an account where it is known.
 */
export class FailedSignIns {
  readonly #pairs: SourceWindows;
  readonly #accounts: SourceWindows;
  readonly #networks: SourceWindows;

  constructor(clock: () => number = Date.now) {
    const windowsOf = (most: number) => new SourceWindows({ most, windowMs: signInWindowMs, clock });
    this.#pairs = windowsOf(maxFailedSignIns.ofAccountInNetwork);
    this.#accounts = windowsOf(maxFailedSignIns.ofAccount);
    this.#networks = windowsOf(maxFailedSignIns.ofNetwork);
  }

  /** Seconds to wait when there were too many failures. */
  retryAfterSeconds(source: SignInSource): number | undefined {
    const [first] = this.#windowsOf(source).flatMap(([windows, key]) => windows.retryAfterSeconds(key) ?? []);
    return first;
  }

  hasFailedLately(network: string): boolean {
    return this.#networks.has(network);
  }

  begin(source: SignInSource): void {
    for (const [windows, key] of this.#windowsOf(source)) windows.count(key);
  }

  succeeded(source: SignInSource): void {
    for (const [windows, key] of this.#windowsOf(source)) windows.takeBack(key);
    this.#pairs.forget(pairOf(source));
  }

  #windowsOf(source: SignInSource): readonly (readonly [SourceWindows, string])[] {
    const ofPair = [this.#pairs, pairOf(source)] as const;
    if (source.isKnown) return [ofPair];
    return [ofPair, [this.#accounts, source.account], [this.#networks, source.network]];
  }
}

const pairOf = ({ network, account }: SignInSource): string => `${network}\n${account}`;

/** Who is one source: an IPv4 address, however it is written, or a network of IPv6 with 64 bits. */
export const clientNetworkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address.slice(0, addressLengthMax);
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
};
