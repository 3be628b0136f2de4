/**
 * Liveness and readiness: named checks; a process that starts or stops is not ready. Never says why something is missing (the
 * log does), nor checks more often than needed.
 */
export type HealthCheck = () => boolean | Promise<boolean>;

export type Readiness = {
  readonly status: 'starting' | 'ready' | 'not ready' | 'stopping';
  readonly checks: Readonly<Record<string, 'up' | 'down'>>;
};

/**
 * `always`: without it the process is not ready. `first`: it must have been there together with everything else; while it is
 * away later, it shows as down, and the process stays ready.
 */
export type CheckNeed = 'always' | 'first';

const checkWithinMs = 1000;
const readinessCacheMs = 250;

export class Health {
  readonly #checks = new Map<string, { readonly check: HealthCheck; readonly need: CheckNeed }>();
  readonly #clock: () => number;
  #isSetUp = false;
  #wasReady = false;
  #stopping = false;
  #last: { readonly atMs: number; readonly checks: Promise<Readiness['checks']> } | undefined;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  /** A check that throws or takes longer than a second counts as down. */
  register(name: string, check: HealthCheck, need: CheckNeed = 'always'): void {
    this.#checks.set(name, { check, need });
    this.#last = undefined;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** The process is set up: it is ready as soon as the checks say so. */
  started(): void {
    this.#isSetUp = true;
  }

  /** From now on not ready. */
  stop(): void {
    this.#stopping = true;
  }

  async readiness(): Promise<Readiness> {
    if (this.#stopping) return { status: 'stopping', checks: {} };
    const nowMs = this.#clock();
    if (this.#last === undefined || nowMs - this.#last.atMs > readinessCacheMs)
      this.#last = { atMs: nowMs, checks: this.#runAll() };
    const checks = await this.#last.checks;
    return { status: this.#statusOf(checks), checks };
  }

  #statusOf(checks: Readiness['checks']): Readiness['status'] {
    const isNeeded = (name: string): boolean => !this.#wasReady || this.#checks.get(name)?.need === 'always';
    if (Object.keys(checks).some((name) => checks[name] === 'down' && isNeeded(name))) return 'not ready';
    if (!this.#isSetUp) return 'starting';
    this.#wasReady = true;
    return 'ready';
  }

  async #runAll(): Promise<Readiness['checks']> {
    const run = async (name: string, check: HealthCheck) => [name, await outcomeOf(check)] as const;
    return Object.fromEntries(await Promise.all([...this.#checks].map(([name, { check }]) => run(name, check))));
  }
}

const outcomeOf = async (check: HealthCheck): Promise<'up' | 'down'> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, checkWithinMs, false)));
  try {
    return (await Promise.race([check(), late])) ? 'up' : 'down';
  } catch {
    return 'down';
  } finally {
    clearTimeout(timer);
  }
};
