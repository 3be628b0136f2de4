/**
 * How the hosts of each team's tools behave: a host that fails again and again is left alone for a while, and one that is
 * slow does not take every call.
 * Refuses: to let one team's failures count for another.
 */
import { BrokenCircuitError, CircuitState, circuitBreaker, ConsecutiveBreaker, handleWhenResult } from 'cockatiel';
import { fail, type Result, succeed } from '@tessera/failures';
import { LRUCache } from 'lru-cache';

export type TrafficLimits = {
  readonly callsPerHost: number;
  readonly failuresInARow?: number;
  readonly restMs?: number;
};

const hostsMax = 10_000;
const standards = { failuresInARow: 5, restMs: 10_000 } as const;

/** What a call came to, for the breaker to judge. */
class Outcome<T> {
  constructor(
    readonly value: T,
    readonly isFailure: boolean,
  ) {}
}

type HostState = { running: number; openedMs: number; readonly breaker: ReturnType<typeof circuitBreaker> };

export class HostTraffic {
  private readonly hosts = new LRUCache<string, HostState>({ max: hostsMax });
  private readonly limits: Required<TrafficLimits>;

  constructor(limits: TrafficLimits) {
    this.limits = { ...standards, ...limits };
  }

  /** Runs `work` unless the host rests or is busy (SERVICE_UNAVAILABLE); `isFailure` says what counts against the host. */
  async run<T>(
    { team, host }: { readonly team: string; readonly host: string },
    work: () => Promise<T>,
    isFailure: (outcome: T) => boolean,
  ): Promise<Result<T>> {
    const state = this.stateOf(`${team} ${host}`);
    if (state.breaker.state === CircuitState.HalfOpen) return resting(1);
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
      return resting(Math.ceil((state.openedMs + this.limits.restMs - Date.now()) / 1_000));
    } finally {
      state.running--;
    }
  }

  private stateOf(key: string): HostState {
    const known = this.hosts.get(key);
    if (known) return known;
    const { failuresInARow, restMs } = this.limits;
    const breaker = circuitBreaker(
      handleWhenResult((outcome) => outcome instanceof Outcome && outcome.isFailure),
      { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(failuresInARow) },
    );
    const state: HostState = { running: 0, openedMs: 0, breaker };
    breaker.onBreak(() => (state.openedMs = Date.now()));
    this.hosts.set(key, state);
    return state;
  }
}

const resting = (seconds: number): Result<never> =>
  fail('SERVICE_UNAVAILABLE', 'The foreign system has failed several times and is left alone for a while.', {
    retryAfterSeconds: Math.max(1, seconds),
  });
