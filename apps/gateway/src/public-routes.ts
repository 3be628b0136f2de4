/** Public routes: health, metrics, the OpenAPI document. They have no operation and never hold anything of a team. */
import {
  answerLiveness,
  type ManagementSources,
  type ManagementAnswer,
  answerPublicMetrics,
  answerReadiness,
} from '@tessera/service-kit';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendPreparedDocument, type PreparedDocument } from './prepared-document.js';

type PublicRoutes = ManagementSources & {
  readonly hasMetrics: boolean;
  /** Its bytes are there once, however many readers are slow; made when the port is known. */
  readonly openApi: Promise<PreparedDocument>;
};

export const addPublicRoutes = (fastify: FastifyInstance, routes: PublicRoutes): void => {
  fastify.get('/health/live', (_request, reply) => sendAnswer(reply, answerLiveness()));
  fastify.get('/health/ready', async (_request, reply) => sendAnswer(reply, await answerReadiness(routes)));
  if (routes.hasMetrics)
    fastify.get('/metrics', async (_request, reply) => sendAnswer(reply, await answerPublicMetrics(routes)));
  fastify.get('/openapi.json', async (request, reply) =>
    sendPreparedDocument(request, reply, await routes.openApi, 'no-cache'),
  );
};

const sendAnswer = (reply: FastifyReply, { status, contentType, body }: ManagementAnswer): FastifyReply =>
  reply.code(status).header('content-type', contentType).header('cache-control', 'no-cache').send(body);
