/**
 * What is left of a request when it has ended: a log line when it failed or was slow, its span when it is traced, metrics
 * always. Paths are told as the route, since keys of records and names of elements stand in them.
 * Refuses: paths as they came, queries, headers and bodies; callers put secrets and persons there.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { traceIdsOf } from '@tessera/messaging';
import { logToken, metricsToken, settingsToken, type Log, type Metrics } from '@tessera/service-kit';
import type { GatewayConfiguration } from '../configuration.js';
import type { Exchange } from './exchange.js';
import { RequestFigures } from './request-figures.js';

export const idsOf = ({ requestId, traceparent }: Exchange) => ({ requestId, ...traceIdsOf(traceparent) });

/** Of a path that nobody serves or that is public. */
const noOperation = 'none';

@Injectable()
export class RequestRecorder {
  readonly #figures: RequestFigures;
  readonly #slowMs: number;

  constructor(
    @Inject(logToken) private readonly log: Log,
    @Inject(metricsToken) metrics: Metrics,
    @Inject(settingsToken) { SLOW_REQUEST_MS }: GatewayConfiguration,
  ) {
    this.#figures = new RequestFigures(metrics);
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
      ...idsOf(exchange),
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
