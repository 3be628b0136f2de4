/**
 * Shares units of a scarce resource among keys: a free unit goes to the waiting key that holds the fewest, among equals in
 * rounds; requests of one key are served in their order.
 */
export type KeyedQueueOptions = {
  /** Units that all keys hold together. */
  readonly limit: number;
  /** Units that one key holds; `limit` when absent. */
  readonly limitPerKey?: number;
  /** Units that only keys take that hold none, so that a few busy keys together leave some; 0 when absent. */
  readonly reserve?: number;
  /** Requests of one key that wait; further ones are refused at once. No bound when absent. */
  readonly waitingPerKeyMax?: number;
};

export type AcquireOptions = {
  /** Ends the wait; rejects with `QueueRefusal` "aborted". */
  readonly signal?: AbortSignal;
  /** The longest wait; rejects with `QueueRefusal` "timeout". */
  readonly timeoutMs?: number;
};

/** Gives the units back; further calls do nothing. */
export type Release = () => void;

export class QueueRefusal extends Error {
  override readonly name = 'QueueRefusal';

  /** `full`: too many requests of the key wait already. */
  constructor(readonly reason: 'aborted' | 'full' | 'timeout') {
    super(`The queue gave no turn (${reason}).`);
  }
}

type Waiting = (release: Release) => void;
type Share = { held: number; round: number; readonly waiting: Set<Waiting> };

export class KeyedQueue {
  readonly #limit: number;
  readonly #limitPerKey: number;
  readonly #reserve: number;
  readonly #waitingPerKeyMax: number;
  readonly #shares = new Map<string, Share>();
  /** Those with requests that wait. */
  readonly #waitingKeys = new Map<string, Share>();
  #held = 0;
  #waiting = 0;
  /** A key is served once a round. Who comes joins in the middle of one, so that nobody is overtaken for ever. */
  #round = 0;

  constructor({
    limit,
    limitPerKey = limit,
    reserve = 0,
    waitingPerKeyMax = Number.POSITIVE_INFINITY,
  }: KeyedQueueOptions) {
    this.#reserve = reserve;
    this.#limit = limit;
    this.#limitPerKey = Math.min(limit, limitPerKey);
    this.#waitingPerKeyMax = waitingPerKeyMax;
  }

  /** Units that are held. */
  get held(): number {
    return this.#held;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  heldBy(key: string): number {
    return this.#shares.get(key)?.held ?? 0;
  }

  /** Takes `units` at once, or nothing when they are not free, or others of the key wait for theirs. */
  tryAcquire(key: string, units = 1): Release | undefined {
    const share = this.#shares.get(key);
    if (share?.waiting.size || !this.#mayTake(share?.held ?? 0, units)) return undefined;
    return this.#take(key, share ?? this.#open(key), units);
  }

  /** Takes one unit, waiting for it when it must. Rejects with `QueueRefusal`. */
  acquire(key: string, options: AcquireOptions = {}): Promise<Release> {
    if (options.signal?.aborted) return Promise.reject(new QueueRefusal('aborted'));
    const release = this.tryAcquire(key);
    return release ? Promise.resolve(release) : this.#wait(key, options);
  }

  #mayTake(held: number, units: number): boolean {
    const limit = held === 0 ? this.#limit : this.#limit - this.#reserve;
    return this.#held + units <= limit && held + units <= this.#limitPerKey;
  }

  #open(key: string): Share {
    const share: Share = { held: 0, round: this.#round + 0.5, waiting: new Set() };
    this.#shares.set(key, share);
    return share;
  }

  #take(key: string, share: Share, units: number): Release {
    share.held += units;
    this.#round = Math.max(this.#round, share.round);
    share.round = this.#round + 1;
    this.#held += units;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      share.held -= units;
      this.#held -= units;
      this.#forgetIfIdle(key, share);
      this.#serve();
    };
  }

  #forgetIfIdle(key: string, share: Share): void {
    if (share.held === 0 && share.waiting.size === 0) this.#shares.delete(key);
  }

  #wait(key: string, { signal, timeoutMs }: AcquireOptions): Promise<Release> {
    const share = this.#shares.get(key) ?? this.#open(key);
    if (share.waiting.size >= this.#waitingPerKeyMax) return Promise.reject(new QueueRefusal('full'));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        share.waiting.delete(serve);
        this.#waiting--;
        if (share.waiting.size === 0) this.#waitingKeys.delete(key);
        signal?.removeEventListener('abort', onAbort);
        clearTimeout(timer);
      };
      const refuse = (reason: QueueRefusal['reason']): void => {
        leave();
        this.#forgetIfIdle(key, share);
        reject(new QueueRefusal(reason));
      };
      const serve: Waiting = (release) => {
        leave();
        resolve(release);
      };
      const onAbort = (): void => refuse('aborted');
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => refuse('timeout'), timeoutMs);
      signal?.addEventListener('abort', onAbort);
      share.waiting.add(serve);
      this.#waiting++;
      if (!this.#waitingKeys.has(key)) this.#waitingKeys.set(key, share);
    });
  }

  #serve(): void {
    while (this.#held < this.#limit) {
      const next = this.#next();
      const [serve] = next?.share.waiting ?? [];
      if (!next || !serve) return;
      serve(this.#take(next.key, next.share, 1));
    }
  }

  #next(): { readonly key: string; readonly share: Share } | undefined {
    let next: { readonly key: string; readonly share: Share } | undefined;
    for (const [key, share] of this.#waitingKeys)
      if (this.#mayTake(share.held, 1) && (!next || isBefore(share, next.share))) next = { key, share };
    return next;
  }
}

const isBefore = (one: Share, other: Share): boolean =>
  one.held < other.held || (one.held === other.held && one.round < other.round);

const eventLoopTurns = new KeyedQueue({ limit: 1 });

/** Resolves in an iteration of the event loop that no other such work has. */
export const waitForEventLoopTurn = async (team: string): Promise<void> => {
  const release = await eventLoopTurns.acquire(team);
  setImmediate(release);
};

/** Work as a generator that yields now and then. What it does between two yields has to stay far below 50 ms. */
export type SlicedWork<T> = Generator<undefined, T>;

const sliceMs = 8;

/** `team`: for whom the work is done. */
export const runInSlices = async <T>(work: SlicedWork<T>, team: string): Promise<T> => {
  for (;;) {
    await waitForEventLoopTurn(team);
    const until = performance.now() + sliceMs;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
  }
};

/** The same at once, for what is known to be short. */
export const runUnsliced = <T>(work: SlicedWork<T>): T => {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
};
