/**
 * Credentials that were not valid, counted by the address they came from. What is over the limit is told to wait instead of
 * what it would have been told; a valid credential is never asked for its address, so nobody can lock out who shares one.
 */
import { LRUCache } from 'lru-cache';
import ipaddr from 'ipaddr.js';

const windowMs = 60_000;
export const failuresMax = 60;
/** Further addresses push out those that failed longest ago. */
const addressesMax = 10_000;
const addressLengthMax = 64;

type FailedCredential = {
  /** Failures of the address in its minute, this one included. */
  readonly count: number;
  /** Set when the address is over the limit. */
  readonly retryAfterSeconds?: number;
};

export class FailedCredentials {
  readonly #failures: LRUCache<string, { count: number; readonly untilMs: number }>;
  readonly #clock: () => number;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
    this.#failures = new LRUCache({ max: addressesMax });
  }

  /** A connection that is gone has no address any more. */
  count(address: string | undefined): FailedCredential {
    const source = sourceOf(address ?? '');
    const nowMs = this.#clock();
    const known = this.#failures.get(source);
    const entry = known !== undefined && nowMs < known.untilMs ? known : { count: 0, untilMs: nowMs + windowMs };
    entry.count++;
    if (entry !== known) this.#failures.set(source, entry);
    if (entry.count <= failuresMax) return { count: entry.count };
    return { count: entry.count, retryAfterSeconds: Math.max(1, Math.ceil((entry.untilMs - nowMs) / 1000)) };
  }
}

/** Who is one source: an IPv4 address, however it is written, or a network of IPv6 with 64 bits. */
export const sourceOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address.slice(0, addressLengthMax);
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
};
