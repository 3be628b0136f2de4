/**
 * `/health/live`, `/health/ready` and `/metrics`: as values, so that any HTTP server can answer them, and on a small
 * server of their own. Refuses: every other path.
 */
import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { Health } from './health.js';

export type ManagementAnswer = { readonly status: number; readonly contentType: string; readonly body: string };

export type Managed = { readonly health: Health; readonly metrics: { readonly registry: Registry } };

const json = (status: number, value: object): ManagementAnswer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

/** 200 as long as the event loop turns. */
export const liveAnswer = (): ManagementAnswer => json(200, { status: 'live' });

/** 200, or 503 with the names of what is missing. */
export const readyAnswer = async ({ health }: Managed): Promise<ManagementAnswer> => {
  const readiness = await health.readiness();
  return json(readiness.status === 'ready' ? 200 : 503, readiness);
};

export const metricsAnswer = async ({ metrics: { registry } }: Managed): Promise<ManagementAnswer> => ({
  status: 200,
  contentType: registry.contentType,
  body: await registry.metrics(),
});

const answerTo = async (path: string, managed: Managed): Promise<ManagementAnswer> => {
  if (path === '/health/live') return liveAnswer();
  if (path === '/health/ready') return readyAnswer(managed);
  if (path === '/metrics') return metricsAnswer(managed);
  return json(404, { status: 'unknown path' });
};

export type ManagementServer = { readonly port: number; readonly close: () => Promise<void> };

/** Listens on `port` (0: any free one). */
export const startManagementServer = async (
  managed: Managed,
  host: string,
  port: number,
): Promise<ManagementServer> => {
  const server = createServer((request, response) => {
    void answerTo((request.url ?? '').split('?')[0] ?? '', managed)
      .catch(() => json(500, { status: 'failed' }))
      .then(({ status, contentType, body }) => response.writeHead(status, { 'content-type': contentType }).end(body));
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
