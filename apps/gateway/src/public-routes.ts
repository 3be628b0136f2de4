/** Public routes: health, metrics, the OpenAPI document. They have no operation and never hold anything of a team. */
import {
  liveAnswer,
  type ManagementSources,
  type ManagementAnswer,
  publicMetricsAnswer,
  readyAnswer,
} from '@tessera/service-kit';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendPrepared, type PreparedDocument } from './prepared-document.js';

type PublicRoutes = ManagementSources & {
  readonly hasMetrics: boolean;
  /** Its bytes are there once, however many readers are slow; made when the port is known. */
  readonly openApi: Promise<PreparedDocument>;
};

export const addPublicRoutes = (fastify: FastifyInstance, routes: PublicRoutes): void => {
  fastify.get('/health/live', (_request, reply) => send(reply, liveAnswer()));
  fastify.get('/health/ready', async (_request, reply) => send(reply, await readyAnswer(routes)));
  if (routes.hasMetrics)
    fastify.get('/metrics', async (_request, reply) => send(reply, await publicMetricsAnswer(routes)));
  fastify.get('/openapi.json', async (request, reply) =>
    sendPrepared(request, reply, await routes.openApi, 'no-cache'),
  );
};

const send = (reply: FastifyReply, { status, contentType, body }: ManagementAnswer): FastifyReply =>
  reply.code(status).header('content-type', contentType).header('cache-control', 'no-cache').send(body);
