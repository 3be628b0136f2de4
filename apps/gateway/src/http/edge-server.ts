/**
 * The HTTP server: Fastify with the limits and the one hook that every request passes. HEAD is served wherever GET is.
 * Refuses: CORS and OPTIONS routes.
 */
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { startOperationSpan } from '@tessera/messaging';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayConfiguration } from '../configuration.js';
import { originGuardOf } from '../mcp/origin-guard.js';
import type { Admission } from './admission.js';
import { faultOfHead, pathOfTarget } from './edge-checks.js';
import { addBodyParsers } from './body-parsers.js';
import type { CatchFailures } from './catch-failures.js';
import { Exchange, type EdgeState } from './exchange.js';
import { plainODataTarget } from './odata-target.js';
import { acceptedTraceparent, madeTraceparent, requestIdOf } from './request-ids.js';
import { publicUrlOf } from './public-url.js';
import type { RequestRecorder } from './request-log.js';
import { sendFailure } from './send-failure.js';
import { UnreadAnswers } from './unread-answers.js';

/** Room for a URL of the longest kind and the headers with a token of 8 KB. */
const headBytesMax = 64 * 1024;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 15_000;
/** Longer than balancers keep idle connections, so that they end them and not we. */
const keepAliveMs = 75_000;
/** How often late heads and bodies are looked for. */
const checkEveryMs = 1_000;

export type EdgeParts = {
  readonly configuration: GatewayConfiguration;
  readonly edge: EdgeState;
  readonly admission: Admission;
  readonly filter: CatchFailures;
  readonly record: RequestRecorder;
};

type ServerParts = EdgeParts & { readonly unread: UnreadAnswers };

export const edgeServerOf = (edgeParts: EdgeParts): FastifyAdapter => {
  const parts: ServerParts = { ...edgeParts, unread: new UnreadAnswers(edgeParts.configuration.READER_TIMEOUT_MS) };
  const { configuration, edge, filter } = parts;
  const options: FastifyHttpOptions<Server> & { skipMiddie: boolean } = {
    logger: false,
    skipMiddie: true,
    exposeHeadRoutes: true,
    bodyLimit: configuration.BODY_MAX_BYTES,
    trustProxy: configuration.TRUST_PROXY ? [...configuration.TRUST_PROXY] : false,
    keepAliveTimeout: keepAliveMs,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    // What arrives on an open connection while we stop is still served.
    return503OnClosing: false,
    genReqId: () => '',
    rewriteUrl: (request) => plainODataTarget(pathOfTarget(request.url ?? '', edge.publicUrl)),
    routerOptions: { maxParamLength: configuration.URL_MAX_LENGTH, querystringParser: () => noQuery },
    http: {
      maxHeaderSize: headBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkEveryMs,
    },
    frameworkErrors: (error, request, reply) => {
      begin(parts, request, reply);
      sendFailure(request, reply, filter.failureOf(error, request));
    },
    clientErrorHandler: refuseSocket,
  };
  const adapter = new FastifyAdapter(options);
  const fastify: FastifyInstance = adapter.getInstance();
  fastify.server.maxConnections = configuration.CONNECTIONS_MAX;
  fastify.decorateRequest('exchange');
  addHook(fastify, parts);
  addBodyParsers(fastify, configuration.BODY_MAX_BYTES);
  return adapter;
};

/** The query is parsed by `build-request`, as each operation needs it. */
const noQuery = Object.freeze({});

/** Makes the exchange, and records it when its answer has ended. */
const begin = ({ edge, record, unread }: ServerParts, request: FastifyRequest, reply: FastifyReply): Exchange => {
  const { headers, raw } = request;
  const url = raw.url ?? '';
  const queryAt = url.indexOf('?');
  const span = startOperationSpan('HTTP', 'server', acceptedTraceparent(headers['traceparent']));
  const exchange = new Exchange(
    edge,
    requestIdOf(headers['x-request-id']),
    span.traceparent ?? madeTraceparent(),
    span,
    queryAt < 0 ? url : url.slice(0, queryAt),
  );
  request.exchange = exchange;
  const { raw: response } = reply;
  unread.watch(response);
  record.begun();
  response.once('close', () => record.ended(request, response.statusCode, response.writableFinished));
  return exchange;
};

const addHook = (fastify: FastifyInstance, parts: ServerParts): void => {
  const rules = {
    urlMaxLength: parts.configuration.URL_MAX_LENGTH,
    keyHeaders: parts.configuration.APP_KEY_HEADERS.map((name) => name.toLowerCase()),
  };
  const guard = originGuardOf(parts.configuration.MCP_ALLOWED_ORIGINS);
  const endBroken = (request: FastifyRequest, reply: FastifyReply, error: unknown): void => {
    try {
      sendFailure(request, reply, parts.filter.failureOf(error, request));
    } catch {
      reply.raw.destroy();
    }
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    const exchange = begin(parts, request, reply);
    const { operation } = request.routeOptions.config;
    exchange.operation = operation;
    const fault = faultOfHead(request.raw, rules);
    if (fault) return sendFailure(request, reply, fault);
    if (operation === undefined) {
      // Fastify sends these itself.
      void reply.header('x-request-id', exchange.requestId).header('x-content-type-options', 'nosniff');
      return done();
    }
    const refused = operation.http.isMcp && guard(request.headers, publicUrlOf(request));
    if (refused) return sendFailure(request, reply, refused);
    const verdict = parts.admission.judge(request, operation);
    if (!(verdict instanceof Promise)) return verdict ? sendFailure(request, reply, verdict) : done();
    // Nobody waits for this promise: a throw on the way, also in what `done` goes on with, would end the process.
    verdict
      .then((failure) => (failure ? sendFailure(request, reply, failure) : done()))
      .catch((error: unknown) => endBroken(request, reply, error));
  });
};

/** What is no HTTP, or too slow or too large to become a request. */
const refuseSocket = (error: Error & { code?: string }, socket: Socket): void => {
  // Behind an answer that nobody takes there is nobody to tell.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.writableLength > 0) return void socket.destroy();
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const detail = late
    ? 'The request took too long to arrive.'
    : 'The request is no HTTP that is understood, or its head is too large.';
  const body = JSON.stringify({
    type: 'about:blank',
    title: late ? 'Request timeout' : 'Bad request',
    status: late ? 408 : 400,
    detail,
  });
  socket.end(
    `HTTP/1.1 ${late ? '408 Request Timeout' : '400 Bad Request'}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};
