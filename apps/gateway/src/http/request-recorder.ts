/**
 * Records a request when it has ended: a log line when it failed or was slow, its span when it is traced, always metrics. Never
 * logs paths as sent (only the route), queries, headers and bodies; callers put secrets and personal data there.
 */
import { Inject, Injectable } from '@nestjs/common';
import { traceIdsOf } from '@tessera/messaging';
import { type Log, logToken, type Metrics, metricsToken, settingsToken } from '@tessera/service-kit';
import type { FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { GatewayConfiguration } from '../configuration.js';
import type { HttpExchange } from './exchange.js';

export const correlationIdsOf = ({ requestId, traceparent }: HttpExchange) => ({
  requestId,
  ...traceIdsOf(traceparent),
});

/** Of a path that nobody serves or that is public. */
const noOperation = 'none';

@Injectable()
export class RequestRecorder {
  readonly #figures: RequestMetrics;
  readonly #slowMs: number;

  constructor(
    @Inject(logToken) private readonly log: Log,
    @Inject(metricsToken) metrics: Metrics,
    @Inject(settingsToken) { SLOW_REQUEST_MS }: GatewayConfiguration,
  ) {
    this.#figures = new RequestMetrics(metrics);
    this.#slowMs = SLOW_REQUEST_MS;
  }

  begun(): void {
    this.#figures.begun();
  }

  /** A listener of the connection calls it: what is thrown there nobody catches. */
  ended(request: FastifyRequest, status: number, isWhole: boolean): void {
    try {
      this.#record(request, status, isWhole);
    } catch (error) {
      this.log.error({ err: error }, 'a request could not be recorded');
    }
  }

  #record(request: FastifyRequest, status: number, isWhole: boolean): void {
    const { exchange } = request;
    const durationMs = Date.now() - exchange.startedAtMs;
    const operation = exchange.operation?.name ?? noOperation;
    const team = exchange.frame?.caller.team;
    this.#figures.ended(operation, status, team, durationMs / 1000);
    // Who leaves early is no failure of ours.
    const failed = status >= 500 || exchange.outcome === 'interrupted';
    endSpan(request, operation, status, failed);
    const isSlow = durationMs >= this.#slowMs;
    if (!failed && !isSlow && !this.log.isLevelEnabled('debug')) return;
    const fields = {
      ...correlationIdsOf(exchange),
      team,
      operation,
      method: methodOf(request),
      route: exchange.operation?.http.path,
      status,
      outcome: isWhole || failed ? exchange.outcome : 'the client left',
      durationMs,
    };
    if (failed) this.log.warn(fields, 'request failed');
    else this.log[isSlow ? 'info' : 'debug'](fields, 'request');
  }
}

const endSpan = (request: FastifyRequest, operation: string, status: number, failed: boolean): void => {
  const { exchange } = request;
  if (!exchange.span.isRecording) return;
  const method = methodOf(request);
  const route = exchange.operation?.http.path;
  exchange.span.end(exchange.outcome, failed, {
    name: operation === noOperation ? method : operation,
    attributes: {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      'http.response.status_code': status,
      'url.scheme': request.protocol,
      ...(exchange.frame && { 'tessera.team': exchange.frame.caller.team }),
    },
  });
};

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT']);
const methodOf = ({ method }: FastifyRequest): string => (knownMethods.has(method) ? method : '_OTHER');

const teamsMax = 100;

/** Requests that nobody was known for: refused credentials, public paths, unknown paths. */
const noTeam = 'none';

type TeamCounters = { readonly count: (status: number) => void; readonly add: (seconds: number) => void };

export class RequestMetrics {
  readonly #durations: Histogram<'operation' | 'status'>;
  readonly #inProgress: Gauge;
  readonly #teamRequests: Counter<'team' | 'status'>;
  readonly #teamSeconds: Counter<'team'>;
  readonly #observers = new Map<string, { observe: (seconds: number) => void }>();
  readonly #teams = new Map<string, TeamCounters>();
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
      help: 'HTTP requests by team and class of status, 429 apart. The first 100 teams have their name, the rest is `other`; `none`: no team was known.',
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
    const ofTeam = this.#figuresOf(team ?? noTeam);
    ofTeam.count(status);
    ofTeam.add(seconds);
  }

  #figuresOf(team: string): TeamCounters {
    const known = this.#teams.get(team);
    if (known) return known;
    if (this.#teams.size >= teamsMax && team !== 'other') return this.#figuresOf('other');
    const classes = new Map<string, Counter.Internal>();
    const seconds = this.#teamSeconds.labels(team);
    const made: TeamCounters = {
      count: (status) => {
        const statusClass = status === 429 ? '429' : `${Math.floor(status / 100)}xx`;
        const counter = classes.get(statusClass) ?? this.#teamRequests.labels(team, statusClass);
        classes.set(statusClass, counter);
        counter.inc();
      },
      add: (amount) => seconds.inc(amount),
    };
    this.#teams.set(team, made);
    return made;
  }
}
