/**
 * What is left of a request when it has ended: a log line when it failed or was slow, its span when it is traced, metrics
 * always. Paths are told as the route, since keys of records and names of elements stand in them.
 * Refuses: paths as they came, queries, headers and bodies; callers put secrets and persons there.
 */
import type { FastifyRequest } from 'fastify';
import { traceIdsOf } from '@tessera/messaging';
import type { Log, Metrics } from '@tessera/service-kit';
import type { Exchange } from './exchange.js';
import { RequestFigures } from './request-figures.js';

export type RequestRecorder = {
  readonly begun: () => void;
  readonly ended: (request: FastifyRequest, status: number, isWhole: boolean) => void;
};

export const idsOf = ({ requestId, traceparent }: Exchange) => ({ requestId, ...traceIdsOf(traceparent) });

/** Of a path that nobody serves or that is public. */
const noOperation = 'none';

export const requestRecorderOf = (
  log: Log,
  metrics: Pick<Metrics, 'registry' | 'teamRegistry'>,
  slowMs: number,
): RequestRecorder => {
  const figures = new RequestFigures(metrics);
  const debug = log.isLevelEnabled('debug');
  const record = (request: FastifyRequest, status: number, isWhole: boolean): void => {
    const { exchange } = request;
    const durationMs = Date.now() - exchange.startedAtMs;
    const operation = exchange.operation?.name ?? noOperation;
    const team = exchange.frame?.caller.team;
    figures.ended(operation, status, team, durationMs / 1000);
    // Who leaves early is no failure of ours.
    const failed = status >= 500 || exchange.outcome === 'interrupted';
    endSpan(request, operation, status, failed);
    if (!debug && !failed && durationMs < slowMs) return;
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
    if (failed) log.warn(fields, 'request failed');
    else log[debug && durationMs < slowMs ? 'debug' : 'info'](fields, 'request');
  };
  // A listener of the connection calls it: what is thrown there nobody catches.
  const ended: RequestRecorder['ended'] = (...told) => {
    try {
      record(...told);
    } catch (error) {
      log.error({ err: error }, 'a request could not be recorded');
    }
  };
  return { begun: () => figures.begun(), ended };
};

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
