/** Public routes: health, metrics, the OpenAPI document. They have no operation and never hold anything of a team. */
import {
  liveAnswer,
  type ManagementSources,
  type ManagementAnswer,
  publicMetricsAnswer,
  readyAnswer,
} from '@tessera/service-kit';
import type { FastifyInstance, FastifyReply } from 'fastify';

type PublicRoutes = ManagementSources & {
  readonly hasMetrics: boolean;
  /** The document, as JSON text. Its bytes are there once, however many readers are slow. */
  readonly openApi: () => Buffer;
};

export const addPublicRoutes = (fastify: FastifyInstance, routes: PublicRoutes): void => {
  fastify.get('/health/live', (_request, reply) => send(reply, liveAnswer()));
  fastify.get('/health/ready', async (_request, reply) => send(reply, await readyAnswer(routes)));
  if (routes.hasMetrics)
    fastify.get('/metrics', async (_request, reply) => send(reply, await publicMetricsAnswer(routes)));
  fastify.get('/openapi.json', (_request, reply) =>
    send(reply, { status: 200, contentType: 'application/json; charset=utf-8', body: routes.openApi() }),
  );
};

const send = (reply: FastifyReply, { status, contentType, body }: ManagementAnswer): FastifyReply =>
  reply.code(status).header('content-type', contentType).header('cache-control', 'no-cache').send(body);
