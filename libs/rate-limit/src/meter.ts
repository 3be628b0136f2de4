/**
 * What one replica knows about one subject in the running window: what all replicas have used, what this one holds and may
 * still admit. Pure. Never admits more than was granted, but for a separate limit while the store is away.
 */
import type { AdmissionGrant, AdmissionRequest } from '@tessera/persistence';

export type Metered = {
  readonly team: string;
  /** Who or what is limited, unique in its team. */
  readonly subject: string;
  /** Admissions in a window. */
  readonly limit: number;
};

/** Admissions that are left after this one; negative when it was refused. */
export type Remaining = number;

/** From here on to the limit every admission is taken one by one. */
const nearLimitShare = 0.05;
const nearLimitFloor = 64;
/** A lease is at most this part of what is left, so that replicas do not starve each other. */
const leaseShare = 0.25;
/** How long a refusal is believed; other replicas may give leases back. */
const refusalMs = 100;

export class Meter {
  readonly limit: number;
  /** Start of the running window, by the database's clock; 0 before the first answer. */
  windowMs = 0;
  windowText = '';
  /** The end of it by our clock. */
  windowEndMs = 0;
  /** Given out since the last tick, and the smoothed demand of a tick. */
  recent = 0;
  demand = 0;
  idleTicks = 0;
  readonly waiting: ((remaining: Remaining) => void)[] = [];
  /** Used by all replicas, our lease included, as the store last said. */
  #used = 0;
  /** What we hold and have not given out. */
  #room = 0;
  /** To be settled with the store: lent while it was away (positive), given back (negative). */
  #debt = 0;
  #refusedUntilMs = 0;

  constructor(
    readonly metered: Metered,
    private readonly lengthMs: number,
  ) {
    this.limit = metered.limit;
  }

  /** What a refused caller should wait. */
  retryAfterSeconds(nowMs: number): number {
    return Math.max(1, Math.ceil((this.windowEndMs - nowMs) / 1000));
  }

  get remaining(): number {
    return Math.max(0, this.limit - this.#used - this.#debt + this.#room);
  }

  /** One admission from the lease; undefined when the store must be asked. */
  takeLeased(nowMs: number): Remaining | undefined {
    if (nowMs >= this.windowEndMs) return undefined;
    if (this.#room > 0) {
      this.#room--;
      this.recent++;
      return this.remaining;
    }
    return nowMs < this.#refusedUntilMs ? -1 : undefined;
  }

  /** One admission on credit, while the store is away. */
  takeLent(nowMs: number): Remaining {
    if (nowMs >= this.windowEndMs) this.#open(Math.floor(nowMs / this.lengthMs) * this.lengthMs, 0);
    if (this.remaining === 0) return -1;
    if (this.#room > 0) this.#room--;
    else this.#debt++;
    this.recent++;
    return this.remaining;
  }

  /** What to ask the store for: one for each waiting request, the lease, and what is to be settled. */
  request(): AdmissionRequest {
    return {
      ...this.metered,
      wanted: this.waiting.length + Math.max(0, this.#leaseTarget() - this.#room),
      settled: this.#debt,
      settledWindowMs: this.windowMs,
    };
  }

  /** The store's answer to `asked`; waiting requests are answered as far as the grant reaches. */
  grant(asked: AdmissionRequest, { granted, used }: AdmissionGrant, windowMs: number, clockAheadMs: number): void {
    if (windowMs === this.windowMs) this.#debt -= asked.settled;
    else this.#open(windowMs, clockAheadMs);
    this.#used = used;
    this.#room += granted;
  }

  /** Answers those who waited when the store was asked. */
  serveWaiting(count: number, nowMs: number): void {
    for (const answer of this.waiting.splice(0, count)) {
      if (this.#room > 0) {
        this.#room--;
        this.recent++;
        answer(this.remaining);
      } else {
        this.#refusedUntilMs = nowMs + refusalMs;
        answer(-1);
      }
    }
  }

  lendWaiting(count: number, nowMs: number): void {
    for (const answer of this.waiting.splice(0, count)) answer(this.takeLent(nowMs));
  }

  /** Once a tick: measures the demand and puts back what is not needed. True when the store should be asked. */
  turn(nowMs: number): boolean {
    this.demand = Math.max(this.recent, Math.floor(this.demand / 2));
    this.idleTicks = this.recent > 0 ? 0 : this.idleTicks + 1;
    this.recent = 0;
    if (nowMs >= this.windowEndMs) {
      this.#room = 0;
      this.#debt = 0;
      return false;
    }
    const target = this.#leaseTarget();
    const surplus = this.#room - target;
    if (surplus > 0 && surplus >= target) {
      this.#room -= surplus;
      this.#debt -= surplus;
    }
    return this.#debt !== 0 || this.#room < target / 2;
  }

  /** The lease that the demand asks for; none near the limit. */
  #leaseTarget(): number {
    const free = this.limit - this.#used - this.#debt;
    const near = Math.max(this.limit * nearLimitShare, nearLimitFloor);
    if (this.windowMs === 0 || free <= near) return 0;
    return Math.floor(Math.min(this.demand * 2, (free - near) * leaseShare));
  }

  #open(windowMs: number, clockAheadMs: number): void {
    this.windowMs = windowMs;
    this.windowEndMs = windowMs + this.lengthMs - clockAheadMs;
    this.windowText = new Date(windowMs + this.lengthMs).toISOString().replace('.000Z', 'Z');
    this.#used = 0;
    this.#room = 0;
    this.#debt = 0;
    this.#refusedUntilMs = 0;
  }
}
