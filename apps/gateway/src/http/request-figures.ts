/**
 * Requests as metrics: their time by operation and status for everybody, their number and time by team for the operator.
 * Refuses: more than so many teams by name; the rest is counted as one.
 */
import type { Metrics } from '@tessera/service-kit';
import { Counter, Gauge, Histogram } from 'prom-client';

const teamsMax = 100;

/** Requests that nobody was known for: refused credentials, public paths, unknown paths. */
const nobody = 'none';

type OfTeam = { readonly count: (statusClass: number) => void; readonly add: (seconds: number) => void };

export class RequestFigures {
  readonly #durations: Histogram<'operation' | 'status'>;
  readonly #inProgress: Gauge;
  readonly #teamRequests: Counter<'team' | 'status'>;
  readonly #teamSeconds: Counter<'team'>;
  readonly #observers = new Map<string, { observe: (seconds: number) => void }>();
  readonly #teams = new Map<string, OfTeam>();
  #running = 0;

  constructor({ registry, teamRegistry }: Pick<Metrics, 'registry' | 'teamRegistry'>) {
    this.#durations = new Histogram({
      name: 'tessera_http_request_duration_seconds',
      help: 'Time of an HTTP request from its head to the end of its answer, by operation and status.',
      labelNames: ['operation', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
      registers: [registry],
    });
    this.#inProgress = new Gauge({
      name: 'tessera_http_requests_in_progress',
      help: 'HTTP requests whose answer has not ended.',
      registers: [registry],
      collect: () => this.#inProgress.set(this.#running),
    });
    this.#teamRequests = new Counter({
      name: 'tessera_team_requests_total',
      help: 'HTTP requests by team and class of status. The first 100 teams have their name, the rest is `other`; `none`: no team was known.',
      labelNames: ['team', 'status'] as const,
      registers: [teamRegistry],
    });
    this.#teamSeconds = new Counter({
      name: 'tessera_team_request_seconds_total',
      help: 'Time of HTTP requests by team, as in tessera_team_requests_total.',
      labelNames: ['team'] as const,
      registers: [teamRegistry],
    });
  }

  begun(): void {
    this.#running++;
  }

  ended(operation: string, status: number, team: string | undefined, seconds: number): void {
    this.#running--;
    const key = `${operation} ${status}`;
    let observer = this.#observers.get(key);
    if (observer === undefined)
      this.#observers.set(key, (observer = this.#durations.labels(operation, String(status))));
    observer.observe(seconds);
    const ofTeam = this.#of(team ?? nobody);
    ofTeam.count(Math.floor(status / 100));
    ofTeam.add(seconds);
  }

  #of(team: string): OfTeam {
    const known = this.#teams.get(team);
    if (known) return known;
    if (this.#teams.size >= teamsMax && team !== 'other') return this.#of('other');
    const classes = new Map<number, Counter.Internal>();
    const seconds = this.#teamSeconds.labels(team);
    const made: OfTeam = {
      count: (statusClass) => {
        const counter = classes.get(statusClass) ?? this.#teamRequests.labels(team, `${statusClass}xx`);
        classes.set(statusClass, counter);
        counter.inc();
      },
      add: (amount) => seconds.inc(amount),
    };
    this.#teams.set(team, made);
    return made;
  }
}
