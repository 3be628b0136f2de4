/**
 * The HTTP server: Fastify with its limits, and the hook that every request passes before guards see it. HEAD is served
 * wherever GET is; OPTIONS only as a preflight of an allowed origin, any other method of a path is 405.
 */
import { Inject, Injectable } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { startOperationSpan } from '@tessera/messaging';
import { settingsToken } from '@tessera/service-kit';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayConfiguration } from '../configuration.js';
import { FailureExceptionFilter } from './catch-failures.js';
import { Cors } from './cors.js';
import { type EdgeRules, checkRequestHead, pathOfTarget, normaliseTarget } from './edge-checks.js';
import { acceptTraceparent, EdgeState, HttpExchange, createTraceparent, acceptOrCreateRequestId } from './exchange.js';
import { addBodyParser, hideContentType } from './read-body.js';
import { RequestRecorder } from './request-recorder.js';
import { toRouterPath } from './router-path.js';
import { sendFailure } from './send-failure.js';

/** Room for a URL of the longest kind and the headers with a token of 8 KB. */
const headBytesMax = 64 * 1024;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 15_000;
/** Longer than balancers keep idle connections, so that they end them and not we. */
const keepAliveMs = 75_000;
/** How often late heads and bodies are looked for. */
const checkEveryMs = 1_000;

/** Only paths of GET have segments that hold more than a member. */
class EdgeAdapter extends FastifyAdapter {
  override get(path: string, ...rest: unknown[]) {
    return super.get(toRouterPath(path), ...rest);
  }
}

/** `edge` is asked for when there are requests: Nest makes it after the adapter. */
export const createEdgeAdapter = (configuration: GatewayConfiguration, edge: () => EdgeServer): FastifyAdapter => {
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
    rewriteUrl: ({ url = '' }) => edge().targetOf(url),
    routerOptions: { maxParamLength: configuration.URL_MAX_LENGTH, querystringParser: () => emptyQuery },
    http: {
      maxHeaderSize: headBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkEveryMs,
    },
    frameworkErrors: (error, request, reply) => edge().refuse(error, request, reply),
    clientErrorHandler: refuseSocket,
  };
  return new EdgeAdapter(options);
};

/** The query is parsed by `build-request`, as each operation needs it. */
const emptyQuery = Object.freeze({});

/** What comes before the router's guards, for every request. */
@Injectable()
export class EdgeServer {
  readonly #unread: UnreadAnswers;
  readonly #rules: EdgeRules;
  readonly #cors: Cors;

  constructor(
    readonly state: EdgeState,
    private readonly filter: FailureExceptionFilter,
    private readonly recorder: RequestRecorder,
    @Inject(settingsToken) private readonly configuration: GatewayConfiguration,
  ) {
    const { READER_TIMEOUT_MS, URL_MAX_LENGTH, APP_KEY_HEADERS } = configuration;
    this.#unread = new UnreadAnswers(READER_TIMEOUT_MS);
    this.#cors = new Cors(configuration);
    this.#rules = { urlMaxLength: URL_MAX_LENGTH, keyHeaders: APP_KEY_HEADERS.map((name) => name.toLowerCase()) };
  }

  addHooks(fastify: FastifyInstance): void {
    fastify.server.maxConnections = this.configuration.CONNECTIONS_MAX;
    fastify.decorateRequest('exchange');
    addBodyParser(fastify);
    this.state.servedPaths.addHook(fastify);
    this.#cors.addHook(fastify);
    fastify.addHook('onRequest', (request, reply, done) => {
      const exchange = this.#begin(request, reply);
      const { operation } = request.routeOptions.config;
      exchange.operation = operation;
      const fault = checkRequestHead(request.raw, this.#rules);
      if (fault) return sendFailure(request, reply, fault);
      if (this.#cors.answerPreflight(request, reply)) return;
      if (operation) hideContentType(request);
      // Fastify sends the others itself.
      else void reply.header('x-request-id', exchange.requestId).header('x-content-type-options', 'nosniff');
      done();
    });
  }

  targetOf(url: string): string {
    return normaliseTarget(pathOfTarget(url, this.state.publicUrl));
  }

  /** What the router does not take, which reaches no hook. */
  refuse(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    this.#begin(request, reply);
    sendFailure(request, reply, this.filter.failureOf(error, request));
  }

  /** Makes the exchange, and records it when its answer has ended. */
  #begin(request: FastifyRequest, reply: FastifyReply): HttpExchange {
    const { headers, raw } = request;
    const url = raw.url ?? '';
    const queryAt = url.indexOf('?');
    const span = startOperationSpan('HTTP', 'server', acceptTraceparent(headers['traceparent']));
    const exchange = new HttpExchange(
      this.state,
      acceptOrCreateRequestId(headers['x-request-id']),
      span.traceparent ?? createTraceparent(),
      span,
      queryAt < 0 ? url : url.slice(0, queryAt),
    );
    exchange.allowedOrigin = this.#cors.allowedOrigin(headers);
    request.exchange = exchange;
    const { raw: response } = reply;
    this.#unread.watch(response);
    this.recorder.begun();
    response.once('close', () => this.recorder.ended(request, response.statusCode, response.writableFinished));
    return exchange;
  }
}

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

/** What the reader has taken, and when it last took something. */
type ReadProgress = { bytes: number; atMs: number };

const sweepMs = 1_000;

/**
 * Closes connections whose readers take nothing of their answers. Only bytes that leave count, whatever a reader sends; an answer
 * that is still awaited does not count against its reader.
 */
class UnreadAnswers {
  readonly #timeoutMs: number;
  readonly #answers = new Map<ServerResponse, ReadProgress>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Until the answer is closed. */
  watch(response: ServerResponse): void {
    this.#answers.set(response, { bytes: 0, atMs: performance.now() });
    response.once('close', () => this.#answers.delete(response));
    this.#sweep ??= setInterval(() => this.#closeUnread(), sweepMs).unref();
  }

  #closeUnread(): void {
    const nowMs = performance.now();
    for (const [{ socket }, taken] of this.#answers) {
      if (!socket) continue;
      const bytes = bytesReadByClient(socket);
      if (socket.writableLength === 0 || bytes !== taken.bytes) taken.atMs = nowMs;
      taken.bytes = bytes;
      if (nowMs - taken.atMs > this.#timeoutMs) socket.destroy();
    }
    if (this.#answers.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

/**
 * Bytes that have left to the reader. Node tells of its handle how much of one large write has; without it a write counts
 * when all of it has left.
 */
const bytesReadByClient = (socket: Socket): number => {
  const handle: unknown = Reflect.get(socket, '_handle');
  const [written, queued] = [numberIn(handle, 'bytesWritten'), numberIn(handle, 'writeQueueSize')];
  return written === undefined || queued === undefined ? socket.bytesWritten - socket.writableLength : written - queued;
};

const numberIn = (handle: unknown, name: string): number | undefined => {
  const value: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : undefined;
  return typeof value === 'number' ? value : undefined;
};
