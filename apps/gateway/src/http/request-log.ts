/**
 * What is left of a request when it has ended: a log line when it failed or was slow, a metric always.
 * Refuses: queries, headers and bodies; callers put secrets there.
 */
import type { FastifyRequest } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import type { Log } from '@tessera/service-kit';

export type RequestRecorder = (request: FastifyRequest, status: number, isWhole: boolean) => void;

export const requestRecorderOf = (log: Log, registry: Registry, slowMs: number): RequestRecorder => {
  const durations = new Histogram({
    name: 'tessera_http_request_duration_seconds',
    help: 'Time of an HTTP request from its head to the end of its answer, by operation and status.',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [registry],
  });
  const children = new Map<string, { observe: (seconds: number) => void }>();
  const debug = log.isLevelEnabled('debug');
  return (request, status, isWhole) => {
    const { exchange } = request;
    const durationMs = Date.now() - exchange.startedAtMs;
    const operation = exchange.operation?.name ?? 'none';
    const key = `${operation} ${status}`;
    let child = children.get(key);
    if (child === undefined) children.set(key, (child = durations.labels(operation, String(status))));
    child.observe(durationMs / 1000);
    // Who leaves early is no failure of ours.
    const failed = status >= 500 || exchange.outcome === 'interrupted';
    if (!debug && !failed && durationMs < slowMs) return;
    const fields = {
      requestId: exchange.requestId,
      team: exchange.frame?.caller.team,
      operation,
      method: request.method,
      path: exchange.path.slice(0, 500),
      status,
      outcome: isWhole || failed ? exchange.outcome : 'the client left',
      durationMs,
    };
    if (failed) log.warn(fields, 'request failed');
    else log[debug && durationMs < slowMs ? 'debug' : 'info'](fields, 'request');
  };
};
