/**
 * Credentials and sign-ins that were not valid, counted by the address they came from, sign-ins by their account as well. What is
 * over the limit is told to wait instead of what it would have been told. A valid key or token is never asked for its address, so
 * nobody can lock out who shares one; a password is, since people choose them.
 */
import { LRUCache } from 'lru-cache';
import ipaddr from 'ipaddr.js';

const minuteMs = 60_000;
export const maxFailuresPerMinute = 60;
export const maxFailedSignIns = { ofAccount: 10, ofAddress: 30 };
const signInWindowMs = 5 * minuteMs;
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
    return { count: entry.count, retryAfterSeconds: Math.max(1, Math.ceil((entry.untilMs - nowMs) / 1000)) };
  }

  takeBack(source: string): void {
    const entry = this.#counts.get(source);
    if (entry && entry.count > 0) entry.count--;
  }

  forget(source: string): void {
    this.#counts.delete(source);
  }
}

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

/** An attempt counts as failed until it has succeeded, so that many at the same time are no way around the limit. */
export class FailedSignIns {
  readonly #accounts: SourceWindows;
  readonly #addresses: SourceWindows;

  constructor(clock: () => number = Date.now) {
    this.#accounts = new SourceWindows({ most: maxFailedSignIns.ofAccount, windowMs: signInWindowMs, clock });
    this.#addresses = new SourceWindows({ most: maxFailedSignIns.ofAddress, windowMs: signInWindowMs, clock });
  }

  /** Seconds to wait when there were too many; an attempt by key has no account. */
  begin(address: string, account: string | undefined): number | undefined {
    const ofAddress = this.#addresses.count(clientNetworkOf(address)).retryAfterSeconds;
    // Whoever is out of turns by address does not use up those of other people's accounts.
    if (ofAddress !== undefined || account === undefined) return ofAddress;
    return this.#accounts.count(account).retryAfterSeconds;
  }

  succeeded(address: string, account: string | undefined): void {
    this.#addresses.takeBack(clientNetworkOf(address));
    if (account !== undefined) this.#accounts.forget(account);
  }

  /** It was neither right nor wrong: nobody could look. */
  notChecked(address: string, account: string | undefined): void {
    this.#addresses.takeBack(clientNetworkOf(address));
    if (account !== undefined) this.#accounts.takeBack(account);
  }
}

/** Who is one source: an IPv4 address, however it is written, or a network of IPv6 with 64 bits. */
export const clientNetworkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address.slice(0, addressLengthMax);
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
};
