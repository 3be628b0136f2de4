/**
 * A circuit breaker and a limit of concurrent calls for each host of each team. Never counts one team's failures for another.
 */
import { fail, type Result, succeed } from '@tessera/failures';
import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhenResult } from 'cockatiel';
import { LRUCache } from 'lru-cache';

type BreakerLimits = {
  readonly callsPerHost: number;
  readonly consecutiveFailures?: number;
  readonly halfOpenAfterMs?: number;
};

const hostsMax = 10_000;
const defaultLimits = { consecutiveFailures: 5, halfOpenAfterMs: 10_000 } as const;

/** What a call came to, for the breaker. */
class Outcome<T> {
  constructor(
    readonly value: T,
    readonly isFailure: boolean,
  ) {}
}

type HostState = { running: number; openedMs: number; readonly breaker: ReturnType<typeof circuitBreaker> };

export class HostCallGuards {
  private readonly hosts = new LRUCache<string, HostState>({ max: hostsMax });
  private readonly limits: Required<BreakerLimits>;

  constructor(limits: BreakerLimits) {
    this.limits = { ...defaultLimits, ...limits };
  }

  /** Runs `work` unless the host rests or is busy (SERVICE_UNAVAILABLE); `isFailure` says what counts against the host. */
  async run<T>(
    { team, host }: { readonly team: string; readonly host: string },
    work: () => Promise<T>,
    isFailure: (outcome: T) => boolean,
  ): Promise<Result<T>> {
    const state = this.stateOf(`${team} ${host}`);
    if (state.breaker.state === CircuitState.HalfOpen) return circuitOpenFailure(1);
    if (state.running >= this.limits.callsPerHost)
      return fail('SERVICE_UNAVAILABLE', 'Too many calls wait for the foreign system.', { retryAfterSeconds: 1 });
    state.running++;
    try {
      const outcome = await state.breaker.execute(async () => {
        const value = await work();
        return new Outcome(value, isFailure(value));
      });
      return succeed(outcome.value);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      return circuitOpenFailure(Math.ceil((state.openedMs + this.limits.halfOpenAfterMs - Date.now()) / 1_000));
    } finally {
      state.running--;
    }
  }

  private stateOf(key: string): HostState {
    const known = this.hosts.get(key);
    if (known) return known;
    const { consecutiveFailures, halfOpenAfterMs } = this.limits;
    const breaker = circuitBreaker(
      handleWhenResult((outcome) => outcome instanceof Outcome && outcome.isFailure),
      { halfOpenAfter: halfOpenAfterMs, breaker: new ConsecutiveBreaker(consecutiveFailures) },
    );
    const state: HostState = { running: 0, openedMs: 0, breaker };
    breaker.onBreak(() => (state.openedMs = Date.now()));
    this.hosts.set(key, state);
    return state;
  }
}

const circuitOpenFailure = (seconds: number): Result<never> =>
  fail('SERVICE_UNAVAILABLE', 'The foreign system has failed several times and is left alone for a while.', {
    retryAfterSeconds: Math.max(1, seconds),
  });
