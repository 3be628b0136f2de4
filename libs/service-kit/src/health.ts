/**
 * Liveness and readiness: named checks of dependencies; a stopping process is not ready. Never says why a dependency is missing
 * (the log does), nor checks one more often than needed.
 */
export type HealthCheck = () => boolean | Promise<boolean>;

export type Readiness = {
  readonly status: 'ready' | 'not ready' | 'stopping';
  readonly checks: Readonly<Record<string, 'up' | 'down'>>;
};

const checkWithinMs = 1000;
const readinessCacheMs = 250;

export class Health {
  readonly #checks = new Map<string, HealthCheck>();
  readonly #clock: () => number;
  #stopping = false;
  #last: { readonly atMs: number; readonly checks: Promise<Readiness['checks']> } | undefined;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  /** A dependency that must be there; a check that throws or takes longer than a second counts as down. */
  register(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
    this.#last = undefined;
  }

  get isStopping(): boolean {
    return this.#stopping;
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
    const missing = Object.values(checks).includes('down');
    return { status: missing ? 'not ready' : 'ready', checks };
  }

  async #runAll(): Promise<Readiness['checks']> {
    const run = async ([name, check]: [string, HealthCheck]) => [name, await outcomeOf(check)] as const;
    return Object.fromEntries(await Promise.all([...this.#checks].map(run)));
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
