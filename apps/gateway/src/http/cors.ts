/**
 * Pages of other origins, by an allow-list and without credentials: a page sends its key or token itself, cookies never count. Never
 * answers an origin that the operator did not name, so without the setting there is no CORS at all.
 */
import { idempotencyHeader } from '@tessera/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayConfiguration } from '../configuration.js';

/** How long browsers may keep the answer to a preflight; they keep none for longer. */
const preflightMaxAgeSeconds = 7_200;

const exposedHeaders = [
  ...['ETag', 'Link', 'Retry-After', 'X-Request-Id', 'X-Total-Count', 'OData-Version', 'Idempotency-Replayed'],
  ...['Evidence', 'Preference-Applied'],
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'WWW-Authenticate'],
  ...['Mcp-Session-Id', 'Mcp-Protocol-Version'],
].join(', ');

const acceptedHeaders: readonly string[] = [
  ...['accept', 'accept-language', 'authorization', 'content-type', 'if-match', 'if-none-match', 'prefer'],
  ...[idempotencyHeader, 'api-version', 'odata-version', 'odata-maxversion', 'last-event-id'],
  ...['x-request-id', 'traceparent', 'tracestate'],
];
/** Revisions of the protocol add headers: `Mcp-Session-Id`, `Mcp-Name`, `Mcp-Param-...`. */
const mcpHeaderPattern = /^mcp-[a-z0-9-]{1,100}$/;

const preflightVary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers';

export class Cors {
  readonly #origins: ReadonlySet<string>;
  readonly #acceptedHeaders: ReadonlySet<string>;

  constructor({ CORS_ORIGINS = [], APP_KEY_HEADERS }: Pick<GatewayConfiguration, 'CORS_ORIGINS' | 'APP_KEY_HEADERS'>) {
    this.#origins = new Set(CORS_ORIGINS);
    this.#acceptedHeaders = new Set([...acceptedHeaders, ...APP_KEY_HEADERS.map((name) => name.toLowerCase())]);
  }

  addHook(fastify: FastifyInstance): void {
    if (this.#origins.size === 0) return;
    // What is served for operations writes its head itself.
    fastify.addHook('onSend', ({ exchange }, reply, payload, done) => {
      const vary = reply.getHeader('vary');
      void reply.header('vary', vary === undefined ? 'Origin' : `${String(vary)}, Origin`);
      const headers = corsHeadersFor(exchange.allowedOrigin);
      for (let index = 0; index < headers.length; index += 2)
        void reply.header(headers[index] ?? '', headers[index + 1] ?? '');
      done(null, payload);
    });
  }

  /** The origin of the page that asks, when the operator allows it. */
  allowedOrigin({ origin }: IncomingHttpHeaders): string | undefined {
    return origin !== undefined && this.#origins.has(origin) ? origin : undefined;
  }

  /** Whether the request was a preflight of an allowed origin for something that is served; then it is answered. */
  answerPreflight({ method, headers, exchange }: FastifyRequest, reply: FastifyReply): boolean {
    const { allowedOrigin, path, requestId, edge } = exchange;
    if (method !== 'OPTIONS' || allowedOrigin === undefined) return false;
    if (headers['access-control-request-method'] === undefined) return false;
    const methods = edge.servedPaths.find(path)?.methods;
    if (methods === undefined) return false;
    const requested = (headers['access-control-request-headers'] ?? '').toLowerCase().split(/\s*,\s*/, 100);
    const accepted = [...this.#acceptedHeaders, ...requested.filter((name) => mcpHeaderPattern.test(name))];
    reply.hijack();
    exchange.outcome = 'ok';
    reply.raw.writeHead(204, [
      ...['Access-Control-Allow-Origin', allowedOrigin, 'Vary', preflightVary],
      ...['Access-Control-Allow-Methods', methods.join(', ')],
      ...['Access-Control-Allow-Headers', [...new Set(accepted)].join(', ')],
      ...['Access-Control-Max-Age', String(preflightMaxAgeSeconds), 'X-Request-Id', requestId],
      ...(edge.draining ? ['Connection', 'close'] : []),
    ]);
    reply.raw.end();
    return true;
  }
}

/** Names and values in turn, for an answer to a page of an allowed origin. */
export const corsHeadersFor = (allowedOrigin: string | undefined): readonly string[] =>
  allowedOrigin === undefined
    ? []
    : ['Access-Control-Allow-Origin', allowedOrigin, 'Access-Control-Expose-Headers', exposedHeaders];
