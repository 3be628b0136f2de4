/** `/health/live`, `/health/ready` and `/metrics`: as values, for any HTTP server, and on a small server of their own. */
import { createServer, type Server } from 'node:http';
import { types } from 'node:util';
import type { Registry } from 'prom-client';
import type { Health } from './health.js';

export type ManagementAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer;
};

export type ManagementSources = {
  readonly health: Health;
  readonly metrics: { readonly registry: Registry; readonly teamRegistry: Registry };
};

const jsonAnswer = (status: number, value: object): ManagementAnswer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

/** 200 as long as the event loop turns. */
export const answerLiveness = (): ManagementAnswer => jsonAnswer(200, { status: 'live' });

/** 200, or 503 with the names of what is missing. */
export const answerReadiness = async ({ health }: ManagementSources): Promise<ManagementAnswer> => {
  const readiness = await health.readiness();
  return jsonAnswer(readiness.status === 'ready' ? 200 : 503, readiness);
};

const metricsOf = async (registries: readonly Registry[]): Promise<ManagementAnswer> => ({
  status: 200,
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  body: (await Promise.all(registries.map((registry) => registry.metrics()))).join(''),
});

/** What everybody may read: no series names a team. */
export const answerPublicMetrics = ({ metrics: { registry } }: ManagementSources): Promise<ManagementAnswer> =>
  metricsOf([registry]);

const metricsAnswer = ({ metrics: { registry, teamRegistry } }: ManagementSources): Promise<ManagementAnswer> =>
  metricsOf([registry, teamRegistry]);

const answerTo = async (path: string, managed: ManagementSources): Promise<ManagementAnswer> => {
  if (path === '/health/live') return answerLiveness();
  if (path === '/health/ready') return answerReadiness(managed);
  if (path === '/metrics') return metricsAnswer(managed);
  return jsonAnswer(404, { status: 'unknown path' });
};

export type ManagementServer = { readonly port: number; readonly close: () => Promise<void> };

/** What of a host and a port was expected when nothing can listen there; undefined for every other error. */
export const findListenFault = (error: unknown): readonly [of: 'host' | 'port', expected: string] | undefined => {
  const code = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return ['port', 'a port that no other program uses'];
  if (code === 'EACCES') return ['port', 'a port that this user may listen on'];
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? ['host', 'an address of this machine'] : undefined;
};

/** Listens on `port` (0: any free one). */
export const startManagementServer = async (
  managed: ManagementSources,
  host: string,
  port: number,
): Promise<ManagementServer> => {
  const server = createServer((request, response) => {
    void answerTo((request.url ?? '').split('?')[0] ?? '', managed)
      .catch(() => jsonAnswer(500, { status: 'failed' }))
      .then(({ status, contentType, body }) => response.writeHead(status, { 'content-type': contentType }).end(body))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return { port: portOf(server), close: () => closeServer(server) };
};

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
