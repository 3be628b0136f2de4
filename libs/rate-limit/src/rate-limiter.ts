/**
 * A rate limit: exact over all replicas, since one atomic statement grants every admission; cheap, since busy subjects get
 * leases, renewed for all of them in one statement every 100 ms. Counts locally, and reports it, while the store is away.
 */
import { toLoggableReason } from '@tessera/failures';
import type { AdmissionGrant, AdmissionRequest, RateWindows } from '@tessera/persistence';

export type RateLimiterOptions = {
  readonly windows: Pick<RateWindows, 'take' | 'window'>;
  /** Told when the store goes away and when it is back. */
  readonly onLocal?: (isLocal: boolean, reason: string) => void;
  readonly clock?: () => number;
};

const lengthsMs = { hour: 3_600_000, minute: 60_000 } as const;
const tickMs = 100;
const batchMax = 1000;
/** How often the store is tried while it is away, in ticks. */
const retryTicks = 5;
const idleTicksMax = 600;

export class RateLimiter {
  readonly #take: RateWindows['take'];
  readonly #lengthMs: number;
  readonly #onLocal: NonNullable<RateLimiterOptions['onLocal']>;
  readonly #clock: () => number;
  readonly #meters = new Map<string, Meter>();
  readonly #queue = new Set<Meter>();
  #isWorking = false;
  #local = false;
  #ticks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ windows, onLocal = () => {}, clock = Date.now }: RateLimiterOptions) {
    this.#take = windows.take;
    this.#lengthMs = lengthsMs[windows.window];
    this.#onLocal = onLocal;
    this.#clock = clock;
  }

  /** Whether the store is away and every replica counts alone. */
  get isLocal(): boolean {
    return this.#local;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.tick(), tickMs).unref();
  }

  /** Stops the ticks and gives the leases back. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const meter of this.#meters.values()) {
      meter.recent = 0;
      meter.demand = 0;
      if (meter.onTick(this.#clock())) this.#queue.add(meter);
    }
    if (!this.#local) await this.#work();
  }

  meterOf({ team, subject, limit }: MeteredSubject): Meter {
    const name = `${team} ${subject} ${limit}`;
    let meter = this.#meters.get(name);
    if (meter === undefined) {
      meter = new Meter({ team, subject, limit }, this.#lengthMs);
      this.#meters.set(name, meter);
    }
    return meter;
  }

  /** What is left after this admission, negative when it is refused; at once when a lease has room. */
  admit(meter: Meter): RemainingAdmissions | Promise<RemainingAdmissions> {
    const nowMs = this.#clock();
    const leased = meter.takeFromLease(nowMs);
    if (leased !== undefined) return leased;
    if (this.#local) return meter.takeOnCredit(nowMs);
    return new Promise((resolve) => {
      meter.waiting.push(resolve);
      this.#queue.add(meter);
      if (!this.#isWorking) void this.#work();
    });
  }

  /** Measures demand, renews leases and gives back what is idle; all subjects in one statement. */
  tick(): void {
    this.#ticks++;
    const nowMs = this.#clock();
    for (const [name, meter] of this.#meters) {
      if (meter.onTick(nowMs)) this.#queue.add(meter);
      else if (meter.idleTicks > idleTicksMax && meter.waiting.length === 0) this.#meters.delete(name);
    }
    if (this.#isWorking || (this.#local && this.#ticks % retryTicks !== 0)) return;
    if (this.#queue.size > 0 || this.#local) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    do {
      await this.#requestGrants(this.#nextMeters());
    } while (this.#queue.size > 0 && !this.#local);
    this.#isWorking = false;
  }

  /** Of a subject that has two limits for a while, one: a statement takes each subject once. */
  #nextMeters(): readonly Meter[] {
    const next = new Map<string, Meter>();
    for (const meter of this.#queue) {
      if (next.size === batchMax) break;
      const name = nameOf(meter.metered);
      if (next.has(name)) continue;
      next.set(name, meter);
      this.#queue.delete(meter);
    }
    return [...next.values()];
  }

  async #requestGrants(meters: readonly Meter[]): Promise<void> {
    const asked = meters.map((meter) => ({ meter, waiting: meter.waiting.length, request: meter.request() }));
    try {
      const { grants, windowMs, nowMs } = await this.#take(asked.map(({ request }) => request));
      const byName = new Map(grants.map((grant) => [nameOf(grant), grant]));
      const clockAheadMs = nowMs - this.#clock();
      for (const { meter, request } of asked) {
        const grant = byName.get(nameOf(request));
        if (grant) meter.grant(request, grant, windowMs, clockAheadMs);
      }
      for (const { meter, waiting } of asked) meter.serveWaiting(waiting, this.#clock());
      this.#setLocal(false, '');
    } catch (error) {
      this.#setLocal(true, toLoggableReason(error));
      for (const meter of this.#meters.values()) meter.serveWaitingOnCredit(meter.waiting.length, this.#clock());
    }
  }

  #setLocal(isLocal: boolean, reason: string): void {
    if (this.#local === isLocal) return;
    this.#local = isLocal;
    this.#onLocal(isLocal, reason);
  }
}

const nameOf = ({ team, subject }: Pick<MeteredSubject, 'team' | 'subject'>): string => `${team} ${subject}`;

export type MeteredSubject = {
  readonly team: string;
  /** Who or what is limited, unique in its team. */
  readonly subject: string;
  /** Admissions in a window. */
  readonly limit: number;
};

/** Admissions that are left after this one; negative when it was refused. */
export type RemainingAdmissions = number;

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
  readonly waiting: ((remaining: RemainingAdmissions) => void)[] = [];
  /** Used by all replicas, our lease included, as the store last said. */
  #used = 0;
  /** What we hold and have not given out. */
  #room = 0;
  /** To be settled with the store: lent while it was away (positive), given back (negative). */
  #debt = 0;
  #refusedUntilMs = 0;

  constructor(
    readonly metered: MeteredSubject,
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
  takeFromLease(nowMs: number): RemainingAdmissions | undefined {
    if (nowMs >= this.windowEndMs) return undefined;
    if (this.#room > 0) {
      this.#room--;
      this.recent++;
      return this.remaining;
    }
    return nowMs < this.#refusedUntilMs ? -1 : undefined;
  }

  /** One admission on credit, while the store is away. */
  takeOnCredit(nowMs: number): RemainingAdmissions {
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

  serveWaitingOnCredit(count: number, nowMs: number): void {
    for (const answer of this.waiting.splice(0, count)) answer(this.takeOnCredit(nowMs));
  }

  /** Once a tick: measures the demand and puts back what is not needed. True when the store should be asked. */
  onTick(nowMs: number): boolean {
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
