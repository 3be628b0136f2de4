/**
 * A rate limit: exact over all replicas, since one atomic statement grants every admission; cheap, since busy subjects get
 * leases, renewed for all of them in one statement every 100 ms. Counts locally, and reports it, while the store is away.
 */
import { toldReason } from '@tessera/failures';
import type { RateWindows } from '@tessera/persistence';
import { Meter, type Metered, type Remaining } from './meter.js';

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
const forgetAfterTicks = 600;

export class RateLimiter {
  readonly #take: RateWindows['take'];
  readonly #lengthMs: number;
  readonly #onLocal: NonNullable<RateLimiterOptions['onLocal']>;
  readonly #clock: () => number;
  readonly #meters = new Map<string, Meter>();
  readonly #queue = new Set<Meter>();
  #asking = false;
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
      if (meter.turn(this.#clock())) this.#queue.add(meter);
    }
    if (!this.#local) await this.#work();
  }

  meterOf({ team, subject, limit }: Metered): Meter {
    const name = `${team} ${subject} ${limit}`;
    let meter = this.#meters.get(name);
    if (meter === undefined) {
      meter = new Meter({ team, subject, limit }, this.#lengthMs);
      this.#meters.set(name, meter);
    }
    return meter;
  }

  /** What is left after this admission, negative when it is refused; at once when a lease has room. */
  admit(meter: Meter): Remaining | Promise<Remaining> {
    const nowMs = this.#clock();
    const leased = meter.takeLeased(nowMs);
    if (leased !== undefined) return leased;
    if (this.#local) return meter.takeLent(nowMs);
    return new Promise((resolve) => {
      meter.waiting.push(resolve);
      this.#queue.add(meter);
      if (!this.#asking) void this.#work();
    });
  }

  /** Measures demand, renews leases and gives back what is idle; all subjects in one statement. */
  tick(): void {
    this.#ticks++;
    const nowMs = this.#clock();
    for (const [name, meter] of this.#meters) {
      if (meter.turn(nowMs)) this.#queue.add(meter);
      else if (meter.idleTicks > forgetAfterTicks && meter.waiting.length === 0) this.#meters.delete(name);
    }
    if (this.#asking || (this.#local && this.#ticks % retryTicks !== 0)) return;
    if (this.#queue.size > 0 || this.#local) void this.#work();
  }

  async #work(): Promise<void> {
    this.#asking = true;
    do {
      await this.#ask(this.#nextMeters());
    } while (this.#queue.size > 0 && !this.#local);
    this.#asking = false;
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

  async #ask(meters: readonly Meter[]): Promise<void> {
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
      this.#turnLocal(false, '');
    } catch (error) {
      this.#turnLocal(true, toldReason(error));
      for (const meter of this.#meters.values()) meter.lendWaiting(meter.waiting.length, this.#clock());
    }
  }

  #turnLocal(isLocal: boolean, reason: string): void {
    if (this.#local === isLocal) return;
    this.#local = isLocal;
    this.#onLocal(isLocal, reason);
  }
}

const nameOf = ({ team, subject }: Pick<Metered, 'team' | 'subject'>): string => `${team} ${subject}`;
